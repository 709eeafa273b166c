/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h - for tests of the journal: one of their own, and its table. */
#ifndef TESTS_UNIT_RECORD_H
#define TESTS_UNIT_RECORD_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A state directory of this test's own, below the working directory. */
struct place {
    char state[128]; /* $XDG_STATE_HOME */
    char dir[160];   /* the journal's */
    char file[192];  /* the journal, while it is the first */
};

static inline void
place_enter(struct place *p)
{
    snprintf(p->state, sizeof(p->state), "%s/agentsh-record.XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(p->state));
    snprintf(p->dir, sizeof(p->dir), "%s/agentsh", p->state);
    snprintf(p->file, sizeof(p->file), "%s/journal.db", p->dir);
    setenv("XDG_STATE_HOME", p->state, 1);
}

/* Removes one level of files. */
static inline void
place_empty(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *entry;

    while (d && (entry = readdir(d)) != NULL)
        (void)unlinkat(dirfd(d), entry->d_name, 0);
    if (d)
        closedir(d);
    (void)rmdir(dir);
}

static inline void
place_leave(struct place *p)
{
    (void)unlink(p->dir); /* when it is a link */
    place_empty(p->dir);
    place_empty(p->state);
}

/* Runs SQL on the file as another program would. */
static inline void
place_sql(const char *file, const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* The first value of what SQL finds; "" when nothing. */
static inline char *
place_value(const char *file, const char *sql, char *out, size_t size)
{
    sqlite3 *db;
    sqlite3_stmt *q;

    out[0] = '\0';
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    if (sqlite3_step(q) == SQLITE_ROW)
        snprintf(out, size, "%s", (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    sqlite3_close(db);
    return out;
}

#endif

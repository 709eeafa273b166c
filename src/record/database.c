/* SPDX-License-Identifier: GPL-3.0-or-later */
/* database.c - opens a database of ours, and makes its tables in an empty file.
 */
#include "record/database.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "record/journal_path.h"

#define PRAGMA_MAX 128

/* Returns 1 when the file has our tables, 0 when it is empty. */
static int
read_identity(struct sqlite *s, const char *path,
              const struct database_format *f, struct err *e)
{
    int64_t application = 0, version = 0, tables = 0;

    if (sqlite_number(s, "PRAGMA application_id", &application, e) < 0 ||
        sqlite_number(s, "PRAGMA user_version", &version, e) < 0)
        return -1;
    if (application == f->application && version == f->version)
        return 1;
    if (application == f->application)
        return err_set(e, ERR_UNSUPPORTED,
                       "the %s was written by a newer agentsh (format %lld)",
                       f->name, (long long)version);
    if (sqlite_number(s, "SELECT count(*) FROM sqlite_master", &tables, e) < 0)
        return -1;
    if (application != 0 || version != 0 || tables != 0)
        return err_set(e, ERR_PARSE, "%s: it is a database, but not a %s", path,
                       f->name);
    return 0;
}

/* Reads in one transaction, so that what another process creates meanwhile is
 * seen completely or not at all: half of it would look like another program's
 * database. */
static int
identify(struct sqlite *s, const char *path, const struct database_format *f,
         struct err *e)
{
    int rc = sqlite_exec(s, "BEGIN", e);

    if (rc < 0)
        return -1;
    rc = read_identity(s, path, f, e);
    (void)sqlite_exec(s, "ROLLBACK", NULL);
    return rc;
}

static int
set_pragma(struct sqlite *s, const char *name, int64_t value, struct err *e)
{
    char sql[PRAGMA_MAX];

    snprintf(sql, sizeof(sql), "PRAGMA %s=%" PRId64, name, value);
    return sqlite_exec(s, sql, e);
}

/* The size of a page and whether freed space can be returned to the file system
 * must be known to SQLite before the first table. */
static int
make_tables(struct sqlite *s, const struct database_format *f, struct err *e)
{
    bool made;

    if (set_pragma(s, "page_size", f->page_bytes, e) < 0 ||
        sqlite_exec(s, "PRAGMA auto_vacuum=INCREMENTAL", e) < 0 ||
        sqlite_exec(s, "PRAGMA journal_mode=WAL", e) < 0 ||
        sqlite_begin(s, e) < 0)
        return -1;
    made = sqlite_exec(s, f->tables, e) == 0 &&
           set_pragma(s, "application_id", f->application, e) == 0 &&
           set_pragma(s, "user_version", f->version, e) == 0;
    return sqlite_end(s, made, e);
}

/* Makes the tables, unless another process has done so meanwhile. SQLite does
 * not wait when two processes change a file to WAL at once, one of them fails,
 * so the directory is locked. */
static int
make_database(struct sqlite *s, const char *path,
              const struct database_format *f, struct err *e)
{
    CLEANUP(fd_close_p) int lock = journal_path_lock(path, e);
    int rc = lock < 0 ? -1 : identify(s, path, f, e);

    return rc == 0 ? make_tables(s, f, e) : rc < 0 ? -1 : 0;
}

/* Such a file stays as it is: only the person can know what it is worth. */
static void
add_what_helps(const struct err *why, const struct database_format *f,
               struct err *e)
{
    if (e)
        *e = *why;
    if (e && why->code == ERR_PARSE && f->helps)
        err_set(e, why->code, "%.190s: %s", why->text, f->helps);
}

struct sqlite *
database_open(const char *path, enum sqlite_mode mode, int busy_ms,
              const struct database_format *f, struct err *e)
{
    struct err why = {0};
    CLEANUP(sqlite_close_p)
    struct sqlite *s = sqlite_open(path, mode, busy_ms, &why);
    int rc = s ? identify(s, path, f, &why) : -1;

    if (rc < 0) {
        add_what_helps(&why, f, e);
        return NULL;
    }
    if (rc == 0 && mode == SQLITE_MODE_READ) {
        err_set(e, ERR_NOT_FOUND, "nothing is recorded yet");
        return NULL;
    }
    return rc > 0 || make_database(s, path, f, e) == 0 ? TAKE_PTR(s) : NULL;
}

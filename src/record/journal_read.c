/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_read.c - reads the journal: its runs, their rows, and its state. */
#include "record/journal_read.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/str.h"
#include "record/journal_path.h"
#include "record/ledger.h"

#define NAMED_MAX        4 /* runs in a message */
#define SESSION_NAME_MAX 256

struct journal_reader {
    struct ledger *ledger;
    char *path;
};

/* A process that was killed leaves a log that only a writer can take up again
 * (SQLITE_READONLY_RECOVERY). On a disk that is read-only there is none. */
static struct ledger *
open_to_read(const char *path, struct err *e)
{
    struct err why = {0};
    struct ledger *l = ledger_open(path, SQLITE_MODE_READ, LEDGER_WAIT_MS,
                                   &why);

    if (!l && why.sys == EROFS) {
        ledger_close(
            ledger_open(path, SQLITE_MODE_WRITE, LEDGER_WAIT_MS, NULL));
        l = ledger_open(path, SQLITE_MODE_READ, LEDGER_WAIT_MS, &why);
    }
    if (!l && e)
        *e = why;
    return l;
}

struct journal_reader *
journal_read_open(struct err *e)
{
    CLEANUP(journal_read_close_p)
    struct journal_reader *h = calloc(1, sizeof(*h));

    if (!h) {
        err_nomem(e);
        return NULL;
    }
    h->path = journal_path_find(e);
    if (!h->path)
        return NULL;
    if (access(h->path, F_OK) < 0) {
        err_set(e, ERR_NOT_FOUND, "nothing is recorded yet (%s)", h->path);
        return NULL;
    }
    h->ledger = open_to_read(h->path, e);
    if (!h->ledger)
        return NULL;
    return TAKE_PTR(h);
}

void
journal_read_close(struct journal_reader *h)
{
    if (!h)
        return;
    ledger_close(h->ledger);
    free(h->path);
    free(h);
}

const char *
journal_read_path(const struct journal_reader *h)
{
    return h->path;
}

struct sqlite *
journal_read_database(struct journal_reader *h)
{
    return ledger_database(h->ledger);
}

int
journal_read_runs(struct journal_reader *h, int64_t n, const char *kind,
                  journal_read_run_cb *cb, void *arg, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    int rc;

    q = sqlite_query_new(ledger_database(h->ledger),
                         kind ? "SELECT DISTINCT run FROM row WHERE kind = ?2 "
                                "ORDER BY run DESC LIMIT ?1"
                              : "SELECT DISTINCT run FROM row "
                                "ORDER BY run DESC LIMIT ?1",
                         e);
    if (!q)
        return -1;
    sqlite_query_bind_int(q, 1, n);
    if (kind)
        sqlite_query_bind_text(q, 2, kind, strlen(kind));
    while ((rc = sqlite_query_step(q, e)) > 0)
        cb(arg, sqlite_query_text(q, 0, NULL));
    return rc;
}

int
journal_read_rows(struct journal_reader *h, const char *run,
                  journal_read_row_cb *cb, void *arg, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    int rc;

    q = sqlite_query_new(
        ledger_database(h->ledger),
        run ? "SELECT seq, time, run, kind, body, hash FROM row "
              "WHERE run = ?1 ORDER BY seq"
            : "SELECT seq, time, run, kind, body, hash FROM row "
              "ORDER BY seq",
        e);
    if (!q)
        return -1;
    if (run)
        sqlite_query_bind_text(q, 1, run, strlen(run));
    while ((rc = sqlite_query_step(q, e)) > 0) {
        struct ledger_row r = {.seq = sqlite_query_int(q, 0)};

        r.time = sqlite_query_text(q, 1, &r.time_len);
        r.run = sqlite_query_text(q, 2, &r.run_len);
        r.kind = sqlite_query_text(q, 3, &r.kind_len);
        r.body = sqlite_query_text(q, 4, &r.body_len);
        r.hash = sqlite_query_text(q, 5, &r.hash_len);
        cb(arg, &r);
    }
    return rc;
}

/* A body is written without blanks, and a quotation mark in a text is escaped:
 * this member is no part of another one's text. */
int
journal_read_session(struct journal_reader *h, const char *session,
                     journal_read_session_cb *cb, void *arg, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    CLEANUP_BUF struct buf member = buf_of(SESSION_NAME_MAX);
    int rc;

    buf_printf(&member, "\"session\":\"%s\"", session);
    if (buf_ok(&member, "the name of the session", e) < 0)
        return -1;
    q = sqlite_query_new(ledger_database(h->ledger),
                         "SELECT run, time FROM row WHERE kind = 'request' "
                         "AND instr(body, ?1) > 0 ORDER BY seq",
                         e);
    if (!q)
        return -1;
    sqlite_query_bind_text(q, 1, member.p, member.len);
    while ((rc = sqlite_query_step(q, e)) > 0)
        cb(arg, sqlite_query_text(q, 0, NULL), sqlite_query_text(q, 1, NULL));
    return rc;
}

/* A search for a run by a part of its name. */
struct run_search {
    const char *word;
    char found[64], others[200];
    int n;
};

static void
on_run(void *arg, const char *run)
{
    struct run_search *s = arg;
    size_t n = strlen(s->others);

    if (!str_begins(run, s->word) && !str_ends(run, s->word))
        return;
    s->n++;
    snprintf(s->found, sizeof(s->found), "%s", run);
    if (s->n <= NAMED_MAX)
        snprintf(s->others + n, sizeof(s->others) - n, "%s%s", n ? ", " : "",
                 run);
}

int
journal_read_find_run(struct journal_reader *h, const char *word,
                      struct buf *out, struct err *e)
{
    struct run_search s = {.word = word};

    if (journal_read_runs(h, INT64_MAX, NULL, on_run, &s, e) < 0)
        return -1;
    if (s.n == 0 || !word[0])
        return err_set(e, ERR_NOT_FOUND, "no such run: '%.60s'", word);
    if (s.n > 1)
        return err_set(e, ERR_INVALID, "'%.40s' matches %d runs: %s%s", word,
                       s.n, s.others, s.n > NAMED_MAX ? ", …" : "");
    buf_str(out, s.found);
    return buf_ok(out, "the name of the run", e);
}

static int
read_verified(struct sqlite *s, struct journal_state *out, struct err *e)
{
    CLEANUP(sqlite_query_free_p)
    struct sqlite_query *q = sqlite_query_new(
        s, "SELECT time, faults FROM verified", e);
    int rc = q ? sqlite_query_step(q, e) : -1;

    if (rc > 0) {
        snprintf(out->verified, sizeof(out->verified), "%s",
                 sqlite_query_text(q, 0, NULL));
        out->faults = sqlite_query_int(q, 1);
    }
    return rc < 0 ? -1 : 0;
}

static int64_t
file_size(const char *path, const char *suffix)
{
    CLEANUP(free_p) char *name = path_beside(path, suffix);
    struct stat st;

    return name && stat(name, &st) == 0 ? st.st_size : 0;
}

int
journal_read_state(struct journal_reader *h, struct journal_state *s,
                   struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    struct sqlite *store = ledger_database(h->ledger);
    struct journal_state out = {0};
    int rc;

    out.bytes = file_size(h->path, "") + file_size(h->path, "-wal");
    if (sqlite_number(store, "SELECT count(*) FROM row", &out.rows, e) < 0 ||
        sqlite_number(store, "SELECT count(DISTINCT run) FROM row", &out.runs,
                      e) < 0 ||
        read_verified(store, &out, e) < 0)
        return -1;
    q = sqlite_query_new(store, "SELECT time FROM row ORDER BY seq LIMIT 1", e);
    rc = q ? sqlite_query_step(q, e) : -1;
    if (rc > 0)
        snprintf(out.since, sizeof(out.since), "%s",
                 sqlite_query_text(q, 0, NULL));
    if (rc >= 0)
        *s = out;
    return rc < 0 ? -1 : 0;
}

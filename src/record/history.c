/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c - the journal, read. */
#include "record/history.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "record/ledger.h"
#include "record/place.h"

#define WAIT_MS   3000
#define NAMED_MAX 4 /* runs in a message */

struct history {
    struct ledger *ledger;
    char *path;
};

struct history *
history_open(struct err *e)
{
    CLEANUP(history_close_p) struct history *h = calloc(1, sizeof(*h));

    if (!h) {
        err_set(e, ERR_NOMEM, "out of memory");
        return NULL;
    }
    h->path = place_journal(e);
    if (!h->path)
        return NULL;
    if (access(h->path, F_OK) < 0) {
        err_set(e, ERR_NOT_FOUND, "nothing is recorded yet (%s)", h->path);
        return NULL;
    }
    h->ledger = ledger_open(h->path, STORE_READ, WAIT_MS, e);
    if (!h->ledger)
        return NULL;
    return TAKE_PTR(h);
}

void
history_close(struct history *h)
{
    if (!h)
        return;
    ledger_close(h->ledger);
    free(h->path);
    free(h);
}

const char *
history_path(const struct history *h)
{
    return h->path;
}

struct store *
history_store(struct history *h)
{
    return ledger_store(h->ledger);
}

int
history_runs(struct history *h, int64_t n, const char *kind, history_run_cb *cb,
             void *arg, struct err *e)
{
    CLEANUP(query_free_p) struct query *q = NULL;
    int rc;

    q = store_query(ledger_store(h->ledger),
                    kind ? "SELECT DISTINCT run FROM row WHERE kind = ?2 "
                           "ORDER BY run DESC LIMIT ?1"
                         : "SELECT DISTINCT run FROM row "
                           "ORDER BY run DESC LIMIT ?1",
                    e);
    if (!q)
        return -1;
    query_bind_int(q, 1, n);
    if (kind)
        query_bind_text(q, 2, kind, strlen(kind));
    while ((rc = query_step(q, e)) > 0)
        cb(arg, query_text(q, 0, NULL));
    return rc;
}

int
history_rows(struct history *h, const char *run, history_row_cb *cb, void *arg,
             struct err *e)
{
    CLEANUP(query_free_p) struct query *q = NULL;
    int rc;

    q = store_query(ledger_store(h->ledger),
                    run ? "SELECT seq, time, run, kind, body, hash FROM row "
                          "WHERE run = ?1 ORDER BY seq"
                        : "SELECT seq, time, run, kind, body, hash FROM row "
                          "ORDER BY seq",
                    e);
    if (!q)
        return -1;
    if (run)
        query_bind_text(q, 1, run, strlen(run));
    while ((rc = query_step(q, e)) > 0) {
        struct chain_row r = {.seq = query_int(q, 0)};

        r.time = query_text(q, 1, &r.time_len);
        r.run = query_text(q, 2, &r.run_len);
        r.kind = query_text(q, 3, &r.kind_len);
        r.body = query_text(q, 4, &r.body_len);
        r.hash = query_text(q, 5, &r.hash_len);
        cb(arg, &r);
    }
    return rc;
}

/* What a word may mean. */
struct search {
    const char *word;
    char found[64], others[200];
    int n;
};

static bool
ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && strcmp(s + n - m, end) == 0;
}

static void
on_run(void *arg, const char *run)
{
    struct search *s = arg;
    size_t n = strlen(s->others);

    if (strncmp(run, s->word, strlen(s->word)) != 0 && !ends_with(run, s->word))
        return;
    s->n++;
    snprintf(s->found, sizeof(s->found), "%s", run);
    if (s->n <= NAMED_MAX)
        snprintf(s->others + n, sizeof(s->others) - n, "%s%s", n ? ", " : "",
                 run);
}

int
history_find(struct history *h, const char *word, struct buf *out,
             struct err *e)
{
    struct search s = {.word = word};

    if (history_runs(h, INT64_MAX, NULL, on_run, &s, e) < 0)
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
read_verified(struct store *s, struct history_state *out, struct err *e)
{
    CLEANUP(query_free_p)
    struct query *q = store_query(s, "SELECT time, faults FROM verified", e);
    int rc = q ? query_step(q, e) : -1;

    if (rc > 0) {
        snprintf(out->verified, sizeof(out->verified), "%s",
                 query_text(q, 0, NULL));
        out->faults = query_int(q, 1);
    }
    return rc < 0 ? -1 : 0;
}

static int64_t
size_of(const char *path, const char *suffix)
{
    CLEANUP(free_p) char *name = path_beside(path, suffix);
    struct stat st;

    return name && stat(name, &st) == 0 ? st.st_size : 0;
}

int
history_state(struct history *h, struct history_state *s, struct err *e)
{
    CLEANUP(query_free_p) struct query *q = NULL;
    struct store *store = ledger_store(h->ledger);
    struct history_state out = {0};
    int rc;

    out.bytes = size_of(h->path, "") + size_of(h->path, "-wal");
    if (store_number(store, "SELECT count(*) FROM row", &out.rows, e) < 0 ||
        store_number(store, "SELECT count(DISTINCT run) FROM row", &out.runs,
                     e) < 0 ||
        read_verified(store, &out, e) < 0)
        return -1;
    q = store_query(store, "SELECT time FROM row ORDER BY seq LIMIT 1", e);
    rc = q ? query_step(q, e) : -1;
    if (rc > 0)
        snprintf(out.since, sizeof(out.since), "%s", query_text(q, 0, NULL));
    if (rc >= 0)
        *s = out;
    return rc < 0 ? -1 : 0;
}

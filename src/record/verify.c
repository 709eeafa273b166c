/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.c - walks the journal's chain. */
#include "record/verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "record/history.h"
#include "record/keep.h"
#include "json/json.h"

#define WHAT_MAX 200

/* Where the walk is. */
struct walk {
    struct verify *out;
    verify_cb *cb;
    void *arg;
    int64_t last; /* the number of the last row, or of one that is missing */
    bool known;   /* the hashes before it are: */
    char stored[SHA256_HEX_SIZE], made[SHA256_HEX_SIZE];
};

static void fault(struct walk *w, int64_t row, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
fault(struct walk *w, int64_t row, const char *fmt, ...)
{
    char what[WHAT_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof(what), fmt, ap);
    va_end(ap);
    w->out->faults++;
    w->cb(w->arg, row, what);
}

/* The rows behind the last one up to this are not there. */
static void
missing(struct walk *w, int64_t until)
{
    int64_t from = w->last + 1;

    if (from == until)
        fault(w, from, "row %" PRId64 " is missing", from);
    else
        fault(w, from, "rows %" PRId64 " to %" PRId64 " are missing", from,
              until);
    w->known = false;
}

/* The hash of a row is right after the one before as it is stored, or as it
 * should be: so that a changed hash is one fault and not two. */
static bool
follows(struct walk *w, const struct chain_row *r, char made[SHA256_HEX_SIZE])
{
    char other[SHA256_HEX_SIZE];

    if (chain_hash(w->stored, r, made, NULL) < 0)
        return false;
    if (strcmp(made, r->hash) == 0)
        return true;
    if (chain_hash(w->made, r, other, NULL) < 0 || strcmp(other, r->hash) != 0)
        return false;
    memcpy(made, other, sizeof(other));
    return true;
}

static void
on_row(void *arg, const struct chain_row *r)
{
    struct walk *w = arg;
    char made[SHA256_HEX_SIZE];

    if (w->out->rows++ == 0)
        snprintf(w->out->since, sizeof(w->out->since), "%s", r->time);
    if (r->seq <= w->last) {
        fault(w, r->seq, "row %" PRId64 " was added before the first one",
              r->seq);
        return;
    }
    if (r->seq - 1 > w->last)
        missing(w, r->seq - 1);
    snprintf(made, sizeof(made), "%s", r->hash);
    if (w->known && !follows(w, r, made))
        fault(w, r->seq, "row %" PRId64 " was changed or moved", r->seq);
    w->known = true;
    w->last = r->seq;
    snprintf(w->stored, sizeof(w->stored), "%s", r->hash);
    memcpy(w->made, made, sizeof(made));
}

/* The newest row about what was removed says from where the chain begins. */
static int
find_start(struct store *s, struct walk *w, struct err *e)
{
    CLEANUP(query_free_p) struct query *q = NULL;
    CLEANUP(json_free_p) struct json *body = NULL;
    const char *text, *hash, *until;
    int64_t removed;
    size_t n;
    int rc;

    q = store_query(s,
                    "SELECT body FROM row WHERE kind = '" KEEP_KIND
                    "' ORDER BY seq DESC LIMIT 1",
                    e);
    rc = q ? query_step(q, e) : -1;
    if (rc <= 0)
        return rc;
    text = query_text(q, 0, &n);
    body = json_parse(text, n, 0, NULL);
    hash = json_get_str(body, "hash");
    until = json_get_str(body, "until");
    if (!hash || !until || !json_int(json_get(body, "rows"), &removed) ||
        removed < 1)
        return 0; /* the walk finds it changed */
    snprintf(w->stored, sizeof(w->stored), "%s", hash);
    snprintf(w->made, sizeof(w->made), "%s", hash);
    snprintf(w->out->removed_until, sizeof(w->out->removed_until), "%s", until);
    w->out->removed = removed;
    w->last = removed;
    return 0;
}

/* The head says where the journal ends. */
static int
check_end(struct store *s, struct walk *w, struct err *e)
{
    CLEANUP(query_free_p)
    struct query *q = store_query(s, "SELECT seq, hash FROM head", e);
    int rc = q ? query_step(q, e) : -1;
    int64_t last;

    if (rc < 0)
        return -1;
    if (rc == 0) {
        fault(w, w->last, "the record of the journal's end is missing");
        return 0;
    }
    last = query_int(q, 0);
    if (last > w->last)
        missing(w, last);
    if (last < w->last)
        fault(w, last + 1,
              "row %" PRId64 " and those after it were added at the end",
              last + 1);
    if (last == w->last && strcmp(query_text(q, 1, NULL), w->stored) != 0)
        fault(w, last, "row %" PRId64 " is not the journal's last row", last);
    return 0;
}

/* A journal that cannot be written is as good to read. */
static void
remember(const char *path, const struct verify *v)
{
    CLEANUP(store_close_p)
    struct store *s = store_open(path, STORE_WRITE, 0, NULL);
    char sql[WHAT_MAX], now[LEDGER_TIME_SIZE];

    if (!s)
        return;
    snprintf(sql, sizeof(sql),
             "INSERT OR REPLACE INTO verified VALUES (1, '%s', %" PRId64 ")",
             ledger_time(ledger_now_ms(), now), v->faults);
    (void)store_exec(s, sql, NULL);
}

static int
walk(struct history *h, struct walk *w, struct err *e)
{
    struct store *s = history_store(h);

    if (store_exec(s, "BEGIN", e) < 0)
        return -1;
    if (find_start(s, w, e) < 0 || history_rows(h, NULL, on_row, w, e) < 0 ||
        check_end(s, w, e) < 0)
        return -1;
    return store_number(s, "SELECT count(DISTINCT run) FROM row", &w->out->runs,
                        e);
}

int
verify_journal(struct verify *out, verify_cb *cb, void *arg, struct err *e)
{
    CLEANUP(history_close_p) struct history *h = history_open(e);
    struct verify found = {0};
    struct walk w = {.out = &found,
                     .cb = cb,
                     .arg = arg,
                     .known = true,
                     .stored = CHAIN_START,
                     .made = CHAIN_START};
    CLEANUP(free_p) char *path = NULL;

    if (!h || walk(h, &w, e) < 0)
        return -1;
    path = strdup(history_path(h));
    history_close(h);
    h = NULL;
    if (path)
        remember(path, &found);
    *out = found;
    return 0;
}

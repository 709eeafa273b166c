/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal_verify.c - verifies the journal's chain of hashes. */
#include "record/journal_verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "record/journal_read.h"
#include "record/retention.h"
#include "json/json.h"

#define WHAT_MAX 200

/* The state of the walk over the rows. */
struct verify_walk {
    struct journal_verify *out;
    journal_verify_cb *cb;
    void *arg;
    int64_t last; /* number of the last row, present or missing */
    bool known;   /* the hashes of the row before are known: */
    char stored[SHA256_HEX_SIZE], made[SHA256_HEX_SIZE];
};

__attribute__((format(printf, 3, 4))) static void
fault(struct verify_walk *w, int64_t row, const char *fmt, ...)
{
    char what[WHAT_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof(what), fmt, ap);
    va_end(ap);
    w->out->faults++;
    w->cb(w->arg, row, what);
}

/* Reports the rows from the last one to `until` as missing. */
static void
add_missing(struct verify_walk *w, int64_t until)
{
    int64_t from = w->last + 1;

    if (from == until)
        fault(w, from, "row %lld is missing", (long long)from);
    else
        fault(w, from, "rows %lld to %lld are missing", (long long)from,
              (long long)until);
    w->known = false;
}

/* Whether the hash of a row follows from the hash before it, as stored or as
 * computed: so a changed hash is one fault, not two. */
static bool
follows(struct verify_walk *w, const struct ledger_row *r,
        char made[SHA256_HEX_SIZE])
{
    char other[SHA256_HEX_SIZE];

    if (ledger_hash(w->stored, r, made, NULL) < 0)
        return false;
    if (strcmp(made, r->hash) == 0)
        return true;
    if (ledger_hash(w->made, r, other, NULL) < 0 || strcmp(other, r->hash) != 0)
        return false;
    memcpy(made, other, sizeof(other));
    return true;
}

static void
on_row(void *arg, const struct ledger_row *r)
{
    struct verify_walk *w = arg;
    char made[SHA256_HEX_SIZE];

    if (w->out->rows++ == 0)
        snprintf(w->out->since, sizeof(w->out->since), "%s", r->time);
    if (r->seq <= w->last) {
        fault(w, r->seq, "row %lld was added before the first one",
              (long long)r->seq);
        return;
    }
    if (r->seq - 1 > w->last)
        add_missing(w, r->seq - 1);
    snprintf(made, sizeof(made), "%s", r->hash);
    if (w->known && !follows(w, r, made))
        fault(w, r->seq, "row %lld was changed or moved", (long long)r->seq);
    w->known = true;
    w->last = r->seq;
    snprintf(w->stored, sizeof(w->stored), "%s", r->hash);
    memcpy(w->made, made, sizeof(made));
}

/* The newest row "removed" tells where the chain begins. */
static int
find_chain_start(struct sqlite *s, struct verify_walk *w, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    CLEANUP(json_free_p) struct json *body = NULL;
    const char *text, *hash, *until;
    int64_t removed;
    size_t n;
    int rc;

    q = sqlite_query_new(s,
                         "SELECT body FROM row WHERE kind = '" RETENTION_KIND
                         "' ORDER BY seq DESC LIMIT 1",
                         e);
    rc = q ? sqlite_query_step(q, e) : -1;
    if (rc <= 0)
        return rc;
    text = sqlite_query_text(q, 0, &n);
    body = json_parse(text, n, 0, NULL);
    hash = json_get_str(body, "hash");
    until = json_get_str(body, "until");
    if (!hash || !until || !json_int(json_get(body, "rows"), &removed) ||
        removed < 1)
        return 0; /* the walk reports the row as changed */
    snprintf(w->stored, sizeof(w->stored), "%s", hash);
    snprintf(w->made, sizeof(w->made), "%s", hash);
    snprintf(w->out->removed_until, sizeof(w->out->removed_until), "%s", until);
    w->out->removed = removed;
    w->last = removed;
    return 0;
}

/* Checks that the journal ends where its head says. */
static int
check_end(struct sqlite *s, struct verify_walk *w, struct err *e)
{
    CLEANUP(sqlite_query_free_p)
    struct sqlite_query *q = sqlite_query_new(s, "SELECT seq, hash FROM head",
                                              e);
    int rc = q ? sqlite_query_step(q, e) : -1;
    int64_t last;

    if (rc < 0)
        return -1;
    if (rc == 0) {
        fault(w, w->last, "the record of the journal's end is missing");
        return 0;
    }
    last = sqlite_query_int(q, 0);
    if (last > w->last)
        add_missing(w, last);
    if (last < w->last)
        fault(w, last + 1, "row %lld and those after it were added at the end",
              (long long)last + 1);
    if (last == w->last &&
        strcmp(sqlite_query_text(q, 1, NULL), w->stored) != 0)
        fault(w, last, "row %lld is not the journal's last row",
              (long long)last);
    return 0;
}

/* Stores the result in the journal, unless it is read-only. */
static void
store_result(const char *path, const struct journal_verify *v)
{
    CLEANUP(sqlite_close_p)
    struct sqlite *s = sqlite_open(path, SQLITE_MODE_WRITE, 0, NULL);
    char sql[WHAT_MAX], now[LEDGER_TIME_SIZE];

    if (!s)
        return;
    snprintf(sql, sizeof(sql),
             "INSERT OR REPLACE INTO verified VALUES (1, '%s', %" PRId64 ")",
             ledger_time(ledger_now_ms(), now), v->faults);
    (void)sqlite_exec(s, sql, NULL);
}

static int
walk_journal(struct journal_reader *h, struct verify_walk *w, struct err *e)
{
    struct sqlite *s = journal_read_database(h);

    if (sqlite_exec(s, "BEGIN", e) < 0)
        return -1;
    if (find_chain_start(s, w, e) < 0 ||
        journal_read_rows(h, NULL, on_row, w, e) < 0 || check_end(s, w, e) < 0)
        return -1;
    return sqlite_number(s, "SELECT count(DISTINCT run) FROM row",
                         &w->out->runs, e);
}

int
journal_verify(struct journal_verify *out, journal_verify_cb *cb, void *arg,
               struct err *e)
{
    CLEANUP(journal_read_close_p)
    struct journal_reader *h = journal_read_open(e);
    struct journal_verify found = {0};
    struct verify_walk w = {.out = &found,
                            .cb = cb,
                            .arg = arg,
                            .known = true,
                            .stored = LEDGER_FIRST_HASH,
                            .made = LEDGER_FIRST_HASH};
    CLEANUP(free_p) char *path = NULL;

    if (!h || walk_journal(h, &w, e) < 0)
        return -1;
    path = strdup(journal_read_path(h));
    journal_read_close(h);
    h = NULL;
    if (path)
        store_result(path, &found);
    *out = found;
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* retention.c - deletes old runs from the journal. */
#include "record/retention.h"

#include <stdio.h>
#include <string.h>

#include "json/write.h"

#define DAY_MS   (24 * 60 * 60 * (int64_t)1000)
#define MB       (1024 * 1024 * (int64_t)1)
#define BODY_MAX 1024
/* A row's other columns, and its entries in two trees. */
#define ROW_BYTES 300

/* The last row to remove. */
struct cut {
    int64_t seq; /* 0: none is removed */
    char time[LEDGER_TIME_SIZE], hash[SHA256_HEX_SIZE];
};

/* Bytes in use, free pages not counted. */
static int
database_size(struct sqlite *s, int64_t *bytes, struct err *e)
{
    int64_t pages, unused, each;

    if (sqlite_number(s, "PRAGMA page_count", &pages, e) < 0 ||
        sqlite_number(s, "PRAGMA freelist_count", &unused, e) < 0 ||
        sqlite_number(s, "PRAGMA page_size", &each, e) < 0)
        return -1;
    *bytes = (pages - unused) * each;
    return 0;
}

/* By how many bytes the journal is too large. */
static int
excess_of(struct sqlite *s, int64_t mb, int64_t *excess, struct err *e)
{
    int64_t bytes = 0;

    *excess = 0;
    if (mb == 0)
        return 0;
    if (database_size(s, &bytes, e) < 0)
        return -1;
    if (bytes > mb * MB)
        *excess = bytes - mb * MB / 10 * 9;
    return 0;
}

/* Walks from the oldest row while rows must be removed. Times are compared as
 * texts, since they have one form. */
static int
find_cut(struct sqlite *s, int64_t before, const char *oldest, int64_t excess,
         struct cut *cut, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    int rc;

    q = sqlite_query_new(
        s,
        "SELECT seq, time, hash, length(CAST(body AS BLOB)) FROM "
        "row WHERE seq < ?1 ORDER BY seq",
        e);
    if (!q)
        return -1;
    sqlite_query_bind_int(q, 1, before);
    while ((rc = sqlite_query_step(q, e)) > 0) {
        const char *time = sqlite_query_text(q, 1, NULL);

        if (excess <= 0 && strcmp(time, oldest) >= 0)
            break;
        cut->seq = sqlite_query_int(q, 0);
        snprintf(cut->time, sizeof(cut->time), "%s", time);
        snprintf(cut->hash, sizeof(cut->hash), "%s",
                 sqlite_query_text(q, 2, NULL));
        excess -= sqlite_query_int(q, 3) + ROW_BYTES;
    }
    return rc < 0 ? -1 : 0;
}

static int
add_removed_row(struct ledger *l, const char *run, const struct cut *cut,
                struct err *e)
{
    CLEANUP_BUF struct buf body = buf_of(BODY_MAX);
    char now[LEDGER_TIME_SIZE];
    struct json_writer w;
    struct ledger_row row = {.run = run, .run_len = strlen(run)};

    json_write_init(&w, &body);
    json_open_object(&w);
    json_member_int(&w, "rows", cut->seq); /* and all before it */
    json_member_str(&w, "until", cut->time);
    json_member_str(&w, "hash", cut->hash);
    json_close_object(&w);
    row.time = ledger_time(ledger_now_ms(), now);
    row.time_len = strlen(now);
    row.kind = RETENTION_KIND;
    row.kind_len = strlen(RETENTION_KIND);
    row.body = body.p;
    row.body_len = body.len;
    return ledger_append(l, &row, NULL, e);
}

static int
remove_rows(struct sqlite *s, int64_t seq, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;

    q = sqlite_query_new(s, "DELETE FROM row WHERE seq <= ?1", e);
    if (!q)
        return -1;
    sqlite_query_bind_int(q, 1, seq);
    return sqlite_query_step(q, e) < 0 ? -1 : 0;
}

static int
remove_oldest(struct ledger *l, const char *run, int64_t before,
              const char *oldest, int64_t excess, struct err *e)
{
    struct cut cut = {0};

    if (find_cut(ledger_database(l), before, oldest, excess, &cut, e) < 0)
        return -1;
    if (cut.seq == 0)
        return 0;
    if (add_removed_row(l, run, &cut, e) < 0)
        return -1;
    return remove_rows(ledger_database(l), cut.seq, e);
}

/* Whether the oldest row is too old. */
static int
is_old(struct sqlite *s, const char *oldest, bool *old, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    int rc;

    q = sqlite_query_new(s, "SELECT time FROM row ORDER BY seq LIMIT 1", e);
    rc = q ? sqlite_query_step(q, e) : -1;
    *old = rc > 0 && strcmp(sqlite_query_text(q, 0, NULL), oldest) < 0;
    return rc < 0 ? -1 : 0;
}

int
retention_trim(struct ledger *l, const char *run, int64_t before,
               const struct retention *k, struct err *e)
{
    struct sqlite *s = ledger_database(l);
    char oldest[LEDGER_TIME_SIZE] = "";
    int64_t excess = 0;
    bool old = false;
    int rc;

    if (k->days > 0)
        ledger_time(ledger_now_ms() - k->days * DAY_MS, oldest);
    if (is_old(s, oldest, &old, e) < 0 || excess_of(s, k->mb, &excess, e) < 0)
        return -1;
    if (!old && excess == 0)
        return 0;
    if (ledger_begin(l, e) < 0)
        return -1;
    rc = remove_oldest(l, run, before, oldest, excess, e);
    if (ledger_end(l, rc == 0, e) < 0 || rc < 0)
        return -1;
    return sqlite_exec(s, "PRAGMA incremental_vacuum", e);
}

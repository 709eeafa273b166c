/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.c - keeps the journal's tables: rows in a chain of hashes, and its
 * end. */
#include "record/ledger.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "record/database.h"

#define CANONICAL_MAX (8u << 20) /* a stored row has 4 MiB at most */

/* The row of head has the number and the hash of the last row. */
static const char tables[] =
    "CREATE TABLE IF NOT EXISTS row (seq INTEGER PRIMARY KEY, time TEXT NOT "
    "NULL, run TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, hash "
    "TEXT NOT NULL);"
    "CREATE INDEX IF NOT EXISTS row_run ON row (run, seq);"
    "CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY CHECK (id = 1), "
    "seq INTEGER NOT NULL, hash TEXT NOT NULL);"
    "INSERT OR IGNORE INTO head VALUES (1, 0, '" LEDGER_FIRST_HASH "');"
    "CREATE TABLE IF NOT EXISTS verified (id INTEGER PRIMARY KEY CHECK (id = "
    "1), time TEXT NOT NULL, faults INTEGER NOT NULL);";

/* A run writes a few rows of some hundred bytes, and the next process to open
 * the journal reads all pages written since the last checkpoint: so pages are
 * small. */
static const struct database_format format = {
    .name = "journal",
    .application = 0x61677368, /* "agsh" */
    .version = 1,
    .page_bytes = 1024,
    .tables = tables,
};

/* The hash of a row. */

static void
put_hashed_part(struct buf *form, const char *part, size_t n)
{
    buf_printf(form, "%zu:", n);
    buf_add(form, part, n);
}

int
ledger_hash(const char *prev, const struct ledger_row *r,
            char hex[SHA256_HEX_SIZE], struct err *e)
{
    CLEANUP_BUF struct buf form = buf_of(CANONICAL_MAX);

    put_hashed_part(&form, prev, strlen(prev));
    buf_printf(&form, "%" PRId64 ":", r->seq);
    put_hashed_part(&form, r->time, r->time_len);
    put_hashed_part(&form, r->run, r->run_len);
    put_hashed_part(&form, r->kind, r->kind_len);
    put_hashed_part(&form, r->body, r->body_len);
    if (buf_ok(&form, "the row", e) < 0)
        return -1;
    sha256_hex(form.p, form.len, hex);
    return 0;
}

/* The tables of the database. */

struct ledger {
    struct sqlite *db;
    struct sqlite_query *head, *insert, *advance;
    /* within a transaction that has added a row: the number and the hash of
     * the last, which are written when it ends */
    bool added;
    int64_t seq;
    char hash[SHA256_HEX_SIZE];
};

static int
prepare_queries(struct ledger *l, struct err *e)
{
    const struct {
        struct sqlite_query **q;
        const char *sql;
    } rows[] = {
        {&l->head, "SELECT seq, hash FROM head"},
        {&l->insert, "INSERT INTO row VALUES (?1, ?2, ?3, ?4, ?5, ?6)"},
        {&l->advance, "UPDATE head SET seq = ?1, hash = ?2 WHERE id = 1"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        *rows[i].q = sqlite_query_new(l->db, rows[i].sql, e);
        if (!*rows[i].q)
            return -1;
    }
    return 0;
}

struct ledger *
ledger_open(const char *path, enum sqlite_mode mode, int busy_ms, struct err *e)
{
    CLEANUP(ledger_close_p) struct ledger *l = calloc(1, sizeof(*l));

    if (!l) {
        err_nomem(e);
        return NULL;
    }
    l->db = database_open(path, mode, busy_ms, &format, e);
    if (!l->db || (mode == SQLITE_MODE_WRITE && prepare_queries(l, e) < 0))
        return NULL;
    return TAKE_PTR(l);
}

void
ledger_close(struct ledger *l)
{
    if (!l)
        return;
    sqlite_query_free(l->head);
    sqlite_query_free(l->insert);
    sqlite_query_free(l->advance);
    sqlite_close(l->db);
    free(l);
}

struct sqlite *
ledger_database(struct ledger *l)
{
    return l->db;
}

int
ledger_begin(struct ledger *l, struct err *e)
{
    l->added = false;
    return sqlite_begin(l->db, e);
}

static int
write_ledger_head(struct ledger *l, struct err *e)
{
    if (!l->added)
        return 0;
    sqlite_query_bind_int(l->advance, 1, l->seq);
    sqlite_query_bind_text(l->advance, 2, l->hash, strlen(l->hash));
    return sqlite_query_run(l->advance, e);
}

int
ledger_end(struct ledger *l, bool keep, struct err *e)
{
    bool whole = keep && write_ledger_head(l, e) == 0;

    return sqlite_end(l->db, whole, e) < 0 && keep ? -1 : 0;
}

/* Reads the head, unless this transaction has added a row. */
static int
read_ledger_head(struct ledger *l, struct err *e)
{
    int rc;

    if (l->added)
        return 0;
    rc = sqlite_query_step(l->head, e);
    if (rc > 0) {
        l->seq = sqlite_query_int(l->head, 0);
        snprintf(l->hash, sizeof(l->hash), "%s",
                 sqlite_query_text(l->head, 1, NULL));
    }
    sqlite_query_reset(l->head);
    if (rc == 0)
        return err_set(e, ERR_PARSE, "the journal's head is missing");
    return rc < 0 ? -1 : 0;
}

static int
insert_row(struct ledger *l, const struct ledger_row *r, const char *hash,
           struct err *e)
{
    sqlite_query_bind_int(l->insert, 1, r->seq);
    sqlite_query_bind_text(l->insert, 2, r->time, r->time_len);
    sqlite_query_bind_text(l->insert, 3, r->run, r->run_len);
    sqlite_query_bind_text(l->insert, 4, r->kind, r->kind_len);
    sqlite_query_bind_text(l->insert, 5, r->body, r->body_len);
    sqlite_query_bind_text(l->insert, 6, hash, strlen(hash));
    return sqlite_query_run(l->insert, e);
}

int
ledger_append(struct ledger *l, const struct ledger_row *r, int64_t *seq,
              struct err *e)
{
    struct ledger_row row = *r;
    char hash[SHA256_HEX_SIZE];

    if (read_ledger_head(l, e) < 0)
        return -1;
    if (l->seq < 0 || l->seq == INT64_MAX)
        return err_set(e, ERR_PARSE,
                       "the journal's head has an invalid row number");
    row.seq = l->seq + 1;
    if (ledger_hash(l->hash, &row, hash, e) < 0 ||
        insert_row(l, &row, hash, e) < 0)
        return -1;
    l->added = true;
    l->seq = row.seq;
    memcpy(l->hash, hash, sizeof(l->hash));
    if (seq)
        *seq = row.seq;
    return 0;
}

int64_t
ledger_now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

const char *
ledger_time(int64_t unix_ms, char text[LEDGER_TIME_SIZE])
{
    char whole[CLOCK_RFC3339_SIZE];

    clock_rfc3339((time_t)(unix_ms / 1000), whole);
    snprintf(text, LEDGER_TIME_SIZE, "%.19s.%03dZ", whole,
             (int)(unix_ms % 1000));
    return text;
}

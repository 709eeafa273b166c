/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger.c - the journal's tables: rows in a chain, and where it ends. */
#include "record/ledger.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "record/place.h"

#define APPLICATION 0x61677368 /* "agsh", in the file's head (SQLite's) */
#define FORM        1
/* A run writes a few rows of some hundred bytes, and who opens the journal
 * next reads all the pages that were written since they were folded in. */
#define PAGE_BYTES "1024"

/* Texts of the head's row are those of the last row. */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS row (seq INTEGER PRIMARY KEY, time TEXT NOT "
    "NULL, run TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, hash "
    "TEXT NOT NULL);"
    "CREATE INDEX IF NOT EXISTS row_run ON row (run, seq);"
    "CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY CHECK (id = 1), "
    "seq INTEGER NOT NULL, hash TEXT NOT NULL);"
    "INSERT OR IGNORE INTO head VALUES (1, 0, '" CHAIN_START "');"
    "CREATE TABLE IF NOT EXISTS verified (id INTEGER PRIMARY KEY CHECK (id = "
    "1), time TEXT NOT NULL, faults INTEGER NOT NULL);"
    "PRAGMA application_id=1634169704;" /* APPLICATION */
    "PRAGMA user_version=1;";           /* FORM */

struct ledger {
    struct store *store;
    struct query *head, *insert, *advance, *begin, *commit;
};

/* 1: it has our tables; 0: it is empty. */
static int
look(struct store *s, struct err *e)
{
    int64_t application = 0, version = 0, tables = 0;

    if (store_number(s, "PRAGMA application_id", &application, e) < 0 ||
        store_number(s, "PRAGMA user_version", &version, e) < 0)
        return -1;
    if (application == APPLICATION && version == FORM)
        return 1;
    if (application == APPLICATION)
        return err_set(
            e, ERR_UNSUPPORTED,
            "the journal was written by a newer agentsh (format %lld)",
            (long long)version);
    if (store_number(s, "SELECT count(*) FROM sqlite_master", &tables, e) < 0)
        return -1;
    if (application != 0 || version != 0 || tables != 0)
        return err_set(e, ERR_PARSE, "it is a database, but not a journal");
    return 0;
}

/* In one transaction: what another makes of the file meanwhile is seen whole,
 * or not at all. Half of it would look like another program's database. */
static int
identify(struct store *s, struct err *e)
{
    int rc = store_exec(s, "BEGIN", e);

    if (rc < 0)
        return -1;
    rc = look(s, e);
    (void)store_exec(s, "ROLLBACK", NULL);
    return rc;
}

/* Freed space is given back by keep.c; that must be said before the first
 * table. */
static int
make_tables(struct store *s, struct err *e)
{
    if (store_exec(s, "PRAGMA page_size=" PAGE_BYTES, e) < 0 ||
        store_exec(s, "PRAGMA auto_vacuum=INCREMENTAL", e) < 0 ||
        store_exec(s, "PRAGMA journal_mode=WAL", e) < 0 ||
        store_exec(s, "BEGIN IMMEDIATE", e) < 0)
        return -1;
    if (store_exec(s, schema, e) < 0) {
        (void)store_exec(s, "ROLLBACK", NULL);
        return -1;
    }
    return store_exec(s, "COMMIT", e);
}

/* An empty file becomes a journal, unless another made it one meanwhile. SQLite
 * does not wait where two make it one at once (the change to WAL is refused
 * then), so that the place is locked. */
static int
make(struct store *s, const char *path, struct err *e)
{
    CLEANUP(fd_close_p) int lock = place_lock(path, e);
    int rc = lock < 0 ? -1 : identify(s, e);

    return rc == 0 ? make_tables(s, e) : rc < 0 ? -1 : 0;
}

static int
prepare(struct ledger *l, struct err *e)
{
    const struct {
        struct query **q;
        const char *sql;
    } rows[] = {
        {&l->begin, "BEGIN IMMEDIATE"},
        {&l->commit, "COMMIT"},
        {&l->head, "SELECT seq, hash FROM head"},
        {&l->insert, "INSERT INTO row VALUES (?1, ?2, ?3, ?4, ?5, ?6)"},
        {&l->advance, "UPDATE head SET seq = ?1, hash = ?2"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        *rows[i].q = store_query(l->store, rows[i].sql, e);
        if (!*rows[i].q)
            return -1;
    }
    return 0;
}

struct ledger *
ledger_open(const char *path, enum store_mode mode, int busy_ms, struct err *e)
{
    CLEANUP(ledger_close_p) struct ledger *l = calloc(1, sizeof(*l));
    int rc;

    if (!l) {
        err_set(e, ERR_NOMEM, "out of memory");
        return NULL;
    }
    l->store = store_open(path, mode, busy_ms, e);
    if (!l->store)
        return NULL;
    rc = identify(l->store, e);
    if (rc < 0)
        return NULL;
    if (rc == 0 && mode == STORE_WRITE && make(l->store, path, e) < 0)
        return NULL;
    if (rc == 0 && mode == STORE_READ) {
        err_set(e, ERR_NOT_FOUND, "nothing is recorded yet");
        return NULL;
    }
    return mode == STORE_READ || prepare(l, e) == 0 ? TAKE_PTR(l) : NULL;
}

void
ledger_close(struct ledger *l)
{
    if (!l)
        return;
    query_free(l->head);
    query_free(l->insert);
    query_free(l->advance);
    query_free(l->begin);
    query_free(l->commit);
    store_close(l->store);
    free(l);
}

struct store *
ledger_store(struct ledger *l)
{
    return l->store;
}

/* A statement that gives no row. */
static int
run(struct query *q, struct err *e)
{
    int rc = query_step(q, e);

    query_reset(q);
    return rc < 0 ? -1 : 0;
}

int
ledger_begin(struct ledger *l, struct err *e)
{
    return run(l->begin, e);
}

int
ledger_end(struct ledger *l, bool keep, struct err *e)
{
    if (keep && run(l->commit, e) == 0)
        return 0;
    (void)store_exec(l->store, "ROLLBACK", NULL);
    return keep ? -1 : 0;
}

static int
insert(struct ledger *l, const struct chain_row *r, const char *hash,
       struct err *e)
{
    query_bind_int(l->insert, 1, r->seq);
    query_bind_text(l->insert, 2, r->time, r->time_len);
    query_bind_text(l->insert, 3, r->run, r->run_len);
    query_bind_text(l->insert, 4, r->kind, r->kind_len);
    query_bind_text(l->insert, 5, r->body, r->body_len);
    query_bind_text(l->insert, 6, hash, strlen(hash));
    if (run(l->insert, e) < 0)
        return -1;
    query_bind_int(l->advance, 1, r->seq);
    query_bind_text(l->advance, 2, hash, strlen(hash));
    return run(l->advance, e);
}

int
ledger_append(struct ledger *l, const struct chain_row *r, int64_t *seq,
              struct err *e)
{
    struct chain_row row = *r;
    char prev[SHA256_HEX_SIZE], hash[SHA256_HEX_SIZE];
    int rc = query_step(l->head, e);
    int64_t last = 0;

    if (rc > 0) {
        last = query_int(l->head, 0);
        snprintf(prev, sizeof(prev), "%s", query_text(l->head, 1, NULL));
    }
    query_reset(l->head);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return err_set(e, ERR_PARSE, "the journal's head is missing");
    if (last < 0 || last == INT64_MAX)
        return err_set(e, ERR_PARSE,
                       "the journal's head has an invalid row number");
    row.seq = last + 1;
    if (chain_hash(prev, &row, hash, e) < 0 || insert(l, &row, hash, e) < 0)
        return -1;
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

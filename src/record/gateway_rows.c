/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_rows.c - the tables of the gateway, and the statements on them. */
#include "record/gateway_rows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/path.h"
#include "record/database.h"
#include "record/journal_path.h"

#define FILE_NAME    "gateway.db"
#define LOCK_NAME    "gateway.lock"
#define SHARED_NAME  "gateway-shared.db"
#define SHARED_LOCK  "gateway-shared.lock"
#define LOCK_WAIT_MS 2000
#define WAIT_MS      1000 /* who looks at the file holds it for a moment */
#define PAGE_BYTES   4096

#define TASK_TABLES                                                            \
    "CREATE TABLE task (id TEXT PRIMARY KEY, state TEXT NOT NULL, title TEXT " \
    "NOT NULL, description TEXT NOT NULL, board TEXT NOT NULL, column_id "     \
    "TEXT "                                                                    \
    "NOT NULL, agent_type TEXT NOT NULL, metadata TEXT NOT NULL, session "     \
    "TEXT "                                                                    \
    "NOT NULL, instance TEXT NOT NULL, command TEXT NOT NULL, error TEXT NOT " \
    "NULL, directory TEXT NOT NULL, tree TEXT NOT NULL, base TEXT NOT NULL, "  \
    "n "                                                                       \
    "INTEGER NOT NULL UNIQUE, priority "                                       \
    "INTEGER NOT NULL, queued INTEGER NOT NULL, created INTEGER NOT NULL, "    \
    "updated INTEGER NOT NULL, attempts INTEGER NOT NULL, sent INTEGER NOT "   \
    "NULL, turns INTEGER NOT NULL, ms INTEGER NOT NULL, "                      \
    "tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, cost INTEGER "   \
    "NOT "                                                                     \
    "NULL, session_cost INTEGER NOT NULL, limit_turns INTEGER NOT NULL, "      \
    "limit_ms INTEGER NOT NULL, limit_tokens INTEGER NOT NULL, limit_cost "    \
    "INTEGER NOT NULL, worktree INTEGER NOT NULL) WITHOUT ROWID;"              \
    "CREATE INDEX task_state ON task (state);"                                 \
    "CREATE TABLE event (n INTEGER PRIMARY KEY, task TEXT NOT NULL, action "   \
    "TEXT NOT NULL, data TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT " \
    "NULL);"                                                                   \
    "CREATE UNIQUE INDEX event_task ON event (task, seq);"                     \
    "CREATE TABLE prompt (id TEXT PRIMARY KEY, task TEXT NOT NULL, text TEXT " \
    "NOT NULL, n INTEGER NOT NULL, under_way INTEGER NOT NULL, created "       \
    "INTEGER "                                                                 \
    "NOT NULL) WITHOUT ROWID;"                                                 \
    "CREATE INDEX prompt_task ON prompt (task, n);"                            \
    "CREATE TABLE permission (task TEXT NOT NULL, request TEXT NOT NULL, "     \
    "data "                                                                    \
    "TEXT NOT NULL, option TEXT NOT NULL, by TEXT NOT NULL, state INTEGER "    \
    "NOT "                                                                     \
    "NULL, seq INTEGER NOT NULL, event INTEGER NOT NULL, asked INTEGER NOT "   \
    "NULL, expires INTEGER NOT NULL, decided INTEGER NOT NULL, PRIMARY KEY "   \
    "(task, request)) WITHOUT ROWID;"                                          \
    "CREATE INDEX permission_open ON permission (task) WHERE state = 0;"       \
    "CREATE TABLE ref (ref TEXT PRIMARY KEY, result TEXT NOT NULL, at "        \
    "INTEGER "                                                                 \
    "NOT NULL) WITHOUT ROWID;"

/* Tables that were made without it get it. */
#define UPDATED_INDEX                                                          \
    "CREATE INDEX IF NOT EXISTS task_updated ON task (updated)"

static const char tables[] = TASK_TABLES;
static const char shared_tables[] = TASK_TABLES
    "CREATE TABLE self (one INTEGER PRIMARY KEY, name TEXT NOT NULL, "
    "stream TEXT NOT NULL);"
    "CREATE TABLE node (name TEXT PRIMARY KEY, epoch INTEGER NOT "
    "NULL, last INTEGER NOT NULL, token INTEGER NOT NULL, slot "
    "INTEGER NOT NULL, turn INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE claim (task TEXT PRIMARY KEY, node TEXT NOT "
    "NULL) WITHOUT ROWID;";

static const struct database_format format = {
    .name = "store of tasks",
    .application = 0x61676777, /* "aggw" */
    .version = 1,
    .page_bytes = PAGE_BYTES,
    .tables = tables,
};

/* Those that share keep each other's names, and who has which task. */
static const struct database_format shared_format = {
    .name = "store of shared tasks",
    .application = 0x61676773, /* "aggs" */
    .version = 1,
    .page_bytes = PAGE_BYTES,
    .tables = shared_tables,
};

struct statement_row {
    struct gateway_form form;
    const char *sql;
};

#define COUNTS                                                                 \
    ", (SELECT count(*) FROM prompt WHERE prompt.task = task.id AND "          \
    "under_way <> 1), (SELECT count(*) FROM permission WHERE permission.task " \
    "= task.id AND permission.state = 0), (SELECT ifnull(max(seq), 0) FROM "   \
    "event WHERE event.task = task.id) FROM task "
#define NUMBERS                                                                \
    "n, priority, queued, created, updated, attempts, sent, turns, "           \
    "ms, tokens_in, tokens_out, cost, session_cost, limit_turns, limit_ms, "   \
    "limit_tokens, limit_cost, worktree"
#define WHOLE                                                                  \
    "SELECT id, state, title, description, board, column_id, agent_type, "     \
    "metadata, session, instance, command, error, directory, tree, "           \
    "base, " NUMBERS COUNTS
#define BRIEF                                                                  \
    "SELECT id, state, title, '', board, column_id, agent_type, '{}', "        \
    "session, instance, command, error, directory, tree, "                     \
    "base, " NUMBERS COUNTS
/* states: words, each with a blank before and behind it */
#define MATCHES                                                                \
    "(?1 = '' OR instr(lower(title), lower(?1)) > 0 OR "                       \
    "instr(lower(description), lower(?1)) > 0) AND (?2 = '' OR instr(?2, "     \
    "' ' || state || ' ') > 0) "

#define HAS_ENDED                                                              \
    "updated < ?1 AND state IN ('completed', 'failed', 'cancelled', 'idle') "
/* The counters go on behind the last task and the last event: these stay. */
#define ENDED                                                                  \
    "SELECT id FROM task WHERE " HAS_ENDED                                     \
    "AND tree = '' AND NOT EXISTS (SELECT 1 FROM permission WHERE "            \
    "permission.task = task.id AND permission.state = 0) AND n < (SELECT "     \
    "max(n) FROM task) AND id <> (SELECT task FROM event ORDER BY n DESC "     \
    "LIMIT 1) ORDER BY updated"

static const struct statement_row statements[GATEWAY_STATEMENTS] = {
    [GATEWAY_PUT_TASK] = {{TASK_TEXTS, TASK_NUMBERS, 0, 0},
                          "INSERT OR REPLACE INTO task VALUES (?1, ?2, ?3, ?4, "
                          "?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, "
                          "?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, "
                          "?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33)"},
    [GATEWAY_ADD_EVENT] = {{EVENT_TEXTS, EVENT_NUMBERS, 0, 0},
                           "INSERT INTO event (task, action, data, n, seq, at) "
                           "VALUES (?1, ?2, ?3, ?4, ?5, ?6)"},
    [GATEWAY_PUT_PROMPT] = {{PROMPT_TEXTS, PROMPT_NUMBERS, 0, 0},
                            "INSERT OR REPLACE INTO prompt VALUES (?1, ?2, ?3, "
                            "?4, ?5, ?6)"},
    [GATEWAY_REMOVE_PROMPT] = {{1, 0, 0, 0},
                               "DELETE FROM prompt WHERE id = ?1"},
    [GATEWAY_PUT_PERMISSION] = {{PERMISSION_TEXTS, PERMISSION_NUMBERS, 0, 0},
                                "INSERT OR REPLACE INTO permission VALUES (?1, "
                                "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"},
    [GATEWAY_PUT_REF] = {{2, 1, 0, 0},
                         "INSERT OR REPLACE INTO ref VALUES (?1, ?2, ?3)"},
    [GATEWAY_PUT_SELF] = {{2, 0, 0, 0},
                          "INSERT OR REPLACE INTO self VALUES (1, ?1, ?2)"},
    [GATEWAY_PUT_NODE] = {{1, NODE_NUMBERS, 0, 0},
                          "INSERT OR REPLACE INTO node VALUES (?1, ?2, ?3, ?4, "
                          "?5, ?6)"},
    [GATEWAY_PUT_CLAIM] = {{2, 0, 0, 0},
                           "INSERT OR REPLACE INTO claim VALUES (?1, ?2)"},
    [GATEWAY_REMOVE_CLAIM] = {{1, 0, 0, 0},
                              "DELETE FROM claim WHERE task = ?1"},
    [GATEWAY_SELF] = {{0, 0, 2, 0},
                      "SELECT name, stream FROM self WHERE one = 1"},
    [GATEWAY_NODES] = {{0, 0, 1, NODE_NUMBERS},
                       "SELECT name, epoch, last, token, slot, turn FROM node"},
    [GATEWAY_CLAIMS] = {{0, 0, 2, 0}, "SELECT task, node FROM claim"},
    [GATEWAY_FIND_TASK] = {{1, 0, TASK_TEXTS, TASK_FOUND_NUMBERS},
                           WHOLE "WHERE id = ?1"},
    [GATEWAY_LIST_TASKS] = {{2, 1, TASK_TEXTS, TASK_FOUND_NUMBERS},
                            BRIEF "WHERE (?3 = 0 OR n < ?3) AND " MATCHES
                                  "ORDER BY n DESC"},
    [GATEWAY_COUNT_TASKS] = {{2, 0, 0, 1},
                             "SELECT count(*) FROM task WHERE " MATCHES},
    [GATEWAY_QUEUED_TASKS] = {{0, 0, TASK_TEXTS, TASK_FOUND_NUMBERS},
                              BRIEF "WHERE state = 'queued' ORDER BY priority "
                                    "DESC, queued"},
    [GATEWAY_UNFINISHED] = {{0, 0, 2, 2},
                            "SELECT id, state, priority, queued FROM task "
                            "WHERE state IN ('queued', 'running') OR id IN "
                            "(SELECT task FROM permission WHERE state = 0)"},
    [GATEWAY_PROMPTS] = {{1, 0, PROMPT_TEXTS, PROMPT_NUMBERS},
                         "SELECT id, task, text, n, under_way, created FROM "
                         "prompt WHERE task = ?1 ORDER BY n"},
    [GATEWAY_PERMISSIONS] = {{1, 0, PERMISSION_TEXTS, PERMISSION_NUMBERS},
                             "SELECT task, request, data, option, by, state, "
                             "seq, event, asked, expires, decided FROM "
                             "permission WHERE task = ?1 ORDER BY asked DESC"},
    [GATEWAY_OPEN_PERMISSIONS] = {{1, 0, PERMISSION_TEXTS, PERMISSION_NUMBERS},
                                  "SELECT task, request, data, option, by, "
                                  "state, seq, iif(event > 0, event, (SELECT "
                                  "n FROM event e WHERE e.task = "
                                  "permission.task AND e.seq = "
                                  "permission.seq)), asked, expires, decided "
                                  "FROM permission WHERE state = 0 AND (?1 = "
                                  "'' OR task = ?1) ORDER BY 8"},
    [GATEWAY_EVENTS] = {{1, 1, EVENT_TEXTS, EVENT_NUMBERS},
                        "SELECT task, action, data, n, seq, at FROM event "
                        "WHERE task = ?1 AND seq > ?2 ORDER BY seq"},
    [GATEWAY_EVENTS_BEFORE] = {{1, 1, EVENT_TEXTS, EVENT_NUMBERS},
                               "SELECT task, action, data, n, seq, at FROM "
                               "event WHERE task = ?1 AND seq < ?2 ORDER BY "
                               "seq DESC"},
    [GATEWAY_ALL_EVENTS] = {{0, 1, EVENT_TEXTS, EVENT_NUMBERS},
                            "SELECT task, action, data, n, seq, at FROM event "
                            "WHERE n > ?1 ORDER BY n"},
    [GATEWAY_ENDED_TASKS] = {{0, 1, 1, 0}, ENDED},
    [GATEWAY_ENDED_TREES] = {{0, 2, 1, 1},
                             "SELECT id, n FROM task WHERE " HAS_ENDED
                             "AND n > ?2 AND tree <> '' ORDER BY n"},
    [GATEWAY_REMOVE_EVENTS] = {{1, 1, 0, 0},
                               "DELETE FROM event WHERE task = ?1 AND seq <= "
                               "?2"},
    [GATEWAY_REMOVE_PROMPTS] = {{1, 0, 0, 0},
                                "DELETE FROM prompt WHERE task = ?1"},
    [GATEWAY_REMOVE_PERMISSIONS] = {{1, 0, 0, 0},
                                    "DELETE FROM permission WHERE task = ?1"},
    [GATEWAY_REMOVE_TASK] = {{1, 0, 0, 0}, "DELETE FROM task WHERE id = ?1"},
    [GATEWAY_REMOVE_REFS] = {{0, 1, 0, 0}, "DELETE FROM ref WHERE at < ?1"},
    [GATEWAY_SHRINK] = {{0, 0, 0, 0}, "PRAGMA incremental_vacuum(1024)"},
    [GATEWAY_TRANSCRIPT] = {{1, 1, 0, 1},
                            "SELECT ifnull(sum(length(CAST(data AS BLOB)) + "
                            "?2), 0) FROM event WHERE task = ?1"},
    [GATEWAY_FIND_REF] = {{1, 0, 1, 0},
                          "SELECT result FROM ref WHERE ref = ?1"},
    [GATEWAY_USAGE] = {{1, 0, 1, 6},
                       "SELECT agent_type, count(*), sum(turns), sum(ms), "
                       "sum(tokens_in), sum(tokens_out), sum(cost) FROM task "
                       "WHERE ?1 = '' OR id = ?1 GROUP BY agent_type"},
    [GATEWAY_STATES] = {{0, 0, 1, 1},
                        "SELECT state, count(*) FROM task GROUP BY state"},
    [GATEWAY_LAST] = {{0, 0, 0, 4},
                      "SELECT (SELECT ifnull(max(n), 0) FROM task), (SELECT "
                      "ifnull(max(n), 0) FROM event), (SELECT ifnull(max(n), "
                      "0) FROM prompt), (SELECT ifnull(max(queued), 0) FROM "
                      "task)"},
};

const struct gateway_form *
gateway_rows_form(enum gateway_statement s)
{
    return &statements[s].form;
}

struct gateway_rows {
    int lock;
    struct sqlite *db;
    struct sqlite_query *query[GATEWAY_STATEMENTS]; /* NULL: not used yet */
};

/* Nobody else has the file while the lock is held, which the kernel releases at
 * the end of the process: or a moment later, where one that was killed was just
 * about to start a program. */
static int
lock_gateway_file(bool shared, struct err *e)
{
    CLEANUP(free_p)
    char *path = path_of(PATH_STATE, shared ? SHARED_LOCK : LOCK_NAME, e);
    CLEANUP(fd_close_p) int fd = -1;

    if (!path || journal_path_make(path, e) < 0)
        return -1;
    fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return err_sys(e, "%s", path);
    if (fd_lock(fd, LOCK_WAIT_MS, NULL) < 0)
        return err_set(e, ERR_INVALID,
                       "another agentsh gateway has the tasks of this user "
                       "(%.150s is locked)",
                       path);
    return TAKE_FD(fd);
}

/* A copy of the tables of another gateway, which a person has put here, must
 * not have that one's name: the file that they are in is noted beside it. */
static int
forget_other_self(struct gateway_rows *r, const char *path, struct err *e)
{
    CLEANUP(sqlite_query_free_p) struct sqlite_query *q = NULL;
    CLEANUP_BUF struct buf file = buf_of(64);
    struct statx st;

    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME,
              &st) < 0)
        return err_sys(e, "%s", path);
    buf_printf(&file, "%llu:%lld.%u", (unsigned long long)st.stx_ino,
               (long long)st.stx_btime.tv_sec, st.stx_btime.tv_nsec);
    if (buf_ok(&file, "a file's number", e) < 0 ||
        !(q = sqlite_query_new(r->db,
                               "DELETE FROM self WHERE one = 1 AND EXISTS "
                               "(SELECT 1 FROM self WHERE one = 2 AND name <> "
                               "?1)",
                               e)))
        return -1;
    sqlite_query_bind_text(q, 1, file.p, file.len);
    if (sqlite_query_run(q, e) < 0)
        return -1;
    sqlite_query_free(TAKE_PTR(q));
    q = sqlite_query_new(r->db,
                         "INSERT OR REPLACE INTO self VALUES (2, ?1, '')", e);
    if (!q)
        return -1;
    sqlite_query_bind_text(q, 1, file.p, file.len);
    return sqlite_query_run(q, e);
}

struct gateway_rows *
gateway_rows_open(bool shared, struct err *e)
{
    CLEANUP(gateway_rows_close_p)
    struct gateway_rows *r = calloc(1, sizeof(*r));
    CLEANUP(free_p)
    char *path = path_of(PATH_STATE, shared ? SHARED_NAME : FILE_NAME, e);

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    r->lock = -1;
    if (!path || (r->lock = lock_gateway_file(shared, e)) < 0 ||
        journal_path_make(path, e) < 0 ||
        !(r->db = database_open(path, SQLITE_MODE_WRITE, WAIT_MS,
                                shared ? &shared_format : &format, e)) ||
        sqlite_exec(r->db, "PRAGMA synchronous=FULL", e) < 0 ||
        sqlite_exec(r->db, UPDATED_INDEX, e) < 0 ||
        (shared && forget_other_self(r, path, e) < 0))
        return NULL;
    return TAKE_PTR(r);
}

void
gateway_rows_close(struct gateway_rows *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < GATEWAY_STATEMENTS; i++)
        sqlite_query_free(r->query[i]);
    if (r->db) /* so that the file can be copied alone */
        (void)sqlite_empty_log(r->db, NULL);
    sqlite_close(r->db);
    fd_close_p(&r->lock);
    free(r);
}

int
gateway_rows_begin(struct gateway_rows *r, struct err *e)
{
    return sqlite_begin(r->db, e);
}

int
gateway_rows_end(struct gateway_rows *r, bool keep, struct err *e)
{
    return sqlite_end(r->db, keep, e) < 0 && keep ? -1 : 0;
}

static void
bind_values(struct sqlite_query *q, const struct gateway_form *f,
            const struct gateway_values *in)
{
    int at = 1;

    for (unsigned i = 0; i < f->texts; i++, at++) {
        const char *text = in->text[i] ? in->text[i] : "";

        sqlite_query_bind_text(q, at, text, strlen(text));
    }
    for (unsigned i = 0; i < f->numbers; i++, at++)
        sqlite_query_bind_int(q, at, in->number[i]);
}

static void
read_gateway_values(struct sqlite_query *q, const struct gateway_form *f,
                    struct gateway_values *out)
{
    int at = 0;

    for (unsigned i = 0; i < f->row_texts; i++, at++)
        out->text[i] = sqlite_query_text(q, at, NULL);
    for (unsigned i = 0; i < f->row_numbers; i++, at++)
        out->number[i] = sqlite_query_int(q, at);
}

int
gateway_rows_run(struct gateway_rows *r, enum gateway_statement s,
                 const struct gateway_values *in,
                 bool (*row)(void *arg, const struct gateway_values *v),
                 void *arg, struct err *e)
{
    const struct statement_row *is = &statements[s];
    struct sqlite_query *q = r->query[s];
    int rc;

    if (!q && !(q = r->query[s] = sqlite_query_new(r->db, is->sql, e)))
        return -1;
    bind_values(q, &is->form, in);
    while ((rc = sqlite_query_step(q, e)) > 0) {
        struct gateway_values v = {0};

        read_gateway_values(q, &is->form, &v);
        if (row && !row(arg, &v)) {
            rc = 0;
            break;
        }
    }
    sqlite_query_reset(q);
    return rc;
}

void
gateway_rows_checkpoint(struct gateway_rows *r)
{
    sqlite_checkpoint(r->db);
}

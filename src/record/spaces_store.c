/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_store.c - keeps runs that wait for an approval in a database. */
#include "record/spaces_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "record/database.h"
#include "record/journal_path.h"
#include "record/ledger.h"
#include "record/owner_lock.h"
#include "record/spaces_rows.h"

#define FILE_NAME  "approvals.db"
#define WAIT_MS    1000 /* another process writes for some milliseconds */
#define DAY_MS     (24 * 60 * 60 * (int64_t)1000)
#define PAGE_BYTES 4096

static const char tables[] =
    "CREATE TABLE run (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state "
    "INTEGER NOT NULL, at INTEGER NOT NULL, owner TEXT NOT NULL, workspace "
    "TEXT NOT NULL, policy TEXT NOT NULL, operations TEXT NOT NULL, bytes "
    "INTEGER NOT NULL, approval INTEGER NOT NULL, updated INTEGER NOT NULL);"
    "CREATE INDEX run_open ON run (state) WHERE state < 2;"
    "CREATE TABLE approval (n INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER "
    "NOT NULL, at INTEGER NOT NULL, state INTEGER NOT NULL, op TEXT NOT NULL, "
    "type TEXT NOT NULL, what TEXT NOT NULL, reason TEXT NOT NULL, rule TEXT "
    "NOT NULL, digest TEXT NOT NULL, asked INTEGER NOT NULL, expires INTEGER "
    "NOT NULL, decided INTEGER NOT NULL, by TEXT NOT NULL, via TEXT NOT NULL, "
    "why TEXT NOT NULL);"
    "CREATE INDEX approval_run ON approval (run);"
    "CREATE TABLE event (run INTEGER NOT NULL, n INTEGER NOT NULL, text TEXT "
    "NOT NULL, PRIMARY KEY (run, n)) WITHOUT ROWID;";

static const struct database_format format = {
    .name = "store of approvals",
    .application = 0x61676170, /* "agap" */
    .version = 1,
    .page_bytes = PAGE_BYTES,
    .tables = tables,
};

enum spaces_statement {
    TOTAL,
    FIND_RUN,
    ADD_RUN,
    SET_WAITING,
    ADD_APPROVAL,
    SET_APPROVAL,
    ADD_EVENT,
    EVENTS,
    ANSWER,
    CLAIM,
    ADOPT,
    SET_INDEX,
    DROP_EVENTS,
    END_RUN,
    FORGET_TEXTS,
    MINE,
    STATEMENT_N
};

static const char *const statements[STATEMENT_N] = {
    [TOTAL] = "SELECT count(*), ifnull(sum(bytes), 0) FROM run WHERE state < 2",
    [FIND_RUN] = SPACES_ROWS_SELECT "run.id = ?1",
    [ADD_RUN] = "INSERT INTO run VALUES (NULL, ?1, 0, 0, '', ?2, ?3, ?4, ?5, "
                "0, 0) ON CONFLICT (id) DO NOTHING",
    [SET_WAITING] = "UPDATE run SET state = 0, at = ?2, owner = ?3, approval = "
                    "?4, updated = ?5 WHERE id = ?1",
    [ADD_APPROVAL] = "INSERT INTO approval SELECT NULL, n, ?2, 0, ?3, ?4, ?5, "
                     "?6, ?7, ?8, ?9, ?10, 0, '', '', '' FROM run WHERE id = "
                     "?1",
    [SET_APPROVAL] = "SELECT max(approval.n) FROM approval JOIN run ON run.n = "
                     "approval.run WHERE run.id = ?1",
    [ADD_EVENT] = "INSERT INTO event SELECT n, (SELECT ifnull(max(e.n), 0) + 1 "
                  "FROM event AS e WHERE e.run = run.n), ?2 FROM run WHERE id "
                  "= ?1",
    [EVENTS] = "SELECT text FROM event WHERE run = ?1 ORDER BY n",
    [ANSWER] = "UPDATE approval SET state = ?2, decided = ?3, by = ?4, via = "
               "?5, why = ?6 WHERE n = ?1 AND state = 0",
    [CLAIM] = "UPDATE run SET state = 1, owner = ?2, updated = ?3 WHERE n = "
              "?1",
    [ADOPT] = "UPDATE run SET owner = ?2 WHERE n = ?1",
    [SET_INDEX] = "UPDATE run SET at = ?2, updated = ?3 WHERE id = ?1",
    [DROP_EVENTS] = "DELETE FROM event WHERE run = (SELECT n FROM run WHERE id "
                    "= ?1)",
    [END_RUN] = "UPDATE run SET state = 2, operations = '', bytes = 0, policy "
                "= '', updated = ?2 WHERE id = ?1",
    [FORGET_TEXTS] = "UPDATE approval SET what = '', reason = '' WHERE run = "
                     "(SELECT n FROM run WHERE id = ?1)",
    [MINE] = "SELECT run.id FROM run JOIN approval ON approval.n = "
             "run.approval WHERE run.state = 0 AND run.owner = ?1 AND "
             "approval.state IN (1, 2) ORDER BY approval.decided LIMIT 1",
};

struct spaces_store {
    struct sqlite *db;
    struct sqlite_query *query[STATEMENT_N];
    struct owner_lock *owner; /* NULL: it has asked nothing yet */
};

/* Opening and closing. */

static int
delete_old_runs(struct spaces_store *s, int64_t keep_days, struct err *e)
{
    static const char *const deletions[] = {
        "UPDATE run SET state = 2, operations = '', bytes = 0, updated = 0 "
        "WHERE state = 0 AND approval IN (SELECT n FROM approval WHERE expires "
        "> 0 AND expires < ?1)",
        "DELETE FROM approval WHERE run IN (SELECT n FROM run WHERE state = 2 "
        "AND updated < ?1)",
        "DELETE FROM run WHERE state = 2 AND updated < ?1",
    };

    for (size_t i = 0; keep_days > 0 && i < ARRAY_SIZE(deletions); i++) {
        CLEANUP(sqlite_query_free_p)
        struct sqlite_query *q = sqlite_query_new(s->db, deletions[i], e);

        if (!q)
            return -1;
        sqlite_query_bind_int(q, 1, ledger_now_ms() - keep_days * DAY_MS);
        if (sqlite_query_run(q, e) < 0)
            return -1;
    }
    return 0;
}

static int
prepare_spaces_store(struct spaces_store *s, int64_t keep_days, struct err *e)
{
    if (sqlite_exec(s->db, "PRAGMA secure_delete=ON", e) < 0)
        return -1;
    for (size_t i = 0; i < STATEMENT_N; i++) {
        s->query[i] = sqlite_query_new(s->db, statements[i], e);
        if (!s->query[i])
            return -1;
    }
    return delete_old_runs(s, keep_days, e);
}

struct spaces_store *
spaces_store_open(int64_t keep_days, struct err *e)
{
    CLEANUP(spaces_store_close_p)
    struct spaces_store *s = calloc(1, sizeof(*s));
    CLEANUP(free_p) char *path = path_of(PATH_STATE, FILE_NAME, e);

    if (!s)
        err_nomem(e);
    if (!s || !path || journal_path_make(path, e) < 0)
        return NULL;
    s->db = database_open(path, SQLITE_MODE_WRITE, WAIT_MS, &format, e);
    if (!s->db || prepare_spaces_store(s, keep_days, e) < 0)
        return NULL;
    return TAKE_PTR(s);
}

void
spaces_store_close(struct spaces_store *s)
{
    if (!s)
        return;
    if (s->db)
        sqlite_checkpoint(s->db);
    for (size_t i = 0; i < STATEMENT_N; i++)
        sqlite_query_free(s->query[i]);
    sqlite_close(s->db);
    owner_lock_free(s->owner);
    free(s);
}

/* What the writing functions share. */

static void
bind_str(struct sqlite_query *q, int at, const char *s)
{
    sqlite_query_bind_text(q, at, s ? s : "", s ? strlen(s) : 0);
}

static int
take_owner(struct spaces_store *s, struct err *e)
{
    if (!s->owner)
        s->owner = owner_lock_new(e);
    return s->owner ? 0 : -1;
}

/* The number of rows that the last statement has changed. */
static int64_t
count_changed_rows(struct spaces_store *s)
{
    int64_t n = 0;

    return sqlite_number(s->db, "SELECT changes()", &n, NULL) < 0 ? -1 : n;
}

/* Asking. */

static int
check_store_room(struct spaces_store *s, size_t n, struct err *e)
{
    struct sqlite_query *q = s->query[TOTAL];
    bool full;

    if (sqlite_query_step(q, e) < 1) {
        sqlite_query_reset(q);
        return -1;
    }
    full = sqlite_query_int(q, 0) >= SPACES_STORE_RUNS_MAX ||
           sqlite_query_int(q, 1) + (int64_t)n > SPACES_STORE_BYTES_MAX;
    sqlite_query_reset(q);
    return full ? err_set(e, ERR_NOMEM,
                          "too many operations wait for an approval "
                          "(agentsh approvals list)")
                : 0;
}

static int
add_run(struct spaces_store *s, const struct spaces_question *q, struct err *e)
{
    struct sqlite_query *add = s->query[ADD_RUN];

    bind_str(add, 1, q->run);
    bind_str(add, 2, q->workspace);
    bind_str(add, 3, q->policy);
    sqlite_query_bind_text(add, 4, q->operations, q->operations_n);
    sqlite_query_bind_int(add, 5, (int64_t)q->operations_n);
    return sqlite_query_run(add, e);
}

static int
insert_approval(struct spaces_store *s, const struct spaces_question *q,
                int64_t *number, struct err *e)
{
    struct sqlite_query *add = s->query[ADD_APPROVAL];
    struct sqlite_query *last = s->query[SET_APPROVAL];

    bind_str(add, 1, q->run);
    sqlite_query_bind_int(add, 2, (int64_t)q->index);
    sqlite_query_bind_text(add, 3, q->op, q->op_n);
    bind_str(add, 4, q->type);
    bind_str(add, 5, q->what);
    bind_str(add, 6, q->reason);
    bind_str(add, 7, q->rule);
    bind_str(add, 8, q->digest);
    sqlite_query_bind_int(add, 9, ledger_now_ms());
    sqlite_query_bind_int(add, 10, q->expires_ms);
    if (sqlite_query_run(add, e) < 0)
        return -1;
    bind_str(last, 1, q->run);
    if (sqlite_query_step(last, e) < 1) {
        sqlite_query_reset(last);
        return -1;
    }
    *number = sqlite_query_int(last, 0);
    sqlite_query_reset(last);
    return 0;
}

static int
insert_events(struct spaces_store *s, const char *run, const char *text,
              size_t n, struct err *e)
{
    struct sqlite_query *q = s->query[ADD_EVENT];

    if (n == 0)
        return 0;
    bind_str(q, 1, run);
    sqlite_query_bind_text(q, 2, text, n);
    return sqlite_query_run(q, e);
}

static int
drop_events(struct spaces_store *s, const char *run, struct err *e)
{
    bind_str(s->query[DROP_EVENTS], 1, run);
    return sqlite_query_run(s->query[DROP_EVENTS], e);
}

static int
ask_in_change(struct spaces_store *s, const struct spaces_question *q,
              int64_t *number, struct err *e)
{
    struct sqlite_query *set = s->query[SET_WAITING];

    if (check_store_room(s, q->operations_n, e) < 0 || add_run(s, q, e) < 0 ||
        insert_approval(s, q, number, e) < 0 || drop_events(s, q->run, e) < 0 ||
        insert_events(s, q->run, q->events, q->events_n, e) < 0)
        return -1;
    bind_str(set, 1, q->run);
    sqlite_query_bind_int(set, 2, (int64_t)q->index);
    bind_str(set, 3, owner_lock_token(s->owner));
    sqlite_query_bind_int(set, 4, *number);
    sqlite_query_bind_int(set, 5, ledger_now_ms());
    return sqlite_query_run(set, e);
}

int
spaces_store_ask(struct spaces_store *s, const struct spaces_question *q,
                 int64_t *approval, struct err *e)
{
    int64_t number = 0;

    if (take_owner(s, e) < 0 || sqlite_begin(s->db, e) < 0 ||
        sqlite_end(s->db, ask_in_change(s, q, &number, e) == 0, e) < 0)
        return -1;
    *approval = number;
    return 0;
}

/* Answering. */

static int
update_approval(struct spaces_store *s, const struct spaces_row *row,
                enum spaces_approval_state state, const struct spaces_answer *a,
                struct err *e)
{
    struct sqlite_query *q = s->query[ANSWER];

    sqlite_query_bind_int(q, 1, row->approval);
    sqlite_query_bind_int(q, 2, state);
    sqlite_query_bind_int(q, 3, ledger_now_ms());
    bind_str(q, 4, a ? a->by : "");
    bind_str(q, 5, a ? a->via : "");
    bind_str(q, 6, a ? a->why : "");
    if (sqlite_query_run(q, e) < 0)
        return -1;
    return count_changed_rows(s) == 1
               ? 0
               : err_set(e, ERR_INVALID, "it was answered before");
}

static int
fail_answered(const struct spaces_row *row, struct err *e)
{
    return err_set(
        e, ERR_NOT_FOUND,
        "approval %lld is %s already%s%.60s%s%.40s; nothing was "
        "changed",
        (long long)row->approval, spaces_approval_state_name(row->answered),
        row->by[0] ? ", by " : "", row->by, row->via[0] ? ", " : "", row->via);
}

/* A question that nobody answered in time stays so, whatever comes later. */
static int
expire_row(struct spaces_store *s, struct spaces_row *row, struct err *e)
{
    if (row->answered != SPACES_APPROVAL_WAITS || row->expires_ms == 0 ||
        ledger_now_ms() < row->expires_ms)
        return 0;
    row->answered = SPACES_APPROVAL_EXPIRED;
    return update_approval(s, row, SPACES_APPROVAL_EXPIRED, NULL, e);
}

/* 1: the question has expired, which is to be kept. */
static int
answer_in_change(struct spaces_store *s, int64_t approval,
                 const struct spaces_answer *answer, struct spaces_row *row,
                 struct err *e)
{
    if (spaces_row_find(s->db, SPACES_ROWS_SELECT "approval.n = ?1", NULL,
                        approval, row, e) < 0 ||
        expire_row(s, row, e) < 0)
        return -1;
    if (row->answered != SPACES_APPROVAL_WAITS) {
        fail_answered(row, e);
        return row->answered == SPACES_APPROVAL_EXPIRED ? 1 : -1;
    }
    if (row->state != SPACES_RUN_WAITS)
        return err_set(e, ERR_NOT_FOUND, "%s does not wait any more", row->id);
    return update_approval(
        s, row, answer->yes ? SPACES_APPROVAL_YES : SPACES_APPROVAL_NO, answer,
        e);
}

int
spaces_store_answer(struct spaces_store *s, int64_t approval,
                    const struct spaces_answer *answer, bool *lives,
                    struct err *e)
{
    CLEANUP(spaces_row_done) struct spaces_row row = {0};
    int rc;

    if (sqlite_begin(s->db, e) < 0)
        return -1;
    rc = answer_in_change(s, approval, answer, &row, e);
    if (sqlite_end(s->db, rc >= 0, e) < 0 || rc > 0)
        return -1;
    *lives = owner_lock_lives(s->owner, row.owner);
    owner_lock_notify(row.owner);
    return 0;
}

/* Going on. */

static int
check_resumed(const struct spaces_row *row, const struct spaces_resume *r,
              struct err *e)
{
    if (r->workspace && strcmp(r->workspace, row->workspace) != 0)
        return err_set(e, ERR_NOT_FOUND, "no run %.40s in this workspace",
                       r->run);
    if (row->state == SPACES_RUN_OVER)
        return err_set(e, ERR_INVALID, "%.40s is over; nothing was changed",
                       r->run);
    if (r->op && (r->op_n != row->op_n || memcmp(r->op, row->op, r->op_n) != 0))
        return err_set(e, ERR_INVALID,
                       "%.40s waits for operation \"%.64s\", not for "
                       "\"%.64s\"; nothing was changed",
                       r->run, row->op, r->op);
    return 0;
}

/* Somebody answered, or does now. */
static int
claim_waiting(struct spaces_store *s, struct spaces_row *row,
              const struct spaces_resume *r, struct err *e)
{
    bool yes = row->answered == SPACES_APPROVAL_YES;

    if (expire_row(s, row, e) < 0)
        return -1;
    if (row->answered == SPACES_APPROVAL_EXPIRED)
        return SPACES_OUTCOME_EXPIRED;
    if (row->answered != SPACES_APPROVAL_WAITS) {
        if (r->answer && r->answer->yes != yes)
            return fail_answered(row, e);
        if (!owner_lock_lives(s->owner, row->owner) ||
            (s->owner && strcmp(row->owner, owner_lock_token(s->owner)) == 0))
            return yes ? SPACES_OUTCOME_YES : SPACES_OUTCOME_NO;
        return fail_answered(row, e);
    }
    if (!r->answer)
        return SPACES_OUTCOME_WAITS;
    if (update_approval(
            s, row, r->answer->yes ? SPACES_APPROVAL_YES : SPACES_APPROVAL_NO,
            r->answer, e) < 0)
        return -1;
    return r->answer->yes ? SPACES_OUTCOME_YES : SPACES_OUTCOME_NO;
}

/* What becomes of the run; -1 with e. */
static int
decide_claim(struct spaces_store *s, struct spaces_row *row,
             const struct spaces_resume *r, struct err *e)
{
    if (check_resumed(row, r, e) < 0)
        return -1;
    if (row->state == SPACES_RUN_WAITS)
        return claim_waiting(s, row, r, e);
    if (owner_lock_lives(s->owner, row->owner))
        return err_set(e, ERR_INVALID,
                       "%.40s is under way; nothing was changed", r->run);
    return SPACES_OUTCOME_INTERRUPTED;
}

static int
read_events(struct spaces_store *s, int64_t run, struct buf *out, struct err *e)
{
    struct sqlite_query *q = s->query[EVENTS];
    int rc;

    sqlite_query_bind_int(q, 1, run);
    while ((rc = sqlite_query_step(q, e)) > 0) {
        size_t n;
        const char *text = sqlite_query_text(q, 0, &n);

        buf_add(out, text, n);
    }
    sqlite_query_reset(q);
    return rc < 0 ? -1 : buf_ok(out, "the events of a run", e);
}

/* The answer's words are read anew: they may have been written just now. */
static int
fill_claim(struct spaces_store *s, struct spaces_row *row,
           struct spaces_claim *out, struct err *e)
{
    memcpy(out->run, row->id, sizeof(out->run));
    memcpy(out->digest, row->digest, sizeof(out->digest));
    out->approval = row->approval;
    out->index = row->index;
    out->decided_ms = row->decided_ms;
    out->workspace = TAKE_PTR(row->workspace);
    out->policy = TAKE_PTR(row->policy);
    out->operations = TAKE_PTR(row->operations);
    out->operations_n = row->operations_n;
    out->op = TAKE_PTR(row->op);
    out->op_n = row->op_n;
    out->reason = TAKE_PTR(row->reason);
    out->rule = TAKE_PTR(row->rule);
    out->by = TAKE_PTR(row->by);
    out->via = TAKE_PTR(row->via);
    out->why = TAKE_PTR(row->why);
    return read_events(s, row->n, &out->events, e);
}

/* Who shows a question once more is notified of its answer, where nobody else
 * is. */
static int
adopt_run(struct spaces_store *s, const struct spaces_row *row, struct err *e)
{
    struct sqlite_query *q = s->query[ADOPT];

    if (owner_lock_lives(s->owner, row->owner))
        return 0;
    sqlite_query_bind_int(q, 1, row->n);
    bind_str(q, 2, owner_lock_token(s->owner));
    return sqlite_query_run(q, e);
}

static int
take_run(struct spaces_store *s, const struct spaces_row *row, struct err *e)
{
    struct sqlite_query *q = s->query[CLAIM];

    sqlite_query_bind_int(q, 1, row->n);
    bind_str(q, 2, owner_lock_token(s->owner));
    sqlite_query_bind_int(q, 3, ledger_now_ms());
    return sqlite_query_run(q, e);
}

static int
claim_in_change(struct spaces_store *s, const struct spaces_resume *r,
                struct spaces_claim *out, struct err *e)
{
    CLEANUP(spaces_row_done) struct spaces_row row = {0};
    CLEANUP(spaces_row_done) struct spaces_row again = {0};
    int outcome;

    if (spaces_row_find(s->db, statements[FIND_RUN], r->run, 0, &row, e) < 0 ||
        (outcome = decide_claim(s, &row, r, e)) < 0)
        return -1;
    out->outcome = (enum spaces_outcome)outcome;
    if (spaces_row_find(s->db, statements[FIND_RUN], r->run, 0, &again, e) <
            0 ||
        fill_claim(s, &again, out, e) < 0)
        return -1;
    return out->outcome == SPACES_OUTCOME_WAITS ? adopt_run(s, &row, e)
                                                : take_run(s, &row, e);
}

int
spaces_store_claim(struct spaces_store *s, const struct spaces_resume *r,
                   struct spaces_claim *out, struct err *e)
{
    *out = (struct spaces_claim){0};
    buf_init(&out->events, SPACES_STORE_EVENTS_MAX);
    if (take_owner(s, e) < 0 || sqlite_begin(s->db, e) < 0)
        return -1;
    return sqlite_end(s->db, claim_in_change(s, r, out, e) == 0, e);
}

void
spaces_claim_done(struct spaces_claim *c)
{
    if (!c)
        return;
    free(c->workspace);
    free(c->policy);
    free(c->operations);
    free(c->op);
    free(c->reason);
    free(c->rule);
    free(c->by);
    free(c->via);
    free(c->why);
    buf_done(&c->events);
    *c = (struct spaces_claim){0};
}

static int
begin_in_change(struct spaces_store *s, const char *run, size_t index,
                const struct buf *events, size_t from, struct err *e)
{
    struct sqlite_query *q = s->query[SET_INDEX];

    bind_str(q, 1, run);
    sqlite_query_bind_int(q, 2, (int64_t)index);
    sqlite_query_bind_int(q, 3, ledger_now_ms());
    return sqlite_query_run(q, e) < 0
               ? -1
               : insert_events(s, run, events->p + from, events->len - from, e);
}

int
spaces_store_begin(struct spaces_store *s, const char *run, size_t index,
                   const struct buf *events, size_t from, struct err *e)
{
    bool begun;

    if (sqlite_begin(s->db, e) < 0)
        return -1;
    begun = begin_in_change(s, run, index, events, from, e) == 0;
    return sqlite_end(s->db, begun, e);
}

static int
end_run(struct spaces_store *s, const char *run, struct err *e)
{
    bind_str(s->query[END_RUN], 1, run);
    sqlite_query_bind_int(s->query[END_RUN], 2, ledger_now_ms());
    bind_str(s->query[FORGET_TEXTS], 1, run);
    return sqlite_query_run(s->query[END_RUN], e) < 0
               ? -1
               : sqlite_query_run(s->query[FORGET_TEXTS], e);
}

int
spaces_store_delivered(struct spaces_store *s, const char *run, bool over,
                       struct err *e)
{
    bool kept;

    if (sqlite_begin(s->db, e) < 0)
        return -1;
    kept = drop_events(s, run, e) == 0 && (!over || end_run(s, run, e) == 0);
    if (sqlite_end(s->db, kept, e) < 0)
        return -1;
    sqlite_checkpoint(s->db);
    return 0;
}

bool
spaces_store_was_notified(struct spaces_store *s)
{
    return s->owner && owner_lock_was_notified(s->owner);
}

int
spaces_store_answered(struct spaces_store *s, char run[SPACES_STORE_ID_SIZE],
                      struct err *e)
{
    struct sqlite_query *q = s->query[MINE];
    int rc;

    run[0] = '\0';
    if (!s->owner)
        return 0;
    bind_str(q, 1, owner_lock_token(s->owner));
    rc = sqlite_query_step(q, e);
    if (rc > 0)
        (void)spaces_row_copy_id(q, 0, run);
    sqlite_query_reset(q);
    return rc < 0 ? -1 : 0;
}

/* Lists. */

static void
hand_approval(const struct spaces_store *s, struct spaces_row *row,
              spaces_approval_cb *cb, void *arg)
{
    bool lives = row->state != SPACES_RUN_OVER &&
                 owner_lock_lives(s->owner, row->owner);
    struct spaces_approval a = {.number = row->approval,
                                .run = row->id,
                                .workspace = row->workspace,
                                .policy = row->policy,
                                .op = row->op,
                                .op_n = row->op_n,
                                .index = row->index,
                                .type = row->type,
                                .what = row->what,
                                .reason = row->reason,
                                .rule = row->rule,
                                .state = row->answered,
                                .asked_ms = row->asked_ms,
                                .expires_ms = row->expires_ms,
                                .decided_ms = row->decided_ms,
                                .by = row->by,
                                .via = row->via,
                                .why = row->why,
                                .lives = lives};

    if (a.state == SPACES_APPROVAL_WAITS && a.expires_ms > 0 &&
        ledger_now_ms() >= a.expires_ms)
        a.state = SPACES_APPROVAL_EXPIRED;
    a.goes_on = row->state == SPACES_RUN_WAITS &&
                a.state != SPACES_APPROVAL_WAITS;
    cb(arg, &a);
}

int
spaces_store_list(struct spaces_store *s, spaces_approval_cb *cb, void *arg,
                  struct err *e)
{
    CLEANUP(sqlite_query_free_p)
    struct sqlite_query *q = sqlite_query_new(
        s->db, SPACES_ROWS_SELECT "run.state = 0 ORDER BY approval.n", e);
    int rc;

    if (!q)
        return -1;
    while ((rc = sqlite_query_step(q, e)) > 0) {
        CLEANUP(spaces_row_done) struct spaces_row row = {0};

        if (spaces_row_read(q, &row, e) < 0)
            return -1;
        hand_approval(s, &row, cb, arg);
    }
    return rc;
}

int
spaces_store_show(struct spaces_store *s, const char *word,
                  spaces_approval_cb *cb, void *arg, struct err *e)
{
    CLEANUP(spaces_row_done) struct spaces_row row = {0};
    bool number = word[0] && !word[strspn(word, "0123456789")];
    const char *sql = number ? SPACES_ROWS_SELECT "approval.n = ?1"
                             : statements[FIND_RUN];

    if (spaces_row_find(s->db, sql, number ? NULL : word,
                        number ? strtoll(word, NULL, 10) : 0, &row, e) < 0)
        return -1;
    hand_approval(s, &row, cb, arg);
    return 0;
}

int
spaces_store_left(struct spaces_store *s, const char *workspace,
                  void (*cb)(void *arg, const char *run, bool interrupted),
                  void *arg, struct err *e)
{
    CLEANUP(sqlite_query_free_p)
    struct sqlite_query *q = sqlite_query_new(
        s->db,
        SPACES_ROWS_SELECT "run.workspace = ?1 AND (run.state = 1 OR "
                           "(run.state = 0 AND approval.state > 0))",
        e);
    int rc;

    if (!q)
        return -1;
    bind_str(q, 1, workspace);
    while ((rc = sqlite_query_step(q, e)) > 0) {
        CLEANUP(spaces_row_done) struct spaces_row row = {0};

        if (spaces_row_read(q, &row, e) < 0)
            return -1;
        if (!owner_lock_lives(s->owner, row.owner))
            cb(arg, row.id, row.state == SPACES_RUN_UNDER_WAY);
    }
    return rc;
}

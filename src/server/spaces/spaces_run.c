/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_run.c - one run: its operations, one after another. */
#include "server/spaces/spaces_run.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/worker.h"
#include "server/spaces/spaces_command_op.h"
#include "server/spaces/spaces_file_op.h"

#define TURN_MS 2 /* of 5 that a callback may take */

/* The events of one message: the contents that operations read or print, and
 * what the events repeat of the line, with a reason for each. */
#define EVENTS_MAX (SPACES_RUN_CONTENT_MAX + 3u * SPACES_LINE_MAX)

#define GENERAL_WHAT "the rules ask about it"

struct spaces_run {
    struct spaces_shared *shared;
    char id[SPACES_STORE_ID_SIZE];
    struct buf text;         /* the line, as it was sent */
    struct spaces_line line; /* it points into nothing but itself */
    const struct json *at;   /* the next operation; NULL: there is none */
    struct spaces_op op;     /* the one under way */
    size_t index;            /* of it */
    struct buf events;
    size_t content; /* bytes that operations brought */
    size_t kept;    /* bytes of the events that are in the store */
    size_t unasked; /* and those before the question */
    enum spaces_status status;
    enum spaces_result result;
    bool over;
    bool stored;     /* the store has it */
    bool asks_again; /* nobody has answered */
    bool begun;      /* and knows that the operation under way began */
    bool agreed;     /* the one under way was approved: */
    char approved[SHA256_HEX_SIZE];
    struct spaces_claim claim; /* of a run that is gone on with */
    struct journal_run *journal;
    struct spaces_command_op command;
    size_t before_command; /* bytes of the events */
    int64_t from_ms;
    struct spaces_file_op file;
    struct spaces_question question; /* for the worker that keeps it */
    char own_id[SPACES_OP_ID_SIZE];
    char reason[512], rule[256];
    int64_t number;      /* of the approval */
    struct err task_why; /* of the worker; ERR_NONE: it succeeded */
    struct worker *task;
    void (*finished)(void *arg); /* of it */
    atomic_bool unwanted;        /* what it does */
    struct watch *soon;
    void (*done)(void *arg);
    void *arg;
};

static void
end_run_now(struct spaces_run *r, enum spaces_status status)
{
    r->over = true;
    r->status = status;
    spaces_record(
        r->shared, r->journal, "end",
        (const struct journal_member[]){
            JOURNAL_STR("outcome", spaces_status_name(status)),
            JOURNAL_NUM("status", status == SPACES_AWAITING
                                      ? SPACES_STATUS_DENIED
                                      : spaces_result_status(r->result)),
            {0},
        });
    (void)journal_sync(r->journal, true);
    r->done(r->arg);
}

/* The next operation follows, at the next turn of the loop. */
static void
next_op(struct spaces_run *r)
{
    r->agreed = r->begun = false;
    r->at = json_next(r->at);
    r->index++;
    watch_again(r->soon, 0);
}

static void
note_result(struct spaces_run *r, enum spaces_result worse)
{
    if (r->result < worse)
        r->result = worse;
}

static void
fail_op(struct spaces_run *r, const char *why)
{
    note_result(r, SPACES_SOME_FAILED);
    spaces_event_failed(&r->events, &r->op, why, clock_ms() - r->from_ms);
    next_op(r);
}

static void
deny_op(struct spaces_run *r, const char *reason, const char *suggestion)
{
    note_result(r, SPACES_SOME_DENIED);
    spaces_event_denied(&r->events, &r->op, r->index, reason, suggestion);
    next_op(r);
}

/* Does work in a thread, or here if none can be started. */
static void
start_task(struct spaces_run *r, void (*run)(void *arg),
           void (*finished)(void *arg))
{
    r->task_why = (struct err){0};
    r->finished = finished;
    r->task = worker_start(r->shared->loop, run, finished, r, NULL);
    if (r->task)
        return;
    run(r);
    finished(r);
}

static void
end_task(struct spaces_run *r)
{
    worker_free(TAKE_PTR(r->task));
}

/* The question is stored, or could not be: then the operation is denied. */
static void
on_asked(void *arg)
{
    struct spaces_run *r = arg;
    const struct spaces_question *q = &r->question;

    end_task(r);
    if (r->task_why.code != ERR_NONE) {
        CLEANUP_BUF struct buf why = buf_of(sizeof(r->task_why.text) + 64);

        buf_cut(&r->events, r->unasked);
        buf_printf(&why, "it needs an approval, which cannot be kept: %s",
                   r->task_why.text);
        deny_op(r, why.p, NULL);
        return;
    }
    r->stored = true;
    spaces_record(r->shared, r->journal, "question",
                  (const struct journal_member[]){
                      JOURNAL_NUM("approval", r->number),
                      JOURNAL_BYTES("operation", q->op, q->op_n),
                      JOURNAL_STR("type", q->type),
                      JOURNAL_STR("reason", r->reason),
                      JOURNAL_STR("rule", r->rule),
                      JOURNAL_STR("digest", q->digest),
                      JOURNAL_NUM("expires_ms", q->expires_ms),
                      {0},
                  });
    end_run_now(r, SPACES_AWAITING);
}

static void
keep_question(void *arg)
{
    struct spaces_run *r = arg;
    struct spaces_question *q = &r->question;

    if (r->op.type != SPACES_SHELL &&
        spaces_file_op_digest(&r->file, q->digest, &r->task_why) < 0)
        return;
    if (!r->shared->store)
        err_set(&r->task_why, ERR_IO, "there is no store of approvals");
    else
        (void)spaces_store_ask(r->shared->store, q, &r->number, &r->task_why);
}

static int64_t
unix_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* p: the verdict. digest: of a command; else NULL. The events before the first
 * question need not be stored: only a peer that has received them knows the
 * run's id. */
static void
ask_about_op(struct spaces_run *r, const struct permit *p, const char *digest)
{
    const struct spaces_shared *sh = r->shared;
    struct spaces_question *q = &r->question;

    snprintf(r->reason, sizeof(r->reason), "%s",
             p->reason[0] ? p->reason : GENERAL_WHAT);
    snprintf(r->rule, sizeof(r->rule), "%s", p->rule);
    r->unasked = r->events.len;
    spaces_event_approval(&r->events, &r->op, r->index, r->reason, r->rule);
    *q = (struct spaces_question){
        .run = r->id,
        .workspace = seat_dir(sh->seat),
        .policy = sh->policy_option,
        .operations = r->text.p,
        .operations_n = r->text.len,
        .index = r->index,
        .type = spaces_type_name(r->op.type),
        .what = r->op.type == SPACES_SHELL ? r->op.command : r->op.path,
        .reason = r->reason,
        .rule = r->rule,
        .expires_ms = sh->expiry_ms ? unix_ms() + sh->expiry_ms : 0,
        .events = r->events.p,
        .events_n = r->stored ? r->unasked : 0};
    q->op = spaces_event_op_id(&r->op, r->index, r->own_id, &q->op_n);
    if (digest)
        snprintf(q->digest, sizeof(q->digest), "%s", digest);
    start_task(r, keep_question, on_asked);
}

static void
on_command_asks(void *arg, const struct permit *p, const char *digest)
{
    ask_about_op(arg, p, digest);
}

static void
on_command_denied(void *arg, const char *reason, const char *suggestion)
{
    deny_op(arg, reason, suggestion);
}

static void
on_command_ended(void *arg, bool success)
{
    struct spaces_run *r = arg;

    if (!success)
        note_result(r, SPACES_SOME_FAILED);
    r->content += r->events.len - r->before_command;
    if (r->content > SPACES_RUN_CONTENT_MAX)
        r->content = SPACES_RUN_CONTENT_MAX;
    next_op(r);
}

static void
start_command(struct spaces_run *r)
{
    static const struct spaces_command_events events = {
        .asks = on_command_asks,
        .denied = on_command_denied,
        .ended = on_command_ended};
    struct err e = {0};

    r->before_command = r->events.len;
    r->command = (struct spaces_command_op){
        .shared = r->shared,
        .op = &r->op,
        .approved = r->agreed ? r->approved : NULL,
        .events = &r->events,
        .room = SPACES_RUN_CONTENT_MAX - r->content,
        .on = &events,
        .arg = r};
    if (spaces_command_op_start(&r->command, &e) < 0)
        fail_op(r, e.text);
}

/* The operation is done, or has failed, and its event is written. */
static void
settle_file(struct spaces_run *r)
{
    spaces_file_op_record(&r->file, r->agreed ? r->shared->yes : NULL);
    if (r->file.why.code != ERR_NONE)
        note_result(r, SPACES_SOME_FAILED);
    r->content += r->file.content;
    spaces_file_op_done(&r->file);
}

static void
on_file_done(void *arg)
{
    struct spaces_run *r = arg;

    end_task(r);
    if (r->file.changed) {
        ask_about_op(r, &r->file.permit, NULL);
        return;
    }
    settle_file(r);
    next_op(r);
}

static void
run_file(void *arg)
{
    struct spaces_run *r = arg;

    spaces_file_op_run(&r->file, r->agreed ? r->approved : NULL, &r->events,
                       SPACES_RUN_CONTENT_MAX - r->content, &r->unwanted);
}

static void
start_file(struct spaces_run *r)
{
    struct permit *p = &r->file.permit;
    struct err e = {0};

    spaces_file_op_done(&r->file);
    if (spaces_file_op_judge(&r->file, r->shared, &r->op, &e) < 0) {
        fail_op(r, e.text);
        return;
    }
    if (p->decision == GUARD_DENY) {
        spaces_file_op_record(&r->file, NULL);
        deny_op(r, p->reason[0] ? p->reason : p->rule, NULL);
        return;
    }
    if (p->decision == GUARD_ASK && !r->agreed)
        ask_about_op(r, p, NULL);
    else
        start_task(r, run_file, on_file_done);
}

static void
start_op(struct spaces_run *r)
{
    r->from_ms = clock_ms();
    r->shared->begins(r->shared->server);
    if (r->op.type == SPACES_SHELL)
        start_command(r);
    else
        start_file(r);
}

/* An operation that is not in the store as begun could run twice. */
static void
on_begun(void *arg)
{
    struct spaces_run *r = arg;

    end_task(r);
    if (r->task_why.code == ERR_NONE) {
        r->begun = true;
        r->kept = r->events.len;
        start_op(r);
        return;
    }
    note_result(r, SPACES_SOME_FAILED);
    spaces_event_error(&r->events, &r->op, "system", r->task_why.text);
    end_run_now(r, SPACES_ERROR);
}

static void
keep_begin(void *arg)
{
    struct spaces_run *r = arg;

    (void)spaces_store_begin(r->shared->store, r->id, r->index, &r->events,
                             r->kept, &r->task_why);
}

/* There was no answer: the question is sent once more. */
static void
ask_again(struct spaces_run *r)
{
    const struct spaces_claim *c = &r->claim;

    spaces_event_approval(&r->events, &r->op, r->index, c->reason, c->rule);
    end_run_now(r, SPACES_AWAITING);
}

static void
on_soon(void *arg, unsigned events)
{
    struct spaces_run *r = arg;
    int64_t until_ms = clock_ms() + TURN_MS;

    (void)events;
    if (r->asks_again) {
        ask_again(r);
        return;
    }
    for (; r->at; r->at = json_next(r->at), r->index++) {
        spaces_op_read(r->at, &r->op);
        if (r->op.type != SPACES_MESSAGE)
            break;
        if (clock_ms() > until_ms) {
            watch_again(r->soon, 0);
            return;
        }
        spaces_event_message(&r->events, &r->op);
    }
    r->shared->current = r;
    if (!r->at)
        end_run_now(r, SPACES_COMPLETED);
    else if (r->stored && !r->begun)
        start_task(r, keep_begin, on_begun);
    else
        start_op(r);
}

static void
record_request(struct spaces_run *r, const char *goes_on)
{
    char text[64];

    snprintf(text, sizeof(text), "%zu operations",
             json_count(r->line.operations));
    spaces_record(r->shared, r->journal, "request",
                  (const struct journal_member[]){
                      JOURNAL_STR("verb", "spaces"),
                      JOURNAL_STR("text", text),
                      JOURNAL_STR("directory", seat_dir(r->shared->seat)),
                      JOURNAL_STR("session", r->id),
                      JOURNAL_STR("from", goes_on),
                      JOURNAL_STR("version", PACKAGE_VERSION),
                      JOURNAL_NUM("uid", (int64_t)getuid()),
                      {0},
                  });
}

static struct spaces_run *
alloc_run(struct spaces_shared *sh, void (*done)(void *arg), void *arg,
          struct err *e)
{
    CLEANUP(spaces_run_free_p) struct spaces_run *r = calloc(1, sizeof(*r));

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    r->shared = sh;
    r->done = done;
    r->arg = arg;
    buf_init(&r->text, SPACES_LINE_MAX);
    buf_init(&r->events, EVENTS_MAX);
    if (!(r->soon = loop_soon(sh->loop, on_soon, r, e)))
        return NULL;
    r->journal = journal_run_new(sh->journal, NULL);
    sh->current = r;
    return TAKE_PTR(r);
}

struct spaces_run *
spaces_run_new(struct spaces_shared *sh, struct spaces_line *line,
               struct buf *text, void (*done)(void *arg), void *arg,
               struct err *e)
{
    CLEANUP(spaces_run_free_p)
    struct spaces_run *r = alloc_run(sh, done, arg, e);

    if (!r || spaces_run_make_id(r->id, e) < 0)
        return NULL;
    r->line = *line;
    *line = (struct spaces_line){0};
    buf_done(&r->text);
    r->text = *text;
    *text = (struct buf){0};
    r->at = json_first(r->line.operations);
    record_request(r, NULL);
    return TAKE_PTR(r);
}

static void
record_decision_of(struct spaces_run *r, const char *decision)
{
    const struct spaces_claim *c = &r->claim;

    spaces_record(r->shared, r->journal, "decision",
                  (const struct journal_member[]){
                      JOURNAL_NUM("approval", c->approval),
                      JOURNAL_BYTES("operation", c->op, c->op_n),
                      JOURNAL_STR("decision", decision),
                      JOURNAL_STR("by", c->by[0] ? c->by : NULL),
                      JOURNAL_STR("via", c->via[0] ? c->via : NULL),
                      JOURNAL_STR("reason", c->why[0] ? c->why : NULL),
                      JOURNAL_NUM("decided_ms", c->decided_ms),
                      JOURNAL_STR("digest", c->digest),
                      {0},
                  });
}

static void
interrupt_op(struct spaces_run *r, const char *why)
{
    CLEANUP_BUF struct buf text = buf_of(256);

    buf_printf(&text, "interrupted: %s; it does not run again", why);
    note_result(r, SPACES_SOME_FAILED);
    spaces_event_error(&r->events, &r->op, "system", text.p);
}

/* Resumes with the operation that waited for an approval. */
static void
apply_claim(struct spaces_run *r)
{
    const struct spaces_claim *c = &r->claim;

    switch (c->outcome) {
    case SPACES_OUTCOME_WAITS:
        r->asks_again = true;
        return;
    case SPACES_OUTCOME_YES:
        record_decision_of(r, "approved");
        snprintf(r->shared->yes, sizeof(r->shared->yes), "%s%s%s", c->by,
                 c->via[0] ? ", " : "", c->via);
        memcpy(r->approved, c->digest, sizeof(r->approved));
        r->agreed = r->begun = true;
        watch_again(r->soon, 0);
        return;
    case SPACES_OUTCOME_NO:
        record_decision_of(r, "denied");
        deny_op(r, c->why[0] ? c->why : "denied by a person", NULL);
        return;
    case SPACES_OUTCOME_EXPIRED:
        record_decision_of(r, "expired");
        deny_op(r, "approval expired", NULL);
        return;
    case SPACES_OUTCOME_INTERRUPTED:
        interrupt_op(r, "agentsh ended while it ran");
        next_op(r);
        return;
    }
}

struct spaces_run *
spaces_run_resume(struct spaces_shared *sh, struct spaces_claim *claim,
                  struct spaces_line *line, void (*done)(void *arg), void *arg,
                  struct err *e)
{
    CLEANUP(spaces_run_free_p)
    struct spaces_run *r = alloc_run(sh, done, arg, e);

    if (!r)
        return NULL;
    r->at = json_at(line->operations, claim->index);
    if (!r->at) {
        err_set(e, ERR_PARSE, "the store of approvals is damaged");
        return NULL;
    }
    memcpy(r->id, claim->run, sizeof(r->id));
    r->line = *line;
    *line = (struct spaces_line){0};
    r->claim = *claim;
    *claim = (struct spaces_claim){0};
    buf_add(&r->text, r->claim.operations, r->claim.operations_n);
    buf_add(&r->events, r->claim.events.p, r->claim.events.len);
    buf_done(&r->claim.events);
    r->index = r->claim.index;
    r->kept = r->events.len;
    r->stored = true;
    spaces_op_read(r->at, &r->op);
    record_request(r, r->claim.via);
    apply_claim(r);
    return TAKE_PTR(r);
}

/* Ends the errand and the thread, which write to the events, before others do.
 */
static void
halt_run(struct spaces_run *r)
{
    atomic_store(&r->unwanted, true);
    spaces_command_op_done(&r->command);
    end_task(r);
    watch_free(TAKE_PTR(r->soon));
}

void
spaces_run_stop(struct spaces_run *r, const char *why)
{
    bool done = r->task && r->finished == on_file_done;

    if (r->over)
        return;
    halt_run(r);
    if (done && !r->file.changed) {
        settle_file(r);
        r->at = json_next(r->at);
    }
    if (r->at) {
        spaces_op_read(r->at, &r->op);
        interrupt_op(r, why);
    }
    end_run_now(r, r->at ? SPACES_ERROR : SPACES_COMPLETED);
}

void
spaces_run_free(struct spaces_run *r)
{
    if (!r)
        return;
    halt_run(r);
    if (r->shared->current == r)
        r->shared->current = NULL;
    spaces_file_op_done(&r->file);
    spaces_claim_done(&r->claim);
    spaces_line_done(&r->line);
    journal_run_free(r->journal);
    buf_done(&r->text);
    buf_done(&r->events);
    free(r);
}

const char *
spaces_run_id(const struct spaces_run *r)
{
    return r->id;
}

enum spaces_status
spaces_run_status(const struct spaces_run *r)
{
    return r->status;
}

enum spaces_result
spaces_run_result(const struct spaces_run *r)
{
    return r->result;
}

bool
spaces_run_is_stored(const struct spaces_run *r)
{
    return r->stored;
}

/* Events that exceed the limit are replaced by an error: a message must be
 * complete. */
void
spaces_run_take(struct spaces_run *r, struct buf *head, struct buf *events)
{
    enum spaces_status status = r->status;

    if (buf_ok(&r->events, "the events", NULL) < 0) {
        buf_done(&r->events);
        spaces_event_error(&r->events, NULL, "system",
                           "too many events for one message; what ran is in "
                           "the journal");
        status = SPACES_ERROR;
    }
    *events = r->events;
    buf_init(&r->events, events->max);
    spaces_event_begin_message(head, r->id, spaces_status_name(status));
}

struct journal_run *
spaces_run_journal(const struct spaces_run *r)
{
    return r->journal;
}

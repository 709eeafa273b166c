/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_run.c - one run: its operations, one after another. */
#include "server/spaces/spaces_run.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/worker.h"
#include "server/spaces/spaces_file_op.h"
#include "server/spaces/spaces_files.h"
#include "server/spaces/spaces_permissive.h"

#define TURN_MS 2 /* of 5 that a callback may take */

/* The events of one message: what operations bring, and what they repeat of the
 * line, which is as long at most, with a reason for each. */
#define EVENTS_MAX (SPACES_RUN_CONTENT_MAX + 3u * SPACES_LINE_MAX)

#define ARGS_MAX     (1u << 20) /* of a command: its variables, escaped */
#define ESCAPED_MAX  6          /* a character of a command's output in JSON */
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
    size_t kept;    /* bytes of the events that the store knows */
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
    struct errand_request rq;
    struct errand *errand;
    struct json *args; /* of the errand */
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

/* Does work in a thread, and where none can be had, here. */
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

/* An approval is needed. */

/* Nothing waits where the answer could not be kept. */
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

/* p: what was judged. digest: of a command. Nobody knows the run of a first
 * question but who got it: then the events before it were received as well. */
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

/* Commands. */

static void
end_errand(struct spaces_run *r)
{
    errand_free(TAKE_PTR(r->errand));
    json_free(TAKE_PTR(r->args));
}

static void
on_ask(void *arg, uint64_t token, const struct tool *t, const struct permit *p)
{
    struct spaces_run *r = arg;
    char digest[SHA256_HEX_SIZE];

    (void)t;
    snprintf(digest, sizeof(digest), "%s", errand_digest(r->errand));
    if (spaces_permissive_waives(r->shared, p,
                                 json_get_str(r->args, "working_directory"))) {
        snprintf(r->shared->yes, sizeof(r->shared->yes), "--policy permissive");
        (void)errand_answer(r->errand, token, true, NULL);
        return;
    }
    if (r->agreed && strcmp(digest, r->approved) == 0) {
        (void)errand_answer(r->errand, token, true, NULL);
        return;
    }
    ask_about_op(r, p, digest);
    end_errand(r);
}

static void
on_denied(void *arg, const struct permit *p, int64_t ms)
{
    struct spaces_run *r = arg;
    bool sudo = p->found && p->found->risk.facts & RISK_SUDO;
    CLEANUP_BUF struct buf reason = buf_of(sizeof(p->reason));

    (void)ms;
    buf_str(&reason, p->reason[0] ? p->reason : p->rule);
    end_errand(r);
    deny_op(r, reason.p,
            sudo ? "Run it without the rights of another user" : NULL);
}

static size_t
output_room(const struct spaces_run *r)
{
    return (SPACES_RUN_CONTENT_MAX - r->content) / ESCAPED_MAX;
}

static void
on_done(void *arg, const struct tool_result *result)
{
    struct spaces_run *r = arg;
    size_t before = r->events.len;

    if (!result->ok || !result->has_exit_code || result->exit_code != 0)
        note_result(r, SPACES_SOME_FAILED);
    if (!result->has_exit_code && !result->ok && result->err_len > 0 &&
        !(result->error_code &&
          strcmp(result->error_code, err_tool_code(ERR_TIMEOUT)) == 0)) {
        CLEANUP_BUF struct buf why = buf_of(result->err_len);

        buf_add(&why, result->err, result->err_len);
        spaces_event_failed(&r->events, &r->op, why.p, result->duration_ms);
    } else {
        spaces_event_shell(&r->events, &r->op, result, output_room(r));
    }
    r->content += r->events.len - before;
    if (r->content > SPACES_RUN_CONTENT_MAX)
        r->content = SPACES_RUN_CONTENT_MAX;
    end_errand(r);
    next_op(r);
}

static void
on_failed(void *arg, const struct err *why, int64_t ms)
{
    struct spaces_run *r = arg;
    struct err e = *why;

    end_errand(r);
    if (e.code == ERR_DENIED) {
        deny_op(r, e.text, NULL);
        return;
    }
    note_result(r, SPACES_SOME_FAILED);
    if (e.code == ERR_TIMEOUT)
        spaces_event_shell(&r->events, &r->op,
                           &(const struct tool_result){
                               .out = "",
                               .err = e.text,
                               .err_len = strlen(e.text),
                               .error_code = err_tool_code(ERR_TIMEOUT),
                               .duration_ms = ms},
                           output_room(r));
    else
        spaces_event_failed(&r->events, &r->op, e.text, ms);
    next_op(r);
}

/* The directory that a command starts in, without links. */
static int
find_command_directory(const struct spaces_run *r, char real[PATH_MAX],
                       struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    struct stat st;

    if ((fd = spaces_files_find(r->shared->root, r->op.path, real, e)) < 0)
        return e->code == ERR_NOT_FOUND
                   ? err_set(e, ERR_NOT_FOUND, "Directory not found")
                   : -1;
    if (fstat(fd, &st) < 0)
        return err_sys(e, "cwd");
    return S_ISDIR(st.st_mode) ? 0 : err_set(e, ERR_INVALID, "Not a directory");
}

static struct json *
command_args(const struct spaces_run *r, const char *directory, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(ARGS_MAX);
    const struct json *env = json_get(r->op.v, "env");
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_member_str(&w, "command", r->op.command);
    if (directory) /* else the workspace, whose name may be no UTF-8 */
        json_member_str(&w, "working_directory", directory);
    json_member_int(&w, "timeout_ms", r->op.timeout_ms);
    if (env) {
        json_key(&w, "env");
        json_put_value(&w, env);
    }
    json_close_object(&w);
    if (buf_ok(&text, "the command", e) < 0)
        return NULL;
    return json_parse(text.p, text.len, 0, e);
}

static void
start_command(struct spaces_run *r)
{
    static const struct errand_events events = {.ask = on_ask,
                                                .done = on_done,
                                                .denied = on_denied,
                                                .failed = on_failed};
    char directory[PATH_MAX];
    struct err e = {0};

    if ((r->op.path && find_command_directory(r, directory, &e) < 0) ||
        !(r->args = command_args(r, r->op.path ? directory : NULL, &e))) {
        fail_op(r, e.text);
        return;
    }
    r->rq = (struct errand_request){.tool = "cmd.run",
                                    .action = "execute",
                                    .args = r->args,
                                    .timeout_ms = r->op.timeout_ms};
    r->errand = errand_start(r->shared->errands, &r->rq, &events, r, &e);
    if (r->errand)
        return;
    json_free(TAKE_PTR(r->args));
    fail_op(r, e.text);
}

/* Files. */

/* It was done, or failed, and its event is there. */
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

/* From one operation to the next. */

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

/* What is not written down could run twice. */
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

/* Nobody answered: the question is shown once more. */
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

/* Beginning and end. */

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

/* What becomes of the operation that the run has waited for. */
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

/* What works on the run must have ended before its events are touched. */
static void
halt_run(struct spaces_run *r)
{
    atomic_store(&r->unwanted, true);
    end_errand(r);
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

/* Events that are too many are none: the message must be whole. */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_turn.c - a turn of a session in the public protocol. */
#include "server/acp/acp_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/acp/acp_form.h"
#include "server/acp/acp_history.h"
#include "server/acp/acp_permission.h"
#include "server/acp/acp_step_output.h"
#include "server/acp/acp_turn_shared.h"
#include "json/write.h"

#define LATE_MAX   512  /* bytes of an update about usage */
#define ANSWER_MAX 256  /* bytes of the answer to a prompt */
#define WHY_MAX    1024 /* bytes of a question */

struct acp_turn {
    struct acp_session *session;
    struct rpc_request *rq;        /* the prompt; NULL: it is answered */
    const struct acp_editor *from; /* whose it is */
    struct turn *turn;
    const struct aiaction *action; /* that is proposed; NULL: none yet */
    const struct plan *plan;
    unsigned n_plans, n_calls;
    size_t at;                      /* the step that runs, or is next */
    bool running;                   /* it runs */
    bool open;                      /* the plan is not over */
    char call[ACP_TOOL_CALL_ID];    /* of the model's call that is under way */
    struct buf streamed;            /* the answer's text so far */
    char message[ACP_TOOL_CALL_ID]; /* its id */
    struct acp_permission question;
    struct grant grants[AIACTION_STEPS_MAX];
    struct acp_poll form;           /* that the person is to fill in */
    const struct proposal *unclear; /* what it is about */
    struct buf late; /* the usage, to be told behind the summary */
    char *title;     /* of the session, to be told at the end */
    struct acp_step_output output; /* of step `at` */
    struct watch *progress;
    int64_t begun_ms, sent_ms; /* the latter: of the last update */
};

static void
answer_prompt(struct acp_turn *t, const char *reason)
{
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);
    struct json_writer w;

    if (!t->rq)
        return; /* its editor is gone */
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "stopReason", reason);
    json_close_object(&w);
    rpc_answer(t->rq, &b);
    t->rq = NULL;
}

static void
drop_grants(struct acp_turn *t)
{
    for (size_t i = 0; i < AIACTION_STEPS_MAX; i++)
        grant_done(&t->grants[i]);
}

/* A prompt that is still open is cancelled with its session. */
static void
free_turn(void *arg)
{
    struct acp_turn *t = arg;

    if (!t)
        return;
    answer_prompt(t, "cancelled");
    turn_free(t->turn);
    acp_permission_done(&t->question);
    acp_poll_withdraw(&t->form);
    drop_grants(t);
    acp_step_output_done(&t->output);
    watch_free(t->progress);
    free(t->title);
    buf_done(&t->late);
    buf_done(&t->streamed);
    free(t);
}
DEFINE_CLEANUP(void, free_turn)

/* An update that is too long, or that nobody reads, is lost: the turn goes on,
 * and ends with the connection. */
static void
send_update(struct acp_turn *t, struct buf *params)
{
    t->sent_ms = clock_ms();
    acp_editors_tell(t->session, params);
}

/* The same for an update that is shown again when the session is loaded. */
static void
send_kept(struct acp_turn *t, struct buf *params)
{
    send_update(t, params);
    acp_history_keep_update(t->session, params);
}

static void
send_chunk(struct acp_turn *t, const char *kind, const char *text, size_t n,
           const char *id)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_chunk(&b, t->session->id, kind, text, n, id);
    send_update(t, &b);
}

/* A message of its own. */
static void
send_whole_text(struct acp_turn *t, const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_turn_message_id(t->session, id);
    acp_update_chunk(&b, t->session->id, "agent_message_chunk", text,
                     strlen(text), id);
    send_kept(t, &b);
}

static void
send_plan(struct acp_turn *t)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_plan(&b, t->session->id, t->action, t->at, t->running);
    send_update(t, &b);
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct acp_turn *t = arg;

    if (t->streamed.len == 0)
        acp_turn_message_id(t->session, t->message);
    buf_add(&t->streamed, bytes, n);
    send_chunk(t, "agent_message_chunk", bytes, n, t->message);
}

/* As a notice to who takes such. */
static void
on_waiting(void *arg, const char *line)
{
    struct acp_turn *t = arg;
    struct acp_session *s = t->session;
    CLEANUP_BUF struct buf notice = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf thought = buf_of(ACP_UPDATE_MAX);

    buf_clear(&t->streamed); /* another answer comes */
    acp_update_notice(&notice, s->id, "warning", line);
    acp_update_chunk(&thought, s->id, "agent_thought_chunk", line, strlen(line),
                     NULL);
    t->sent_ms = clock_ms();
    for (size_t i = 0; i < s->n_editors; i++)
        acp_editor_tell(s->editors[i], s->editors[i]->client.takes_notices
                                           ? &notice
                                           : &thought);
}

static void
send_call(struct acp_turn *t, const char *line, const struct tool_loop_call *c)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_call(&b, t->session->id, t->call, line, c, ACP_V1);
    send_kept(t, &b);
}

static void
on_tool_started(void *arg, const char *line)
{
    struct acp_turn *t = arg;

    if (!line)
        return;
    snprintf(t->call, sizeof(t->call), "turn%u-call%u",
             acp_session_turn_number(t->session), ++t->n_calls);
    send_call(t, line, NULL);
}

/* A call that could not be made was never begun. */
static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    struct acp_turn *t = arg;

    if (!t->call[0])
        on_tool_started(t, c->line);
    send_call(t, c->line, c);
    t->call[0] = '\0';
}

static void
on_usage(void *arg, const struct conversation_usage *u)
{
    struct acp_turn *t = arg;

    buf_clear(&t->late);
    acp_turn_put_usage(&t->late, t->session, u);
}

static void
send_usage(struct acp_turn *t)
{
    if (t->late.len > 0)
        send_update(t, &t->late);
    buf_clear(&t->late);
}

static void
on_proposed(void *arg, const struct aiaction *a, const struct plan *p)
{
    struct acp_turn *t = arg;

    t->action = a;
    t->plan = p;
    t->n_plans++;
    t->at = 0;
    t->running = false;
    t->open = true;
    buf_clear(&t->streamed);
    send_whole_text(t, a->summary[0] ? a->summary : a->steps[0].description);
    send_plan(t);
    for (size_t i = 0; i < a->n; i++) {
        CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
        char id[ACP_TOOL_CALL_ID];

        acp_turn_step_id(t->session, t->n_plans, i, id);
        acp_update_step(&b, t->session->id, id, &a->steps[i],
                        plan_step_verdict(p, i), ACP_V1);
        send_kept(t, &b);
    }
    send_usage(t);
}

static void
on_ask(void *arg, unsigned token, enum plan_question q, size_t step)
{
    struct acp_turn *t = arg;
    const struct step *s = &t->action->steps[step];
    const struct step_verdict *v = plan_step_verdict(t->plan, step);
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf sandbox = buf_of(ACP_UPDATE_MAX);
    struct acp_question about = {.why = v->reason};
    char id[ACP_TOOL_CALL_ID], why[WHY_MAX];

    acp_turn_step_id(t->session, t->n_plans, step, id);
    if (q == PLAN_ASK_FAILED &&
        plan_remedy(t->plan)->kind == DENIAL_REMEDY_FULL) {
        (void)turn_answer(t->turn, token, PLAN_QUIT, "quit: not offered");
        return;
    }
    if (q == PLAN_ASK_FAILED) { /* it names what the step would get */
        acp_permission_begin_more(&t->question, t->turn, token, s,
                                  &t->grants[step], t->plan, why, sizeof(why));
        about.why = why;
    } else {
        acp_permission_begin(&t->question, t->turn, token, s, v,
                             plan_step_digest(t->plan, step));
        acp_permission_put_sandbox(&t->question, v, &sandbox);
        about.sandbox = sandbox.p;
        about.rule = t->question.rule;
    }
    acp_update_question(&b, t->session->id, id, s, v, &about);
    acp_permission_ask(&t->question, &b);
}

/* What was granted is for the steps of one plan. */
static bool
on_judge(void *arg, const struct proposal *p)
{
    struct acp_turn *t = arg;
    const struct turn_judging how = {.grants = t->grants};

    (void)p;
    drop_grants(t);
    turn_judge(t->turn, &how);
    return true;
}

static void
on_form_answer(void *arg, const struct jsonrpc *m, const struct acp_editor *by)
{
    struct acp_turn *t = arg;
    const char *value = NULL;
    size_t choice = 0;

    (void)by;
    switch (acp_form_read(m, t->unclear, &choice, &value)) {
    case ACP_FORM_CHOSEN:
        turn_choose(t->turn, choice);
        break;
    case ACP_FORM_NAMED:
        (void)turn_revise(t->turn, value);
        break;
    default:
        turn_go_on(t->turn, NULL);
    }
}

static bool
fills_forms(const struct acp_client *c)
{
    return c->fills_forms;
}

static bool
is_form_filled(const struct acp_session *s)
{
    for (size_t i = 0; i < s->n_editors; i++) {
        if (s->editors[i]->client.fills_forms)
            return true;
    }
    return false;
}

/* An answer that leaves something open is shown, and the person asked by a
 * form, where an editor has such. */
static bool
on_answered(void *arg, const struct proposal *p)
{
    struct acp_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!is_form_filled(t->session) || !acp_form_is_useful(p))
        return false;
    send_whole_text(t, p->action->summary);
    buf_clear(&t->streamed);
    buf_str(&t->streamed, p->action->summary);
    t->unclear = p;
    acp_form_write(&b, t->session->id, p);
    t->form = (struct acp_poll){.session = t->session,
                                .method = "elicitation/create",
                                .takes = fills_forms,
                                .answered = on_form_answer,
                                .arg = t};
    return acp_poll_ask(&t->form, &b, NULL) == 0;
}

static void
send_output(struct acp_turn *t)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_turn_step_id(t->session, t->n_plans, t->at, id);
    acp_update_step_output(&b, t->session->id, id, t->output.end.p,
                           t->output.end.len);
    send_update(t, &b);
}

static void
show_output(void *arg)
{
    send_output(arg);
}

static void
on_step_begin(void *arg, size_t step)
{
    struct acp_turn *t = arg;

    t->at = step;
    t->running = true;
    acp_step_output_clear(&t->output);
    send_plan(t);
    send_output(t);
}

static void
on_output(void *arg, size_t step, const char *host, const char *stream,
          const char *bytes, size_t n)
{
    struct acp_turn *t = arg;

    (void)step;
    (void)host;
    (void)stream;
    acp_step_output_add(&t->output, bytes, n);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct acp_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_step_output_stop(&t->output);
    t->running = false;
    /* it did more than it may unasked, which was dropped: a question follows */
    if (end->dropped && end->dropped[0] &&
        t->session->options.mode != ACP_MODE_READ_ONLY)
        return;
    acp_turn_step_id(t->session, t->n_plans, step, id);
    acp_update_step_end(&b, t->session->id, id, NULL, end);
    send_kept(t, &b);
    t->at = step + 1;
}

/* The steps that did not run are over too. */
static bool
on_plan_complete(void *arg, const struct plan_end *end)
{
    struct acp_turn *t = arg;
    const char *why = end->why.code == ERR_NONE ? "not run" : end->why.text;

    acp_step_output_stop(&t->output);
    t->running = t->open = false;
    send_plan(t);
    for (size_t i = t->at; i < t->action->n; i++) {
        CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
        char id[ACP_TOOL_CALL_ID];

        acp_turn_step_id(t->session, t->n_plans, i, id);
        acp_update_step_failed(&b, t->session->id, id, "failed", why);
        send_kept(t, &b);
        why = "not run";
    }
    return false;
}

static void
send_title(struct acp_turn *t)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!t->title)
        return;
    acp_update_title(&b, t->session->id, t->title);
    send_update(t, &b);
}

static void
answer_failure(struct acp_turn *t, const struct err *why)
{
    if (why->code == ERR_INTERRUPTED) {
        answer_prompt(t, "cancelled");
    } else if (acp_turn_ends_in_message(why)) {
        send_whole_text(t, why->text);
        answer_prompt(t, "end_turn");
    } else if (t->rq) {
        rpc_refuse(t->rq, JSONRPC_INTERNAL, why->text, NULL);
        t->rq = NULL;
    }
}

static void
on_over(void *arg, const struct turn_end *end)
{
    CLEANUP(free_turn_p) void *held = arg;
    struct acp_turn *t = arg;
    struct acp_session *s = t->session;

    if (end->outcome == TURN_ANSWERED) {
        if (t->streamed.len == 0 || strcmp(t->streamed.p, end->answer) != 0)
            send_whole_text(t, end->answer);
        else
            acp_turn_keep_message(s, "agent_message_chunk", end->answer,
                                  t->message);
    }
    send_usage(t);
    send_title(t);
    acp_history_keep_turn(s);
    acp_session_end_turn(s, err_exit_status(end->why.code));
    if (end->outcome == TURN_FAILED)
        answer_failure(t, &end->why);
    else
        answer_prompt(t, end->outcome == TURN_LIMIT ? "max_turn_requests"
                                                    : "end_turn");
}

/* Nobody waits in silence for longer than ACP_PROGRESS_MS. */
static void
on_progress(void *arg, unsigned events)
{
    struct acp_turn *t = arg;
    int64_t now = clock_ms(), quiet = now - t->sent_ms;
    char text[64];

    (void)events;
    if (quiet < ACP_PROGRESS_MS) {
        watch_again(t->progress, ACP_PROGRESS_MS - quiet);
        return;
    }
    watch_again(t->progress, ACP_PROGRESS_MS);
    if (t->running) {
        send_output(t);
        return;
    }
    if (t->question.poll.open)
        return; /* the editor shows it */
    snprintf(text, sizeof(text), "waiting for %lld s",
             (long long)(now - t->begun_ms) / 1000);
    send_chunk(t, "agent_thought_chunk", text, strlen(text), NULL);
}

static void
cancel_turn(void *arg)
{
    struct acp_turn *t = arg;

    acp_poll_withdraw(&t->form);
    acp_permission_withdraw(&t->question);
    turn_cancel(t->turn);
}

static void
pause_turn(void *arg, bool paused)
{
    const struct acp_turn *t = arg;

    turn_pause(t->turn, paused);
}

static void
leave_acp_turn(void *arg, const struct acp_editor *ed)
{
    struct acp_turn *t = arg;

    if (t->from == ed)
        answer_prompt(t, "cancelled");
}

/* The steps that have not ended yet, which no replay has shown. */
static void
show_steps(const struct acp_turn *t, struct acp_editor *ed)
{
    for (size_t i = t->at; i < t->action->n; i++) {
        CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
        char id[ACP_TOOL_CALL_ID];

        acp_turn_step_id(t->session, t->n_plans, i, id);
        acp_update_step(&b, t->session->id, id, &t->action->steps[i],
                        plan_step_verdict(t->plan, i), ACP_V1);
        acp_editor_tell(ed, &b);
    }
}

static void
show_turn(void *arg, struct acp_editor *ed, bool replayed)
{
    const struct acp_turn *t = arg;
    CLEANUP_BUF struct buf said = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf plan = buf_of(ACP_UPDATE_MAX);

    if (t->streamed.len > 0) {
        acp_update_chunk(&said, t->session->id, "agent_message_chunk",
                         t->streamed.p, t->streamed.len, t->message);
        acp_editor_tell(ed, &said);
    }
    if (!t->open)
        return;
    if (!replayed)
        show_steps(t, ed);
    acp_update_plan(&plan, t->session->id, t->action, t->at, t->running);
    acp_editor_tell(ed, &plan);
}

/* The others see what was asked. */
static void
show_asked(struct acp_session *s, const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_chunk(&b, s->id, "user_message_chunk", text, strlen(text), NULL);
    acp_editors_tell_others(s, s->asker, &b);
}

static const struct acp_turn_ops ops = {.free = free_turn,
                                        .cancel = cancel_turn,
                                        .pause = pause_turn,
                                        .leave = leave_acp_turn,
                                        .show = show_turn};

int
acp_turn_start(struct acp_session *s, const struct acp_prompt *p,
               struct rpc_request *rq, struct err *e)
{
    static const struct turn_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .tool_started = on_tool_started,
        .tool_ended = on_tool_ended,
        .usage = on_usage,
        .proposed = on_proposed,
        .answered = on_answered,
        .judge = on_judge,
        .ask = on_ask,
        .step_begin = on_step_begin,
        .output = on_output,
        .step_complete = on_step_complete,
        .plan_complete = on_plan_complete,
        .over = on_over,
    };
    CLEANUP(free_turn_p) void *held = NULL;
    struct acp_turn *t = held = calloc(1, sizeof(*t));

    if (!t)
        return err_nomem(e);
    *t = (struct acp_turn){.session = s,
                           .from = s->asker,
                           .begun_ms = clock_ms(),
                           .sent_ms = clock_ms()};
    buf_init(&t->streamed, MODEL_ANSWER_MAX);
    buf_init(&t->late, LATE_MAX);
    t->question.session = s;
    if (acp_step_output_init(&t->output, s->shared->loop, show_output, t, e) <
        0)
        return -1;
    t->progress = loop_timer(s->shared->loop, ACP_PROGRESS_MS, on_progress, t,
                             e);
    if (!t->progress ||
        !(t->turn = acp_session_begin_turn(s, p, true, &events, t, e)))
        return -1;
    t->title = acp_turn_keep_prompt(s, p->text.p, NULL);
    show_asked(s, p->text.p);
    t->rq = rq;
    s->turn = t;
    s->ops = &ops;
    TAKE_PTR(held);
    rpc_on_cancel(rq, cancel_turn, t);
    return 0;
}

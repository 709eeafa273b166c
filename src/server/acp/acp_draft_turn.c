/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_turn.c - a turn of a session in the draft of version 2. */
#include "server/acp/acp_draft_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/acp/acp_draft_steps.h"
#include "server/acp/acp_draft_update.h"
#include "server/acp/acp_history.h"
#include "server/acp/acp_permission.h"
#include "server/acp/acp_turn_shared.h"

#define ANSWER_MAX 256 /* bytes of the answer to a prompt */

struct draft_turn {
    struct acp_session *session;
    struct turn *turn;
    struct acp_draft_steps steps;
    bool over;                      /* the end was told */
    struct buf streamed;            /* the message's text so far */
    char message[ACP_TOOL_CALL_ID]; /* its id; "": none has begun */
    struct acp_permission question;
    struct watch *progress;
};

static void
send_draft_update(struct draft_turn *t, struct buf *params)
{
    acp_draft_send(&t->steps, params);
}

static void
send_state(struct draft_turn *t, const char *state)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_draft_state(&b, t->session->id, state);
    send_draft_update(t, &b);
}

static void
send_idle(struct draft_turn *t, const char *reason, const struct err *why)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_draft_idle(&b, t->session->id, reason, why);
    send_draft_update(t, &b);
    t->over = true;
}

/* Ends the message: what was streamed of it is replaced where it differs. */
static void
send_reply(struct draft_turn *t, const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!t->message[0])
        acp_turn_message_id(t->session, t->message);
    if (t->streamed.len == 0 || strcmp(t->streamed.p, text) != 0) {
        acp_draft_message(&b, t->session->id, "agent_message", t->message,
                          text);
        send_draft_update(t, &b);
    }
    acp_turn_keep_message(t->session, "agent_message_chunk", text, t->message);
    t->message[0] = '\0';
    buf_clear(&t->streamed);
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct draft_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!t->message[0])
        acp_turn_message_id(t->session, t->message);
    buf_add(&t->streamed, bytes, n);
    acp_update_chunk(&b, t->session->id, "agent_message_chunk", bytes, n,
                     t->message);
    send_draft_update(t, &b);
}

/* Another answer comes in place of what was streamed. */
static void
on_waiting(void *arg, const char *line)
{
    struct draft_turn *t = arg;
    CLEANUP_BUF struct buf gone = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (t->streamed.len > 0) {
        acp_draft_message_clear(&gone, t->session->id, t->message);
        send_draft_update(t, &gone);
    }
    buf_clear(&t->streamed);
    acp_update_notice(&b, t->session->id, "warning", line);
    send_draft_update(t, &b);
}

static void
on_tool_started(void *arg, const char *line)
{
    struct draft_turn *t = arg;

    if (!line)
        return;
    if (t->streamed.len > 0)
        send_reply(t, t->streamed.p);
    acp_draft_steps_begin_call(&t->steps, line);
}

static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    struct draft_turn *t = arg;

    acp_draft_steps_end_call(&t->steps, c);
}

static void
on_usage(void *arg, const struct conversation_usage *u)
{
    struct draft_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_turn_put_usage(&b, t->session, u);
    send_draft_update(t, &b);
}

static void
on_proposed(void *arg, const struct aiaction *a, const struct plan *p)
{
    struct draft_turn *t = arg;

    send_reply(t, a->summary[0] ? a->summary : a->steps[0].description);
    acp_draft_steps_propose(&t->steps, a, p);
}

static void
on_answered(void *arg)
{
    send_state(arg, "running");
}

static void
on_ask(void *arg, unsigned token, enum plan_question q, size_t step)
{
    struct draft_turn *t = arg;
    const struct step *s = &t->steps.action->steps[step];
    const struct step_verdict *v = plan_step_verdict(t->steps.plan, step);
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf sandbox = buf_of(ACP_UPDATE_MAX);
    struct acp_question about = {.why = v->reason};
    char id[ACP_TOOL_CALL_ID];

    if (q == PLAN_ASK_FAILED) { /* more rights are not asked for here */
        (void)turn_answer(t->turn, token, PLAN_QUIT, "quit: not offered");
        return;
    }
    acp_draft_steps_id(&t->steps, step, id);
    acp_permission_begin(&t->question, t->turn, token, s, v,
                         plan_step_digest(t->steps.plan, step));
    acp_permission_put_sandbox(&t->question, v, &sandbox);
    about.sandbox = sandbox.p;
    about.rule = t->question.rule;
    acp_draft_question(&b, t->session->id, id, s, v, &about);
    acp_permission_ask(&t->question, &b);
    if (t->question.poll.open)
        send_state(t, "requires_action");
}

static void
on_step_begin(void *arg, size_t step)
{
    struct draft_turn *t = arg;

    acp_draft_steps_begin(&t->steps, step);
}

static void
on_output(void *arg, size_t step, const char *host, const char *stream,
          const char *bytes, size_t n)
{
    struct draft_turn *t = arg;

    (void)step;
    (void)host;
    (void)stream;
    acp_step_output_add(&t->steps.output, bytes, n);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct draft_turn *t = arg;

    acp_draft_steps_complete(&t->steps, step, end);
}

static bool
on_plan_complete(void *arg, const struct plan_end *end)
{
    struct draft_turn *t = arg;

    acp_draft_steps_end(&t->steps, &end->why);
    return false;
}

static void
end_failed(struct draft_turn *t, const struct err *why)
{
    if (why->code == ERR_INTERRUPTED) {
        send_idle(t, "cancelled", NULL);
    } else if (acp_turn_ends_in_message(why)) {
        send_reply(t, why->text);
        send_idle(t, "end_turn", NULL);
    } else {
        send_idle(t, "error", why);
    }
}

/* A turn that is freed before it is over was cancelled with its session. */
static void
free_draft_turn(void *arg)
{
    struct draft_turn *t = arg;

    if (!t)
        return;
    acp_permission_done(&t->question);
    if (!t->over) {
        acp_draft_steps_end(&t->steps, NULL);
        send_idle(t, "cancelled", NULL);
    }
    turn_free(t->turn);
    acp_draft_steps_done(&t->steps);
    watch_free(t->progress);
    buf_done(&t->streamed);
    free(t);
}
DEFINE_CLEANUP(void, free_draft_turn)

static void
on_over(void *arg, const struct turn_end *end)
{
    CLEANUP(free_draft_turn_p) void *held = arg;
    struct draft_turn *t = arg;
    struct acp_session *s = t->session;

    acp_draft_steps_end(&t->steps, &end->why);
    if (end->outcome == TURN_ANSWERED)
        send_reply(t, end->answer);
    acp_history_keep_turn(s);
    acp_session_end_turn(s, err_exit_status(end->why.code));
    if (end->outcome == TURN_FAILED)
        end_failed(t, &end->why);
    else
        send_idle(t,
                  end->outcome == TURN_LIMIT ? "max_turn_requests" : "end_turn",
                  NULL);
    if (s->after_turn)
        s->after_turn(s);
}

/* Nobody waits in silence for longer than ACP_PROGRESS_MS: the state is told
 * again, or the output of the step. */
static void
on_progress(void *arg, unsigned events)
{
    struct draft_turn *t = arg;
    int64_t quiet = clock_ms() - t->steps.sent_ms;

    (void)events;
    if (quiet < ACP_PROGRESS_MS) {
        watch_again(t->progress, ACP_PROGRESS_MS - quiet);
        return;
    }
    watch_again(t->progress, ACP_PROGRESS_MS);
    if (t->steps.running)
        acp_draft_steps_send_output(&t->steps);
    else if (!t->question.poll.open)
        send_state(t, "running");
}

static void
cancel_draft_turn(void *arg)
{
    struct draft_turn *t = arg;

    t->steps.cancelled = true;
    acp_permission_withdraw(&t->question);
    turn_cancel(t->turn);
}

static void
pause_draft_turn(void *arg, bool paused)
{
    const struct draft_turn *t = arg;

    turn_pause(t->turn, paused);
}

static void
show_draft_turn(void *arg, struct acp_editor *ed, bool replayed)
{
    struct draft_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    (void)replayed;
    t->steps.only = ed;
    if (t->streamed.len > 0) {
        acp_draft_message(&b, t->session->id, "agent_message", t->message,
                          t->streamed.p);
        send_draft_update(t, &b);
    }
    if (t->steps.open)
        acp_draft_steps_send_plan(&t->steps);
    if (t->steps.running)
        acp_draft_steps_send_output(&t->steps);
    send_state(t, t->question.poll.open ? "requires_action" : "running");
    t->steps.only = NULL;
}

/* The prompt is in the conversation from now on. */
static void
insert_prompt(struct draft_turn *t, const struct acp_prompt *p,
              const struct buf *content, struct rpc_request *rq)
{
    CLEANUP_BUF struct buf answer = buf_of(ANSWER_MAX);
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf about = buf_of(ACP_UPDATE_MAX);
    CLEANUP(free_p) char *title = NULL;
    struct acp_session *s = t->session;
    char id[ACP_TOOL_CALL_ID];

    snprintf(id, sizeof(id), "turn%u-prompt", acp_session_turn_number(s));
    buf_printf(&answer, "{\"messageId\":\"%s\"}", id);
    rpc_answer(rq, &answer);
    if (content->bad || content->len == 0)
        acp_draft_message(&b, s->id, "user_message", id, p->text.p);
    else
        acp_draft_prompt(&b, s->id, id, content);
    send_draft_update(t, &b);
    send_state(t, "running");
    if (!(title = acp_turn_keep_prompt(s, p->text.p, id)))
        return;
    acp_update_title(&about, s->id, title);
    send_draft_update(t, &about);
}

static const struct acp_turn_ops ops = {.free = free_draft_turn,
                                        .cancel = cancel_draft_turn,
                                        .pause = pause_draft_turn,
                                        .show = show_draft_turn};

int
acp_draft_turn_start(struct acp_session *s, const struct acp_prompt *p,
                     const struct buf *content, struct rpc_request *rq,
                     struct err *e)
{
    static const struct turn_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .tool_started = on_tool_started,
        .tool_ended = on_tool_ended,
        .usage = on_usage,
        .proposed = on_proposed,
        .ask = on_ask,
        .step_begin = on_step_begin,
        .output = on_output,
        .step_complete = on_step_complete,
        .plan_complete = on_plan_complete,
        .over = on_over,
    };
    CLEANUP(free_draft_turn_p) void *held = NULL;
    struct draft_turn *t = held = calloc(1, sizeof(*t));

    if (!t)
        return err_nomem(e);
    *t = (struct draft_turn){.session = s, .over = true};
    t->question = (struct acp_permission){
        .session = s, .answered = on_answered, .arg = t};
    buf_init(&t->streamed, MODEL_ANSWER_MAX);
    t->progress = loop_timer(s->shared->loop, ACP_PROGRESS_MS, on_progress, t,
                             e);
    if (!t->progress || acp_draft_steps_init(&t->steps, s, e) < 0 ||
        !(t->turn = acp_session_begin_turn(s, p, true, &events, t, e)))
        return -1;
    t->over = false;
    s->turn = t;
    s->ops = &ops;
    TAKE_PTR(held);
    insert_prompt(t, p, content, rq);
    return 0;
}

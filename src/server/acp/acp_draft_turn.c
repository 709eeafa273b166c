/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_turn.c - a turn of a session in the draft of version 2. */
#include "server/acp/acp_draft_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/acp/acp_draft_steps.h"
#include "server/acp/acp_draft_update.h"
#include "server/acp/acp_turn.h"

#define ANSWER_MAX 256 /* bytes of the answer to a prompt */

static void
send_state(struct acp_turn *t, const char *state)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_draft_state(&b, t->session->id, state);
    acp_turn_send(t, &b);
}

static void
send_idle(struct acp_turn *t, const char *reason, const struct err *why)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_draft_idle(&b, t->session->id, reason, why);
    acp_turn_send(t, &b);
}

/* Ends the message: what was streamed of it is replaced where it differs. */
static void
send_reply(struct acp_turn *t, const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!t->message[0])
        acp_turn_message_id(t, t->message);
    if (t->streamed.len == 0 || strcmp(t->streamed.p, text) != 0) {
        acp_draft_message(&b, t->session->id, "agent_message", t->message,
                          text);
        acp_turn_send(t, &b);
    }
    acp_turn_keep_message(t, "agent_message_chunk", text, t->message);
    acp_turn_end_text(t);
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct acp_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_turn_add_text(t, bytes, n);
    acp_update_chunk(&b, t->session->id, "agent_message_chunk", bytes, n,
                     t->message);
    acp_turn_send(t, &b);
}

/* Another answer comes in place of what was streamed. */
static void
on_waiting(void *arg, const char *line)
{
    struct acp_turn *t = arg;
    CLEANUP_BUF struct buf gone = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (t->streamed.len > 0) {
        acp_draft_message_clear(&gone, t->session->id, t->message);
        acp_turn_send(t, &gone);
    }
    buf_clear(&t->streamed);
    acp_update_notice(&b, t->session->id, "warning", line);
    acp_turn_send(t, &b);
}

static void
on_tool_started(void *arg, const char *line)
{
    struct acp_turn *t = arg;

    if (!line)
        return;
    if (t->streamed.len > 0)
        send_reply(t, t->streamed.p);
    acp_draft_steps_begin_call(t, line);
}

static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    struct acp_turn *t = arg;

    acp_draft_steps_end_call(t, c);
}

static void
on_usage(void *arg, const struct conversation_usage *u)
{
    struct acp_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_turn_put_usage(t, &b, u);
    acp_turn_send(t, &b);
}

static void
on_proposed(void *arg, const struct aiaction *a, const struct plan *p)
{
    struct acp_turn *t = arg;

    send_reply(t, acp_turn_summary(a));
    acp_draft_steps_propose(t, a, p);
}

static void
on_answered(void *arg)
{
    send_state(arg, "running");
}

static void
on_ask(void *arg, unsigned token, enum plan_question q, size_t step)
{
    struct acp_turn *t = arg;
    const struct step *s = &t->action->steps[step];
    const struct step_verdict *v = plan_step_verdict(t->plan, step);
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf sandbox = buf_of(ACP_UPDATE_MAX);
    struct acp_question about;
    char id[ACP_TOOL_CALL_ID];

    if (q == PLAN_ASK_FAILED) { /* more rights are not asked for here */
        (void)turn_answer(t->turn, token, PLAN_QUIT, "quit: not offered");
        return;
    }
    acp_turn_step_id(t, step, id);
    acp_turn_begin_question(t, token, step, &about, &sandbox);
    acp_draft_question(&b, t->session->id, id, s, v, &about);
    acp_permission_ask(&t->question, &b);
    if (t->question.poll.open)
        send_state(t, "requires_action");
}

static void
on_step_begin(void *arg, size_t step)
{
    struct acp_turn *t = arg;

    acp_draft_steps_begin(t, step);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct acp_turn *t = arg;

    acp_draft_steps_complete(t, step, end);
}

static bool
on_plan_complete(void *arg, const struct plan_end *end)
{
    struct acp_turn *t = arg;

    acp_draft_steps_end(t, &end->why);
    return false;
}

static void
end_failed(struct acp_turn *t, const struct err *why)
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
free_draft_turn(void *turn)
{
    struct acp_turn *t = turn;

    if (t->session->turn != t)
        return;
    acp_draft_steps_end(t, NULL);
    send_idle(t, "cancelled", NULL);
}

static void
on_over(void *arg, const struct turn_end *end)
{
    CLEANUP(acp_turn_free_p) void *held = arg;
    struct acp_turn *t = arg;
    struct acp_session *s = t->session;

    acp_draft_steps_end(t, &end->why);
    if (end->outcome == TURN_ANSWERED)
        send_reply(t, end->answer);
    acp_turn_end(t, end);
    if (end->outcome == TURN_FAILED)
        end_failed(t, &end->why);
    else
        send_idle(t,
                  end->outcome == TURN_LIMIT ? "max_turn_requests" : "end_turn",
                  NULL);
    if (s->after_turn)
        s->after_turn(s);
}

static void
break_draft_silence(void *turn)
{
    struct acp_turn *t = turn;

    if (t->running)
        acp_turn_send_output(t);
    else
        send_state(t, "running");
}

static void
show_draft_turn(void *turn, bool replayed)
{
    struct acp_turn *t = turn;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    (void)replayed;
    if (t->streamed.len > 0) {
        acp_draft_message(&b, t->session->id, "agent_message", t->message,
                          t->streamed.p);
        acp_turn_send(t, &b);
    }
    if (t->open)
        acp_draft_steps_send_plan(t);
    if (t->running)
        acp_turn_send_output(t);
    send_state(t, t->question.poll.open ? "requires_action" : "running");
}

/* The prompt is in the conversation from now on. */
static void
insert_prompt(struct acp_turn *t, const struct acp_prompt *p,
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
    acp_turn_send(t, &b);
    send_state(t, "running");
    if (!(title = acp_turn_keep_prompt(t, p->text.p, id)))
        return;
    acp_update_title(&about, s->id, title);
    acp_turn_send(t, &about);
}

static const struct acp_turn_dialect draft_dialect = {
    .size = sizeof(struct acp_turn),
    .can_ask = true,
    .events =
        {
            .text = on_text,
            .waiting = on_waiting,
            .tool_started = on_tool_started,
            .tool_ended = on_tool_ended,
            .usage = on_usage,
            .proposed = on_proposed,
            .ask = on_ask,
            .step_begin = on_step_begin,
            .output = acp_turn_output,
            .step_complete = on_step_complete,
            .plan_complete = on_plan_complete,
            .over = on_over,
        },
    .free = free_draft_turn,
    .show = show_draft_turn,
    .quiet = break_draft_silence,
};

int
acp_draft_turn_start(struct acp_session *s, const struct acp_prompt *p,
                     const struct buf *content, struct rpc_request *rq,
                     struct err *e)
{
    struct acp_turn *t = acp_turn_start(s, &draft_dialect, p, e);

    if (!t)
        return -1;
    t->question.answered = on_answered;
    t->question.arg = t;
    insert_prompt(t, p, content, rq);
    return 0;
}

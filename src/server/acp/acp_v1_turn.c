/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_v1_turn.c - a turn of a session in version 1 of the public protocol. */
#include "server/acp/acp_v1_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/acp/acp_editor.h"
#include "server/acp/acp_form.h"
#include "server/acp/acp_history.h"
#include "server/acp/acp_turn.h"
#include "json/write.h"

#define LATE_MAX   512  /* bytes of an update about usage */
#define ANSWER_MAX 256  /* bytes of the answer to a prompt */
#define WHY_MAX    1024 /* bytes of a question */

struct v1_turn {
    struct acp_turn base;
    struct rpc_request *rq;        /* the prompt; NULL: it is answered */
    const struct acp_editor *from; /* whose it is */
    int64_t begun_ms;
    struct grant grants[AIACTION_STEPS_MAX];
    struct acp_poll form;           /* that the person is to fill in */
    const struct proposal *unclear; /* what it is about */
    bool kept;                      /* the streamed message is in the history */
    struct buf late; /* the usage, which is sent after the summary */
    char *title;     /* of the session, which is sent at the end */
};

static void
answer_prompt(struct v1_turn *t, const char *reason)
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
drop_grants(struct v1_turn *t)
{
    for (size_t i = 0; i < AIACTION_STEPS_MAX; i++)
        grant_done(&t->grants[i]);
}

/* The update is shown again when the session is loaded. */
static void
send_kept(struct v1_turn *t, struct buf *params)
{
    acp_turn_send(&t->base, params);
    acp_history_keep_update(t->base.session, params);
}

/* Ends a tool call of the model that the turn has abandoned. */
static void
end_open_call(struct v1_turn *t, const char *why)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!t->base.call[0])
        return;
    acp_update_step_failed(&b, t->base.session->id, t->base.call, "failed",
                           why);
    send_kept(t, &b);
    t->base.call[0] = '\0';
}

static void
send_chunk(struct v1_turn *t, const char *kind, const char *text, size_t n,
           const char *id)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_chunk(&b, t->base.session->id, kind, text, n, id);
    acp_turn_send(&t->base, &b);
}

/* A message of its own. */
static void
send_whole_text(struct v1_turn *t, const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_turn_message_id(&t->base, id);
    acp_update_chunk(&b, t->base.session->id, "agent_message_chunk", text,
                     strlen(text), id);
    send_kept(t, &b);
}

static void
send_plan(struct v1_turn *t)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_plan(&b, t->base.session->id, t->base.action, t->base.at,
                    t->base.running);
    acp_turn_send(&t->base, &b);
}

/* The steps that did not run are over too. */
static void
end_steps(struct v1_turn *t, const char *why)
{
    acp_turn_end_plan(&t->base);
    send_plan(t);
    for (size_t i = t->base.at; i < t->base.action->n; i++) {
        CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
        char id[ACP_TOOL_CALL_ID];

        acp_turn_step_id(&t->base, i, id);
        acp_update_step_failed(&b, t->base.session->id, id, "failed", why);
        send_kept(t, &b);
        why = "not run";
    }
}

/* A turn that is freed before it is over was cancelled with its session. */
static void
free_v1_turn(void *turn)
{
    struct v1_turn *t = turn;

    if (t->base.session->turn == t) {
        end_open_call(t, "cancelled");
        if (t->base.open)
            end_steps(t, "cancelled");
        answer_prompt(t, "cancelled");
    }
    acp_poll_withdraw(&t->form);
    drop_grants(t);
    free(t->title);
    buf_done(&t->late);
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct v1_turn *t = arg;

    acp_turn_add_text(&t->base, bytes, n);
    send_chunk(t, "agent_message_chunk", bytes, n, t->base.message);
}

/* As a notice to who takes such. */
static void
on_waiting(void *arg, const char *line)
{
    struct v1_turn *t = arg;
    struct acp_session *s = t->base.session;
    CLEANUP_BUF struct buf notice = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf thought = buf_of(ACP_UPDATE_MAX);

    acp_turn_end_text(&t->base); /* another answer comes */
    acp_update_notice(&notice, s->id, "warning", line);
    acp_update_chunk(&thought, s->id, "agent_thought_chunk", line, strlen(line),
                     NULL);
    t->base.sent_ms = clock_ms();
    for (size_t i = 0; i < s->n_editors; i++)
        acp_editor_notify(s->editors[i], s->editors[i]->client.takes_notices
                                             ? &notice
                                             : &thought);
}

static void
send_call(struct v1_turn *t, const char *line, const struct tool_loop_call *c)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_call(&b, t->base.session->id, t->base.call, line, c, ACP_V1);
    send_kept(t, &b);
}

static void
on_tool_started(void *arg, const char *line)
{
    struct v1_turn *t = arg;

    if (!line)
        return;
    acp_turn_begin_call(&t->base);
    send_call(t, line, NULL);
}

/* A call that could not be made was never begun. */
static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    struct v1_turn *t = arg;

    if (!t->base.call[0])
        on_tool_started(t, c->line);
    send_call(t, c->line, c);
    t->base.call[0] = '\0';
}

static void
on_usage(void *arg, const struct conversation_usage *u)
{
    struct v1_turn *t = arg;

    buf_clear(&t->late);
    acp_turn_put_usage(&t->base, &t->late, u);
}

static void
send_usage(struct v1_turn *t)
{
    if (t->late.len > 0)
        acp_turn_send(&t->base, &t->late);
    buf_clear(&t->late);
}

static void
send_step_call(struct v1_turn *t, size_t step, struct buf *b)
{
    char id[ACP_TOOL_CALL_ID];

    acp_turn_step_id(&t->base, step, id);
    acp_update_step(b, t->base.session->id, id, &t->base.action->steps[step],
                    plan_step_verdict(t->base.plan, step), ACP_V1);
    acp_turn_send(&t->base, b);
}

static void
on_proposed(void *arg, const struct aiaction *a, const struct plan *p)
{
    struct v1_turn *t = arg;

    acp_turn_propose(&t->base, a, p);
    acp_turn_end_text(&t->base);
    send_whole_text(t, acp_turn_summary(a));
    send_plan(t);
    for (size_t i = 0; i < a->n; i++) {
        CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

        send_step_call(t, i, &b);
        acp_history_keep_update(t->base.session, &b);
    }
    send_usage(t);
}

static void
on_ask(void *arg, unsigned token, enum plan_question q, size_t step)
{
    struct v1_turn *t = arg;
    const struct step *s = &t->base.action->steps[step];
    const struct step_verdict *v = plan_step_verdict(t->base.plan, step);
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf sandbox = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID], why[WHY_MAX];
    struct acp_question about = {.why = why};

    acp_turn_step_id(&t->base, step, id);
    if (q == PLAN_ASK_FAILED &&
        plan_remedy(t->base.plan)->kind == DENIAL_REMEDY_FULL) {
        (void)turn_answer(t->base.turn, token, PLAN_QUIT, "quit: not offered");
        return;
    }
    if (q == PLAN_ASK_FAILED) { /* it names what the step would get */
        acp_permission_begin_more(&t->base.question, t->base.turn, token, s,
                                  &t->grants[step], t->base.plan, why,
                                  sizeof(why));
    } else {
        acp_turn_begin_question(&t->base, token, step, &about, &sandbox);
    }
    acp_update_question(&b, t->base.session->id, id, s, v, &about);
    acp_permission_ask(&t->base.question, &b);
}

/* What was granted is for the steps of one plan. */
static bool
on_judge(void *arg, const struct proposal *p)
{
    struct v1_turn *t = arg;
    const struct turn_judging how = {.grants = t->grants};

    (void)p;
    drop_grants(t);
    turn_judge(t->base.turn, &how);
    return true;
}

/* Shows and keeps an answer before the turn ends with it. */
static void
send_kept_answer(struct v1_turn *t, const char *text)
{
    acp_turn_end_text(&t->base);
    acp_turn_add_text(&t->base, text, strlen(text));
    send_chunk(t, "agent_message_chunk", text, strlen(text), t->base.message);
    acp_turn_keep_message(&t->base, "agent_message_chunk", text,
                          t->base.message);
    t->kept = true;
}

/* Another answer follows it. */
static void
forget_answer(struct v1_turn *t)
{
    acp_turn_end_text(&t->base);
    t->kept = false;
}

static void
on_form_answer(void *arg, const struct jsonrpc *m, const struct acp_editor *by)
{
    struct v1_turn *t = arg;
    const char *value = NULL;
    size_t choice = 0;

    (void)by;
    switch (acp_form_read(m, t->unclear, &choice, &value)) {
    case ACP_FORM_CHOSEN:
        forget_answer(t);
        turn_choose(t->base.turn, choice);
        break;
    case ACP_FORM_NAMED:
        forget_answer(t);
        (void)turn_revise(t->base.turn, value);
        break;
    default:
        turn_go_on(t->base.turn, NULL);
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
    struct v1_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!is_form_filled(t->base.session) || !acp_form_is_useful(p))
        return false;
    send_kept_answer(t, p->action->summary);
    t->unclear = p;
    acp_form_write(&b, t->base.session->id, p);
    t->form = (struct acp_poll){.session = t->base.session,
                                .method = "elicitation/create",
                                .takes = fills_forms,
                                .answered = on_form_answer,
                                .arg = t};
    return acp_poll_ask(&t->form, &b, NULL) == 0;
}

static void
on_step_begin(void *arg, size_t step)
{
    struct v1_turn *t = arg;

    acp_turn_begin_step(&t->base, step);
    send_plan(t);
    acp_turn_send_output(&t->base);
}

static void
on_step_complete(void *arg, size_t step, const struct step_end *end)
{
    struct v1_turn *t = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];
    /* it did more than it may unasked, which was dropped: a question follows */
    bool again = end->dropped && end->dropped[0] &&
                 t->base.session->options.mode != ACP_MODE_READ_ONLY;

    acp_turn_end_step(&t->base, again ? step : step + 1);
    if (again)
        return;
    acp_turn_step_id(&t->base, step, id);
    acp_update_step_end(&b, t->base.session->id, id, NULL, end);
    send_kept(t, &b);
}

static bool
on_plan_complete(void *arg, const struct plan_end *end)
{
    end_steps(arg, end->why.code == ERR_NONE ? "not run" : end->why.text);
    return false;
}

static void
send_title(struct v1_turn *t)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!t->title)
        return;
    acp_update_title(&b, t->base.session->id, t->title);
    acp_turn_send(&t->base, &b);
}

static void
answer_failure(struct v1_turn *t, const struct err *why)
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
    CLEANUP(acp_turn_free_p) void *held = arg;
    struct v1_turn *t = arg;

    end_open_call(t, end->why.text);
    if (end->outcome == TURN_ANSWERED) {
        if (t->base.streamed.len == 0 ||
            strcmp(t->base.streamed.p, end->answer) != 0)
            send_whole_text(t, end->answer);
        else if (!t->kept)
            acp_turn_keep_message(&t->base, "agent_message_chunk", end->answer,
                                  t->base.message);
    }
    send_usage(t);
    send_title(t);
    acp_turn_end(&t->base, end);
    if (end->outcome == TURN_FAILED)
        answer_failure(t, &end->why);
    else
        answer_prompt(t, end->outcome == TURN_LIMIT ? "max_turn_requests"
                                                    : "end_turn");
}

static void
break_v1_silence(void *turn)
{
    struct v1_turn *t = turn;
    char text[64];

    if (t->base.running) {
        acp_turn_send_output(&t->base);
        return;
    }
    snprintf(text, sizeof(text), "waiting for %lld s",
             (long long)(clock_ms() - t->begun_ms) / 1000);
    send_chunk(t, "agent_thought_chunk", text, strlen(text), NULL);
}

static void
withdraw_form(void *turn)
{
    struct v1_turn *t = turn;

    acp_poll_withdraw(&t->form);
}

/* An editor's own prompt is answered when it leaves; the turn goes on. */
static void
leave_v1_turn(void *turn, const struct acp_editor *ed)
{
    struct v1_turn *t = turn;

    if (t->from == ed)
        answer_prompt(t, "cancelled");
}

/* What no replay has shown: the message so far, and the steps that have not
 * ended yet. */
static void
show_v1_turn(void *turn, bool replayed)
{
    struct v1_turn *t = turn;

    if (t->base.streamed.len > 0 && !(replayed && t->kept))
        send_chunk(t, "agent_message_chunk", t->base.streamed.p,
                   t->base.streamed.len, t->base.message);
    if (!t->base.open)
        return;
    for (size_t i = t->base.at; !replayed && i < t->base.action->n; i++) {
        CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

        send_step_call(t, i, &b);
    }
    send_plan(t);
}

/* The others see what was asked. */
static void
show_asked(struct acp_session *s, const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_chunk(&b, s->id, "user_message_chunk", text, strlen(text), NULL);
    acp_editors_notify_others(s, s->asker, &b);
}

static const struct acp_turn_dialect v1_dialect = {
    .size = sizeof(struct v1_turn),
    .can_ask = true,
    .events =
        {
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
            .output = acp_turn_output,
            .step_complete = on_step_complete,
            .plan_complete = on_plan_complete,
            .over = on_over,
        },
    .free = free_v1_turn,
    .cancel = withdraw_form,
    .leave = leave_v1_turn,
    .show = show_v1_turn,
    .quiet = break_v1_silence,
};

int
acp_v1_turn_start(struct acp_session *s, const struct acp_prompt *p,
                  struct rpc_request *rq, struct err *e)
{
    struct v1_turn *t = acp_turn_start(s, &v1_dialect, p, e);

    if (!t)
        return -1;
    t->rq = rq;
    t->from = s->asker;
    t->begun_ms = clock_ms();
    buf_init(&t->late, LATE_MAX);
    t->title = acp_turn_keep_prompt(&t->base, p->text.p, NULL);
    show_asked(s, p->text.p);
    rpc_on_cancel(rq, acp_turn_cancel, t);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_turn.c - a turn of a session, as far as no dialect matters. */
#include "server/acp/acp_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "server/acp/acp_editor.h"
#include "server/acp/acp_history.h"

#define PROGRESS_MS 5000 /* the longest silence, as the specification asks */
#define TITLE_MAX   80   /* bytes of a session's title */

void
acp_turn_send(struct acp_turn *t, const struct buf *params)
{
    if (t->only) {
        acp_editor_notify(t->only, params);
        return;
    }
    t->sent_ms = clock_ms();
    acp_editors_notify(t->session, params);
}

char *
acp_turn_keep_prompt(const struct acp_turn *t, const char *text, const char *id)
{
    struct acp_session *s = t->session;
    size_t n = strcspn(text, "\n");
    CLEANUP(free_p)
    char *title = strndup(text, utf8_boundary(text, n, TITLE_MAX));

    acp_turn_keep_message(t, "user_message_chunk", text, id);
    if (s->titled || !title || !title[0])
        return NULL;
    acp_history_keep_title(s, title);
    return TAKE_PTR(title);
}

void
acp_turn_message_id(const struct acp_turn *t, char id[ACP_TOOL_CALL_ID])
{
    snprintf(id, ACP_TOOL_CALL_ID, "turn%u-message%u",
             acp_session_turn_number(t->session), ++t->session->n_messages);
}

void
acp_turn_keep_message(const struct acp_turn *t, const char *kind,
                      const char *text, const char *id)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    acp_update_chunk(&b, t->session->id, kind, text, strlen(text), id);
    acp_history_keep_update(t->session, &b);
}

void
acp_turn_add_text(struct acp_turn *t, const char *bytes, size_t n)
{
    if (!t->message[0])
        acp_turn_message_id(t, t->message);
    buf_add(&t->streamed, bytes, n);
}

void
acp_turn_end_text(struct acp_turn *t)
{
    t->message[0] = '\0';
    buf_clear(&t->streamed);
}

void
acp_turn_put_usage(const struct acp_turn *t, struct buf *out,
                   const struct conversation_usage *u)
{
    struct acp_session *s = t->session;
    bool known = acp_session_add_cost(s, &u->cost);
    int64_t used = u->tokens_in_most + (u->tokens_out > 0 ? u->tokens_out : 0);

    acp_update_usage(out, s->id, used,
                     (double)s->cost.units / (double)COST_UNITS,
                     known ? s->cost.currency : NULL);
}

void
acp_turn_begin_call(struct acp_turn *t)
{
    snprintf(t->call, sizeof(t->call), "turn%u-call%u",
             acp_session_turn_number(t->session), ++t->n_calls);
}

void
acp_turn_propose(struct acp_turn *t, const struct aiaction *a,
                 const struct plan *p)
{
    t->action = a;
    t->plan = p;
    t->n_plans++;
    t->at = 0;
    t->running = false;
    t->open = true;
}

const char *
acp_turn_summary(const struct aiaction *a)
{
    return a->summary[0] ? a->summary : a->steps[0].description;
}

void
acp_turn_begin_step(struct acp_turn *t, size_t step)
{
    t->at = step;
    t->running = true;
    acp_step_output_clear(&t->output);
}

void
acp_turn_end_step(struct acp_turn *t, size_t next)
{
    acp_step_output_stop(&t->output);
    t->running = false;
    t->at = next;
}

void
acp_turn_end_plan(struct acp_turn *t)
{
    acp_step_output_stop(&t->output);
    t->running = t->open = false;
}

void
acp_turn_step_id(const struct acp_turn *t, size_t step,
                 char id[ACP_TOOL_CALL_ID])
{
    snprintf(id, ACP_TOOL_CALL_ID, "turn%u-plan%u-step%zu",
             acp_session_turn_number(t->session), t->n_plans, step + 1);
}

void
acp_turn_output(void *turn, size_t step, const char *host, const char *stream,
                const char *bytes, size_t n)
{
    struct acp_turn *t = turn;

    (void)step;
    (void)host;
    (void)stream;
    acp_step_output_add(&t->output, bytes, n);
}

void
acp_turn_send_output(struct acp_turn *t)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_turn_step_id(t, t->at, id);
    acp_update_step_output(&b, t->session->id, id, t->output.end.p,
                           t->output.end.len);
    acp_turn_send(t, &b);
}

static void
on_output_shown(void *arg)
{
    acp_turn_send_output(arg);
}

void
acp_turn_begin_question(struct acp_turn *t, unsigned token, size_t step,
                        struct acp_question *about, struct buf *sandbox)
{
    const struct step_verdict *v = plan_step_verdict(t->plan, step);

    acp_permission_begin(&t->question, t->turn, token, &t->action->steps[step],
                         v, plan_step_digest(t->plan, step));
    acp_permission_put_sandbox(&t->question, v, sandbox);
    *about = (struct acp_question){
        .why = v->reason, .sandbox = sandbox->p, .rule = t->question.rule};
}

bool
acp_turn_ends_in_message(const struct err *why)
{
    return why->code == ERR_DENIED || why->code == ERR_TOOL ||
           why->code == ERR_TIMEOUT || why->code == ERR_UNFIT ||
           why->code == ERR_USAGE;
}

void
acp_turn_end(struct acp_turn *t, const struct turn_end *end)
{
    acp_history_keep_turn(t->session);
    acp_session_end_turn(t->session, err_exit_status(end->why.code));
}

/* Nobody waits in silence for longer than PROGRESS_MS. */
static void
on_progress(void *arg, unsigned events)
{
    struct acp_turn *t = arg;
    int64_t quiet = clock_ms() - t->sent_ms;

    (void)events;
    if (quiet < PROGRESS_MS) {
        watch_again(t->progress, PROGRESS_MS - quiet);
        return;
    }
    watch_again(t->progress, PROGRESS_MS);
    if (!t->question.poll.open) /* else the editors show it */
        t->dialect->quiet(t);
}

void
acp_turn_free(void *turn)
{
    struct acp_turn *t = turn;

    if (!t)
        return;
    acp_permission_done(&t->question);
    if (t->dialect->free)
        t->dialect->free(t);
    turn_free(t->turn);
    acp_step_output_done(&t->output);
    watch_free(t->progress);
    buf_done(&t->streamed);
    free(t);
}

void
acp_turn_cancel(void *turn)
{
    struct acp_turn *t = turn;

    t->cancelled = true;
    if (t->dialect->cancel)
        t->dialect->cancel(t);
    acp_permission_withdraw(&t->question);
    turn_cancel(t->turn);
}

static void
pause_acp_turn(void *turn, bool paused)
{
    const struct acp_turn *t = turn;

    turn_pause(t->turn, paused);
}

static void
leave_acp_turn(void *turn, const struct acp_editor *ed)
{
    const struct acp_turn *t = turn;

    if (t->dialect->leave)
        t->dialect->leave(turn, ed);
}

static void
show_acp_turn(void *turn, struct acp_editor *ed, bool replayed)
{
    struct acp_turn *t = turn;

    t->only = ed;
    if (t->dialect->show)
        t->dialect->show(t, replayed);
    t->only = NULL;
}

void *
acp_turn_start(struct acp_session *s, const struct acp_turn_dialect *d,
               const struct acp_prompt *p, struct err *e)
{
    static const struct acp_turn_ops ops = {.free = acp_turn_free,
                                            .cancel = acp_turn_cancel,
                                            .pause = pause_acp_turn,
                                            .leave = leave_acp_turn,
                                            .show = show_acp_turn};
    CLEANUP(acp_turn_free_p) void *held = calloc(1, d->size);
    struct acp_turn *t = held;

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    *t = (struct acp_turn){.dialect = d,
                           .session = s,
                           .sent_ms = clock_ms(),
                           .question = {.session = s}};
    buf_init(&t->streamed, MODEL_ANSWER_MAX);
    t->progress = loop_timer(s->shared->loop, PROGRESS_MS, on_progress, t, e);
    if (!t->progress ||
        acp_step_output_init(&t->output, s->shared->loop, on_output_shown, t,
                             e) < 0 ||
        !(t->turn = acp_session_begin_turn(s, p, d->can_ask, &d->events, t, e)))
        return NULL;
    s->turn = t;
    s->ops = &ops;
    return TAKE_PTR(held);
}

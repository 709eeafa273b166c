/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_steps.c - updates about the plans and steps of a turn in the draft.
 *
 * Steps are kept in the form of version 1, for editors of both. */
#include "server/acp/acp_draft_steps.h"

#include <stdio.h>

#include "server/acp/acp_draft_update.h"
#include "server/acp/acp_history.h"

/* over: the steps that have not run never will. */
static void
send_steps_plan(struct acp_turn *t, bool over)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    snprintf(id, sizeof(id), "turn%u-plan%u",
             acp_session_turn_number(t->session), t->n_plans);
    acp_draft_plan(&b, t->session->id, id, t->action, t->at, t->running, over);
    acp_turn_send(t, &b);
}

void
acp_draft_steps_send_plan(struct acp_turn *t)
{
    send_steps_plan(t, false);
}

static void
propose_draft_step(struct acp_turn *t, size_t step)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);
    const struct step *s = &t->action->steps[step];
    const struct step_verdict *v = plan_step_verdict(t->plan, step);
    char id[ACP_TOOL_CALL_ID];

    acp_turn_step_id(t, step, id);
    acp_update_step(&b, t->session->id, id, s, v, ACP_DRAFT);
    acp_turn_send(t, &b);
    acp_update_step(&kept, t->session->id, id, s, v, ACP_V1);
    acp_history_keep_update(t->session, &kept);
}

void
acp_draft_steps_propose(struct acp_turn *t, const struct aiaction *a,
                        const struct plan *plan)
{
    acp_turn_propose(t, a, plan);
    send_steps_plan(t, false);
    for (size_t i = 0; i < a->n; i++)
        propose_draft_step(t, i);
}

void
acp_draft_steps_begin(struct acp_turn *t, size_t step)
{
    acp_turn_begin_step(t, step);
    send_steps_plan(t, false);
    acp_turn_send_output(t);
}

void
acp_draft_steps_complete(struct acp_turn *t, size_t step,
                         const struct step_end *end)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);
    bool cut = t->cancelled && (end->exit_code != 0 || end->error_code);
    char id[ACP_TOOL_CALL_ID];

    acp_turn_end_step(t, step + 1);
    acp_turn_step_id(t, step, id);
    acp_update_step_end(&b, t->session->id, id, cut ? "cancelled" : NULL, end);
    acp_turn_send(t, &b);
    acp_update_step_end(&kept, t->session->id, id, NULL, end);
    acp_history_keep_update(t->session, &kept);
}

/* Ends a step, or a call of the model, that will not complete. */
static void
end_draft_call(struct acp_turn *t, const char *id, const char *status,
               const char *why)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);

    acp_update_step_failed(&b, t->session->id, id, status, why);
    acp_turn_send(t, &b);
    acp_update_step_failed(&kept, t->session->id, id, "failed", why);
    acp_history_keep_update(t->session, &kept);
}

static void
send_draft_call(struct acp_turn *t, const char *line,
                const struct tool_loop_call *c)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);

    acp_update_call(&b, t->session->id, t->call, line, c, ACP_DRAFT);
    acp_turn_send(t, &b);
    acp_update_call(&kept, t->session->id, t->call, line, c, ACP_V1);
    acp_history_keep_update(t->session, &kept);
}

void
acp_draft_steps_begin_call(struct acp_turn *t, const char *line)
{
    acp_turn_begin_call(t);
    send_draft_call(t, line, NULL);
}

void
acp_draft_steps_end_call(struct acp_turn *t, const struct tool_loop_call *c)
{
    if (!t->call[0])
        acp_draft_steps_begin_call(t, c->line);
    send_draft_call(t, c->line, c);
    t->call[0] = '\0';
}

/* Ends a tool call of the model that the turn has abandoned. */
static void
cancel_call(struct acp_turn *t)
{
    if (t->call[0])
        end_draft_call(t, t->call, "cancelled", "cancelled");
    t->call[0] = '\0';
}

/* Ends the running step as cancelled, with the output so far. */
static void
cut_step(struct acp_turn *t, size_t step)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_turn_send_output(t);
    acp_turn_step_id(t, step, id);
    acp_update_step_failed(&b, t->session->id, id, "cancelled", NULL);
    acp_turn_send(t, &b);
    acp_update_step_failed(&kept, t->session->id, id, "failed", "cancelled");
    acp_history_keep_update(t->session, &kept);
}

void
acp_draft_steps_end(struct acp_turn *t, const struct err *why)
{
    bool cut = !why || why->code == ERR_INTERRUPTED;
    bool fault = !cut && (t->running || why->code == ERR_DENIED);
    size_t from = t->at;
    char id[ACP_TOOL_CALL_ID];

    cancel_call(t);
    if (!t->open)
        return;
    if (cut && t->running)
        cut_step(t, from++);
    acp_turn_end_plan(t);
    send_steps_plan(t, true);
    for (size_t i = from; i < t->action->n; i++) {
        acp_turn_step_id(t, i, id);
        end_draft_call(t, id, fault ? "failed" : "cancelled",
                       fault ? why->text
                       : cut ? "cancelled"
                             : "not run");
        fault = false;
    }
}

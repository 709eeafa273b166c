/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_steps.c - tells the plans and steps of a turn in the draft.
 *
 * Steps are kept in the form of version 1, for editors of both. */
#include "server/acp/acp_draft_steps.h"

#include <stdio.h>

#include "base/clock.h"
#include "server/acp/acp_draft_update.h"
#include "server/acp/acp_editor.h"
#include "server/acp/acp_history.h"
#include "server/acp/acp_turn_shared.h"

void
acp_draft_send(struct acp_draft_steps *p, const struct buf *params)
{
    if (p->only) {
        acp_editor_tell(p->only, params);
        return;
    }
    p->sent_ms = clock_ms();
    acp_editors_tell(p->session, params);
}

void
acp_draft_steps_id(const struct acp_draft_steps *p, size_t step,
                   char id[ACP_TOOL_CALL_ID])
{
    acp_turn_step_id(p->session, p->n_plans, step, id);
}

static void
show_step_output(void *arg)
{
    acp_draft_steps_send_output(arg);
}

int
acp_draft_steps_init(struct acp_draft_steps *p, struct acp_session *s,
                     struct err *e)
{
    *p = (struct acp_draft_steps){.session = s, .sent_ms = clock_ms()};
    return acp_step_output_init(&p->output, s->shared->loop, show_step_output,
                                p, e);
}

void
acp_draft_steps_done(struct acp_draft_steps *p)
{
    acp_step_output_done(&p->output);
}

/* over: the steps that have not run never will. */
static void
send_steps_plan(struct acp_draft_steps *p, bool over)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    snprintf(id, sizeof(id), "turn%u-plan%u",
             acp_session_turn_number(p->session), p->n_plans);
    acp_draft_plan(&b, p->session->id, id, p->action, p->at, p->running, over);
    acp_draft_send(p, &b);
}

void
acp_draft_steps_send_plan(struct acp_draft_steps *p)
{
    send_steps_plan(p, false);
}

static void
propose_draft_step(struct acp_draft_steps *p, size_t step)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);
    const struct step *s = &p->action->steps[step];
    const struct step_verdict *v = plan_step_verdict(p->plan, step);
    char id[ACP_TOOL_CALL_ID];

    acp_draft_steps_id(p, step, id);
    acp_update_step(&b, p->session->id, id, s, v, ACP_DRAFT);
    acp_draft_send(p, &b);
    acp_update_step(&kept, p->session->id, id, s, v, ACP_V1);
    acp_history_keep_update(p->session, &kept);
}

void
acp_draft_steps_propose(struct acp_draft_steps *p, const struct aiaction *a,
                        const struct plan *plan)
{
    p->action = a;
    p->plan = plan;
    p->n_plans++;
    p->at = 0;
    p->running = false;
    p->open = true;
    send_steps_plan(p, false);
    for (size_t i = 0; i < a->n; i++)
        propose_draft_step(p, i);
}

void
acp_draft_steps_send_output(struct acp_draft_steps *p)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_draft_steps_id(p, p->at, id);
    acp_update_step_output(&b, p->session->id, id, p->output.end.p,
                           p->output.end.len);
    acp_draft_send(p, &b);
}

void
acp_draft_steps_begin(struct acp_draft_steps *p, size_t step)
{
    p->at = step;
    p->running = true;
    acp_step_output_clear(&p->output);
    send_steps_plan(p, false);
    acp_draft_steps_send_output(p);
}

void
acp_draft_steps_complete(struct acp_draft_steps *p, size_t step,
                         const struct step_end *end)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);
    bool cut = p->cancelled && (end->exit_code != 0 || end->error_code);
    char id[ACP_TOOL_CALL_ID];

    acp_step_output_stop(&p->output);
    acp_draft_steps_id(p, step, id);
    acp_update_step_end(&b, p->session->id, id, cut ? "cancelled" : NULL, end);
    acp_draft_send(p, &b);
    acp_update_step_end(&kept, p->session->id, id, NULL, end);
    acp_history_keep_update(p->session, &kept);
    p->running = false;
    p->at = step + 1;
}

static void
end_draft_step(struct acp_draft_steps *p, size_t step, const char *status,
               const char *why)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_draft_steps_id(p, step, id);
    acp_update_step_failed(&b, p->session->id, id, status, why);
    acp_draft_send(p, &b);
    acp_update_step_failed(&kept, p->session->id, id, "failed", why);
    acp_history_keep_update(p->session, &kept);
}

static void
send_draft_call(struct acp_draft_steps *p, const char *line,
                const struct tool_loop_call *c)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);

    acp_update_call(&b, p->session->id, p->call, line, c, ACP_DRAFT);
    acp_draft_send(p, &b);
    acp_update_call(&kept, p->session->id, p->call, line, c, ACP_V1);
    acp_history_keep_update(p->session, &kept);
}

void
acp_draft_steps_begin_call(struct acp_draft_steps *p, const char *line)
{
    snprintf(p->call, sizeof(p->call), "turn%u-call%u",
             acp_session_turn_number(p->session), ++p->n_calls);
    send_draft_call(p, line, NULL);
}

void
acp_draft_steps_end_call(struct acp_draft_steps *p,
                         const struct tool_loop_call *c)
{
    if (!p->call[0])
        acp_draft_steps_begin_call(p, c->line);
    send_draft_call(p, c->line, c);
    p->call[0] = '\0';
}

/* A call of the model's that the turn left. */
static void
cancel_call(struct acp_draft_steps *p)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (!p->call[0])
        return;
    acp_update_step_failed(&b, p->session->id, p->call, "cancelled",
                           "cancelled");
    acp_draft_send(p, &b);
    p->call[0] = '\0';
}

/* The step that runs keeps the output that it has. */
static void
cut_step(struct acp_draft_steps *p, size_t step)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);
    CLEANUP_BUF struct buf kept = buf_of(ACP_UPDATE_MAX);
    char id[ACP_TOOL_CALL_ID];

    acp_draft_steps_send_output(p);
    acp_draft_steps_id(p, step, id);
    acp_update_step_failed(&b, p->session->id, id, "cancelled", NULL);
    acp_draft_send(p, &b);
    acp_update_step_failed(&kept, p->session->id, id, "failed", "cancelled");
    acp_history_keep_update(p->session, &kept);
}

void
acp_draft_steps_end(struct acp_draft_steps *p, const struct err *why)
{
    bool cut = !why || why->code == ERR_INTERRUPTED;
    bool fault = !cut && (p->running || why->code == ERR_DENIED);
    size_t from = p->at;

    cancel_call(p);
    if (!p->open)
        return;
    acp_step_output_stop(&p->output);
    if (cut && p->running)
        cut_step(p, from++);
    p->open = p->running = false;
    send_steps_plan(p, true);
    for (size_t i = from; i < p->action->n; i++) {
        end_draft_step(p, i, fault ? "failed" : "cancelled",
                       fault ? why->text
                       : cut ? "cancelled"
                             : "not run");
        fault = false;
    }
}

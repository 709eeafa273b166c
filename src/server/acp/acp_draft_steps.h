/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_steps.h - updates about the plans of a turn in the draft of version
 * 2, and as tool calls about their steps, and what the model calls itself. Each
 * call gets an end. */
#ifndef SERVER_ACP_ACP_DRAFT_STEPS_H
#define SERVER_ACP_ACP_DRAFT_STEPS_H

#include "server/acp/acp_turn.h"

/* The events of a turn of the same names (action/turn.h). */
void acp_draft_steps_propose(struct acp_turn *t, const struct aiaction *a,
                             const struct plan *plan);
void acp_draft_steps_begin(struct acp_turn *t, size_t step);
void acp_draft_steps_complete(struct acp_turn *t, size_t step,
                              const struct step_end *end);

/* A call of the model's begins; it is over, and may never have begun. */
void acp_draft_steps_begin_call(struct acp_turn *t, const char *line);
void acp_draft_steps_end_call(struct acp_turn *t,
                              const struct tool_loop_call *c);

/* The calls that have no end get one: the step that failed or was refused, and
 * those behind it, which do not run. why NULL: the turn was cancelled. */
void acp_draft_steps_end(struct acp_turn *t, const struct err *why);

/* Sends the plan. */
void acp_draft_steps_send_plan(struct acp_turn *t);

#endif

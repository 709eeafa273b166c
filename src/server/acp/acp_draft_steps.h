/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_steps.h - updates of the draft of version 2 about the plans of a
 * turn, and about their steps and the model's own calls, both as tool calls.
 * Each tool call gets an end. */
#ifndef SERVER_ACP_ACP_DRAFT_STEPS_H
#define SERVER_ACP_ACP_DRAFT_STEPS_H

#include "server/acp/acp_turn.h"

/* The events of a turn of the same names (action/turn.h). */
void acp_draft_steps_propose(struct acp_turn *t, const struct aiaction *a,
                             const struct plan *plan);
void acp_draft_steps_begin(struct acp_turn *t, size_t step);
void acp_draft_steps_complete(struct acp_turn *t, size_t step,
                              const struct step_end *end);

/* A tool call of the model begins; or is over, perhaps without having begun. */
void acp_draft_steps_begin_call(struct acp_turn *t, const char *line);
void acp_draft_steps_end_call(struct acp_turn *t,
                              const struct tool_loop_call *c);

/* Ends all tool calls that are open: of the step that failed or was refused,
 * and of those after it, which do not run. why NULL: the turn was cancelled. */
void acp_draft_steps_end(struct acp_turn *t, const struct err *why);

/* Sends the plan. */
void acp_draft_steps_send_plan(struct acp_turn *t);

#endif

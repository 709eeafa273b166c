/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_turn_shared.h - what the listeners of version 1 and of the draft do
 * alike: ids, what is kept, and what an end means. */
#ifndef SERVER_ACP_ACP_TURN_SHARED_H
#define SERVER_ACP_ACP_TURN_SHARED_H

#include "server/acp/acp_session.h"
#include "server/acp/acp_update.h"

/* The longest silence, as the specification asks. */
#define ACP_PROGRESS_MS 5000

/* The id of a new message; of a step, in plan n (from 1) of the turn. */
void acp_turn_message_id(struct acp_session *s, char id[ACP_TOOL_CALL_ID]);
void acp_turn_step_id(const struct acp_session *s, unsigned n, size_t step,
                      char id[ACP_TOOL_CALL_ID]);

/* Keeps a whole message; id NULL: it has none. */
void acp_turn_keep_message(struct acp_session *s, const char *kind,
                           const char *text, const char *id);
/* Keeps the prompt. Returns the title that it gives to the session, for the
 * editor to be told, which the caller frees; NULL: it has one. */
char *acp_turn_keep_prompt(struct acp_session *s, const char *text,
                           const char *id);

/* Adds what the model was paid for, and writes the update about it. */
void acp_turn_put_usage(struct buf *out, struct acp_session *s,
                        const struct conversation_usage *u);

/* Whether a reason is no fault of the connection or the model: it is a message,
 * and the turn has ended as turns do. */
bool acp_turn_ends_in_message(const struct err *why);

#endif

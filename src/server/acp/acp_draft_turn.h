/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_turn.h - a turn of a session in the draft of version 2: the prompt
 * is answered at once, and updates say what the session does.
 *
 * Messages, plans and tool calls have ids, under which a later update replaces
 * what an earlier one said. Freeing a turn that is under way tells its end. */
#ifndef SERVER_ACP_ACP_DRAFT_TURN_H
#define SERVER_ACP_ACP_DRAFT_TURN_H

#include "server/acp/acp_session.h"
#include "wire/rpc.h"

/* Begins a turn for a prompt, which is answered with the id of its message.
 * content: its blocks as they came, which the editor is shown; bad or empty:
 * the text alone. The session has no turn under way. On failure the prompt is
 * the caller's to answer. */
int acp_draft_turn_start(struct acp_session *s, const struct acp_prompt *p,
                         const struct buf *content, struct rpc_request *rq,
                         struct err *e);

#endif

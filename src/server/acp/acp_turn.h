/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_turn.h - a turn of a session in the public protocol: tells the editor
 * what happens, asks it for permissions, and answers its prompt at the end. */
#ifndef SERVER_ACP_ACP_TURN_H
#define SERVER_ACP_ACP_TURN_H

#include "server/acp/acp_session.h"
#include "wire/rpc.h"

/* Begins a turn for a prompt, which is answered when it ends. The session has
 * none under way. On failure the prompt is the caller's to answer. */
int acp_turn_start(struct acp_session *s, const struct acp_prompt *p,
                   struct rpc_request *rq, struct err *e);

#endif

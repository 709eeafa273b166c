/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_v1_turn.h - a turn of a session in version 1 of the public protocol:
 * updates say what happens, requests ask for permissions, and the prompt is
 * answered at the end. */
#ifndef SERVER_ACP_ACP_V1_TURN_H
#define SERVER_ACP_ACP_V1_TURN_H

#include "server/acp/acp_session.h"
#include "wire/rpc.h"

/* Begins a turn for a prompt, which is answered when it ends. The session has
 * none under way. On failure the prompt is the caller's to answer. */
int acp_v1_turn_start(struct acp_session *s, const struct acp_prompt *p,
                      struct rpc_request *rq, struct err *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_simple_turn.h - a turn of a session in the dialect whose version is a
 * string: updates of the types content, toolCall, complete and error.
 *
 * It has no questions: a step that needs a yes is refused, which is said. */
#ifndef SERVER_ACP_ACP_SIMPLE_TURN_H
#define SERVER_ACP_ACP_SIMPLE_TURN_H

#include "server/acp/acp_session.h"

/* Begins a turn for a prompt that is answered already: events come later, from
 * the loop. */
int acp_simple_turn_start(struct acp_session *s, const struct acp_prompt *p,
                          struct err *e);

#endif

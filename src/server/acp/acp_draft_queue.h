/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_queue.h - prompts of the draft of version 2: each begins a turn at
 * once, or waits until those before it are over.
 *
 * A prompt that waits has no answer yet. It ends with ACP_REQUEST_CANCELLED
 * when the editor withdraws it, cancels the session's work, or closes it. */
#ifndef SERVER_ACP_ACP_DRAFT_QUEUE_H
#define SERVER_ACP_ACP_DRAFT_QUEUE_H

#include "server/acp/acp_session.h"
#include "wire/rpc.h"

#define ACP_REQUEST_CANCELLED (-32800) /* of the protocol's schema */
#define ACP_WAITING_MAX       16       /* prompts of one session */

struct acp_draft_queue; /* of a session; NULL: no prompt ever waited */

/* Takes a prompt of an editor, whose parts it moves out of p. blocks: as they
 * came. */
void acp_draft_queue_take(struct acp_session *s, struct acp_editor *ed,
                          struct acp_prompt *p, const struct json *blocks,
                          struct rpc_request *rq);
/* An editor has left the session: its waiting prompts are dropped. */
void acp_draft_queue_leave(struct acp_session *s, const struct acp_editor *ed);
/* Whether prompts wait. */
bool acp_draft_queue_waits(const struct acp_session *s);
void acp_draft_queue_cancel(struct acp_session *s);
void acp_draft_queue_free(struct acp_draft_queue *q); /* accepts NULL */

#endif

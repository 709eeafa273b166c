/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_answer.h - answers an editor's requests about sessions, in its dialect.
 */
#ifndef SERVER_ACP_ACP_ANSWER_H
#define SERVER_ACP_ACP_ANSWER_H

#include "server/acp/acp_editor.h"

void acp_answer_nothing(struct rpc_request *rq); /* an empty object */
/* A session that is new; or was there before: what an editor needs to know of
 * it follows. */
void acp_answer_new(struct acp_editor *ed, const struct acp_session *s,
                    struct rpc_request *rq);
void acp_answer_loaded(struct acp_editor *ed, const struct acp_session *s,
                       struct rpc_request *rq);
/* An option was set. */
void acp_answer_option(const struct acp_session *s, struct rpc_request *rq);
/* The same as updates to all but one, or to all where that is NULL: of the
 * options, or of the mode alone. */
void acp_answer_send_options(struct acp_session *s,
                             const struct acp_editor *but);
void acp_answer_send_mode(struct acp_session *s);

/* What went wrong; the params were wrong; they name no session (NULL: they have
 * no string where its id should be). */
void acp_answer_failure(struct rpc_request *rq, const struct err *why);
void acp_answer_bad_params(struct rpc_request *rq, const char *why);
void acp_answer_no_session(const struct acp_editor *ed, const char *id,
                           struct rpc_request *rq);
/* One is under way. */
void acp_answer_busy(struct rpc_request *rq);

#endif

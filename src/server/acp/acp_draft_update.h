/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_draft_update.h - writes what the draft of version 2 has in place of the
 * updates of version 1; the others are those of acp_update.h.
 *
 * Each function appends one JSON object; buf_ok() says whether it fits. */
#ifndef SERVER_ACP_ACP_DRAFT_UPDATE_H
#define SERVER_ACP_ACP_DRAFT_UPDATE_H

#include "action/plan.h"
#include "base/buf.h"
#include "server/acp/acp_options.h"
#include "server/acp/acp_update.h"

/* A whole message, which replaces what the editor has under this id: kind is
 * "user_message" or "agent_message". */
void acp_draft_message(struct buf *out, const char *session, const char *kind,
                       const char *id, const char *text);
/* The same with no text: it deletes what was streamed. */
void acp_draft_message_clear(struct buf *out, const char *session,
                             const char *id);
/* The prompt as it came: the text of an array of content blocks. */
void acp_draft_prompt(struct buf *out, const char *session, const char *id,
                      const struct buf *content);

/* What the session does: state is "running" or "requires_action". */
void acp_draft_state(struct buf *out, const char *session, const char *state);
/* The state "idle". reason: why the last turn ended; NULL: there was none. why:
 * the error behind the reason "error", else NULL. */
void acp_draft_idle(struct buf *out, const char *session, const char *reason,
                    const struct err *why);

/* A plan with an id. over: the steps from `at` on do not run. */
void acp_draft_plan(struct buf *out, const char *session, const char *id,
                    const struct aiaction *a, size_t at, bool running,
                    bool over);

/* The params of session/request_permission; as acp_update_question. */
void acp_draft_question(struct buf *out, const char *session, const char *id,
                        const struct step *s, const struct step_verdict *v,
                        const struct acp_question *q);

/* An update that was kept in the form of version 1. number: of the item, for
 * the id of a message without one. Nothing is written where the draft has no
 * such update. */
void acp_draft_replay(struct buf *out, const struct json *params,
                      int64_t number);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_history.h - stores sessions across restarts: the updates to the editors,
 * and the conversation with the model.
 *
 * Where nothing can be kept, which is said once in the log, sessions live as
 * long as the process: all functions accept a session without a store. */
#ifndef SERVER_ACP_ACP_HISTORY_H
#define SERVER_ACP_ACP_HISTORY_H

#include "record/session_writer.h"
#include "server/acp/acp_session.h"

/* Enters a new session, which gets its id. */
int acp_history_create(struct acp_session *s, struct err *e);

/* Keeps the params of a session/update, for acp_history_replay. */
void acp_history_keep_update(struct acp_session *s, const struct buf *params);
/* Keeps what the turn that ends now added to the conversation. */
void acp_history_keep_turn(struct acp_session *s);
/* Keeps the options; and the title, which is the start of a prompt. */
void acp_history_keep_options(struct acp_session *s);
void acp_history_keep_title(struct acp_session *s, const char *title);

/* Restores a session that was entered before: its options, its title and its
 * conversation. s has its id. ERR_NOT_FOUND: there is no such session. */
int acp_history_restore(struct acp_session *s, struct err *e);
/* Whether it was entered, and not deleted. */
bool acp_history_has(const struct acp_shared *sh, const char *id);
/* Sends an editor all updates that were kept, in order. */
int acp_history_replay(struct acp_session *s, struct acp_editor *ed,
                       struct err *e);

#define ACP_LIST_PAGE 50 /* sessions in one answer */
#define ACP_LIST_MAX                                                           \
    (ACP_LIST_PAGE *                                                           \
     (SESSION_ROOTS_MAX + 6 * (SESSION_DIRECTORY_MAX + SESSION_TITLE_MAX) +    \
      1024)) /* bytes of it: a byte is escaped in six at most */

/* Writes the result of session/list. params: cwd and cursor, both optional.
 * ERR_INVALID: the cursor is none. */
int acp_history_list(const struct acp_shared *sh, const struct json *params,
                     struct buf *out, struct err *e);
int acp_history_delete(const struct acp_shared *sh, const char *id,
                       struct err *e);

#endif

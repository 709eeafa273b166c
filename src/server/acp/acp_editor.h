/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_editor.h - an editor on its connection, and the sessions it watches.
 *
 * Each editor that has opened, loaded or resumed a session watches it: it
 * gets all updates, also those of other editors' prompts. */
#ifndef SERVER_ACP_ACP_EDITOR_H
#define SERVER_ACP_ACP_EDITOR_H

#include "server/acp/acp_session.h"
#include "wire/rpc.h"

/* The owner's; it leaves all sessions before it ends. */
struct acp_editor {
    struct rpc *rpc;
    struct acp_client client;
    bool full; /* it reads slowly */
};

bool acp_editor_watches(const struct acp_editor *ed,
                        const struct acp_session *s);
/* The editor watches a session from now on. ERR_NOMEM: ACP_EDITORS_MAX others
 * do. */
int acp_editor_join(struct acp_editor *ed, struct acp_session *s,
                    struct err *e);
/* The editor leaves the session: its open questions are withdrawn, and the turn
 * goes on. */
void acp_editor_leave(struct acp_editor *ed, struct acp_session *s);
/* The editor reads slowly, or keeps up again: a turn pauses while all its
 * editors are slow. */
void acp_editor_set_full(struct acp_editor *ed, struct acp_session *s,
                         bool full);

/* Sends the params of a session/update: to one; to all who watch the session;
 * to all but one. What is too long, or has no reader, is lost. */
void acp_editor_notify(struct acp_editor *ed, const struct buf *params);
void acp_editors_notify(struct acp_session *s, const struct buf *params);
void acp_editors_notify_others(struct acp_session *s,
                               const struct acp_editor *but,
                               const struct buf *params);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_poll.h - one question to all editors that watch a session.
 *
 * The first answer counts, and the question is withdrawn from the others. An
 * editor that comes later is asked too. */
#ifndef SERVER_ACP_ACP_POLL_H
#define SERVER_ACP_ACP_POLL_H

#include "server/acp/acp_editor.h"

struct acp_poll;

struct acp_poll_call {
    struct acp_poll *poll;
    struct acp_editor *editor;
    struct rpc_call *call; /* NULL: this place is free */
};

/* Begins with all zero; `open` is to be read. */
struct acp_poll {
    bool open;
    struct acp_session *session;
    const char *method;
    struct buf params;
    /* which editors are asked; NULL: all */
    bool (*takes)(const struct acp_client *c);
    bool waits; /* while nobody is there who could answer */
    /* m is the answer, or NULL: there is none; by: whose, valid until this
     * returns; NULL: it is an error, or none. The poll is over. */
    void (*answered)(void *arg, const struct jsonrpc *m,
                     const struct acp_editor *by);
    void *arg;
    struct acp_poll_call calls[ACP_EDITORS_MAX];
};

/* Asks; session, method, takes, waits, answered and arg are set. params is
 * copied. ERR_PEER: nobody is there to ask, and it does not wait. A session
 * asks one question at a time. */
int acp_poll_ask(struct acp_poll *p, const struct buf *params, struct err *e);
/* Withdraws it, if it is open: it gets no answer. */
void acp_poll_withdraw(struct acp_poll *p);

/* What is open in a session: an editor that came is asked; one leaves. */
void acp_poll_join(struct acp_session *s, struct acp_editor *ed);
void acp_poll_leave(struct acp_session *s, struct acp_editor *ed);

#endif

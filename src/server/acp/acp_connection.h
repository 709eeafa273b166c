/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_connection.h - the methods of the agent, for one editor's connection. */
#ifndef SERVER_ACP_ACP_CONNECTION_H
#define SERVER_ACP_ACP_CONNECTION_H

#include "record/session_writer.h"
#include "server/acp/acp_agent.h"
#include "server/acp/acp_update.h"

#define ACP_MESSAGE_MAX (16u << 20) /* bytes of a message */
/* Bytes queued for an editor that reads slowly: the longest session, which is
 * replayed at once, the envelopes of its updates, and one more message. */
#define ACP_QUEUE_MAX                                                          \
    (SESSION_BYTES_MAX + SESSION_ITEMS_MAX * 64 + 2 * ACP_UPDATE_MAX)

/* The owner's. */
struct acp_connection {
    struct acp_agent *agent;
    struct acp_editor editor;
    /* `logout` was called: no session is opened before `authenticate` */
    bool logged_out;
    bool used; /* there was another request than `initialize` */
    /* the input or the output has ended; NULL: not needed */
    void (*ended)(void *arg, enum rpc_end what, const struct err *why);
    void *arg;
};

/* Fills in the methods, the events and the limits; the connection is the arg of
 * both. Its editor gets the rpc from the owner. */
void acp_connection_setup(struct acp_connection *c, struct rpc_setup *set);
/* It is over: the sessions are left. */
void acp_connection_done(struct acp_connection *c);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_message.h - messages on their way between clients and an agent. */
#ifndef SERVER_AGENTCTL_AGENTCTL_MESSAGE_H
#define SERVER_AGENTCTL_AGENTCTL_MESSAGE_H

#include "wire/parse_thread.h"

#define AGENTCTL_MESSAGE_MAX (16u << 20) /* bytes of one */

/* Parses a message: cb is called before this returns, and NULL returned; or
 * from the loop, where the message is long, until which the caller keeps what
 * is returned. Of what is JSON, m has the root and a valid id, whatever else is
 * wrong with it. */
struct parse_thread *agentctl_message_parse(struct loop *l, const char *text,
                                            size_t n, parse_thread_cb *cb,
                                            void *arg);

enum agentctl_kind {
    AGENTCTL_REQUEST,
    AGENTCTL_NOTIFICATION,
    AGENTCTL_RESPONSE,
};

/* What a client wants the agent to get: a JSON-RPC message, of which the
 * version may be missing. ERR_PARSE: it is no JSON, or has a member twice, by
 * rc and why, which jsonrpc_parse gave; ERR_INVALID: it is no such message. */
int agentctl_message_check(const struct jsonrpc *m, int rc,
                           const struct err *why, enum agentctl_kind *kind,
                           struct err *e);

/* Appends the message as one line without a newline, with another id (NULL:
 * none), and of other members those alone that such a message has. */
void agentctl_message_put(struct buf *out, const struct json *root,
                          const char *id);

/* The same with all members: for who gave the request another id. */
void agentctl_message_put_all(struct buf *out, const struct json *root,
                              const char *id);

#endif

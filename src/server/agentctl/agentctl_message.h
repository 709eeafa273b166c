/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_message.h - messages on their way between clients and an agent. */
#ifndef SERVER_AGENTCTL_AGENTCTL_MESSAGE_H
#define SERVER_AGENTCTL_AGENTCTL_MESSAGE_H

#include "wire/parse_thread.h"

#define AGENTCTL_MESSAGE_MAX (16u << 20) /* bytes of one */
/* As it is written anew: an escape of two bytes may take six. */
#define AGENTCTL_LINE_MAX (3u * AGENTCTL_MESSAGE_MAX + 8192)

/* A message on its way. Of a long one the thread that parses it also writes
 * the line for the other side, but for the id, which is not known then. */
struct agentctl_reading {
    struct parse_thread *thread; /* NULL: none */
    bool all; /* rest is to be all members of the message, not those of JSON-RPC
                 alone */
    bool as_it_is;   /* rest is not made */
    bool keeps;      /* text is to have the message as it came */
    struct buf rest; /* of a long message: its line without id and end */
    struct buf text; /* of a long message; else empty, as rest is */
};

void agentctl_reading_init(struct agentctl_reading *r);
void agentctl_reading_done(struct agentctl_reading *r); /* as after init */

/* Parses the n bytes of text: cb is called before this returns, which is false
 * then; or by the loop, from a thread: true. memory: has them, and is taken
 * where they are long; NULL: they are copied then. */
bool agentctl_message_parse(struct agentctl_reading *r, struct loop *l,
                            const char *text, size_t n, struct buf *memory,
                            parse_thread_cb *cb, void *arg);

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

/* Writes the message as one line without a newline, with another id (NULL:
 * none): what a message has, or all of its members (r->all), for who gave the
 * request another id. Takes what the thread has made of it. */
void agentctl_message_finish(struct buf *out, struct agentctl_reading *r,
                             const struct json *root, const char *id);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_link.h - the way to an agent: its agentctl, and a stream of messages.
 *
 * Waits until agentctl answers, opens the stream, and starts the agent. Then
 * each line of the agent is a message here, and each message sent is a line to
 * the agent, in order. */
#ifndef SERVER_GATEWAY_AGENT_LINK_H
#define SERVER_GATEWAY_AGENT_LINK_H

#include "base/buf.h"
#include "base/loop.h"

/* Bytes of one line of the agent's. */
#define AGENT_LINK_MESSAGE_MAX (4u << 20)

struct agent_link;

struct agent_link_events {
    /* The agent is being started: messages may be sent. Once. */
    void (*open)(void *arg);
    /* A line of the agent, which a NUL follows; valid until this returns. The
     * callee does not free the link. */
    void (*message)(void *arg, char *bytes, size_t n);
    /* It could not be started, or has ended: how, and the end of what the agent
     * wrote to its standard error, or "". Once, and nothing follows. */
    void (*ended)(void *arg, const struct err *why, const char *errors);
};

/* address: of agentctl. Both are copied. `open` and `ended` may free the link.
 */
struct agent_link *agent_link_new(struct loop *l, const char *address,
                                  const struct agent_link_events *ev, void *arg,
                                  struct err *e);
void agent_link_free(struct agent_link *k); /* accepts NULL */
DEFINE_CLEANUP(struct agent_link, agent_link_free)

void agent_link_send(struct agent_link *k, const struct buf *message);

#endif

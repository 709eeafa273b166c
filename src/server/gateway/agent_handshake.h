/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_handshake.h - the first requests to an agent, until it has a session.
 *
 * It is initialized by the public protocol, and where it refuses that, by the
 * dialect. Then the wanted session is resumed or loaded, as the agent can, or a
 * new one is opened, also where the wanted one cannot be had. No message is
 * sent here: the caller does that, and brings the answers. */
#ifndef SERVER_GATEWAY_AGENT_HANDSHAKE_H
#define SERVER_GATEWAY_AGENT_HANDSHAKE_H

#include "server/gateway/agent_request.h"

/* Begins with all zero, but for `wanted`. `speaks` and `opens` are to be read.
 */
struct agent_handshake {
    char *wanted; /* the session to resume; NULL: none, or no more; owned */
    enum agent_protocol speaks;
    bool opens; /* a session is asked for; the agent is initialized */
    bool can_load, can_resume;
};
void agent_handshake_done(struct agent_handshake *h);

/* Appends the first request. id: that of it. */
void agent_handshake_begin(struct agent_handshake *h, int64_t id,
                           struct buf *out);

/* Takes the answer to the last request. 1: *session is there, borrowed from h
 * or m; 0: out is the next request, which has this id; -1: ERR_PEER. directory:
 * where a session is opened. */
int agent_handshake_answer(struct agent_handshake *h, const struct jsonrpc *m,
                           const char *directory, int64_t id, struct buf *out,
                           const char **session, struct err *e);

#endif

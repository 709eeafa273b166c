/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_port.h - the agent on a port: one WebSocket is one editor's connection.
 *
 * Each text is one message of the public protocol, and what is binary is
 * ignored. The answer to the upgrade names the connection in the field
 * Acp-Connection-Id. All connections share the agent, so that several editors
 * may have one session. */
#ifndef SERVER_ACP_ACP_PORT_H
#define SERVER_ACP_ACP_PORT_H

#include "server/acp/acp_agent.h"
#include "server/server_http.h"

/* Where it is found, and the methods that a route to it has: a WebSocket begins
 * with a GET, and all else is refused: 405, or 426 for a GET that asks for
 * none. */
#define ACP_PORT_PATH    "/acp"
#define ACP_PORT_METHODS "GET"

struct acp_port;

/* set: its `keeps` is not looked at. */
struct acp_port *acp_port_new(const struct acp_agent_setup *set, struct err *e);
/* Closes the connections, and ends what runs. Accepts NULL. */
void acp_port_free(struct acp_port *p);
DEFINE_CLEANUP(struct acp_port, acp_port_free)

/* As acp_agent_load. */
int acp_port_load(struct acp_port *p, struct config *config, struct err *e);

/* Takes a request for the path, and answers it. h outlives the port. */
void acp_port_request(struct acp_port *p, struct server_http *h,
                      struct http_connection *c);

/* Lets turns that run end, for ACP_DRAIN_MS, cancels the rest, and calls
 * `stopped` once, from the loop, when all is over and the last messages are on
 * their way; a second call cancels at once. The connections are still open
 * then: they are of the server_http. */
#define ACP_DRAIN_MS 6000 /* less than SERVICE_DRAIN_MS, with what follows */
void acp_port_stop(struct acp_port *p, void (*stopped)(void *arg), void *arg);

/* Appends lines for /metrics. */
void acp_port_put_metrics(const struct acp_port *p, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* endpoint.h - the one server that agentsh-mcp-http talks to.
 *
 * mcp_http/ is the program agentsh-mcp-http, which carries messages of the
 * Model Context Protocol between the lines of its standard streams and a server
 * over HTTP (tool/mcp/mcp_http.h). It knows of the protocol what its transport
 * needs: sessions, headers, which answer belongs to which request. It must not
 * judge what a message says. Whatever the network does ends in an error that
 * answers the request. */
#ifndef MODEL_MCP_HTTP_ENDPOINT_H
#define MODEL_MCP_HTTP_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "json/json.h"

#define ENDPOINT_PORTS_MAX 2   /* the server's, and that of a proxy */
#define ENDPOINT_HOST_SIZE 192 /* for texts */

struct endpoint {
    char *url;
    char host[ENDPOINT_HOST_SIZE];
    struct buf headers; /* those of its entry, a line each */
    bool local_only;    /* it may be reached on this machine alone */
    uint16_t ports[ENDPOINT_PORTS_MAX];
    size_t n_ports;
};

/* Reads the first line. p needs endpoint_done in any case. ERR_INVALID. */
int endpoint_read(struct endpoint *p, const struct json *v, struct err *e);
void endpoint_done(struct endpoint *p); /* accepts NULL */

/* Follows a redirect, which goes on as it was made: to the same scheme, host
 * and port alone. False: it leads elsewhere. */
bool endpoint_follow(struct endpoint *p, const char *url);

/* Whether an address may be connected to. */
bool endpoint_may_connect(const struct endpoint *p, const struct sockaddr *a);

#endif

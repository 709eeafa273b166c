/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http_gate.h - checks the Host and the Origin of a request.
 *
 * A page of any site can have a browser send requests to this machine: its
 * Origin shows that. A page whose site's name is made to resolve to this
 * machine (DNS rebinding) has that name as the Host. */
#ifndef SERVER_SERVER_HTTP_GATE_H
#define SERVER_SERVER_HTTP_GATE_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/err.h"

/* Checks --allow-origin: origins such as https://example.com:8443, separated by
 * commas. NULL: none. ERR_USAGE. */
int server_http_check_origins(const char *origins, struct err *e);

/* Whether the value of a Host, without its port, is the local address of the
 * connection, or the host of an allowed origin. host may be NULL. Always true
 * where the connection is not of TCP. */
bool server_http_host_is_ours(const char *host,
                              const struct sockaddr_storage *local,
                              const char *origins);

/* How many bytes of HOST[:PORT] are the host, from *host on, which passes the
 * bracket of an address of IPv6. 0: it is none. */
size_t server_http_host_name(const char **host);

/* Whether an Origin is allowed, or is this host itself, by the scheme of the
 * server ("http://" or "https://"). A host that only an allowed origin names
 * does not count as this host. */
bool server_http_origin_is_allowed(const char *origin, const char *scheme,
                                   const char *host, const char *origins);

#endif

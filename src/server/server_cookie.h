/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_cookie.h - the cookie by which a browser proves that it knows the
 * token.
 *
 * It holds a digest of the token, so that no browser stores the token
 * itself; it stays valid when the server starts again, until the token
 * changes. A browser sends a cookie whatever page makes the request: it is
 * accepted only where the Origin is a page of the host itself. Cookies are
 * not kept apart by port, so the name has the port in it. */
#ifndef SERVER_SERVER_COOKIE_H
#define SERVER_SERVER_COOKIE_H

#include "wire/http_parser.h"

/* Whether the request has the cookie and comes from a page of its own host. */
bool server_cookie_shows(const struct http_incoming *r, const char *token);

/* Appends the header that sets it, or with token NULL the one that deletes it.
 * It has the attribute Secure where the page came over TLS. */
void server_cookie_put(struct buf *out, const struct http_incoming *r,
                       const char *token);

#endif

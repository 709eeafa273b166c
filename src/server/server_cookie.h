/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_cookie.h - the cookie by which a browser shows that it was given the
 * token.
 *
 * It holds a digest of the token, so that the token is in no browser's files;
 * it outlives the server, and ends when the token is another one. A browser
 * sends a cookie whatever page makes it ask: it counts only where the Origin
 * says that this was a page of the host itself. Cookies do not tell ports
 * apart, so the name does. */
#ifndef SERVER_SERVER_COOKIE_H
#define SERVER_SERVER_COOKIE_H

#include "wire/http_parser.h"

/* Whether the request comes from a page of its own host, with the cookie. */
bool server_cookie_shows(const struct http_incoming *r, const char *token);

/* Appends the line that sets it, or with token NULL the one that ends it. It is
 * kept to TLS where the page came over it. */
void server_cookie_put(struct buf *out, const struct http_incoming *r,
                       const char *token);

#endif

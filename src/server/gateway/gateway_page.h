/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_page.h - the page for people, and how their browser logs in.
 *
 * The page is one file from the program, without a secret in it, so it is sent
 * to whoever asks. Its script and its style are named by their digests in its
 * Content-Security-Policy, and nothing else may run in it or be fetched by it.
 * What it shows comes by /ws, which wants the token or the cookie
 * (server/server_cookie.h). */
#ifndef SERVER_GATEWAY_GATEWAY_PAGE_H
#define SERVER_GATEWAY_GATEWAY_PAGE_H

#include "server/server_http.h"

#define GATEWAY_PAGE_PATH   "/"       /* GET, HEAD */
#define GATEWAY_PAGE_LOGIN  "/login"  /* POST */
#define GATEWAY_PAGE_LOGOUT "/logout" /* POST */

struct gateway_page;

/* token: what a browser is asked for, borrowed while the page lives; NULL: it
 * is asked for nothing. ERR_NOMEM. */
struct gateway_page *gateway_page_new(const char *token, struct err *e);
void gateway_page_free(struct gateway_page *p); /* accepts NULL */
DEFINE_CLEANUP(struct gateway_page, gateway_page_free)

/* Answers a request for one of the three paths, by one of their methods. At
 * these the server asks for no token (server_http_setup.open).
 *
 * POST /login takes the form token=TOKEN: 200 and the cookie, 401 for another
 * token, and 429, by the server, after too many of those. Without a body it
 * says whether the browser is logged in: 200 {"token":BOOL}, whether there is a
 * token; 401. */
void gateway_page_request(const struct gateway_page *p, struct server_http *h,
                          struct http_connection *c);

/* The parts of the page, in this order, which tools/page.sh makes. */
enum gateway_page_part {
    GATEWAY_PAGE_HEAD,
    GATEWAY_PAGE_STYLE,
    GATEWAY_PAGE_BODY,
    GATEWAY_PAGE_SCRIPT,
    GATEWAY_PAGE_TAIL,
    GATEWAY_PAGE_PARTS,
};
const char *gateway_page_part(enum gateway_page_part part);

#endif

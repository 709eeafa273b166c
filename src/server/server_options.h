/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_options.h - the options that all servers have in common.
 *
 * The address, the access and the log of a server. All of them are read and
 * checked here, before anything is opened. */
#ifndef SERVER_SERVER_OPTIONS_H
#define SERVER_SERVER_OPTIONS_H

#include "base/buf.h"
#include "server/server_http.h"
#include "server/server_listen.h"
#include "ui/options.h"

/* Strings are borrowed from the options. */
struct server_options {
    struct server_listen listen;    /* n 0: standard input and output */
    struct buf token;               /* see server_options_token */
    const char *origins;            /* --allow-origin; NULL: none */
    const char *tls_cert, *tls_key; /* both, or NULL */
    unsigned max_connections;
    const char *token_seen; /* its file, where other users may read it */
};

struct server_options_defaults {
    /* the default address, where neither an option nor a service manager names
     * one; NULL: the peer is on standard input and output */
    const char *listen;
    unsigned max_connections;
    bool token_without_listen; /* a peer on standard input shows it too */
};

/* ERR_USAGE: an option is wrong, or goes only with --listen; else why a file
 * cannot be read. In any case server_options_done is to be called. */
int server_options_read(struct server_options *out, const struct options *o,
                        const struct seat *s,
                        const struct server_options_defaults *d, struct err *e);
void server_options_done(struct server_options *o); /* accepts NULL */

/* The token that each peer needs; NULL: none. */
const char *server_options_token(const struct server_options *o);

/* Fills in what a server of HTTP takes from the options; borrowed. */
void server_options_fill_http(const struct server_options *o,
                              struct server_http_setup *set);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_token.h - the token that a peer shows, and its file. */
#ifndef SERVER_SERVER_TOKEN_H
#define SERVER_SERVER_TOKEN_H

#include <stdbool.h>

#include "base/buf.h"
#include "wire/listener.h"

#define SERVER_TOKEN_MAX 4096 /* bytes of the file */

/* Reads the first line of the file that --token-file names into out, of
 * SERVER_TOKEN_MAX; path NULL: out stays empty. ERR_USAGE: it is no token. */
int server_token_read(const char *path, struct buf *out, struct err *e);

/* Whether n bytes are the token, in a time that does not tell where they
 * differ. */
bool server_token_is(const char *token, const char *shown, size_t n);

/* For a socket whose peers show no token: ERR_DENIED where other machines could
 * reach it; a Unix socket is kept to its user. address: for the error. */
int server_token_do_without(struct listener *l, const char *address,
                            struct err *e);

#endif

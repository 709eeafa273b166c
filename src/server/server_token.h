/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_token.h - reads the file with the token, and compares tokens. */
#ifndef SERVER_SERVER_TOKEN_H
#define SERVER_SERVER_TOKEN_H

#include <stdbool.h>

#include "base/buf.h"
#include "wire/listener.h"

#define SERVER_TOKEN_MAX 4096 /* bytes of the file */

/* Reads the first line of the file of --token-file into out, of
 * SERVER_TOKEN_MAX bytes; path NULL: out stays empty. ERR_USAGE: it is no valid
 * token. */
int server_token_read(const char *path, struct buf *out, struct err *e);

/* Whether n bytes are the token, compared in constant time. */
bool server_token_is(const char *token, const char *shown, size_t n);

/* For a socket whose peers need no token: ERR_DENIED where other machines could
 * reach it; a Unix socket then accepts its own user alone. address: for the
 * error. */
int server_token_do_without(struct listener *l, const char *address,
                            struct err *e);

#endif

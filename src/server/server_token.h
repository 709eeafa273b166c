/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_token.h - reads the file with the token, and compares tokens. */
#ifndef SERVER_SERVER_TOKEN_H
#define SERVER_SERVER_TOKEN_H

#include <stdbool.h>

#include "base/buf.h"
#include "wire/listener.h"

#define SERVER_TOKEN_MAX 4096 /* bytes of the file */
#define SERVER_TOKEN_IS_SEEN                                                   \
    "other users can read the file of the token. To do: chmod 600 it"

/* Reads the first line of the file of --token-file into out, of
 * SERVER_TOKEN_MAX bytes; path NULL: out stays empty. ERR_USAGE: it is no valid
 * token, or others may write the file. *seen, unless NULL: whether they may
 * read it, as where it is mounted as a secret of a container; a server says so.
 */
int server_token_read(const char *path, struct buf *out, bool *seen,
                      struct err *e);

/* For a client. A server that asks for no token has to see who connects, in
 * /proc (wire/peer_check.h), where this process is hidden for what it knows:
 * with no token it is shown. */
void server_token_show_process(const struct buf *token);

/* Appends the token in a query or a form, up to the & behind it, with its %XX
 * decoded; in a form a + is a blank. False: an escape is wrong or stands for
 * NUL, or out has no room, and then it is no token. */
bool server_token_decode(const char *text, bool form, struct buf *out);

/* Whether n bytes are the token, compared in constant time. */
bool server_token_is(const char *token, const char *shown, size_t n);

/* For a socket whose peers need no token: ERR_DENIED where other machines could
 * reach it; then it admits whom listener_keep_to_user admits. address: for the
 * error. */
int server_token_do_without(struct listener *l, const char *address,
                            struct err *e);

#endif

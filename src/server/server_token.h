/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_token.h - reads the file with the token, and compares tokens. */
#ifndef SERVER_SERVER_TOKEN_H
#define SERVER_SERVER_TOKEN_H

#include <stdbool.h>

#include "base/buf.h"
#include "wire/listener.h"

#define SERVER_TOKEN_MAX 4096 /* bytes of the file */

/* Reads the first line of the file of --token-file into out, of
 * SERVER_TOKEN_MAX bytes; path NULL: out stays empty. ERR_USAGE: it cannot be
 * read, is no valid token, or others may write the file or replace it. *seen,
 * unless NULL, is set to path where others may read the file, as where it is
 * mounted as a secret of a container. */
int server_token_read(const char *path, struct buf *out, const char **seen,
                      struct err *e);
/* Logs that others may read it. path: as of server_token_read; NULL: they may
 * not. */
void server_token_log_seen(const char *path,
                           void (*log)(void *arg, const char *line), void *arg);

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

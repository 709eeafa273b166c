/* SPDX-License-Identifier: GPL-3.0-or-later */
/* readline_query.h - asks the Readline inside bash, for the REPL's line
 * editor.
 *
 * Each function replies to the question in the last packet, of n bytes. */
#ifndef FRONTEND_REPL_LOADABLE_READLINE_QUERY_H
#define FRONTEND_REPL_LOADABLE_READLINE_QUERY_H

#include "frontend/repl/loadable/repl_socket.h"

void readline_query_complete(struct repl_socket *l,
                             size_t n); /* the matches of a word */
void readline_query_quote(struct repl_socket *l,
                          size_t n); /* a file name as it is typed */
void readline_query_bindings(struct repl_socket *l); /* keys and variables */
void readline_query_key(struct repl_socket *l,
                        size_t n); /* runs what a key is bound to */

#endif

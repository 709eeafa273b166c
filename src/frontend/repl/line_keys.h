/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_keys.h - the two keys of the line editor that ask about its line.
 *
 * They ask `agentsh line` (line_query.h) while the loop turns on: the REPL's
 * mode is REPL_QUERYING, Ctrl-C ends it, and other keys are dropped. The line
 * stays as it is unless a command comes. */
#ifndef FRONTEND_REPL_LINE_KEYS_H
#define FRONTEND_REPL_LINE_KEYS_H

#include "config/config.h"
#include "frontend/repl/repl_state.h"

/* Keeps f, and the keys of the settings (NULL: the defaults). */
void line_keys_init(struct repl_state *f, const struct config *c);

/* Binds them, where bash has nothing bound to them: after bindings_update. */
void line_keys_bind(void);

/* Ends the query, and shows nothing of it. */
void line_keys_cancel(struct repl_state *f);

#endif

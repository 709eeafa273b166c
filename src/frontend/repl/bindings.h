/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bindings.h - give keys the meaning that they have in the person's bash.
 *
 * Both line editors read ~/.inputrc, but only bash knows what start-up files
 * bind with `bind`. Its variables and bindings are copied; a key that is bound
 * to a function of bash's own, or to a command (bind -x), is sent to bash
 * together with the line, and bash returns the changed line. */
#ifndef FRONTEND_REPL_BINDINGS_H
#define FRONTEND_REPL_BINDINGS_H

#include "frontend/repl/bash_channel.h"

/* A command of a key, as Readline calls it. */
typedef int bindings_command(int count, int key);

/* Keeps ch, and a copy of *w. A key that bash binds to its function `complete`
 * gets the command `complete`. */
void bindings_init(struct bash_channel *ch, const struct bash_waiter *w,
                   bindings_command *complete);

/* Asks bash for its variables and bindings, and copies them. */
void bindings_update(void);

/* Runs in bash what is bound there to the key sequence that Readline is
 * executing, and takes the changed line. clears: see struct bash_waiter.
 * Returns false when bash did not answer. */
bool bindings_pass(bool clears);

#endif

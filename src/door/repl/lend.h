/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lend.h - a completion waits for bash, which may want the terminal.
 *
 * Most answer at once. One that takes its time, or paints, may be a program
 * of its own (a chooser that runs on the whole screen): then keys go to bash,
 * Ctrl-C too, and what it paints is shown, until it has answered. */
#ifndef REPL_LEND_H
#define REPL_LEND_H

#include "door/repl/front.h"

/* Waits for the answer to a question of the editor's; arg is the front. False
 * when there will be none. */
bool lend_wait(void *arg, bool clears);

/* While it waits: from now on the terminal is bash's. */
void lend_terminal(struct front *f);

#endif

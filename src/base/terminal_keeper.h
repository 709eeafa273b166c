/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal_keeper.h - gives a terminal its modes back where whoever changed
 * them was killed.
 *
 * Modes that we set, and those that a program derives from them, carry a mark
 * that the kernel ignores (c_cc[VSWTC]). A shell that puts back the modes of
 * its own removes it. So whoever finds the mark after the end of a job knows
 * that nobody has set the modes since, and may set those of before; without
 * it, a shell already edits its next line, and the modes are left alone.
 *
 * zsh takes over the modes that it finds after a job. Where the front is killed
 * and zsh is faster than the keeper, these are the front's, or those of the
 * program that had the terminal, with the mark ("swtch"); nobody else can set
 * them right then. */
#ifndef BASE_TERMINAL_KEEPER_H
#define BASE_TERMINAL_KEEPER_H

#include <stdbool.h>
#include <termios.h>

/* Marks modes that will be set in the place of *found: with another mark than
 * those have, so that each of several programs, one started by the other, knows
 * its own. */
void terminal_keeper_mark(struct termios *modes, const struct termios *found);

/* Sets *found to the terminal's modes, and marks those that it has. False: it
 * is no terminal. */
bool terminal_keeper_begin(int tty, struct termios *found);

/* Sets the modes *found, if the terminal's own have the mark that goes with
 * them. In a background group SIGTTOU must be blocked or ignored. */
void terminal_keeper_end(int tty, const struct termios *found);

/* Starts a process that calls terminal_keeper_end with the modes of now once
 * the returned descriptor is closed by the death of its owner. -1: there is
 * none, and nothing else is lost. */
int terminal_keeper_start(int tty);

/* Ends that process, whose owner has put the modes back itself, and closes the
 * descriptor. Accepts -1. */
void terminal_keeper_stop(int keeper);

#endif

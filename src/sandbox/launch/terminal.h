/* SPDX-License-Identifier: GPL-3.0-or-later */
/* terminal.h - who is in the foreground of the controlling terminal.
 *
 * With keep_terminal the command leads a process group of its own, which gets
 * the terminal: Ctrl-C and Ctrl-Z are its own affair, and kill(0) ends
 * nobody else. */
#ifndef SANDBOX_TERMINAL_H
#define SANDBOX_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/* A descriptor of the controlling terminal; -1: there is none. */
int terminal_open(void);

/* Whether our group is in the foreground. */
bool terminal_is_ours(int tty);

/* Puts a group there. SIGTTOU must be blocked, as for all of the launcher. */
void terminal_give(int tty, pid_t group);

#endif

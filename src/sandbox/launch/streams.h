/* SPDX-License-Identifier: GPL-3.0-or-later */
/* streams.h - a confined child's standard streams and controlling terminal.
 *
 * With keep_terminal the program leads a process group of its own, which is
 * the terminal's foreground group: it handles Ctrl-C and Ctrl-Z itself, and
 * kill(0) ends nobody else. The launcher keeps the terminal's modes, and sets
 * them again at the end (base/terminal_keeper.h): who killed the program, or
 * the front, leaves no terminal without echo. */
#ifndef SANDBOX_LAUNCH_STREAMS_H
#define SANDBOX_LAUNCH_STREAMS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* Checks that standard input, output and error give access to nothing else:
 * they are files, pipes, devices, or sockets with a peer. ERR_SANDBOX, and the
 * caller stops: one is a directory, below which everything could be opened, or
 * a socket that can send to any address or has no peer yet. */
int streams_check(struct err *e);

/* Returns a descriptor of the controlling terminal; -1: there is none. */
int streams_open_terminal(void);

/* Returns whether our process group is the terminal's foreground group. */
bool streams_is_foreground(int tty);

/* Makes a process group the foreground group. SIGTTOU must be blocked, as it
 * is in the whole launcher. */
void streams_set_foreground(int tty, pid_t group);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pty_relay.h - runs a command on a pseudo-terminal of its own.
 *
 * What the command prints passes the filter of term/term_filter.h on its way to
 * the user's terminal, so that it cannot reach beyond the screen. Keys and the
 * window size go the other way. Ctrl-C, Ctrl-Z, fg, bg and full-screen
 * programs work as they do without it. The user's terminal gets its modes back
 * whatever happens, except after SIGKILL. */
#ifndef UI_PTY_RELAY_H
#define UI_PTY_RELAY_H

#include "base/loop.h"

/* Which of the standard descriptors need a pseudo-terminal. */
enum pty_relay_kind {
    PTY_RELAY_NONE,  /* neither standard output nor error is a terminal */
    PTY_RELAY_ERROR, /* only standard error is: it is filtered, and the
                        keyboard stays with the reader of standard output, such
                        as a pager */
    PTY_RELAY_ALL,   /* standard output is: the command gets a terminal with a
                        keyboard */
};
enum pty_relay_kind pty_relay_detect(void);

struct pty_relay_command {
    const char *const *argv; /* argv[0] is a path */
    const char *const *envp;
    int pass_fd; /* becomes its descriptor 3; -1: none */
};

/* Runs a command to its end; it inherits those of our standard descriptors
 * that are no terminals. *status is as in a shell; 128 + signal when SIGTERM
 * or SIGHUP ended us, after the command was ended too. */
int pty_relay_run(struct loop *l, enum pty_relay_kind kind,
                  const struct pty_relay_command *c, int *status,
                  struct err *e);

#endif

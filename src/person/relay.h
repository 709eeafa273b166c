/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay.h - a command on a terminal of its own, between it and the person's.
 *
 * What the command prints passes the filter (term/filter.h) on its way to the
 * person's terminal, so that it cannot reach beyond the screen; keys and the
 * size go the other way. Ctrl-C, Ctrl-Z, fg, bg and full-screen programs are as
 * without it. The person's terminal gets its modes back in every case but
 * SIGKILL. */
#ifndef PERSON_RELAY_H
#define PERSON_RELAY_H

#include "base/loop.h"

/* How much of the person's terminal a command needs a stand-in for. */
enum relay_kind {
    RELAY_NONE,  /* neither standard output nor error is a terminal */
    RELAY_ERROR, /* standard error alone: it is filtered, the keyboard stays
                    with those who read our output, such as a pager */
    RELAY_ALL,   /* standard output: the command has a terminal, and keys */
};
enum relay_kind relay_kind(void);

/* What is started. */
struct relay_command {
    const char *const *argv; /* argv[0] is a path */
    const char *const *envp;
    int pass_fd; /* its descriptor 3; -1: none */
};

/* Runs a command to its end, with our descriptors where they are no terminals.
 * *status as a shell has it; 128 + signal when SIGTERM or
 * SIGHUP ended us, after the command was ended too. */
int relay_run(struct loop *l, enum relay_kind kind,
              const struct relay_command *c, int *status, struct err *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supervise.h - the launcher while its child runs. */
#ifndef SANDBOX_LAUNCH_SUPERVISE_H
#define SANDBOX_LAUNCH_SUPERVISE_H

#include <signal.h>

#include "sandbox/launch/child.h"
#include "sandbox/launch/seccomp_notify.h"

struct supervise {
    const struct child_config *conf;
    pid_t child;
    int signals; /* signalfd(2) of what supervise_signals blocks */
    int channel; /* the socket to the child; -1: it is closed */
    struct seccomp_notify notify;
    bool over;          /* init has reported that nothing is left */
    bool ended;         /* the child ended by itself */
    int killed_by;      /* the signal that ended the program; 0: none */
    bool gave_terminal; /* the program is the terminal's foreground group */
    int64_t until;      /* the deadline, by clock_ms; -1: none */
};

/* Returns the signals that the launcher blocks and reads instead. */
void supervise_signals(sigset_t *out);

/* Waits until the child ends, and ends it at a signal to the launcher or at
 * the time limit. Returns the exit status. Every process that the child
 * started has ended then, except what a spec with `leave` lets go on. */
int supervise_run(struct supervise *s);

#endif

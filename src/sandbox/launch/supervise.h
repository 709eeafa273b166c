/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supervise.h - the launcher while its child runs. */
#ifndef SANDBOX_SUPERVISE_H
#define SANDBOX_SUPERVISE_H

#include <signal.h>

#include "sandbox/launch/inside.h"
#include "sandbox/launch/notify.h"

struct supervise {
    const struct inside *in;
    pid_t child;
    int signals; /* signalfd(2): what is blocked, see supervise_signals */
    int line;    /* to the child; -1 when it is closed */
    struct notify notify;
    bool over;          /* the child says so: nothing of it is left */
    bool ended;         /* the child did, by itself */
    bool gave_terminal; /* the program is in its foreground */
    int64_t until;      /* clock_ms time of the end; -1: none */
};

/* What the launcher waits for instead of being interrupted by it. */
void supervise_signals(sigset_t *out);

/* Until the child has ended, or has to: a signal to the launcher, the time
 * limit. Returns the exit status. Everything that it started has ended, but
 * what a spec with `leave` lets stay. */
int supervise_run(struct supervise *s);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notify.h - refused calls, told to somebody outside.
 *
 * The answer is always no: what a call's arguments point to can change after
 * it was looked at. The one thing that is given is a descriptor that we
 * opened ourselves: /dev/null, where nothing may be opened for writing. */
#ifndef SANDBOX_NOTIFY_H
#define SANDBOX_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

#define NOTIFY_CALLS 512 /* system call numbers; none is above yet */

struct notify {
    int listener; /* -1: there is none */
    int report;   /* a line for each name goes here; -1: nowhere */
    uint64_t told[NOTIFY_CALLS / 64];
};

/* Answers one call. false: nobody can make one any more. */
bool notify_answer(struct notify *n);

/* One line, its control characters made visible. */
void notify_say(int report, const char *what, const char *detail);

#endif

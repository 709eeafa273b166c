/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seccomp_notify.h - answers and reports the system calls that a filter
 * refuses.
 *
 * The answer is always no: the memory that a call's arguments point to can
 * change after it was read. The one exception is a descriptor that we open
 * ourselves: /dev/null, where nothing may be opened for writing. */
#ifndef SANDBOX_LAUNCH_SECCOMP_NOTIFY_H
#define SANDBOX_LAUNCH_SECCOMP_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

#define SECCOMP_NOTIFY_CALLS 512 /* system call numbers; none is above yet */

struct seccomp_notify {
    int listener; /* -1: there is none */
    int report;   /* gets a line for each name; -1: no report */
    uint64_t reported[SECCOMP_NOTIFY_CALLS / 64];
};

/* Answers one call. Returns false when no process is left to make one. */
bool seccomp_notify_answer(struct seccomp_notify *n);

/* Writes one line to the report, with control characters made visible. */
void seccomp_notify_write_line(int report, const char *what,
                               const char *detail);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proc_end.h - leaves the end of a process to the event loop.
 *
 * A process that was told to end may take its time. Nobody waits for it here:
 * the loop reaps it, or kills it when its time is over. */
#ifndef BASE_PROC_END_H
#define BASE_PROC_END_H

#include "base/loop.h"
#include "base/proc.h"

/* Takes the process. It has leave_ms to end by itself (0: none), then gets
 * SIGTERM, and SIGKILL after term_ms more. When the loop is freed before that,
 * its freeing waits. ERR_NOMEM: it is still the caller's. */
int proc_end_later(struct loop *l, struct proc *p, int64_t leave_ms,
                   int64_t term_ms, struct err *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker.h - does a piece of work in a thread, beside an event loop.
 *
 * For what takes long without waiting for anybody, such as reading a large
 * directory. The thread blocks all signals, and must not touch the loop. What
 * it works on is nobody else's until it has ended. */
#ifndef BASE_WORKER_H
#define BASE_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/loop.h"

struct worker; /* one piece of work */

/* Starts a thread that calls run(arg). When it has ended, done(arg) is called
 * by the loop, once; it may free the worker. ERR_NOMEM: there is no thread. */
struct worker *worker_start(struct loop *l, void (*run)(void *arg),
                            void (*done)(void *arg), void *arg, struct err *e);

/* Long work looks between its parts whether somebody still waits for it: who
 * does no more sets *unwanted before worker_free. NULL: somebody does. */
static inline bool
worker_is_unwanted(const atomic_bool *unwanted)
{
    return unwanted && atomic_load_explicit(unwanted, memory_order_relaxed);
}

/* Waits for the end of run, however long that takes; done is not called any
 * more. Accepts NULL. */
void worker_free(struct worker *w);
DEFINE_CLEANUP(struct worker, worker_free)

/* Waits for nothing, where run may never come back from the kernel; done is not
 * called any more. drop(arg) frees what it works on: at once where run has
 * ended, else in the thread when it has. Accepts NULL, and calls nothing. */
void worker_leave(struct worker *w, void (*drop)(void *arg));

#endif

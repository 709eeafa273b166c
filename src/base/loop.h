/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h - the event loop: descriptors, timers, signals and children.
 *
 * One per process, made by main and owned by the door. A watch may free
 * itself or any other watch from inside its callback. Callbacks run one at a
 * time, never from a signal handler. */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

#define LOOP_READ  1u
#define LOOP_WRITE 2u
#define LOOP_HUP   4u /* the other end is gone; may come unasked */

struct loop;
struct watch; /* something that the loop waits for */

struct loop *loop_new(struct err *e);
void loop_free(struct loop *l); /* frees every watch that is left */
DEFINE_CLEANUP(struct loop, loop_free)

/* Called with the events that are there (LOOP_READ…); 0 for timers, the
 * signal's number for signals. */
typedef void loop_cb(void *arg, unsigned events);

/* Waits for `events` on fd. The descriptor stays the caller's and must be
 * open until watch_free. A regular file cannot be waited for (EPERM). */
struct watch *loop_fd(struct loop *l, int fd, unsigned events, loop_cb *cb,
                      void *arg, struct err *e);
/* Other events for a descriptor; 0 pauses it: not even a hang-up comes. */
void watch_events(struct watch *w, unsigned events);

/* Once, after ms. watch_again starts it anew. */
struct watch *loop_timer(struct loop *l, int64_t ms, loop_cb *cb, void *arg,
                         struct err *e);
void watch_again(struct watch *w, int64_t ms);

/* Blocks the signal for the process and delivers it here (signalfd), and to
 * every other watch of the same signal. It is unblocked again when the last
 * of them is freed. */
struct watch *loop_signal(struct loop *l, int signo, loop_cb *cb, void *arg,
                          struct err *e);

void watch_free(struct watch *w); /* accepts NULL */

/* Runs until loop_stop. */
int loop_run(struct loop *l, struct err *e);
void loop_stop(struct loop *l);

/* Waits at most timeout_ms (-1: for ever) and runs what came: for a caller
 * that has its own condition. Returns the number of callbacks run. */
int loop_turn(struct loop *l, int timeout_ms, struct err *e);

#endif

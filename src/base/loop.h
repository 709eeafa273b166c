/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h - the event loop: file descriptors, timers and signals.
 *
 * A process has one, made by main. A callback may free its own watch or any
 * other. Callbacks run one at a time, never from a signal handler. */
#ifndef BASE_LOOP_H
#define BASE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

#define LOOP_READ  1u
#define LOOP_WRITE 2u
#define LOOP_HUP   4u /* the other end is closed; reported with any of these */
#define LOOP_LEFT  8u /* wait for LOOP_HUP, also where it only sends no more */

struct loop;
struct watch; /* one descriptor, timer or signal that the loop waits for */

struct loop *loop_new(struct err *e);
void loop_free(struct loop *l); /* frees the remaining watches too */
DEFINE_CLEANUP(struct loop, loop_free)

/* events is a set of LOOP_READ, LOOP_WRITE and LOOP_HUP for a descriptor, 0 for
 * a timer, the signal's number for a signal. */
typedef void loop_cb(void *arg, unsigned events);

/* Waits for `events` on fd. The caller keeps the descriptor, and keeps it open
 * until watch_free. A regular file cannot be waited for: e->sys is EPERM. */
struct watch *loop_fd(struct loop *l, int fd, unsigned events, loop_cb *cb,
                      void *arg, struct err *e);
/* Changes the events of a descriptor; with 0 not even a hang-up is reported,
 * and a timer is stopped. */
void watch_events(struct watch *w, unsigned events);

/* A timer that expires once, after ms. Those due at one time expire in the
 * order in which they were armed, after the descriptors of that turn.
 * ERR_NOMEM. */
struct watch *loop_timer(struct loop *l, int64_t ms, loop_cb *cb, void *arg,
                         struct err *e);
/* Arms a timer anew, whether it runs, has expired or was stopped; its callback
 * may do so too. Cannot fail. */
void watch_again(struct watch *w, int64_t ms);
/* Stops a timer, until watch_again; one that is due already is not reported. */
void watch_stop(struct watch *w);

/* A timer that is due at once: its callback runs at the next turn and never
 * before this returns, in a nested turn too. What is armed within a turn, by
 * watch_again(w, 0) too, runs at the turn after: nothing starves. */
struct watch *loop_soon(struct loop *l, loop_cb *cb, void *arg, struct err *e);

/* Blocks the signal for the process and reports it here (signalfd(2)), and to
 * every other watch of it. It is unblocked when the last of these is freed. */
struct watch *loop_signal(struct loop *l, int signo, loop_cb *cb, void *arg,
                          struct err *e);

void watch_free(struct watch *w); /* accepts NULL */

/* Many users share the loop from now on, which nothing may hold: what would
 * wait for a while is left to the loop, where its owner allows that. */
void loop_share(struct loop *l);
bool loop_is_shared(const struct loop *l);

/* Calls cb when the loop is freed, while its watches are still there: for what
 * was left to it. */
struct loop_exit;
struct loop_exit *loop_at_free(struct loop *l, void (*cb)(void *arg), void *arg,
                               struct err *e);
void loop_exit_free(struct loop_exit *x); /* cb is not called; accepts NULL */

/* Runs until loop_stop. */
int loop_run(struct loop *l, struct err *e);
void loop_stop(struct loop *l);

/* Waits for events for at most timeout_ms (-1: no limit) and runs their
 * callbacks: for a caller with a condition of its own. Returns the number of
 * callbacks run. */
int loop_turn(struct loop *l, int timeout_ms, struct err *e);

/* The longest time in nanoseconds for which one callback has held the loop. The
 * turns that a callback runs itself count as breaks. */
int64_t loop_longest_hold(const struct loop *l);

/* The same with the callback that did (NULL: none); and the longest time on a
 * processor, to which other programs add nothing. The latter is counted only in
 * a build with --enable-loop-report; in others it is 0. */
struct loop_hold {
    int64_t ns;
    loop_cb *cb;
};
struct loop_hold loop_hold_by_clock(const struct loop *l);
struct loop_hold loop_hold_by_processor(const struct loop *l);

#endif

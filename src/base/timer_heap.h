/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timer_heap.h - timers in the order in which they are due.
 *
 * A binary heap: the first is found at once, arming and stopping one of n take
 * log n steps. The caller keeps the timers, which lie in what they belong to,
 * and reserves room for each before it is armed, so that arming cannot fail. */
#ifndef BASE_TIMER_HEAP_H
#define BASE_TIMER_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define TIMER_HEAP_MAX (1u << 20) /* timers; more would be a leak of ours */

/* Zeroed, with its owner: a timer that is not armed. */
struct timer {
    void *owner;    /* the caller's */
    int64_t due_ns; /* CLOCK_MONOTONIC */
    uint64_t order; /* of timers due at one time, the first armed is first */
    size_t at;      /* its place in the heap; 0: it is not armed */
};

/* Zeroed: an empty heap. */
struct timer_heap {
    struct timer **v; /* v[1] is the first; children of v[i]: v[2i], v[2i+1] */
    size_t n;         /* armed */
    size_t reserved;  /* timers that there is room for */
    size_t cap;       /* slots allocated */
    uint64_t next_order; /* every armed timer's order is below it */
};

void timer_heap_done(struct timer_heap *h); /* accepts NULL */

/* Makes room for one more timer, or gives it back when that is not armed.
 * ERR_NOMEM: out of memory, or more than TIMER_HEAP_MAX. */
int timer_heap_reserve(struct timer_heap *h, struct err *e);
void timer_heap_release(struct timer_heap *h);

/* Arms a timer, also one that is armed already. */
void timer_heap_arm(struct timer_heap *h, struct timer *t, int64_t due_ns);
void timer_heap_stop(struct timer_heap *h, struct timer *t);

/* The timer that is due first, or NULL. */
struct timer *timer_heap_first(const struct timer_heap *h);

#endif

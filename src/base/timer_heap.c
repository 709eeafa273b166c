/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timer_heap.c - timers in the order in which they are due. */
#include "base/timer_heap.h"

#include <stdbool.h>
#include <stdlib.h>

#define FIRST_CAP 16

void
timer_heap_done(struct timer_heap *h)
{
    if (!h)
        return;
    free(h->v);
    *h = (struct timer_heap){0};
}

int
timer_heap_reserve(struct timer_heap *h, struct err *e)
{
    size_t cap = h->cap ? 2 * h->cap : FIRST_CAP;
    struct timer **v;

    if (h->reserved >= TIMER_HEAP_MAX)
        return err_set(e, ERR_NOMEM, "more than %u timers", TIMER_HEAP_MAX);
    if (h->reserved + 1 >= h->cap) { /* v[0] is not used */
        v = realloc(h->v, cap * sizeof(struct timer *));
        if (!v)
            return err_nomem(e);
        h->v = v;
        h->cap = cap;
    }
    h->reserved++;
    return 0;
}

void
timer_heap_release(struct timer_heap *h)
{
    h->reserved--;
}

static bool
is_due_before(const struct timer *a, const struct timer *b)
{
    return a->due_ns < b->due_ns ||
           (a->due_ns == b->due_ns && a->order < b->order);
}

static void
put_at(struct timer_heap *h, size_t at, struct timer *t)
{
    h->v[at] = t;
    t->at = at;
}

/* Fills the hole at `at` with t, or moves the hole to where t belongs. */
static void
sift_up(struct timer_heap *h, size_t at, struct timer *t)
{
    while (at > 1 && is_due_before(t, h->v[at / 2])) {
        put_at(h, at, h->v[at / 2]);
        at /= 2;
    }
    put_at(h, at, t);
}

static void
sift_down(struct timer_heap *h, size_t at, struct timer *t)
{
    size_t child;

    while ((child = 2 * at) <= h->n) {
        if (child < h->n && is_due_before(h->v[child + 1], h->v[child]))
            child++;
        if (!is_due_before(h->v[child], t))
            break;
        put_at(h, at, h->v[child]);
        at = child;
    }
    put_at(h, at, t);
}

void
timer_heap_arm(struct timer_heap *h, struct timer *t, int64_t due_ns)
{
    timer_heap_stop(h, t);
    t->due_ns = due_ns;
    t->order = h->next_order++;
    sift_up(h, ++h->n, t);
}

void
timer_heap_stop(struct timer_heap *h, struct timer *t)
{
    size_t at = t->at;
    struct timer *last;

    if (at == 0)
        return;
    t->at = 0;
    last = h->v[h->n--];
    if (last == t)
        return;
    if (at > 1 && is_due_before(last, h->v[at / 2]))
        sift_up(h, at, last);
    else
        sift_down(h, at, last);
}

struct timer *
timer_heap_first(const struct timer_heap *h)
{
    return h->n > 0 ? h->v[1] : NULL;
}

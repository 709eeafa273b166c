/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_queue.c - which task runs next, as a heap. */
#include "server/gateway/gateway_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
gateway_queue_done(struct gateway_queue *q)
{
    free(q->heap);
    free(q->avoided);
    *q = (struct gateway_queue){0};
}

static bool
comes_before(const struct gateway_place *a, const struct gateway_place *b)
{
    return a->priority != b->priority ? a->priority > b->priority
                                      : a->order < b->order;
}

static void
swap_places(struct gateway_queue *q, size_t a, size_t b)
{
    struct gateway_place place = q->heap[a];

    q->heap[a] = q->heap[b];
    q->heap[b] = place;
}

static void
sift_place_up(struct gateway_queue *q, size_t i)
{
    while (i > 0 && comes_before(&q->heap[i], &q->heap[(i - 1) / 2])) {
        swap_places(q, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static void
sift_place_down(struct gateway_queue *q, size_t i)
{
    for (size_t next; (next = 2 * i + 1) < q->n; i = next) {
        if (next + 1 < q->n && comes_before(&q->heap[next + 1], &q->heap[next]))
            next++;
        if (!comes_before(&q->heap[next], &q->heap[i]))
            return;
        swap_places(q, i, next);
    }
}

bool
gateway_queue_add(struct gateway_queue *q, const char *id, int64_t priority,
                  int64_t order)
{
    struct gateway_place *p;

    if (q->n >= GATEWAY_QUEUE_MAX)
        return false;
    if (q->n == q->room) {
        size_t room = q->room > 0 ? 2 * q->room : 16;

        p = reallocarray(q->heap, room, sizeof(*p));
        if (!p)
            return false;
        q->heap = p;
        q->room = room;
    }
    p = &q->heap[q->n];
    *p = (struct gateway_place){.priority = priority, .order = order};
    snprintf(p->id, sizeof(p->id), "%s", id);
    sift_place_up(q, q->n++);
    return true;
}

bool
gateway_queue_remove(struct gateway_queue *q, const char *id)
{
    size_t i = 0;

    while (i < q->n && strcmp(q->heap[i].id, id) != 0)
        i++;
    if (i == q->n)
        return false;
    q->heap[i] = q->heap[--q->n];
    if (i < q->n) {
        sift_place_up(q, i);
        sift_place_down(q, i);
    }
    return true;
}

bool
gateway_queue_avoids(const struct gateway_queue *q, const char *id, int64_t now)
{
    for (size_t i = 0; i < q->n_avoided; i++)
        if (q->avoided[i].until_ms > now && strcmp(q->avoided[i].id, id) == 0)
            return true;
    return false;
}

/* Forgets those whose time is over, and the oldest where there are too many. */
static void
forget_avoided(struct gateway_queue *q, int64_t now)
{
    size_t n = 0;

    while (n < q->n_avoided && q->avoided[n].until_ms <= now)
        n++;
    if (n == 0 && q->n_avoided == GATEWAY_AVOIDED_MAX)
        n = 1;
    q->n_avoided -= n;
    if (n > 0)
        memmove(q->avoided, q->avoided + n, q->n_avoided * sizeof(*q->avoided));
}

void
gateway_queue_avoid(struct gateway_queue *q, const char *id, int64_t now)
{
    struct gateway_avoided *more;

    if (gateway_queue_avoids(q, id, now))
        return;
    forget_avoided(q, now);
    more = reallocarray(q->avoided, q->n_avoided + 1, sizeof(*more));
    if (!more)
        return;
    q->avoided = more;
    more += q->n_avoided++;
    snprintf(more->id, sizeof(more->id), "%s", id);
    more->until_ms = now + GATEWAY_AVOID_MS;
}

const struct gateway_place *
gateway_queue_first(const struct gateway_queue *q)
{
    return q->n > 0 ? &q->heap[0] : NULL;
}

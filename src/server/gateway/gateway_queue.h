/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_queue.h - which task runs next: the highest priority, then the one
 * that came first. It holds the names of tasks alone. */
#ifndef SERVER_GATEWAY_GATEWAY_QUEUE_H
#define SERVER_GATEWAY_GATEWAY_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GATEWAY_ID_SIZE   37         /* of a UUID's text, with its NUL */
#define GATEWAY_QUEUE_MAX (1u << 20) /* tasks: 56 MiB */
/* So long, and of so many tasks, it is remembered that others are to take them;
 * one that is forgotten is looked at once more. */
#define GATEWAY_AVOID_MS    600000
#define GATEWAY_AVOIDED_MAX 4096

struct gateway_place {
    char id[GATEWAY_ID_SIZE];
    int64_t priority; /* a larger one comes first */
    int64_t order;    /* a smaller one does */
};

struct gateway_avoided {
    char id[GATEWAY_ID_SIZE];
    int64_t until_ms;
};

/* Zero is an empty one. */
struct gateway_queue {
    struct gateway_place *heap;
    size_t n, room;
    struct gateway_avoided *avoided; /* the oldest first */
    size_t n_avoided;
};
void gateway_queue_done(struct gateway_queue *q);

/* False: it is full, or there is no memory. A task is added at most once. */
bool gateway_queue_add(struct gateway_queue *q, const char *id,
                       int64_t priority, int64_t order);
/* False: it was not there. */
bool gateway_queue_remove(struct gateway_queue *q, const char *id);

/* A task that others are to take, and whether it is one; now: of clock_ms. */
void gateway_queue_avoid(struct gateway_queue *q, const char *id, int64_t now);
bool gateway_queue_avoids(const struct gateway_queue *q, const char *id,
                          int64_t now);

/* The one that is next, or NULL. Borrowed until the queue is changed. */
const struct gateway_place *gateway_queue_first(const struct gateway_queue *q);

#endif

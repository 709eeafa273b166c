/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outqueue.h - queues output for a reader that may be slow or gone.
 *
 * For pipes and sockets: what cannot be written yet is queued and the event
 * loop goes on, so that Ctrl-C works whatever the reader does. The producer is
 * told to stop when the queue exceeds OUTQUEUE_HIGH, and to go on when it is
 * down to OUTQUEUE_LOW. Regular files are written directly. Once the reader is
 * gone all output is dropped. */
#ifndef BASE_OUTQUEUE_H
#define BASE_OUTQUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/loop.h"

#define OUTQUEUE_HIGH (256u << 10) /* bytes: some pipes' worth */
#define OUTQUEUE_LOW  (64u << 10)

struct outqueue;

enum outqueue_state {
    OUTQUEUE_OPEN, /* go on */
    OUTQUEUE_FULL, /* stop adding */
    OUTQUEUE_GONE, /* nobody reads it any more */
};

/* Called when the state changes. */
typedef void outqueue_cb(void *arg, enum outqueue_state state);

/* The caller keeps the descriptor, which stays blocking: other processes share
 * the open file. */
struct outqueue *outqueue_new(struct loop *l, int fd, outqueue_cb *cb,
                              void *arg, struct err *e);
void outqueue_free(struct outqueue *o); /* what is queued is lost */
DEFINE_CLEANUP(struct outqueue, outqueue_free)

void outqueue_add(struct outqueue *o, const void *bytes, size_t n);

/* The first error of a write, such as a full disk; NULL: none, or the reader
 * has gone. Borrowed. */
const struct err *outqueue_error(const struct outqueue *o);
bool outqueue_is_empty(const struct outqueue *o);

#endif

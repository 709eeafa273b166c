/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sender.h - queues output for a reader that may be slow or gone.
 *
 * For pipes, sockets and terminals: what is added is written when the loop
 * turns and the reader has room, many pieces at once, and the loop is never
 * blocked, whether the descriptor is blocking or not. The producer is told to
 * stop when more than SENDER_HIGH bytes are queued, and to go on when it is
 * down to SENDER_LOW. Once the reader is gone all output is dropped. What epoll
 * cannot wait for, such as a regular file, is written at once.
 *
 * main ignores SIGPIPE, so that a reader that has gone is an error here. */
#ifndef WIRE_SENDER_H
#define WIRE_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"
#include "wire/tls.h"

#define SENDER_HIGH (256u << 10) /* bytes: some pipes' worth */
#define SENDER_LOW  (64u << 10)
/* SENDER_HIGH, and the largest event beyond it. */
#define SENDER_MAX (64u << 20)

struct sender;

enum sender_state {
    SENDER_OPEN, /* go on */
    SENDER_FULL, /* stop adding */
    SENDER_GONE, /* nobody reads it any more */
};

/* Called when the state changes, from the loop or within sender_add. It may
 * free the sender: the caller of sender_add must check that before it uses the
 * sender again. */
typedef void sender_cb(void *arg, enum sender_state state);

/* max is the most that may be queued, in bytes: a producer that goes beyond it
 * loses the reader, with ERR_NOMEM as sender_error. The caller keeps the
 * descriptor, and keeps it open until sender_free; its flags stay as they are,
 * since other processes may share the open file. Another watch may wait for the
 * same descriptor, unless it is a pipe. */
struct sender *sender_new(struct loop *l, int fd, size_t max, sender_cb *cb,
                          void *arg, struct err *e);
void sender_free(struct sender *s); /* what is queued is lost; accepts NULL */
DEFINE_CLEANUP(struct sender, sender_free)

/* Queues a copy of n bytes. */
void sender_add(struct sender *s, const void *bytes, size_t n);

/* Queues what b holds; many bytes are not copied. b is empty then. */
void sender_take(struct sender *s, struct buf *b);

/* From now on the loss of the reader is noticed at once; by default it is only
 * when something is written. */
void sender_notice_leaving(struct sender *s);

/* From now on bytes are encrypted by t when it is their turn to be written.
 * What t has encrypted before and not sent goes first, and counts as queued:
 * after it has encrypted more itself the caller adds 0 bytes. t may be NULL,
 * and outlives the sender. */
void sender_use_tls(struct sender *s, struct tls *t);

/* What is added from now on may hold a key: it is wiped once it is written or
 * dropped. */
void sender_keep_secret(struct sender *s);

/* Bytes, as the descriptor got them, of all there were. */
uint64_t sender_written(const struct sender *s);

/* Writes what the reader has room for, without the loop, which may have ended.
 * It never waits: the rest stays queued. */
void sender_flush(struct sender *s);

/* How many bytes may be added before the reader is lost. */
size_t sender_room(const struct sender *s);

/* The first error of a write, such as a full disk; NULL: none, or the reader
 * has gone. Borrowed. */
const struct err *sender_error(const struct sender *s);
bool sender_is_empty(const struct sender *s);

/* Calls cb once, from the loop, when the queue is empty: all is written, or the
 * reader is gone. For a producer that adds no more. cb may free the sender; the
 * sender_cb for the same event, which comes before, must not. */
void sender_on_empty(struct sender *s, void (*cb)(void *arg), void *arg);

#endif

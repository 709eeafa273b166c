/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_buffer.h - one big buffer that all connections of a loop read into.
 *
 * What a read brings is used up before the next one, so that a connection
 * without input needs no buffer of its own. */
#ifndef WIRE_READ_BUFFER_H
#define WIRE_READ_BUFFER_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

/* Of one read, and so what a peer can make us work on at once: two pipes'
 * worth, which the caches of a processor hold. */
#define READ_BUFFER_BYTES (128u << 10)

struct read_buffer;

struct read_buffer *read_buffer_new(struct err *e);
/* After all who read into it, or by a callback of one of them, which it is then
 * still lent to. Accepts NULL. */
void read_buffer_free(struct read_buffer *b);
DEFINE_CLEANUP(struct read_buffer, read_buffer_free)

/* Lends READ_BUFFER_BYTES of memory, which are another's while it is lent: a
 * callback that turns the loop reads too. NULL and ERR_NOMEM. */
char *read_buffer_borrow(struct read_buffer *b, struct err *e);
void read_buffer_give_back(struct read_buffer *b, char *bytes);

#endif

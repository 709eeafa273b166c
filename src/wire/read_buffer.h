/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read_buffer.h - one big buffer that all connections of a loop read into.
 *
 * The bytes of a read are processed before the next read, so that an idle
 * connection needs no buffer of its own. */
#ifndef WIRE_READ_BUFFER_H
#define WIRE_READ_BUFFER_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/err.h"

/* Bytes of one read, and so the most work that a peer can cause at once: twice
 * a pipe's capacity, which fits into a processor's cache. */
#define READ_BUFFER_BYTES (128u << 10)

struct read_buffer;

struct read_buffer *read_buffer_new(struct err *e);
/* To be called after all its readers are freed, or in a callback of one of
 * them, which may still use the memory until it returns. Accepts NULL. */
void read_buffer_free(struct read_buffer *b);
DEFINE_CLEANUP(struct read_buffer, read_buffer_free)

/* Lends READ_BUFFER_BYTES of memory. While it is lent the next caller gets
 * other memory, since a callback that runs the loop may read too. NULL and
 * ERR_NOMEM. */
char *read_buffer_borrow(struct read_buffer *b, struct err *e);
void read_buffer_give_back(struct read_buffer *b, char *bytes);

#endif

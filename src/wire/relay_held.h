/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_held.h - records of the stream that wait while a node joins. */
#ifndef WIRE_RELAY_HELD_H
#define WIRE_RELAY_HELD_H

#include "wire/relay_record.h"
#include "wire/relay_stream.h"

/* False: there is no room. */
bool relay_held_add(struct buf *held, uint64_t turn, const char *bytes,
                    size_t n);
/* The record at *at, which is 0 first, and moves it on. False: there is none.
 * rec->kind is 0 for what is none. */
bool relay_held_next(const struct buf *held, size_t *at, uint64_t *turn,
                     struct relay_record *rec);
/* What is held from `at` on is to come again, when the stream is opened anew.
 */
void relay_held_rewind(const struct buf *held, size_t at,
                       struct relay_stream *s);

#endif

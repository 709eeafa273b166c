/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_held.h - records of the stream that wait while a node joins. */
#ifndef WIRE_RELAY_HELD_H
#define WIRE_RELAY_HELD_H

#include "wire/relay_record.h"

/* False: there is no room. */
bool relay_held_add(struct buf *held, uint64_t turn, const char *bytes,
                    size_t n);
/* The record at *at, which is 0 first, and moves it on. False: there is none.
 * rec->kind is 0 for what is none. */
bool relay_held_next(const struct buf *held, size_t *at, uint64_t *turn,
                     struct relay_record *rec);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stall.h - detects a peer that has read nothing for too long. */
#ifndef WIRE_STALL_H
#define WIRE_STALL_H

#include "base/loop.h"
#include "wire/sender.h"

struct stall;

/* cb is called from the loop when the sender, while it is watched, has written
 * nothing for ms; a peer that reads slowly does not count. cb may free the
 * stall. The sender is borrowed. */
struct stall *stall_new(struct loop *l, const struct sender *s, int64_t ms,
                        void (*cb)(void *arg), void *arg, struct err *e);
void stall_free(struct stall *s); /* accepts NULL */

/* Starts to watch, or starts over; or stops. Accepts NULL. */
void stall_watch(struct stall *s, bool on);

#endif

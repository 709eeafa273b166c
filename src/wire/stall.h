/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stall.h - tells when a peer has read nothing for too long. */
#ifndef WIRE_STALL_H
#define WIRE_STALL_H

#include "base/loop.h"
#include "wire/sender.h"

struct stall;

/* cb is called from the loop once the sender has written nothing for ms, while
 * it was watched; a peer that reads slowly, but reads, is none. It may free the
 * stall. The sender is borrowed. */
struct stall *stall_new(struct loop *l, const struct sender *s, int64_t ms,
                        void (*cb)(void *arg), void *arg, struct err *e);
void stall_free(struct stall *s); /* accepts NULL */

/* Begins to watch, or anew, or stops. Accepts NULL. */
void stall_watch(struct stall *s, bool on);

#endif

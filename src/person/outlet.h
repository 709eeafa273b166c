/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outlet.h - output for a reader who may be slow, or gone.
 *
 * For pipes and sockets: what cannot be written yet is queued, and the loop
 * goes on, so that Ctrl-C is heard whatever the reader does. A queue that
 * grows says so, and the one who fills it must stop (OUTLET_HIGH) until it is
 * told to go on (OUTLET_LOW). Files are written at once. A reader that is
 * gone swallows everything. */
#ifndef PERSON_OUTLET_H
#define PERSON_OUTLET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/loop.h"

#define OUTLET_HIGH (256u << 10) /* bytes: some pipes' worth */
#define OUTLET_LOW  (64u << 10)

struct outlet;

enum outlet_state {
    OUTLET_OPEN, /* go on */
    OUTLET_FULL, /* stop filling it */
    OUTLET_GONE, /* nobody reads it any more */
};

/* Told when the state changes. */
typedef void outlet_cb(void *arg, enum outlet_state state);

/* The descriptor stays the caller's and stays blocking: others share it. */
struct outlet *outlet_new(struct loop *l, int fd, outlet_cb *cb, void *arg,
                          struct err *e);
void outlet_free(struct outlet *o); /* what is queued is lost */
DEFINE_CLEANUP(struct outlet, outlet_free)

void outlet_add(struct outlet *o, const void *bytes, size_t n);

/* Why something could not be written, a full disk for instance; NULL: all was,
 * or the reader left. */
const struct err *outlet_fault(const struct outlet *o);
bool outlet_is_empty(const struct outlet *o);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aside.h - what background jobs write while a person types.
 *
 * It is shown above the prompt, in whole lines as far as they come at once:
 * the part of a line waits a moment for its rest. */
#ifndef REPL_ASIDE_H
#define REPL_ASIDE_H

#include "base/buf.h"
#include "base/loop.h"

struct aside {
    struct buf text;
    struct watch *timer; /* runs while a part waits */
    /* Shows bytes: above the prompt, or as they are when there is none. */
    void (*show)(void *arg, const char *p, size_t n);
    void *arg;
};

int aside_init(struct aside *a, struct loop *l,
               void (*show)(void *arg, const char *p, size_t n), void *arg,
               struct err *e);
void aside_done(struct aside *a);

void aside_put(struct aside *a, const char *p, size_t n);
void aside_flush(struct aside *a); /* the part too, now */

#endif

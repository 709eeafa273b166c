/* SPDX-License-Identifier: GPL-3.0-or-later */
/* background_output.h - show the output of background jobs above the prompt.
 *
 * Whole lines are shown at once; the part of a line waits a moment for its
 * rest. */
#ifndef FRONTEND_REPL_BACKGROUND_OUTPUT_H
#define FRONTEND_REPL_BACKGROUND_OUTPUT_H

#include "base/buf.h"
#include "base/loop.h"

struct background_output {
    struct buf text;
    struct watch *timer; /* runs while a part of a line waits */
    /* Shows bytes above the prompt, or as they are when there is none. */
    void (*show)(void *arg, const char *p, size_t n);
    void *arg;
};

int background_output_init(struct background_output *a, struct loop *l,
                           void (*show)(void *arg, const char *p, size_t n),
                           void *arg, struct err *e);
void background_output_done(struct background_output *a);

void background_output_add(struct background_output *a, const char *p,
                           size_t n);
void background_output_flush(
    struct background_output *a); /* shows the part of a line, too */

#endif

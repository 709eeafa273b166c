/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overprint.h - makes lines of what a command writes over itself.
 *
 * "10%\r50%\r100%\n" becomes "10%\n100%\n": the first state of a line is shown
 * at once, the last one when the line ends, and those between are dropped. For
 * a terminal that is read line by line (term_set_plain). It gets what
 * term_filter.h let through without TERM_FILTER_MOVES, and lets no carriage
 * return and no backspace through. */
#ifndef TERM_OVERPRINT_H
#define TERM_OVERPRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define OVERPRINT_MAX 4096 /* bytes of a state that are kept */

struct overprint {
    char last[OVERPRINT_MAX]; /* what stands where the first state stood */
    size_t n;
    bool full;     /* it got longer than that */
    bool returned; /* a carriage return came, and no newline since */
    bool ended;    /* it was the last byte */
    bool written;  /* the line so far is not empty */
};

void overprint_init(struct overprint *o);

/* Appends what is to be shown of n more bytes. */
void overprint_add(struct overprint *o, const char *p, size_t n,
                   struct buf *out);

/* The stream ends: appends the last state of a line that has no newline. */
void overprint_end(struct overprint *o, struct buf *out);

#endif

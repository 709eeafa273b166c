/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.h - what a command prints, on its way to the person's terminal.
 *
 * Colours and a line's own movements pass; whatever reaches beyond the
 * command's place on the screen does not: window titles, clipboards, links
 * and answers (OSC, DCS, APC, PM, SOS), device queries and reports, resets,
 * modes, and, unless asked for, movement to other lines (a program like vi on
 * a pty of its own needs that: TERM_FILTER_SCREEN). Bytes that are no UTF-8
 * become U+FFFD; reordering characters are shown as escapes.
 *
 * Text arrives in pieces of any size: the state holds what a sequence or a
 * character has begun. An unfinished sequence is never let through. */
#ifndef TERM_FILTER_H
#define TERM_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define TERM_FILTER_COLOR  1u /* SGR passes */
#define TERM_FILTER_MOVES  2u /* movement and erasing inside the line */
#define TERM_FILTER_SCREEN 4u /* elsewhere too, and the alternate screen */

/* Longer sequences are dropped; real SGR ones have under 40 bytes. */
#define TERM_FILTER_SEQ_MAX 96

struct term_filter {
    unsigned flags;
    int state;                     /* filter.c's */
    size_t n;                      /* bytes in seq */
    char seq[TERM_FILTER_SEQ_MAX]; /* a sequence or character begun */
    size_t swallowed;              /* bytes of a string so far */
    unsigned modes; /* the rows of filter.c's modes that are on */
    bool styled;    /* an SGR other than reset is in force */
    bool shifted;   /* another character set may be on */
    bool at_start;  /* what was let through last ended a line */
};

void term_filter_init(struct term_filter *f, unsigned flags);

/* Appends what may be shown of n more bytes. -1 when out is full (buf_ok). */
int term_filter_add(struct term_filter *f, const void *bytes, size_t n,
                    struct buf *out);

/* The stream is over: what was begun is dropped (a cut character becomes
 * U+FFFD); style, character set and modes left on are reset. f is then as
 * after init. */
int term_filter_end(struct term_filter *f, struct buf *out);

#endif

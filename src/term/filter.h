/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.h - what a command prints, on its way to the person's terminal.
 *
 * Colours and a line's own movements pass; whatever reaches beyond the
 * command's place on the screen does not: window titles, clipboards, links
 * and answers (OSC, DCS, APC, PM, SOS), device queries and reports, resets,
 * modes, and, unless asked for, movement to other lines. Bytes that are no
 * UTF-8 become U+FFFD; reordering characters are shown as escapes.
 *
 * Text arrives in pieces of any size: the state holds what a sequence or a
 * character has begun. An unfinished sequence is never let through. */
#ifndef TERM_FILTER_H
#define TERM_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define TERM_FILTER_COLOR 1u /* SGR passes */
#define TERM_FILTER_SCREEN                                                     \
    2u /* cursor movement, erasing, scrolling and the                          \
          alternate screen pass too: for a program on                          \
          a pty of its own (vi, top) */

/* Longer sequences are dropped; real SGR ones have under 40 bytes. */
#define TERM_FILTER_SEQ_MAX 96

struct term_filter {
    unsigned flags;
    int state;                     /* filter.c's */
    size_t n;                      /* bytes in seq */
    char seq[TERM_FILTER_SEQ_MAX]; /* a sequence or character begun */
    bool styled;                   /* an SGR other than reset is in force */
    bool at_start;                 /* the last thing let through was LF */
};

void term_filter_init(struct term_filter *f, unsigned flags);

/* Appends what may be shown of n more bytes. -1 when out is full (buf_ok). */
int term_filter_add(struct term_filter *f, const void *bytes, size_t n,
                    struct buf *out);

/* The stream is over: what was begun is dropped (a cut character becomes
 * U+FFFD) and a style left on is reset. f is then as after init. */
int term_filter_end(struct term_filter *f, struct buf *out);

#endif

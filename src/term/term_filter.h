/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term_filter.h - filters what a command prints before the terminal gets it.
 *
 * Colours and cursor movement within the line pass. What reaches beyond the
 * command's place on the screen is removed: window titles, clipboards, links
 * and replies (OSC, DCS, APC, PM, SOS), device queries and reports, resets,
 * modes, and, by default, movement to other lines, which a program such as vi
 * on a pty of its own needs (TERM_FILTER_SCREEN). Invalid UTF-8 becomes U+FFFD;
 * characters that reorder text are shown as escapes.
 *
 * Text arrives in pieces of any size: the state keeps an incomplete sequence or
 * character. An incomplete sequence never passes. */
#ifndef TERM_TERM_FILTER_H
#define TERM_TERM_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define TERM_FILTER_COLOR  1u /* SGR passes */
#define TERM_FILTER_MOVES  2u /* movement and erasing within the line */
#define TERM_FILTER_SCREEN 4u /* on other lines too; the alternate screen */

/* Longer sequences are dropped; real SGR ones have under 40 bytes. */
#define TERM_FILTER_SEQ_MAX 96

struct term_filter {
    unsigned flags;
    int state;                     /* of term_filter.c */
    size_t n;                      /* bytes in seq */
    char seq[TERM_FILTER_SEQ_MAX]; /* an incomplete sequence or character */
    size_t swallowed;              /* bytes of a string removed so far */
    unsigned modes;                /* bits of the modes that were changed */
    bool styled;                   /* an SGR other than reset is in effect */
    bool shifted;                  /* another character set may be selected */
    bool at_start;                 /* the output so far ends with a newline */
};

void term_filter_init(struct term_filter *f, unsigned flags);

/* Filters n more bytes into out. -1 when out is full (buf_ok). */
int term_filter_add(struct term_filter *f, const void *bytes, size_t n,
                    struct buf *out);

/* Ends the stream: an incomplete sequence is dropped, an incomplete character
 * becomes U+FFFD; style, character set and modes are reset where they were
 * changed. f is then as after init. */
int term_filter_end(struct term_filter *f, struct buf *out);

#endif

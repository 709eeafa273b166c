/* SPDX-License-Identifier: GPL-3.0-or-later */
/* width.h - how many columns text takes, and fitting it into some.
 *
 * Counts as terminals do, by tables of our own (width_table.h), whatever the
 * locale: 0 for combining and format characters, 2 for East Asian wide ones
 * and emoji, else 1. SGR sequences (ESC [ … m) take none. A byte that is no
 * UTF-8 counts 1. Text is ours or already escaped, without tabs. */
#ifndef TERM_WIDTH_H
#define TERM_WIDTH_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* How a terminal shows signs that are several characters: terminals differ, and
 * emoji.h finds it out. Without a flag each character has its own width. */
#define WIDTH_VS16  1u /* U+FE0F makes a narrow sign wide: 2 columns */
#define WIDTH_SKIN  2u /* a skin tone is part of the sign before it */
#define WIDTH_ZWJ   4u /* signs that U+200D joins are one */
#define WIDTH_FLAGS 8u /* each half of a flag is wide: 4 columns */

/* The next thing that is never parted: an SGR sequence, a character, a byte
 * that is none. n > 0; returns its bytes. */
size_t width_unit(const char *p, size_t n, size_t *columns);

/* The same, a sign of several characters included, as those flags say. */
size_t width_unit_as(const char *p, size_t n, unsigned joins, size_t *columns);

/* Of the bytes up to a newline or the end. */
size_t width_text(const char *p, size_t n);
size_t width_str(const char *s);
size_t width_text_as(const char *p, size_t n, unsigned joins);

/* Appends text cut to at most `columns`, its end replaced by `ellipsis`
 * (UTF-8 or ASCII) when it does not fit. SGR sequences all survive, so that
 * what was begun is ended. Stops at a newline. */
int width_truncate(struct buf *out, const char *p, size_t n, size_t columns,
                   const char *ellipsis);

struct width_wrap {
    size_t columns;     /* lines end before this column */
    size_t start;       /* where the first line begins: already taken */
    size_t indent;      /* blanks in front of every later line */
    const char *prefix; /* after those blanks, "> " for instance; or NULL */
    unsigned joins;     /* WIDTH_ flags */
};

/* Appends text broken at blanks, and between wide characters, into lines; a
 * newline in it is kept. A word that is wider than a line stays whole for the
 * terminal to break: an address or path with a line break in it could not be
 * copied. Ends without a newline. Returns 0 or -1 (buf_ok). */
int width_wrap(struct buf *out, const char *p, size_t n,
               const struct width_wrap *w);

#endif

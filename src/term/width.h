/* SPDX-License-Identifier: GPL-3.0-or-later */
/* width.h - measures text in columns, truncates it and wraps it.
 *
 * It counts as terminals do, by its own tables (width_table.h), whatever the
 * locale: 0 for combining and format characters, 2 for East Asian wide ones and
 * emoji, 1 for others. SGR sequences (ESC [ … m) count 0, an invalid byte 1.
 * Text is ours or already escaped, and has no tabs. */
#ifndef TERM_WIDTH_H
#define TERM_WIDTH_H

#include <stddef.h>

#include "base/buf.h"

/* How a terminal shows emoji of several characters, as emoji_width.h measures
 * it. Without a flag each character has its own width. */
#define WIDTH_VS16  1u /* U+FE0F makes a narrow sign wide: 2 columns */
#define WIDTH_SKIN  2u /* a skin tone is part of the sign before it */
#define WIDTH_ZWJ   4u /* signs that U+200D joins are one */
#define WIDTH_FLAGS 8u /* each half of a flag is wide: 4 columns */

/* The next unit that is never split: an SGR sequence, a character, an invalid
 * byte. n > 0. Returns its length in bytes. */
size_t width_unit(const char *p, size_t n, size_t *columns);

/* The columns of the text up to a newline or its end. */
size_t width_text(const char *p, size_t n);
size_t width_str(const char *s);
size_t width_text_as(const char *p, size_t n, unsigned joins);

/* Appends text truncated to at most `columns`, with `ellipsis` (UTF-8 or ASCII)
 * at its end when it does not fit. All SGR sequences are kept, so that each
 * style that begins also ends. Stops at a newline. */
int width_truncate(struct buf *out, const char *p, size_t n, size_t columns,
                   const char *ellipsis);

struct width_wrap {
    size_t columns;     /* lines end before this column */
    size_t start;       /* columns of the first line already used */
    size_t indent;      /* blanks before every later line */
    const char *prefix; /* after those blanks, such as "> "; or NULL */
    unsigned joins;     /* WIDTH_ flags */
};

/* Appends text wrapped at blanks and between wide characters; newlines are
 * kept. A word that is wider than a line stays whole, for the terminal to
 * break: an address or path with a line break in it could not be copied. Ends
 * without a newline. Returns 0 or -1 (buf_ok). */
int width_wrap(struct buf *out, const char *p, size_t n,
               const struct width_wrap *w);

#endif

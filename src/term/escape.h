/* SPDX-License-Identifier: GPL-3.0-or-later */
/* escape.h - every byte that a person judges is made visible.
 *
 * Text that is shown must be the text that runs. Shown as escapes are:
 * control characters (C0, DEL, C1), bidirectional controls, zero-width and
 * other invisible characters (format characters, variation selectors, tags,
 * fillers), line separators, blanks other than the blank, noncharacters,
 * private use, and bytes that are no UTF-8.
 *
 *   \r \b \a \e …  never: one form each, so that nothing has two
 *   \x1b           a byte or a character below U+0100: two digits
 *   \u202e         a character up to U+FFFF: four digits
 *   \U000e0041     one above: eight digits
 *
 * A byte that is no UTF-8 and the character of the same number look alike
 * (\x80); neither should be there. A backslash stays as it is, for commands
 * are full of them: on a terminal with colour escapes stand out
 * (STYLE_HOSTILE); without it the text `\x1b` and the byte look alike, and
 * escape_is_clean tells them apart. */
#ifndef TERM_ESCAPE_H
#define TERM_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "term/term.h"

/* Newline and tab too, as \x0a and \x09. */
#define ESCAPE_LINES 1u
/* Leaves what honest prose holds: unusual blanks, and joiners and variation
 * selectors that follow a character outside ASCII (emoji, Persian, Hindi). */
#define ESCAPE_PROSE 2u

/* Appends n bytes with escapes, in STYLE_HOSTILE as t has it (NULL: plain).
 * Returns 0, or -1 when out is full (buf_ok). The result is valid UTF-8. */
int escape_text(struct buf *out, const struct term *t, const char *p, size_t n,
                unsigned flags);
int escape_str(struct buf *out, const struct term *t, const char *s,
               unsigned flags);

/* Nothing in it would be shown as an escape; newline and tab are allowed.
 * --yes approves no step whose text is not clean. */
bool escape_is_clean(const char *p, size_t n);

/* Whether one character is shown as an escape in a command. */
bool escape_is_hidden(uint32_t cp);

/* Cursor tricks apart, what a right-to-left control could reorder: the
 * embeddings, overrides and isolates, and the tag characters. */
bool escape_is_reordering(uint32_t cp);

#endif

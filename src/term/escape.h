/* SPDX-License-Identifier: GPL-3.0-or-later */
/* escape.h - makes every byte visible of text that a person approves.
 *
 * The text that is shown must be the text that runs. These are shown as
 * escapes: control characters (C0, DEL, C1), bidirectional controls, zero-width
 * and other invisible characters (format characters, variation selectors, tags,
 * fillers), line separators, blanks other than the blank, noncharacters,
 * private use, and bytes that are no UTF-8.
 *
 *   \r \b \a \e …  never: each character has one form only
 *   \x1b           a byte or a character below U+0100: two digits
 *   \u202e         a character up to U+FFFF: four digits
 *   \U000e0041     one above: eight digits
 *
 * An invalid byte and the character of the same number look alike (\x80);
 * neither is expected. A backslash stays, since commands are full of them: on a
 * terminal with colour escapes have a style of their own (STYLE_HOSTILE);
 * without colour the text `\x1b` and the byte look alike, and escape_is_clean
 * tells them apart. */
#ifndef TERM_ESCAPE_H
#define TERM_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "term/term.h"

/* Flag: newline and tab are escaped too, as \x0a and \x09. */
#define ESCAPE_LINES 1u
/* Flag: keeps what prose legitimately contains: unusual blanks, and joiners and
 * variation selectors after a character outside ASCII (emoji, Persian, Hindi).
 */
#define ESCAPE_PROSE 2u

/* Appends n bytes with escapes, these in STYLE_HOSTILE of t (NULL: no style).
 * Returns 0, or -1 when out is full (buf_ok). The result is valid UTF-8. */
int escape_text(struct buf *out, const struct term *t, const char *p, size_t n,
                unsigned flags);
int escape_str(struct buf *out, const struct term *t, const char *s,
               unsigned flags);

/* Whether nothing in the text would be escaped; newline and tab are allowed.
 * --yes approves no step whose text is not clean. */
bool escape_is_clean(const char *p, size_t n);

/* Whether a character is escaped in a command. */
bool escape_is_hidden(uint32_t cp);

/* Whether a character can reorder text: the bidirectional embeddings, overrides
 * and isolates, and the tag characters. */
bool escape_is_reordering(uint32_t cp);

#endif

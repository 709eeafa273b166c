/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quote.h - a word as a shell and a rule read it. */
#ifndef GUARD_QUOTE_H
#define GUARD_QUOTE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends the word, in single quotes where it needs them. */
void quote_word(struct buf *out, const char *word);

/* Whether a byte of it is a control character: a newline, ESC. */
bool quote_has_control(const char *text);
/* Appends it as bash's $'…', control characters as their escapes. */
void quote_ansi(struct buf *out, const char *text);

#endif

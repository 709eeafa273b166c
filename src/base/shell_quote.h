/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_quote.h - quotes words for a shell and for a policy rule. */
#ifndef BASE_SHELL_QUOTE_H
#define BASE_SHELL_QUOTE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends the word, in single quotes where it needs quotes. */
void shell_quote_word(struct buf *out, const char *word);

/* Whether the text contains a control character, such as a newline or ESC. */
bool shell_quote_has_control(const char *text);

/* Appends the text in bash's form $'…', with escapes for control characters. */
void shell_quote_ansi(struct buf *out, const char *text);

#endif

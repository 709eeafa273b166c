/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ailine.h - a line for the assistant, as a person types it.
 *
 * Nobody should have to quote a wish: in `ai explain what's a.out > 1?` all
 * that follows the verb and its options is one text, byte for byte. */
#ifndef REPL_AILINE_H
#define REPL_AILINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define AILINE_WORDS_MAX 64

/* Whether the line's first word is exactly `name`. */
bool ailine_is(const char *line, const char *name);

/* The words of such a line, name first, NULL last; array and words are one
 * allocation that the caller frees. NULL: no memory, or more than
 * AILINE_WORDS_MAX words (ERR_USAGE). */
char **ailine_split(const char *line, struct err *e);

#endif

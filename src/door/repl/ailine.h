/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ailine.h - a line for the assistant, as a person types it.
 *
 * Nobody should have to quote a wish: in `ai explain what's in *.c?` all that
 * follows the verb and its options is text, byte for byte. But a redirection,
 * a pipe and a list are the shell's: `ai explain ls | head`. */
#ifndef REPL_AILINE_H
#define REPL_AILINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* Whether the line's first word is exactly `name`. */
bool ailine_is(const char *line, const char *name);

/* The words of such a line, name first, NULL last; array and words are one
 * allocation that the caller frees. Text is one word, unless something in it
 * looks like an option behind it: then each of its words is one, with the
 * quotes that it has. The first word where no verb is stands by itself.
 * NULL: no memory. */
char **ailine_split(const char *line, struct err *e);

/* Appends what bash is to run for such a line where it has an operator of the
 * shell outside of quotes and substitutions: the words of ailine_split, quoted,
 * and from the first operator on what was typed. False: it has none, or there
 * is no memory. A quote that nothing closes is an apostrophe. */
bool ailine_for_shell(const char *line, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ai_line.h - split a line for `ai` into words without the shell's quoting.
 *
 * Nobody should have to quote a request: in `ai explain what's in *.c?` all
 * that follows the verb and its options is text, byte for byte. Redirections,
 * pipes and lists are left to the shell: `ai explain ls | head`. */
#ifndef FRONTEND_REPL_AI_LINE_H
#define FRONTEND_REPL_AI_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* Whether the line's first word is exactly `name`. */
bool ai_line_is(const char *line, const char *name);

/* Splits such a line into words, the name first and NULL last. The array and
 * the words are one allocation that the caller frees. The text is one word,
 * unless one of its words looks like an option: then each word of the text is a
 * word, with its quotes. Where there is no verb, the first word stands by
 * itself. In an option and its value ~, $NAME and ${NAME} mean what they mean
 * in a shell; variables are NAME=value fields, each with a NUL behind it (NULL:
 * our own environment). Returns NULL with e set when memory is short. */
char **ai_line_split(const char *line, const struct buf *variables,
                     struct err *e);

/* For a line with an operator of the shell outside of quotes and substitutions,
 * appends the command that bash has to run: the words of ai_line_split, quoted,
 * and from the first operator on what was typed. Returns false when the line
 * has no operator, or memory is short. A quote that nothing closes counts as an
 * apostrophe. */
bool ai_line_for_shell(const char *line, const struct buf *variables,
                       struct buf *out);

#endif

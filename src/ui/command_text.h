/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_text.h - writes a command as the user reads it in a review.
 *
 * A line that is wider than the terminal is broken here, at a blank where
 * there is one, and not by the terminal: a part that began at the left edge
 * could pass for a line of ours. The rest stands further to the right, and
 * nothing is inserted that could be read as a part of the command. */
#ifndef UI_COMMAND_TEXT_H
#define UI_COMMAND_TEXT_H

#include "base/buf.h"
#include "term/term.h"

/* Appends the command and a newline, every byte of it visible. Its lines stand
 * below each other at `column`, where the caller has begun the first one. */
void command_text_put(struct buf *out, const struct term *t,
                      const char *command, size_t column);

/* Appends one line of it, which is escaped already. */
void command_text_put_line(struct buf *out, const struct term *t, const char *p,
                           size_t n, size_t column);

/* Whether each line of it fits between the column and the right edge. */
bool command_text_fits(const struct term *t, const char *command,
                       size_t column);

/* Appends a title or a description as one paragraph: its newlines become
 * blanks, since a line of its own could pass for a step, a command or a
 * question of ours. */
void command_text_put_paragraph(struct buf *out, const struct term *t,
                                const char *words);

#endif

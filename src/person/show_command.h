/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_command.h - a command as a person reads it before saying yes.
 *
 * A line that is wider than the terminal is broken here, at a blank where
 * there is one, and not by the terminal: a part that began at the left edge
 * could pass for a line of ours. What follows stands further in, and nothing
 * is put between that could be read as a part of the command. */
#ifndef PERSON_SHOW_COMMAND_H
#define PERSON_SHOW_COMMAND_H

#include "base/buf.h"
#include "term/term.h"

/* Appends the command and a newline, every byte of it visible, its lines
 * below each other; the first begins where the caller stands, at `column`. */
void show_command(struct buf *out, const struct term *t, const char *command,
                  size_t column);

/* One line of it, escaped already. */
void show_command_line(struct buf *out, const struct term *t, const char *p,
                       size_t n, size_t column);

/* Whether each of its lines fits behind the column. */
bool show_command_fits(const struct term *t, const char *command,
                       size_t column);

#endif

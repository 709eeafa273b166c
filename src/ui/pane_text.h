/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pane_text.h - finds what the last command showed in the text of a terminal.
 *
 * Nothing marks a prompt in such a text. The line where the command was typed
 * is known by the command itself; what stands before it is the prompt, and the
 * last line is the prompt where `ai fix` was typed. */
#ifndef UI_PANE_TEXT_H
#define UI_PANE_TEXT_H

#include <stdbool.h>

#include "base/buf.h"

#define PANE_LINES_MAX 4096

/* Appends what stands between the line where the command was typed last and
 * the last prompt, which ends the text. False: they are not found, or more than
 * one way of reading it is left. */
bool pane_text_between(const char *text, size_t n, const char *command,
                       struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.h - the line editor: GNU Readline, by its callback interface.
 *
 * Readline has one state for the whole process and calls back without an
 * argument, so there is one editor and its functions take no object. Keys are
 * handed to it; it reads the terminal itself only inside a key sequence. It
 * never sets the terminal's modes: see screen_edit. */
#ifndef REPL_LINE_H
#define REPL_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The person has entered a line, which the callee frees; NULL: end of input,
 * Ctrl-D on an empty line. The editor is hidden by then. */
typedef void line_entered(void *arg, char *text);

int line_init(line_entered *entered, void *arg, struct err *e);
void line_done(void);

/* Shows the prompt and edits from now on; keys that were left over from the
 * line before go first. */
void line_show(const char *prompt, bool vi);
/* Takes the editor and what it shows away. */
void line_hide(void);

void line_keys(const char *p, size_t n);
/* Puts text on the line that is edited, where nothing was typed yet: no byte
 * of it is a key, and keys that wait, Enter among them, are dropped. False:
 * there is something on the line already, or no line. */
bool line_insert(const char *text);
/* The keys that came after the line was entered; they are the caller's until
 * the next call. */
const char *line_rest(size_t *n);

void line_interrupt(void); /* drops the line, shows ^C, hides */
void line_resized(void);
/* Shows bytes above the prompt, which is then as it was. */
void line_above(const char *p, size_t n);

/* Between these another program may paint, in the editor's place if that is
 * cleared; the editor is then drawn anew. */
void line_lend(bool clear);
void line_regain(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_editor.h - edit a line with GNU Readline's callback interface.
 *
 * Readline has one state for the process and calls back without an argument,
 * so there is one editor, and its functions take no object. The owner passes
 * keys to it; the editor reads the terminal itself only in the middle of a key
 * sequence. It never sets the terminal's modes: see screen_edit(). */
#ifndef FRONTEND_REPL_LINE_EDITOR_H
#define FRONTEND_REPL_LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* Is called with a line that the person entered, which the callee frees; NULL
 * is the end of input (Ctrl-D on an empty line). The editor is hidden by then.
 */
typedef void line_editor_entered(void *arg, char *text);

int line_editor_init(line_editor_entered *entered, void *arg, struct err *e);
void line_editor_done(void);

/* Shows the prompt and starts to edit; keys that were left over from the last
 * line are handled first. */
void line_editor_show(const char *prompt, bool vi);
/* Removes the editor and what it shows. */
void line_editor_hide(void);

void line_editor_add_keys(const char *p, size_t n);
/* Puts text on the line, when nothing was typed yet. No byte of it is handled
 * as a key, and pending keys, Enter among them, are dropped. Returns false when
 * the line is not empty, or none is edited. */
bool line_editor_insert(const char *text);
/* Returns the *n keys that came behind the entered line; they are valid until
 * the next call. */
const char *line_editor_take_rest(size_t *n);

void line_editor_interrupt(void); /* drops the line, shows ^C, hides */
void line_editor_resize(void);
/* Prints bytes above the prompt, and draws the prompt again. */
void line_editor_print_above(const char *p, size_t n);

/* Between these two calls another program may use the terminal, in the place of
 * the editor when `clear` erased it. */
void line_editor_hand_over(bool clear);
void line_editor_regain(void);

/* The prefix of bash's prompt unless AGENTSH_MARK is set, in the manner of
 * Python's virtual environments, which people know. */
#define PROMPT_PREFIX_DEFAULT "(" AI_NAME ") "

/* Appends the prompt with the prefix at the beginning of its first line that
 * shows something; newlines and window titles may stand before it. */
void line_editor_prefix_prompt(struct buf *out, const char *prompt,
                               const char *prefix);

#endif

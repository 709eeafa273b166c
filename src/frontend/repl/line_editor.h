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
#include "config/key_sequence.h"

/* Is called with a line that the person entered, which the callee frees; NULL
 * is the end of input (Ctrl-D on an empty line). The editor is hidden by then.
 */
typedef void line_editor_entered(void *arg, char *text);

/* plain: nothing that is on the screen is drawn again, as term_set_plain has
 * it.
 */
int line_editor_init(line_editor_entered *entered, void *arg, bool plain,
                     struct err *e);
void line_editor_done(void);

/* Shows the prompt and starts to edit; keys that were left over from the last
 * line are handled first. */
void line_editor_show(const char *prompt, bool vi);
/* Sets Readline's variables as a plain terminal wants them, once others were
 * set; nothing where the terminal is not plain. */
void line_editor_keep_plain(void);
/* Removes the editor and what it shows. */
void line_editor_hide(void);

void line_editor_add_keys(const char *p, size_t n);
/* Puts text on the line, when nothing was typed yet. No byte of it is handled
 * as a key, and pending keys, Enter among them, are dropped. Returns false when
 * the line is not empty, or none is edited. */
bool line_editor_insert(const char *text);
/* Binds a command of Readline's to the keys in each mode that inserts, unless
 * something is bound to them. */
void line_editor_bind(const struct key_sequence *k,
                      int (*command)(int count, int key));
const char *line_editor_text(void); /* the line; valid until the next call */
/* Puts another line in the place of the edited one, which its undo brings back.
 */
void line_editor_replace(const char *text);
/* While it waits, keys are dropped; slow: a line below says that it waits. */
void line_editor_wait(bool waits);
void line_editor_show_wait(void);
/* Shows lines below the edited line, and that below them again. */
void line_editor_show_below(const char *text);
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

/* Appends the prompt with the prefix at the beginning of its first line that
 * shows something; newlines and window titles may stand before it. */
void line_editor_prefix_prompt(struct buf *out, const char *prompt,
                               const char *prefix);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_insert.h - puts a command on the user's next prompt, not yet entered.
 *
 * The text travels in the file insert-SESSION, mode 0600, in the runtime
 * directory. The shell with the hook, or the REPL, creates it empty, which
 * says that it will read it. `ai` writes the command into it, once. At its
 * next prompt the shell reads the file, empties it, and puts the text on the
 * line that is edited. Nothing runs before the user presses Enter. Both sides
 * refuse a file that others could have written, and text with characters that
 * do not show. */
#ifndef UI_PROMPT_INSERT_H
#define UI_PROMPT_INSERT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/seat.h"

#define PROMPT_INSERT_MAX (64u << 10) /* bytes; the hooks have it too */

/* Writes n bytes of text, which a NUL follows, for the shell of the seat that
 * started us and waits for us. ERR_UNSUPPORTED: that shell has no hook, or
 * another program stands between, so that another prompt would come first.
 * ERR_INVALID: the text is too long, has characters other than newline and tab
 * that do not show, or has a history expansion, which would put another
 * command in its place. */
int prompt_insert_put(const struct seat *s, const char *text, size_t n,
                      struct err *e);

/* For the REPL, which is such a shell: create the file; append the text to out
 * and empty the file; remove it. */
int prompt_insert_open(const struct seat *s, const char *session,
                       struct err *e);
void prompt_insert_read(const struct seat *s, const char *session,
                        struct buf *out);
void prompt_insert_remove(const struct seat *s, const char *session);

#endif

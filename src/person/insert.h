/* SPDX-License-Identifier: GPL-3.0-or-later */
/* insert.h - a command on the person's own next prompt, not yet entered.
 *
 * insert-SESSION, mode 0600, beside the file of last_command.h. The shell with
 * the hook, or the REPL, makes it empty, which says that it will read it; `ai`
 * writes the command into it, once; at its next prompt the shell reads it,
 * empties it, and puts the text on the line that is edited. Nothing runs
 * before the person presses Enter. Both sides refuse a file that others could
 * have written, and text that does not show itself. */
#ifndef PERSON_INSERT_H
#define PERSON_INSERT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define INSERT_MAX (64u << 10) /* bytes of a command; the hooks know it too */

/* Puts the text, which ends with a NUL, on the prompt of the shell that started
 * us, and that waits for us. ERR_UNSUPPORTED: it has no hook, or another
 * program stands between, and so another prompt would come first. ERR_INVALID:
 * characters other than newline and tab that do not show, too long, or a
 * history expansion, which would put another command in its place. */
int insert_put(const char *text, size_t n, struct err *e);

/* For the REPL, which is such a shell: makes the file; appends what was put
 * to out and empties the file; removes it. */
int insert_offer(const char *session, struct err *e);
void insert_take(const char *session, struct buf *out);
void insert_remove(const char *session);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_insert.h - puts a command on the user's next prompt, not yet entered.
 *
 * The text travels in a file of the session (session_file.h), once. At its
 * next prompt the shell puts it on the line that is edited. Nothing runs
 * before the user presses Enter. Text with characters that do not show is
 * refused by both sides. */
#ifndef UI_PROMPT_INSERT_H
#define UI_PROMPT_INSERT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/seat.h"

#define PROMPT_INSERT_MAX (64u << 10) /* bytes; the hooks have it too */

/* Writes n bytes of text, which a NUL follows, for the shell of the seat.
 * ERR_UNSUPPORTED: as session_file_write. ERR_INVALID: the text is too long,
 * has characters other than newline and tab that do not show, or has a history
 * expansion, which would put another command in its place. */
int prompt_insert_put(const struct seat *s, const char *text, size_t n,
                      struct err *e);

/* Whether such a text may stand on a prompt: ERR_INVALID says why not. */
int prompt_insert_check(const char *text, size_t n, struct err *e);

/* For the REPL, which is such a shell: create the file; append the text to out
 * and empty the file; remove it. */
int prompt_insert_open(const struct seat *s, const char *session,
                       struct err *e);
void prompt_insert_read(const struct seat *s, const char *session,
                        struct buf *out);
void prompt_insert_remove(const struct seat *s, const char *session);

#endif

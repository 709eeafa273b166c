/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_cursor.h - the text that says where a list of sessions goes on.
 *
 * It comes back from outside: it has a part of a hash of itself, so that a
 * damaged one is noticed. It is no secret and proves nothing: whoever makes one
 * up chooses where a list begins that they may read anyway. */
#ifndef RECORD_SESSION_CURSOR_H
#define RECORD_SESSION_CURSOR_H

#include <stdint.h>

#include "base/err.h"

#define SESSION_CURSOR_SIZE 34 /* "c", 32 hex digits and the NUL */

/* The cursor behind the session with this change number (above 0), in the list
 * of a directory; NULL: of all. */
void session_cursor_format(int64_t change, const char *directory,
                           char text[SESSION_CURSOR_SIZE]);

/* Reads what session_cursor_format wrote for the same list. ERR_INVALID: it is
 * damaged, or of another list. */
int session_cursor_parse(const char *text, const char *directory,
                         int64_t *change, struct err *e);

#endif

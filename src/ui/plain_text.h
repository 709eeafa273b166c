/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_text.h - makes plain text of what a program wrote, for rules and
 * models. */
#ifndef UI_PLAIN_TEXT_H
#define UI_PLAIN_TEXT_H

#include "base/buf.h"

/* Appends the bytes as text: valid UTF-8, without escape sequences and control
 * characters other than newline and tab. What a line showed before it was
 * written anew (a carriage return) is left out, and so are blank lines at both
 * ends. Of a text that has no room in out, its end is kept, from a line's
 * begin on. */
void plain_text_put(struct buf *out, const char *p, size_t n);

#endif

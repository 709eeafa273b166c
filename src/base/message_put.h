/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_put.h - says a finished English text in the person's language.
 *
 * Errors (struct err) and the guard's reasons are made in English, because
 * programs, the journal and a model get them, and peers and children send them.
 * Who prints one for a person passes it through here. The text is looked up in
 * the catalogue of base/message.h: as it is; as a format, whose arguments are
 * then found in the text and looked up in turn; and in its parts, which stand
 * between ": " and "; ". What is not found stays as it is; so does one word
 * alone in an argument, which may be a name. Where the language is English
 * nothing is looked up.
 *
 * An argument may hold bytes from outside. What stands in quotes is in the
 * result as it was; so is any other, unless it is a message of ours, of many
 * words of its own. */
#ifndef BASE_MESSAGE_PUT_H
#define BASE_MESSAGE_PUT_H

#include <stdarg.h>

#include "base/buf.h"

/* Appends the text. */
int message_put(struct buf *out, const char *text);

/* Appends the format's translation, with its arguments, which are looked up. A
 * format that a caller has translated already is taken as it is. */
int message_printf(struct buf *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
int message_vprintf(struct buf *out, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

#endif

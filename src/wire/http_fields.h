/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_fields.h - the words of HTTP/1.1: tokens, header fields, lists.
 *
 * Texts are those of a request whose bytes have been checked (http_parser.h),
 * and end in NUL. */
#ifndef WIRE_HTTP_FIELDS_H
#define WIRE_HTTP_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct http_field {
    const char *name; /* in lower case */
    const char *value;
};

/* How many bytes at the front may stand in a token (RFC 9110, 5.6.2). */
size_t http_token_span(const char *s);

/* Reads one line NAME: VALUE of n bytes, which a NUL follows, in place. False:
 * it is none (RFC 9112, 5). */
bool http_field_read(char *line, size_t n, struct http_field *out);

/* Whether a list, separated by commas, has this word; case does not count, and
 * parameters of an element, behind a semicolon, are not compared. */
bool http_list_has(const char *list, const char *word);

/* Appends a line of a head. A value with a control character becomes one
 * without. */
void http_put_field(struct buf *out, const char *name, const char *value);

#endif

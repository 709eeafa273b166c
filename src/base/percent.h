/* SPDX-License-Identifier: GPL-3.0-or-later */
/* percent.h - reads the escapes %XX of an address (RFC 3986, section 2.1). */
#ifndef BASE_PERCENT_H
#define BASE_PERCENT_H

#include "base/buf.h"

/* Appends n bytes with their %XX decoded; in a form a + is a blank. False: an
 * escape is wrong or stands for NUL, or out has no room. */
bool percent_decode(const char *text, size_t n, bool form, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_ansi.h - the escapes of bash's $'…'. */
#ifndef GUARD_SYNTAX_ANSI_H
#define GUARD_SYNTAX_ANSI_H

#include <stddef.h>

/* Decodes s[0..n) into out, which has room for n + 1 bytes; returns how many
 * were written, never more than n. As in bash, a NUL ends the text. */
size_t syntax_ansi_decode(const char *s, size_t n, char *out);

#endif

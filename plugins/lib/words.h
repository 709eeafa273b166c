/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - from a row of a table to argv: never a line for a shell. */
#ifndef PLUGINS_LIB_WORDS_H
#define PLUGINS_LIB_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define WORDS_MAX 96 /* 64 names, and the options of any row */
#define WORDS_ROW 10 /* words of a row */

/* What stands for "%p" and its like in a row: none, one or many words. */
struct words_value {
    const char *mark; /* NULL ends the values */
    const char *const *list;
    size_t n;
};

/* An argv; what its words point to is borrowed, but for the program. */
struct words {
    const char *argv[WORDS_MAX + 1];
    size_t n;
    char *program;
};

/* Where a program is: on PATH, then in /usr/sbin and /sbin, which not
 * everybody's PATH has. Links of directories are resolved, so that /bin is
 * /usr/bin where it leads there, as the manifests name programs; the file is
 * not: it may be one of many names. The caller frees it; NULL: nowhere. */
char *words_program(const char *name);

/* The row's first word is a program to look for; a word that is a mark gives
 * way to its words. ERR_UNSUPPORTED: the program is not here. w needs
 * words_done in any case. */
int words_fill(struct words *w, const char *const row[WORDS_ROW],
               const struct words_value *values, struct err *e);
void words_done(struct words *w); /* accepts NULL */

/* Whether it could name a package or a service: a letter or digit, then
 * letters, digits, + . _ : @ - and what is in `more`, at most `max` bytes. An
 * option cannot begin so, and a path cannot be in it. */
bool words_is_name(const char *s, size_t n, const char *more, size_t max);

#endif

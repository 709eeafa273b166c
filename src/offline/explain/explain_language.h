/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_language.h - small sed and awk programs described in words.
 *
 * Only programs of the kind that people type on a command line are understood.
 * A program that is not understood as a whole is not described at all: every
 * function returns false then, and what it appended is of no use. */
#ifndef OFFLINE_EXPLAIN_EXPLAIN_LANGUAGE_H
#define OFFLINE_EXPLAIN_EXPLAIN_LANGUAGE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends what a sed script does to lines: ", without empty lines". quiet: sed
 * has -n. */
bool sed_render(const char *text, bool quiet, struct buf *out);

/* The parts of script_part() and script_meaning() of explain_phrase.h that
 * belong to each language. */
bool sed_part(const char *form, const char *text, struct buf *out);
bool sed_meaning(const char *text, bool quiet, struct buf *out);
bool awk_part(const char *form, const char *text, struct buf *out);
bool awk_meaning(const char *text, struct buf *out);

/* How many of n bytes a sentence shows; for "%.*s". */
int value_shown(size_t n);

/* The position of the mark that ends the text at p; a backslash hides one. The
 * end of the string when there is no mark. */
const char *value_part_end(const char *p, char mark);

#endif

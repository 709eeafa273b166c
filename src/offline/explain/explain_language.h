/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_language.h - small programs in sed's and awk's language, in words.
 *
 * Only what people write on a command line: a program that is not understood
 * whole is not said at all. */
#ifndef OFFLINE_EXPLAIN_LANGUAGE_H
#define OFFLINE_EXPLAIN_LANGUAGE_H

#include <stdbool.h>

#include "base/buf.h"

/* The two halves of script_part and script_meaning (explain_phrase.h). */
/* Appends what the script does to lines: ", without empty lines". */
bool sed_say(const char *text, bool quiet, struct buf *out);
bool sed_part(const char *form, const char *text, struct buf *out);
bool sed_meaning(const char *text, bool quiet, struct buf *out);
bool awk_part(const char *form, const char *text, struct buf *out);
bool awk_meaning(const char *text, struct buf *out);

/* The text, as far as it is shown: for "%.*s". */
int language_shown(size_t n);
/* The end of a part that ends with the mark, escapes passed over. */
const char *language_part_end(const char *p, char mark);

#endif

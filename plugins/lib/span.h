/* SPDX-License-Identifier: GPL-3.0-or-later */
/* span.h - pieces of a text that is not changed: lines, words, numbers.
 *
 * A span points into bytes that somebody else keeps; it need not end in NUL.
 * Blanks are blank and tab. Nothing here looks at the locale. */
#ifndef PLUGINS_LIB_SPAN_H
#define PLUGINS_LIB_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
    const char *p;
    size_t n;
};

struct span span_of(const char *s); /* all of a string */

/* Takes the next line, without its newline, off the front of rest. */
bool span_line(struct span *rest, struct span *line);

/* Takes the next word, which blanks surround, off the front of rest. */
bool span_word(struct span *rest, struct span *word);

/* Takes what stands before the first `by` off the front of rest, and drops
 * `by`; all of it, where there is none. */
bool span_split(struct span *rest, char by, struct span *part);

/* Without blanks around it. */
struct span span_trim(struct span s);

/* "key<blanks>:<blanks>value" or with another sign than the colon. */
bool span_pair(struct span line, char sign, struct span *key,
               struct span *value);

bool span_is(struct span s, const char *text);
bool span_begins(struct span s, const char *text);

/* The digits at its front. *out is left alone where there are none, or where
 * they are too many. */
bool span_number(struct span s, unsigned base, uint64_t *out);

/* "12.34" as 1234. */
bool span_hundredths(struct span s, uint64_t *out);

/* As a string, cut to size - 1 bytes. Returns text. */
char *span_copy(struct span s, char *text, size_t size);

#endif

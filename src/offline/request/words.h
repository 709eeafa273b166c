/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words of a wish, made comparable.
 *
 * A word is brought to lower case, its ending taken off ("files", "file's",
 * "listing"), and one of several words for a thing is chosen ("folder",
 * "dir" and "directories" are "directory"; "erase", "removing" and "rm" in
 * words are "delete"). The table of synonyms is our own. */
#ifndef OFFLINE_WORDS_H
#define OFFLINE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "offline/request/request.h"

/* word[0..n) to its stem, at most REQUEST_STEM_MAX - 1 bytes and a NUL. */
void words_stem(const char *word, size_t n, char *out);

/* Whether it is a word of the language, with or without an ending; what is
 * none may be a name, or a typing error. */
bool words_known(const char *word);

/* Whether it says nothing of what is wanted: "the", "please", "of". */
bool words_is_weak(const char *stem);

/* Whether it is one of a list between blanks; "" is in none. */
bool words_listed(const char *word, const char *list);

/* "ten" is 10; -1: no number. */
long words_number(const char *word);

/* How many letters two words differ by (a swap of neighbours is one), up to
 * most; most + 1: more. */
unsigned words_distance(const char *a, const char *b, unsigned most);

#endif

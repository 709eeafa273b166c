/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lexicon.h - reduces words to stems, so that they can be compared.
 *
 * The stem of a word is in lower case and without ending ("files", "file's",
 * "listing"). Words with one meaning have one stem: "folder", "dir" and
 * "directories" are "directory"; "erase", "removing" and "rm" are "delete".
 * synonyms.c has the table. */
#ifndef OFFLINE_PARSE_LEXICON_H
#define OFFLINE_PARSE_LEXICON_H

#include <stdbool.h>
#include <stddef.h>

#include "offline/parse/request_parse.h"

/* Writes the stem of word[0..n) to out: at most REQUEST_STEM_MAX - 1 bytes, and
 * a NUL. */
void lexicon_stem(const char *word, size_t n, char *out);

/* Whether it is a word of the language, with or without an ending. Another word
 * may be a name, or a typing error. */
bool lexicon_known(const char *word);

/* Whether the stem says nothing about what is wanted: "the", "please", "of". */
bool lexicon_is_weak(const char *stem);

/* Whether the word is in a list that is separated by blanks; "" never is. */
bool lexicon_listed(const char *word, const char *list);

/* The value of a number in words, "ten"; -1 when it is none. */
long lexicon_number(const char *word);

/* The edit distance of two words (a swap of neighbours counts 1), or most + 1
 * when it is larger than most. */
unsigned lexicon_distance(const char *a, const char *b, unsigned most);

#endif

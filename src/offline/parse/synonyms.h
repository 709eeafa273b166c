/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synonyms.h - the tables of words: synonyms, and common words. */
#ifndef OFFLINE_PARSE_SYNONYMS_H
#define OFFLINE_PARSE_SYNONYMS_H

#include <stdbool.h>
#include <stddef.h>

/* The word that stands for this one: "delete" for "erase". NULL when the word
 * stands for itself, or is not known. */
const char *synonyms_of(const char *word);

/* The word of row i, and in *means the one that stands for it; NULL behind the
 * last row. */
const char *synonyms_at(size_t i, const char **means);

/* Whether it is a common word of the language, without its ending, and so no
 * name. */
bool lexicon_is_common(const char *word);

/* The common words that begin with the i-th letter, separated by blanks; NULL
 * behind the last letter. */
const char *lexicon_common_letter(size_t i);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synonyms.h - the tables of words: synonyms, and common words. */
#ifndef OFFLINE_PARSE_SYNONYMS_H
#define OFFLINE_PARSE_SYNONYMS_H

#include <stdbool.h>

/* The word that stands for this one: "delete" for "erase". NULL when the word
 * stands for itself, or is not known. */
const char *synonyms_of(const char *word);

/* Whether it is a common word of the language, without its ending, and so no
 * name. */
bool lexicon_is_common(const char *word);

#endif

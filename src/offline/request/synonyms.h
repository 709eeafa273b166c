/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synonyms.h - one of several words for a thing, and the words we know. */
#ifndef OFFLINE_SYNONYMS_H
#define OFFLINE_SYNONYMS_H

#include <stdbool.h>
#include <stddef.h>

/* "erase" is "delete"; NULL: it stands for itself, or is not known. */
const char *synonym_of(const char *word);

/* Row i of the table and what it means; NULL behind the last. */
const char *synonym_at(size_t i, const char **means);

/* Whether it is a word of the language that wishes are written in, without
 * its ending; what is none may be a name. */
bool vocabulary_has(const char *word);

/* The words with the i-th letter, between blanks; NULL behind the last. */
const char *vocabulary_letter(size_t i);

#endif

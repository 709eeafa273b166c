/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_words.h - the lists and tables that stand among the rules. */
#ifndef OFFLINE_REPAIR_REPAIR_WORDS_H
#define OFFLINE_REPAIR_REPAIR_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Iterates over the words of "words NAME:". *at begins as NULL. False: there
 * are no more. The word is copied. */
bool repair_words_next(const char *name, const char **at, char *word,
                       size_t size);
bool repair_words_has(const char *name, const char *word);
bool repair_words_is_list(const char *name);

/* The value of a key in "map NAME:", rows of KEY VALUE; false: none. */
bool repair_words_map(const char *name, const char *key, char *out,
                      size_t size);

#endif

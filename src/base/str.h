/* SPDX-License-Identifier: GPL-3.0-or-later */
/* str.h - small questions about strings. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"

bool str_begins(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);

/* Whether s is one of the n strings of a list; STR_IN takes an array. */
bool str_in_list(const char *s, const char *const *list, size_t n);
#define STR_IN(s, array) str_in_list(s, array, ARRAY_SIZE(array))

/* The same for the len bytes at s. */
bool str_in_list_n(const char *s, size_t len, const char *const *list,
                   size_t n);
#define STR_IN_N(s, len, array) str_in_list_n(s, len, array, ARRAY_SIZE(array))

/* Whether s is one of the words, which a NULL ends. */
bool str_in_words(const char *s, const char *const *words);

/* For bsearch(3) in a sorted array of strings, the key being one; and for
 * qsort(3) of such an array. */
int str_compare_key(const void *key, const void *item);
int str_compare_items(const void *a, const void *b);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* str.c - small questions about strings. */
#include "base/str.h"

#include <string.h>

bool
str_begins(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool
str_ends(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);

    return n >= k && strcmp(s + n - k, suffix) == 0;
}

bool
str_in_list_n(const char *s, size_t len, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(list[i]) == len && memcmp(list[i], s, len) == 0)
            return true;
    return false;
}

bool
str_in_list(const char *s, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], s) == 0)
            return true;
    return false;
}

bool
str_in_words(const char *s, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(*words, s) == 0)
            return true;
    return false;
}

int
str_compare_key(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *)item);
}

int
str_compare_items(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_list.c - iterates over the elements of a setting. */
#include <string.h>

#include "config/config.h"

#define BLANKS " \t"

/* Elements are separated by the byte `by`. */
static bool
next_element(const char **at, const char **item, size_t *n, char by)
{
    const char *from = *at;

    if (!from || !*from || strcmp(from, "none") == 0)
        return false;
    from += strspn(from, BLANKS);
    *item = from;
    *n = (size_t)(strchrnul(from, by) - from);
    *at = from + *n + (from[*n] == by);
    while (*n > 0 && strchr(BLANKS, from[*n - 1]))
        --*n;
    return true;
}

bool
config_list_next(const char **at, const char **item, size_t *n)
{
    return next_element(at, item, n, ':');
}

bool
config_header_next(const char **at, const char **item, size_t *n)
{
    return next_element(at, item, n, '|');
}

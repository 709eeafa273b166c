/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.c - the files that are kept between runs: lines, fields between tabs.
 */
#include "model/field.h"

#include <string.h>

char *
field_take(char **at)
{
    char *start = *at, *end = strpbrk(start, "\t\n");

    if (!end)
        return NULL;
    *at = end + 1;
    *end = '\0';
    return start;
}

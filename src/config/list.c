/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - settings that are lists: their elements, and whether they fit. */
#include <ctype.h>
#include <string.h>

#include "base/secret_name.h"
#include "config/table.h"

#define BLANKS    " \t"
#define SHOWN_MAX 60 /* bytes of a wrong element in a message */

bool
config_item(const char **at, const char **item, size_t *n)
{
    const char *from = *at;

    if (!from || !*from || strcmp(from, "none") == 0)
        return false;
    from += strspn(from, BLANKS);
    *item = from;
    *n = strcspn(from, ":");
    *at = from + *n + (from[*n] == ':');
    while (*n > 0 && strchr(BLANKS, from[*n - 1]))
        --*n;
    return true;
}

/* Without "." and "..": what is bound is what is written. */
static bool
is_path(const char *p, size_t n)
{
    const char *end = p + n;

    p += n > 0 && *p == '~';
    if (p == end || *p != '/')
        return false;
    while (p < end) {
        size_t len = strcspn(++p, "/:");

        if (p + len > end)
            len = (size_t)(end - p);
        if ((len == 1 && p[0] == '.') ||
            (len == 2 && p[0] == '.' && p[1] == '.'))
            return false;
        p += len;
    }
    return true;
}

static bool
is_variable(const char *p, size_t n)
{
    if (n == 0 || isdigit((unsigned char)p[0]))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!isalnum((unsigned char)p[i]) && p[i] != '_')
            return false;
    }
    return !secret_name_find(p, n);
}

static bool
fits(const struct config_row *row, const char *p, size_t n)
{
    return row->type == CONFIG_PATHS ? is_path(p, n) : is_variable(p, n);
}

static const char *
needed(const struct config_row *row)
{
    return row->type == CONFIG_PATHS ? "paths that begin with / or ~/"
                                     : "names of variables, and not a secret's";
}

int
config_check_list(const struct config_row *row, const char *text, struct err *e)
{
    const char *item;
    size_t n, count = 0;

    while (config_item(&text, &item, &n)) {
        if (!fits(row, item, n))
            return err_set(e, ERR_CONFIG,
                           "%s must be %s, with colons between, or none; not "
                           "\"%.*s\"",
                           row->name, needed(row),
                           (int)(n < SHOWN_MAX ? n : SHOWN_MAX), item);
        if (++count > (size_t)row->max)
            return err_set(e, ERR_CONFIG, "%s has more than %.0f elements",
                           row->name, row->max);
    }
    return 0;
}

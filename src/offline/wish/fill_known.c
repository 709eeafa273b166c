/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill_known.c - what is known before a command runs: the day, whose home. */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "base/shell_quote.h"
#include "offline/wish/fill.h"

#define DAY_SIZE sizeof("2026-11-23")

static const char *
day(bool dashes, char text[DAY_SIZE])
{
    time_t now = time(NULL);
    struct tm tm;

    if (!localtime_r(&now, &tm) ||
        !strftime(text, DAY_SIZE, dashes ? "%Y-%m-%d" : "%Y%m%d", &tm))
        return "";
    return text;
}

static const char *
user(void)
{
    const struct passwd *p = getpwuid(geteuid());

    return p ? p->pw_name : "";
}

void
fill_known(struct buf *out, enum recipe_known known, bool bare)
{
    const char *home = path_home(), *value;
    char text[DAY_SIZE];

    if (known == RECIPE_KNOWN_HOME && !home) {
        buf_str(out, "~"); /* which the shell may know */
        return;
    }

    if (known == RECIPE_KNOWN_TODAY)
        value = day(true, text);
    else if (known == RECIPE_KNOWN_DAY)
        value = day(false, text);
    else if (known == RECIPE_KNOWN_USER)
        value = user();
    else
        value = home;
    if (bare)
        buf_str(out, value);
    else
        shell_quote_word(out, value);
}

/* dirname(3) and basename(3), of what is not to be changed. */
static char *
part_of(const char *path, char unit)
{
    size_t n = strlen(path), from;

    while (n > 1 && path[n - 1] == '/')
        n--;
    for (from = n; from > 0 && path[from - 1] != '/'; from--)
        ;
    if (unit == 'n')
        return n == 1 ? strndup(path, 1) : strndup(path + from, n - from);
    while (from > 1 && path[from - 1] == '/')
        from--;
    return from > 0 ? strndup(path, from) : strdup(".");
}

char *
fill_path(const char *path, bool plain, char unit)
{
    const char *home = path_home();
    char *whole = NULL, *part;

    if (plain && home && path[0] == '~' && (!path[1] || path[1] == '/'))
        part = asprintf(&whole, "%s%s", home, path + 1) < 0 ? NULL : whole;
    else
        part = whole = strdup(path);
    if (!part || !unit)
        return part;
    part = part_of(whole, unit);
    free(whole);
    return part;
}

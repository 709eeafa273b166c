/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_absolute.c - where a path of a command line lies, by its spelling. */
#include "guard/path/path_absolute.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"

/* What a path may begin with, and which directory it stands for. */
struct prefix {
    const char *text;
    bool home; /* else the working directory */
};

static const struct prefix prefixes[] = {
    {"~", true},       {"$HOME", true}, {"${HOME}", true}, {"$PWD", false},
    {"${PWD}", false}, {"~+", false},   {"$(pwd)", false}};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The directory that a path begins at, and what follows it. NULL: unknown. */
static const char *
base_of(const char **text, const char *dir, const struct risk_place *where)
{
    const char *t = *text;

    for (size_t i = 0; i < N_OF(prefixes); i++) {
        size_t n = strlen(prefixes[i].text);

        if (strncmp(t, prefixes[i].text, n) != 0 || (t[n] && t[n] != '/'))
            continue;
        *text += n;
        return prefixes[i].home ? where->home : dir;
    }
    if (t[0] == '/')
        return "";
    if (t[0] == '~' || t[0] == '$' || t[0] == '`')
        return NULL;
    return dir;
}

/* Whether what bash would expand stands in this component. */
static bool
expands(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("*?[$`{", p[i]))
            return true;
    return false;
}

/* How much of the text stands before the first component that expands. */
static size_t
literal_length(const char *text)
{
    size_t at = 0;

    while (text[at]) {
        size_t slashes = strspn(text + at, "/");
        size_t n = strcspn(text + at + slashes, "/");

        if (expands(text + at + slashes, n))
            break;
        at += slashes + n;
    }
    return at;
}

bool
path_absolute(const char *text, const char *dir, const struct risk_place *where,
              char out[PATH_MAX], bool *cut)
{
    const char *base = base_of(&text, dir, where);
    size_t n = literal_length(text);
    int len;

    if (!base || n >= PATH_MAX)
        return false;
    len = snprintf(out, PATH_MAX, "%s/%.*s", base, (int)n, text);
    if (len < 0 || len >= PATH_MAX || out[0] != '/')
        return false;
    *cut = text[n] != '\0';
    path_clean(out);
    return true;
}

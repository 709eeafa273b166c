/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - where a path of a command line lies, by its spelling alone. */
#include "guard/place.h"

#include <stdio.h>
#include <string.h>

/* What a path may begin with, and which directory it stands for. */
struct prefix {
    const char *text;
    bool home; /* else the working directory */
};

static const struct prefix prefixes[] = {
    {"~", true},       {"$HOME", true}, {"${HOME}", true}, {"$PWD", false},
    {"${PWD}", false}, {"~+", false},   {"$(pwd)", false}};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

void
place_clean(char *path)
{
    char *to = path;

    for (const char *p = path; *p;) {
        size_t n;

        p += strspn(p, "/");
        n = strcspn(p, "/");
        if (n == 2 && p[0] == '.' && p[1] == '.') {
            while (to > path && *--to != '/')
                ;
        } else if (n > 0 && !(n == 1 && p[0] == '.')) {
            *to++ = '/';
            memmove(to, p, n);
            to += n;
        }
        p += n;
    }
    if (to == path)
        *to++ = '/';
    *to = '\0';
}

bool
place_is_below(const char *path, const char *dir)
{
    size_t n = strlen(dir);

    if (n == 1 && dir[0] == '/')
        return true;
    return strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

bool
place_holds(const char *path, const char *part)
{
    size_t n = strlen(part);

    for (const char *p = path; (p = strstr(p, part)); p++)
        if ((p == path || p[-1] == '/') && (!p[n] || p[n] == '/'))
            return true;
    return false;
}

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
place_absolute(const char *text, const char *dir,
               const struct risk_place *where, char out[PATH_MAX], bool *cut)
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
    place_clean(out);
    return true;
}

const char *
place_short(const char *path, const char *home, char out[PATH_MAX])
{
    size_t n = home ? strlen(home) : 0;

    if (n > 1 && place_is_below(path, home))
        snprintf(out, PATH_MAX, "~%s", path + n);
    else
        snprintf(out, PATH_MAX, "%s", path);
    return out;
}

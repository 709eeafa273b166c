/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_find.c - patterns, and the stanza that a program's name has. */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "guard/risk/risk_args.h"

/* Whether a character is in a set [a-z], [!a-z]; *at is moved behind it. */
static bool
is_in_set(const char **at, char c)
{
    const char *p = *at + 1;
    bool negated = *p == '!' || *p == '^', found = false;

    p += negated;
    for (const char *first = p; *p && (*p != ']' || p == first); p++) {
        if (p[1] == '-' && p[2] && p[2] != ']') {
            found = found || (c >= p[0] && c <= p[2]);
            p += 2;
        } else {
            found = found || c == *p;
        }
    }
    *at = *p ? p + 1 : p;
    return found != negated;
}

/* Whether the pattern's next piece, no *, fits c; it is moved behind it. */
static bool
fits(const char **pattern, char c)
{
    char p = **pattern;

    if (p == '[')
        return is_in_set(pattern, c);
    if (!p || (p != '?' && p != c))
        return false;
    ++*pattern;
    return true;
}

/* Goes back to the last * only: pattern's length times text's. */
bool
risk_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *held = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            held = text;
        } else if (fits(&pattern, *text)) {
            text++;
        } else if (star) {
            pattern = star;
            text = ++held;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

/* mkfs.ext4 is mkfs; python3.11 python3, gcc-12 gcc. */
static const struct program *
find_shortened(char *base)
{
    static const char *const families[] = {"mkfs.", "fsck.", "mount.",
                                           "umount.", NULL};
    size_t n = strlen(base);

    for (const char *const *f = families; *f; f++)
        if (strncmp(base, *f, strlen(*f)) == 0)
            n = strlen(*f);
    while (n > 1 && strchr(".-0123456789", base[n - 1])) {
        const struct program *p;

        base[--n] = '\0';
        p = program_find(base);
        if (p)
            return p;
    }
    return NULL;
}

const struct program *
risk_find_program(const char *name, char *base, size_t size)
{
    const char *last = path_base(name);
    const struct program *p = program_find(last);

    if (strlen(last) >= size) {
        base[0] = '\0';
        return NULL;
    }
    snprintf(base, size, "%s", last);
    if (p || !last[0])
        return p;
    p = find_shortened(base);
    if (!p)
        snprintf(base, size, "%s", last);
    return p;
}

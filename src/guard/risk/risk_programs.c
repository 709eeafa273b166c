/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_programs.c - finds a program's stanza in the tables that the build
 * made. */
#include "guard/risk/risk_programs.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "guard/risk/risk.h"

#include "src/guard/risk/programs.inc"

#define N_PROGRAMS ARRAY_SIZE(programs)

/* The index of the first stanza whose name sorts at or behind this one; may be
 * N_PROGRAMS. */
static size_t
first_stanza_from(const char *name)
{
    size_t low = 0, high = N_PROGRAMS;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(name, texts + programs[middle].name) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct program *
risk_program_find(const char *name)
{
    size_t i = first_stanza_from(name);

    return i < N_PROGRAMS && strcmp(name, texts + programs[i].name) == 0
               ? &programs[i]
               : NULL;
}

bool
risk_knows_program(const char *name)
{
    size_t i = first_stanza_from(name), n = strlen(name);

    /* a program's subcommands follow it directly: the blank sorts before any
     * character of a name */
    return i < N_PROGRAMS && n > 0 &&
           strncmp(texts + programs[i].name, name, n) == 0 &&
           strchr(" ", texts[programs[i].name + n]) != NULL;
}

const char *
risk_program_text(uint32_t text)
{
    return texts + text;
}

const struct program_word *
risk_program_words(uint32_t list)
{
    return words + list;
}

const struct program_rule *
risk_program_rules(const struct program *p)
{
    return rules + p->rules;
}

const struct program_clause *
risk_program_clauses(const struct program_rule *r)
{
    return clauses + r->clauses;
}

/* Patterns, and the stanza of a program as it is called. */

/* Whether a character is in a set [a-z], [!a-z]; moves *at behind the set. */
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

/* Whether the pattern's next item, which is not *, matches c; moves *pattern
 * behind it. */
static bool
matches_char(const char **pattern, char c)
{
    char p = **pattern;

    if (p == '[')
        return is_in_set(pattern, c);
    if (!p || (p != '?' && p != c))
        return false;
    ++*pattern;
    return true;
}

/* Backtracks to the last * only: at most pattern length times text length. */
bool
risk_pattern_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *held = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            held = text;
        } else if (matches_char(&pattern, *text)) {
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

/* mkfs.ext4 is looked up as mkfs, python3.11 as python3, gcc-12 as gcc. */
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
        p = risk_program_find(base);
        if (p)
            return p;
    }
    return NULL;
}

const struct program *
risk_program_find_command(const char *name, char *base, size_t size)
{
    const char *last = path_base(name);
    const struct program *p = risk_program_find(last);

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

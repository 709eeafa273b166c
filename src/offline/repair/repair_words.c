/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_words.c - reads the lists and tables that stand among the rules. */
#include "offline/repair/repair_words.h"

#include <stdio.h>
#include <string.h>

#include "offline/repair/repair.h"

/* What follows the head "\nKIND NAME:"; NULL: there is none. */
static const char *
find_data(const char *kind, const char *name)
{
    char head[96];
    const char *found;

    snprintf(head, sizeof(head), "\n%s %s:", kind, name);
    found = strstr(repair_rules_text(), head);
    return found ? found + strlen(head) : NULL;
}

bool
repair_words_is_list(const char *name)
{
    return find_data("words", name) != NULL;
}

bool
repair_words_next(const char *name, const char **at, char *word, size_t size)
{
    const char *p = *at ? *at : find_data("words", name);
    size_t n;

    if (!p)
        return false;
    while (*p == ' ' || (p[0] == '\n' && p[1] == ' '))
        p++;
    n = strcspn(p, " \n");
    if (n == 0 || (p[-1] != ' '))
        return false;
    snprintf(word, size, "%.*s", (int)n, p);
    *at = p + n;
    return true;
}

bool
repair_words_has(const char *name, const char *word)
{
    const char *at = NULL;
    char one[64];

    while (repair_words_next(name, &at, one, sizeof(one))) {
        if (strcmp(one, word) == 0)
            return true;
    }
    return false;
}

bool
repair_words_map(const char *name, const char *key, char *out, size_t size)
{
    const char *p = find_data("map", name);
    size_t n = strlen(key);

    p = p ? p + strspn(p, "\n") : NULL;
    for (; p && *p == ' '; p += strcspn(p, "\n"), p += *p == '\n') {
        const char *row = p + strspn(p, " ");

        if (strncmp(row, key, n) == 0 && row[n] == ' ') {
            row += n + strspn(row + n, " ");
            snprintf(out, size, "%.*s", (int)strcspn(row, "\n"), row);
            return true;
        }
    }
    return false;
}

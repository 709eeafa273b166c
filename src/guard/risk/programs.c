/* SPDX-License-Identifier: GPL-3.0-or-later */
/* programs.c - finds a program's stanza in the table that the build made. */
#include "guard/risk/programs.h"

#include <string.h>

#include "guard/risk/risk.h"

#include "src/guard/risk/programs.inc"

const struct program *
program_find(const char *name)
{
    size_t low = 0, high = sizeof(programs) / sizeof(programs[0]);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, texts + programs[middle].name);

        if (order == 0)
            return &programs[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *
program_text(uint32_t text)
{
    return texts + text;
}

const struct program_word *
program_words(uint32_t list)
{
    return words + list;
}

const struct program_rule *
program_rules(const struct program *p)
{
    return rules + p->rules;
}

const struct program_clause *
program_clauses(const struct program_rule *r)
{
    return clauses + r->clauses;
}

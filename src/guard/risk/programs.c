/* SPDX-License-Identifier: GPL-3.0-or-later */
/* programs.c - finds a program's stanza in the table that the build made. */
#include "guard/risk/programs.h"

#include <string.h>

#include "guard/risk/risk.h"

#include "src/guard/risk/programs.inc"

#define N_PROGRAMS (sizeof(programs) / sizeof(programs[0]))

/* The first stanza whose name does not stand before that one; N_PROGRAMS. */
static size_t
first_from(const char *name)
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
program_find(const char *name)
{
    size_t i = first_from(name);

    return i < N_PROGRAMS && strcmp(name, texts + programs[i].name) == 0
               ? &programs[i]
               : NULL;
}

bool
risk_knows_program(const char *name)
{
    size_t i = first_from(name), n = strlen(name);

    /* what follows a name directly are its subcommands: the blank sorts before
     * all that a name may hold */
    return i < N_PROGRAMS && n > 0 &&
           strncmp(texts + programs[i].name, name, n) == 0 &&
           strchr(" ", texts[programs[i].name + n]) != NULL;
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

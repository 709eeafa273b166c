/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subcommand.c - the subcommand that a mistyped one was meant to be. */
#include "offline/engine/subcommand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/cleanup.h"
#include "config/nearest.h"
#include "offline/index/index.h"
#include "offline/manual/manpath.h"

#define WORD_SIZE 32 /* of a program's or subcommand's name */

/* A copy of the first word of text that consists of letters and hyphens, for a
 * name; the text behind it. NULL: it begins with none. */
static const char *
take_name_word(const char *text, char word[WORD_SIZE])
{
    size_t n = 0;

    while (text[n] == '-' || ascii_is_word(text[n]))
        n++;
    if (n == 0 || n >= WORD_SIZE || text[0] == '-' ||
        (text[n] && text[n] != ' '))
        return NULL;
    memcpy(word, text, n);
    word[n] = '\0';
    return text + n;
}

/* The subcommand of the program that a command of a recipe calls. */
static bool
subcommand_of(const char *command, const char *program, char word[WORD_SIZE])
{
    size_t n = strlen(program);

    return strncmp(command, program, n) == 0 && command[n] == ' ' &&
           take_name_word(command + n + 1, word);
}

/* What the recipes know of the program's subcommands. */
struct subcommand_search {
    const char *program, *wanted;
    struct nearest near;
    bool known; /* it is one itself */
};

static void
consider_command(struct subcommand_search *q, const char *command)
{
    char word[WORD_SIZE];

    if (!subcommand_of(command, q->program, word))
        return;
    if (strcmp(word, q->wanted) == 0)
        q->known = true;
    nearest_consider(&q->near, word);
}

static void
search_recipe_commands(struct subcommand_search *q)
{
    const struct index *x = index_builtin();
    struct recipe r;

    for (size_t i = 0; x && i < index_count(x) && !q->known; i++) {
        index_recipe(x, i, &r);
        for (size_t k = 0; k < r.n_steps; k++) {
            if (r.steps[k].command)
                consider_command(q, r.steps[k].command);
        }
    }
}

static bool
has_own_page(const struct seat *s, const char *program, const char *word)
{
    struct manpath_hit hit;
    char name[2 * WORD_SIZE];

    snprintf(name, sizeof(name), "%s-%s", program, word);
    if (manpath_find(s, name, &hit) < 0)
        return false;
    free(hit.path);
    return true;
}

bool
subcommand_mend(const struct seat *s, const char *line, struct buf *out)
{
    char program[WORD_SIZE], word[WORD_SIZE];
    struct subcommand_search q = {.program = program, .wanted = word};
    const char *rest = take_name_word(line, program);

    if (!rest || *rest != ' ')
        return false;
    rest = take_name_word(rest + strspn(rest, " "), word);
    if (!rest)
        return false;
    nearest_init(&q.near, word);
    search_recipe_commands(&q);
    if (q.known || !q.near.best || has_own_page(s, program, word))
        return false;
    buf_printf(out, "%s %s%s", program, q.near.best, rest);
    return true;
}

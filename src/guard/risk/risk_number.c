/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_number.c - recognizes commands that print digits and nothing else. */
#include <string.h>

#include "base/array.h"
#include "guard/risk/risk_evaluate.h"

/* A program, a word that has to be among its arguments (of an option any of its
 * letters), and the maximum number of arguments. */
static const struct number_program {
    const char *name;
    const char *word; /* NULL: none is needed */
    size_t most;
} number_programs[] = {
    {"wc", "-l", 1},
    {"wc", "-c", 1},
    {"wc", "-w", 1},
    {"wc", "-m", 1},
    {"wc", "-L", 1},
    {"grep", "-c", 3},
    {"nproc", NULL, 2},
    {"id", "-u", 2},
    {"id", "-g", 2},
    {"pgrep", NULL, 9},
    {"pidof", NULL, 9},
    {"seq", NULL, 4},
    {"tput", "cols", 1},
    {"tput", "lines", 1},
    {"getconf", NULL, 1},
    {"shuf", "-i", 5},
    {"lsof", "-t", 9},
    {"cksum", NULL, 0},
    {"date", "+%s", 3},
    {"date", "+%Y", 3},
    {"date", "+%m", 3},
    {"date", "+%d", 3},
    {"date", "+%H", 3},
    {"date", "+%M", 3},
    {"date", "+%S", 3},
    {"date", "+%N", 3},
    {"date", "+%j", 3},
    {"date", "+%u", 3},
    {"date", "+%V", 3},
    {"date", "+%s%N", 3},
    {"date", "+%Y%m%d", 3},
    {"stat", "-c%s", 2},
    {"stat", "%s", 3},
    {"stat", "%Y", 3},
    {"stat", "-f%z", 2},
    {"stat", "%z", 3},
    {"stat", "--format=%s", 2},
    {"stat", "--format=%Y", 2},
    {"git", "--count", 9},
    {"tr", "-cd", 2},
    {"tr", "-dc", 2},
};

static bool
has_word(const struct syntax_node *n, const char *word)
{
    for (const struct syntax_word *w = n->words->next; w; w = w->next) {
        if (w->flags & SYNTAX_EXPANDS)
            continue;
        if (strcmp(w->text, word) == 0)
            return true;
        if (word[0] == '-' && word[1] != '-' && !word[2] && w->text[0] == '-' &&
            w->text[1] != '-' && strchr(w->text, word[1]))
            return true;
    }
    return false;
}

static bool
are_digits(const struct syntax_word *w)
{
    for (; w; w = w->next)
        if (strspn(w->text, "0123456789") != strlen(w->text))
            return false;
    return true;
}

/* Whether only digits are kept: tr -cd 0-9, grep -o '[0-9]*'. */
static bool
keeps_digits(const struct syntax_node *n)
{
    const struct syntax_word *last = n->words;

    while (last->next)
        last = last->next;
    return strcmp(last->text, "[:digit:]") == 0 ||
           strcmp(last->text, "[[:digit:]]*") == 0 ||
           strcmp(last->text, "[[:digit:]]+") == 0 ||
           strspn(last->text, "[]0123456789-+*\\") == strlen(last->text);
}

/* Whether the command prints nothing without an option that asks for it. */
static bool
is_silent(const struct syntax_node *n)
{
    static const char *const names[] = {
        "cd",    "chgrp", "chmod", "chown", "cp",  "false", "kill", "ln",
        "mkdir", "mv",    "rm",    "rmdir", "set", "sleep", "test", "touch",
        "true",  "unset", "wait",  ":",     "[",   NULL};
    const char *const *name = names;

    while (*name && strcmp(*name, n->words->text) != 0)
        name++;
    for (const struct syntax_word *w = n->words->next; *name && w; w = w->next)
        if (w->text[0] == '-' && strpbrk(w->text, "cvL"))
            return false;
    return *name && !n->redirects;
}

static bool
is_number_call(const struct syntax_node *n)
{
    const char *name;

    if (n->kind != SYNTAX_CALL || !n->words)
        return false;
    name = n->words->text;
    if (strcmp(name, "echo") == 0)
        return are_digits(n->words->next);
    if (is_silent(n))
        return true;
    if (strcmp(name, "tr") == 0 && !keeps_digits(n))
        return false;
    if (strcmp(name, "grep") == 0 && has_word(n, "-o"))
        return keeps_digits(n);
    for (size_t i = 0; i < ARRAY_SIZE(number_programs); i++)
        if (strcmp(number_programs[i].name, name) == 0 &&
            n->n_words - 1 <= number_programs[i].most &&
            (!number_programs[i].word || has_word(n, number_programs[i].word)))
            return true;
    return false;
}

/* A pipeline prints what its last command prints, a list what all of them do;
 * its last command may be a pipeline. */
bool
risk_prints_number(const struct syntax_node *body)
{
    const struct syntax_node *n = body;

    if (!n)
        return true;
    if (n->kind == SYNTAX_LIST) {
        for (n = n->kids; n && n->kind == SYNTAX_CALL; n = n->next)
            if (!is_number_call(n))
                return false;
        if (!n)
            return true;
        if (n->next)
            return false;
    }
    if (n->kind == SYNTAX_PIPELINE)
        for (n = n->kids; n && n->next;)
            n = n->next;
    return n && is_number_call(n);
}

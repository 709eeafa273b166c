/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_calls.c - the commands of lines, for the tests beside it to compare.
 *
 * Reads lines that end with NUL bytes; writes for each 0x03 and the fault, or
 * its calls: the words end with 0x1f, calls with 0x1e, the line with NUL. A
 * word that expands is 0x01 alone; one whose text cannot be compared, 0x02.
 *
 * With -r it writes what the line would do: its facts as a number, 0x1e, and
 * the calls that were found, unwrapped; a word that is not known is 0x01. Each
 * path that is made, changed or deleted is a call of ">". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/risk/risk.h"

/* Patterns and braces stand as written: with quotes in them, who knows. */
static char
opaque(const struct syntax_word *w)
{
    char mark = w->flags & SYNTAX_ANSI ? 2 : 0;

    for (const struct syntax_part *t = w->parts; t; t = t->next) {
        bool as_written = t->kind == SYNTAX_GLOB || t->kind == SYNTAX_BRACE;

        if (t->kind == SYNTAX_GLOB && strchr(t->text, '('))
            return 1;
        if (as_written && strpbrk(t->text, "\\'\"$`"))
            mark = 2;
        else if (t->kind != SYNTAX_TEXT && t->kind != SYNTAX_TILDE &&
                 !as_written)
            return 1;
    }
    return mark;
}

static void
print_line(const char *line, size_t n)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    struct err e;

    if (syntax_read(line, n, &s, &e) < 0 || s.fault) {
        printf("\x03%s", s.fault ? s.fault : e.text);
        return;
    }
    for (const struct syntax_node *node = s.all; node; node = node->after) {
        if (node->kind != SYNTAX_CALL || !node->words)
            continue;
        for (const struct syntax_word *w = node->words; w; w = w->next) {
            char mark = opaque(w);

            if (mark)
                printf("%c\x1f", mark);
            else
                printf("%s\x1f", w->text);
        }
        putchar('\x1e');
    }
}

static void
print_risk(const char *line, size_t n)
{
    static const struct path_context where = {
        .cwd = "/nowhere", .home = "/home/nobody", .path = "/usr/bin:/bin"};
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    struct err e;

    if (syntax_read(line, n, &s, &e) < 0 || risk_read(&s, &where, &r, &e) < 0) {
        printf("\x03%s", e.text);
        return;
    }
    printf("%u\x1e", r.facts);
    for (size_t i = 0; i < r.n_calls; i++) {
        const struct risk_call *c = &r.calls[i];

        for (size_t j = 0; j < c->n; j++)
            printf("%s\x1f",
                   c->expands[j] & SYNTAX_EXPANDS ? "\x01" : c->argv[j]);
        putchar('\x1e');
    }
    for (size_t i = 0; i < r.n_paths; i++)
        if (r.paths[i].use != RISK_READS)
            printf(">\x1f%s\x1f\x1e",
                   r.paths[i].known ? r.paths[i].text : "\x01");
}

int
main(int argc, char **argv)
{
    bool risk = argc > 1 && strcmp(argv[1], "-r") == 0;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;

    while ((n = getdelim(&line, &cap, '\0', stdin)) > 0) {
        (risk ? print_risk : print_line)(line,
                                         (size_t)n - (line[n - 1] == '\0'));
        putchar('\0');
    }
    free(line);
    return 0;
}

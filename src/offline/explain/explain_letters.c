/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_letters.c - arguments without a dash that are more than operands. */
#include <ctype.h>
#include <string.h>

#include "offline/explain/explain_args.h"

/* A letter of ps: a word of the page that is one letter long. */
static bool
take_bare_letters(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t from, to;

    for (const char *p = t; *p; p++)
        if (!isalpha((unsigned char)*p) || !program_term(a->p, p, 1))
            return false;
    for (size_t k = 0; t[k]; k++) {
        const struct page_row *row = program_term(a->p, t + k, 1);
        char what[2] = {t[k], '\0'};

        args_add_option(a, w, k, k + 1, what, row);
        if (!*row->field[1])
            continue;
        if (t[k + 1]) {
            args_range(a, w, k + 1, strlen(t), &from, &to);
            args_add_value(a, from, to, row, what, 1);
        } else {
            args_take_value(a, row, what, 1);
        }
        break;
    }
    return true;
}

/* tar xzf: letters first, then their values in the letters' order. */
static bool
take_old_cluster(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;

    for (const char *p = t; *p; p++) {
        char name[3] = {'-', *p, '\0'};
        enum option_takes takes;

        if (!program_option(a->p, name, 2, &takes))
            return false;
    }
    for (size_t k = 0; t[k]; k++) {
        char name[3] = {'-', t[k], '\0'};
        enum option_takes takes = TAKES_NOTHING;
        const struct page_row *row = program_option(a->p, name, 2, &takes);

        args_add_option(a, w, k, k + 1, name + 1, row);
        if (takes == TAKES_VALUE)
            args_take_value(a, row, name + 1, 1);
    }
    return true;
}

bool
explain_letters(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];

    if (!syntax_word_is_literal(w) || !*w->text)
        return false;
    if (a->i == 1 && program_quirk(a->p, "bundle"))
        return take_old_cluster(a, w);
    if (program_quirk(a->p, "letters"))
        return take_bare_letters(a, w);
    return false;
}

bool
explain_keyword(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];
    size_t n = strlen(w->text);
    const struct page_row *ours, *row;

    if (!a->family || !syntax_word_is_literal(w))
        return false;
    ours = page_term(a->family->table, w->text, n);
    row = ours ? ours : program_term(a->p, w->text, n);
    if (!row)
        return false;
    args_add_option(a, w, 0, n, w->text, row);
    if (!ours && *row->field[1])
        args_take_value(a, row, w->text, n);
    return true;
}

bool
explain_term(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];
    const char *t = w->text;
    size_t n = strcspn(t, "="), from, to;
    const struct page_row *row;

    if (t[n] == '=' && n > 0 && (row = program_term(a->p, t, n + 1))) {
        args_add_option(a, w, 0, n + 1, NULL, row);
        args_range(a, w, n + 1, strlen(t), &from, &to);
        if (t[n + 1])
            args_add_value(a, from, to, row, t, n);
        return true;
    }
    /* find's ( and !, the operators of test */
    if (*t && !isalnum((unsigned char)*t) &&
        (row = program_term(a->p, t, strlen(t)))) {
        explain_add_word(a->s, w, EXPLAIN_OPERATOR, "%s", row->field[2]);
        args_note(a, row, a->s->base + w->from, a->s->base + w->to);
        return true;
    }
    return false;
}

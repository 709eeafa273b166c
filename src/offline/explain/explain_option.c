/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_option.c - options, as programs write them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_args.h"

/* So many make them the program's way, and not one odd name; and so many
 * letters make a word. */
#define WORDS_MIN 3

/* find -exec COMMAND … ; or + */
static void
take_command(struct args *a)
{
    size_t from = a->i + 1, to = from;
    struct call inner = {.s = a->s};
    const struct syntax_word *end;

    while (to < a->c->n && strcmp(a->c->argv[to]->text, ";") != 0 &&
           !(strcmp(a->c->argv[to]->text, "+") == 0 && to > from &&
             strcmp(a->c->argv[to - 1]->text, "{}") == 0))
        to++;
    inner.argv = a->c->argv + from;
    inner.n = to - from;
    a->s->x->depth++;
    if (inner.n > 0)
        a->inner = explain_call(&inner);
    a->s->x->depth--;
    end = args_word(a, to);
    if (end)
        explain_add_word(a->s, end, EXPLAIN_OPERATOR,
                         end->text[0] == '+'
                             ? "ends the command, which gets many names at once"
                             : "ends the command");
    a->i = to;
}

/* "--force-all" of a page's "--force-THINGS", "--no-x" of "--no-OPTION". */
static const struct page_row *
find_family(const struct args *a, const char *t, size_t n)
{
    static const char no[] = "--no-OPTION";
    const struct page_row *row = NULL;
    enum option_takes takes;

    while (!row && --n > 3)
        if (t[n - 1] == '-')
            row = program_option(a->p, t, n, &takes);
    if (!row && strncmp(t, "--no-", 5) == 0)
        row = program_option(a->p, no, sizeof(no) - 1, &takes);
    return row;
}

/* bash -w: no option of bash, but its page has one of this name. */
static bool
take_of_builtin(struct args *a, const struct syntax_word *w)
{
    const struct page_row *row = NULL;
    const char *builtin = "";
    size_t n = strlen(w->text), from, to;

    if (a->p->page && strcmp(a->p->page->name, "bash") == 0)
        row = page_builtin_option(a->p->page, w->text, n, &builtin);
    if (!row || !*row->field[2])
        return false;
    args_range(a, w, 0, n, &from, &to);
    explain_add(a->s->x, EXPLAIN_OPTION, from, to, NULL,
                "of bash's %s, not of bash itself: %s", builtin, row->field[2]);
    return true;
}

/* An option that a builtin does not know, but the program of the same name:
 * kill --list, test --help. */
static bool
take_of_program(struct args *a, const struct syntax_word *w)
{
    const struct page_row *row = NULL;
    const struct program *other;
    size_t n = strcspn(w->text, "="), from, to;
    enum option_takes takes;
    char path[64];

    if (!program_is_builtin(a->p))
        return take_of_builtin(a, w);
    if (snprintf(path, sizeof(path), "/bin/%s", a->p->name) >=
        (int)sizeof(path))
        return false;
    other = knowledge_get(&a->s->x->known, path);
    if (other && other->page)
        row = page_option(other->page, w->text, n, &takes);
    if (!row || !*row->field[2])
        return false;
    args_range(a, w, 0, strlen(w->text), &from, &to);
    explain_add(a->s->x, EXPLAIN_OPTION, from, to, NULL,
                "of the program %s, which the builtin of this name hides: %s",
                path, row->field[2]);
    return true;
}

static void
take_long(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t n = strcspn(t, "="), from, to;
    enum option_takes takes = TAKES_NOTHING;
    const struct page_row *row = program_option(a->p, t, n, &takes);
    char what[128];

    if (!row)
        row = program_option_prefix(a->p, t, n, &takes);
    if (!row)
        row = find_family(a, t, n);
    if (!row && take_of_program(a, w))
        return;
    snprintf(what, sizeof(what), "%.*s", (int)n, t);
    args_add_option(a, w, 0, n + (t[n] == '='), what, row);
    if (t[n] == '=' && row) {
        args_range(a, w, n + 1, strlen(t), &from, &to);
        args_add_value(a, from, to, row, t, n);
    } else if (row && args_value_follows(a, t, n, takes)) {
        args_take_value(a, row, t, n);
    }
}

/* find's "-not expr": what follows is the next test, and no value. */
static bool
is_before_test(const struct page_row *row)
{
    return strncmp(row->field[1], "expr", 4) == 0;
}

/* A whole word with one dash: -name, -9, -std=c99. False when it is not
 * known as such. */
static bool
take_whole(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t n = strlen(t), cut = strcspn(t, "=");
    enum option_takes takes = TAKES_NOTHING;
    const struct page_row *row = program_option(a->p, t, n, &takes);
    char what[128];
    size_t from, to;

    if (row) {
        args_add_option(a, w, 0, n, t, row);
        if (args_is_listed(a, "until", t, n))
            take_command(a);
        else if (!is_before_test(row) && args_value_follows(a, t, n, takes))
            args_take_value(a, row, t, n);
        return true;
    }
    row = cut < n && cut > 2 ? program_option(a->p, t, cut, &takes) : NULL;
    if (!row)
        return false;
    snprintf(what, sizeof(what), "%.*s", (int)cut, t);
    args_add_option(a, w, 0, cut + 1, what, row);
    args_range(a, w, cut + 1, n, &from, &to);
    args_add_value(a, from, to, row, t, cut);
    return true;
}

/* The option's own text is its value: the 20 of -20. */
static void
args_note_value(struct args *a, const struct syntax_word *w, size_t k)
{
    struct fact_option *last = a->n_used ? &a->used[a->n_used - 1] : NULL;

    if (last)
        args_range(a, w, k, strlen(w->text), &last->from, &last->to);
}

/* -20, where the program knows any number behind a dash. */
static bool
take_number(struct args *a, const struct syntax_word *w)
{
    static const char *const forms[] = {"-NUM", "-#"};
    const char *t = w->text;
    enum option_takes takes;

    if (strspn(t + 1, "0123456789") != strlen(t + 1))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const struct page_row *row = program_option(a->p, forms[i],
                                                    strlen(forms[i]), &takes);

        if (row) {
            args_add_option(a, w, 0, strlen(t), t, row);
            args_note_value(a, w, 1);
            return true;
        }
    }
    return false;
}

/* kill -USR1, where the program takes the name of a signal. */
static bool
take_signal(struct args *a, const struct syntax_word *w)
{
    static const char form[] = "-SIGNAL";
    const char *t = w->text;
    enum option_takes takes;
    const struct page_row *row;

    if (!program_quirk(a->p, "signals") || strlen(t) < 3 ||
        strspn(t + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ012+-") != strlen(t + 1))
        return false;
    row = program_option(a->p, form, sizeof(form) - 1, &takes);
    if (!row)
        return false;
    args_add_option(a, w, 0, strlen(t), t, row);
    args_note_value(a, w, 1);
    return true;
}

/* Whether every letter up to the first with a value is an option. */
static bool
is_cluster(const struct args *a, const char *letters, char dash)
{
    for (const char *p = letters; *p; p++) {
        char name[3] = {dash, *p, '\0'};
        enum option_takes takes = TAKES_NOTHING;

        if (!program_option(a->p, name, 2, &takes))
            return false;
        if (takes != TAKES_NOTHING)
            return true;
    }
    return true;
}

/* Whether a page has options of several letters behind one dash: -name. */
static bool
has_words(const struct page *page)
{
    size_t n = 0;

    for (size_t i = 0; page && i < page->n && n < WORDS_MIN; i++) {
        const char *t = page->rows[i].field[0];

        n += page->rows[i].kind == 'O' && t[0] == '-' &&
             islower((unsigned char)t[1]) && islower((unsigned char)t[2]) &&
             islower((unsigned char)t[3]);
    }
    return n == WORDS_MIN;
}

/* Whether it is letters of which one is wrong, and no unknown word. */
static bool
is_slip(const struct args *a, const char *letters, char dash)
{
    size_t known = 0;

    for (const char *p = letters; *p; p++) {
        char name[3] = {dash, *p, '\0'};
        enum option_takes takes;

        known += program_option(a->p, name, 2, &takes) != NULL;
    }
    return known > 0 && known + 1 >= strlen(letters) &&
           (strlen(letters) < WORDS_MIN ||
            (!has_words(a->p->page) && !has_words(a->p->table)));
}

/* -xzvf FILE, -n5: each letter by itself. */
static void
take_cluster(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t from, to;

    for (size_t k = 1; t[k]; k++) {
        char name[3] = {t[0], t[k], '\0'};
        enum option_takes takes = TAKES_NOTHING;
        const struct page_row *row = program_option(a->p, name, 2, &takes);

        args_add_option(a, w, k == 1 ? 0 : k, k + 1, name, row);
        if (!row || takes == TAKES_NOTHING)
            continue;
        if (t[k + 1]) {
            args_range(a, w, k + 1, strlen(t), &from, &to);
            args_add_value(a, from, to, row, name, 2);
        } else if (args_value_follows(a, name, 2, takes)) {
            args_take_value(a, row, name, 2);
        }
        return;
    }
}

/* Whether a value may be glued to an option of n bytes: behind a name of
 * several letters another letter makes another option, "-namefoo". */
static bool
may_be_glued(const char *word, size_t n)
{
    return n == 2 || !isalpha((unsigned char)word[n]);
}

/* The longest known option that the word begins with: -O3, -Xmx512m. */
static bool
take_beginning(struct args *a, const struct syntax_word *w)
{
    const char *t = w->text;
    size_t from, to;

    for (size_t n = strlen(t) - 1; n > 1; n--) {
        enum option_takes takes = TAKES_NOTHING;
        const struct page_row *row = program_option(a->p, t, n, &takes);
        char what[64];

        if (!row || takes == TAKES_NOTHING || !may_be_glued(t, n))
            continue;
        snprintf(what, sizeof(what), "%.*s", (int)n, t);
        args_add_option(a, w, 0, n, what, row);
        args_range(a, w, n, strlen(t), &from, &to);
        args_add_value(a, from, to, row, t, n);
        return true;
    }
    return false;
}

bool
explain_is_text(const struct args *a, const struct syntax_word *w)
{
    return program_quirk(a->p, "text") && w->text[1] != '\0' &&
           !is_cluster(a, w->text + 1, w->text[0]);
}

void
explain_option(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];
    const char *t = w->text;

    if (t[1] == '-' && t[0] == '-') {
        take_long(a, w);
        return;
    }
    if (take_whole(a, w) || take_number(a, w) || take_signal(a, w))
        return;
    if (is_cluster(a, t + 1, t[0]))
        take_cluster(a, w);
    else if (take_beginning(a, w))
        return;
    else if (is_slip(a, t + 1, t[0]))
        take_cluster(a, w);
    else if (!take_of_program(a, w))
        args_add_option(a, w, 0, strlen(t), t, NULL);
}

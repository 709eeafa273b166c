/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_operands.c - what each operand is to its command. */
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "offline/explain/explain_args.h"
#include "offline/explain/explain_phrase.h"
#include "offline/manual/synopsis.h"

/* Whether one of the options that were used is spelled so. */
static bool
is_used(const struct operands *o, const char *option, size_t n)
{
    for (size_t i = 0; i < o->n_used; i++)
        if (page_row_names(o->used[i].row, option, n))
            return true;
    return false;
}

/* "+-c +-r": one of them was used; "!-e !-f": none was. */
static bool
holds(const struct operands *o, const char *conditions)
{
    bool wants = false, found = false;

    while (*conditions) {
        size_t n = strcspn(conditions, " ");
        bool used = n > 1 && is_used(o, conditions + 1, n - 1);

        if (*conditions == '!' && used)
            return false;
        wants = wants || *conditions == '+';
        found = found || (*conditions == '+' && used);
        conditions += n;
        conditions += strspn(conditions, " ");
    }
    return found || !wants;
}

/* Whether the conditions have the word -- by itself. */
static bool
is_behind(const char *conditions)
{
    const char *at = strstr(conditions, "--");

    return at && (at == conditions || at[-1] == ' ') &&
           (at[2] == '\0' || at[2] == ' ');
}

/* The operands of a table, as far as the options let them be. */
static size_t
slots_of_table(const struct page *t, const struct operands *o,
               struct synopsis_slot *slots)
{
    bool many = false;
    size_t n = 0;

    for (size_t i = 0; t && i < t->n && n < SYNOPSIS_SLOTS_MAX; i++) {
        const struct page_row *row = &t->rows[i];
        size_t len = strlen(row->field[0]);
        bool repeats = len > 3 && !strcmp(row->field[0] + len - 3, "...");

        if (row->kind != 'P' || !holds(o, row->field[1]) || (many && repeats))
            continue;
        many = many || repeats;
        slots[n] = (struct synopsis_slot){.repeats = repeats,
                                          .behind = is_behind(row->field[1]),
                                          .meaning = row->field[2]};
        n++;
    }
    return n;
}

/* Which slot operand i of n fills: those before the one that repeats in
 * order, those behind it from the end. */
static const struct synopsis_slot *
slot_for(const struct synopsis_slot *slots, size_t n_slots, size_t i, size_t n)
{
    size_t many = 0, behind;

    while (many < n_slots && !slots[many].repeats)
        many++;
    if (many == n_slots || i < many)
        return i < n_slots ? &slots[i] : NULL;
    behind = n_slots - many - 1;
    if (n - i <= behind && i > many)
        return &slots[n_slots - (n - i)];
    return &slots[many];
}

/* "what is read; standard input when nothing is named": only the first half
 * is of use where something is named. */
static int
useful_length(const char *meaning)
{
    const char *cut = strstr(meaning, "; ");
    size_t n = strlen(meaning);

    if (cut && n > 8 && strcmp(meaning + n - 8, "is named") == 0)
        return (int)(cut - meaning);
    return (int)n;
}

/* A small program in a language of its own: '{print $1}', s/a/b/. */
static bool
explain_script(const struct scope *s, const struct program *p,
               const struct operands *o, size_t i)
{
    const struct syntax_word *w = o->v[i];
    const char *language = program_quirk(p, "language");
    CLEANUP_BUF struct buf meaning = buf_of(512);

    if (!language || i > 0 || is_used(o, "-e", 2) || is_used(o, "-f", 2) ||
        !script_meaning(language, w->text, is_used(o, "-n", 2), &meaning))
        return false;
    explain_add_word(s, w, EXPLAIN_OPERAND, "%s", meaning.p);
    return true;
}

/* trap 'rm x' EXIT: behind the command stand signals. */
static bool
explain_trap(const struct scope *s, const struct program *p,
             const struct syntax_word *w, size_t i)
{
    const char *meaning = NULL;

    if (i > 0 && program_quirk(p, "signals-named"))
        meaning = explain_signal(w->text);
    if (!meaning)
        return false;
    explain_add_word(s, w, EXPLAIN_OPERAND, "when this comes: %s", meaning);
    return true;
}

/* kill -9 -1: a number that stands for many processes. */
static bool
explain_group(const struct scope *s, const struct program *p,
              const struct syntax_word *w)
{
    CLEANUP_BUF struct buf who = buf_of(128);

    if (!program_quirk(p, "groups") || !explain_processes(w->text, &who))
        return false;
    explain_add_word(s, w, EXPLAIN_OPERAND, "%s", who.p);
    return true;
}

/* A table's words for the operand; {n} says which it is of its like. */
static void
explain_slot(const struct scope *s, const struct syntax_word *w,
             const struct synopsis_slot *slot, size_t number)
{
    const char *meaning = slot->meaning, *mark = strstr(meaning, "{n}");

    if (mark)
        explain_add_word(s, w, EXPLAIN_OPERAND, "%.*s%zu%s",
                         (int)(mark - meaning), meaning, number, mark + 3);
    else
        explain_add_word(s, w, EXPLAIN_OPERAND, "%.*s", useful_length(meaning),
                         meaning);
}

static void
explain_one(const struct scope *s, const struct program *p,
            const struct operands *o, size_t i,
            const struct synopsis_slot *slot, size_t number)
{
    const struct syntax_word *w = o->v[i];
    const char *common;

    if (strcmp(w->text, "{}") == 0 && slot && slot->meaning &&
        strncmp(slot->meaning, "${n}", 4) == 0)
        explain_add_word(s, w, EXPLAIN_OPERAND, "stands for each name: $%zu%s",
                         number, slot->meaning + 4);
    else if (strcmp(w->text, "{}") == 0)
        explain_add_word(s, w, EXPLAIN_OPERAND, "stands for each name");
    else if (strcmp(w->text, "-") == 0 && !program_is_builtin(p) &&
             !program_quirk(p, "files"))
        explain_add_word(s, w, EXPLAIN_OPERAND,
                         "standard input or output instead of a file");
    else if (explain_script(s, p, o, i) || explain_trap(s, p, w, i) ||
             explain_group(s, p, w))
        return;
    else if (slot && slot->meaning)
        explain_slot(s, w, slot, number);
    else if (slot && (common = synopsis_meaning(slot->name)))
        explain_add_word(s, w, EXPLAIN_OPERAND, "%s", common);
    else if (slot)
        explain_add_word(s, w, EXPLAIN_OPERAND, "the argument %s", slot->name);
    else
        explain_add_word(s, w, EXPLAIN_OPERAND, "an argument");
}

/* Names operands [from, to) by those slots. */
static void
explain_range(const struct scope *s, const struct program *p,
              const struct operands *o, size_t from, size_t to,
              const struct synopsis_slot *slots, size_t n_slots)
{
    for (size_t i = from; i < to; i++) {
        const struct synopsis_slot *slot = slot_for(slots, n_slots, i - from,
                                                    to - from);
        size_t before = slot ? (size_t)(slot - slots) : 0;

        explain_one(s, p, o, i, slot, i - from - before + 1);
    }
}

void
explain_operands(const struct scope *s, const struct program *p,
                 const struct operands *o)
{
    struct synopsis_slot slots[SYNOPSIS_SLOTS_MAX];
    size_t n = slots_of_table(p->table, o, slots), behind = 0;

    if (n == 0 && p->page)
        n = synopsis_read(p->page, o->n, slots);
    if (o->n > 1 && program_quirk(p, "signals-named") && o->v[0]->len > 1)
        explain_inner_word(s, o->v[0]); /* what trap will run */
    while (behind < n && !slots[behind].behind)
        behind++;
    if (!o->behind || behind == n) {
        explain_range(s, p, o, 0, o->n, slots, n);
        return;
    }
    explain_range(s, p, o, 0, o->n_before, slots, behind);
    explain_range(s, p, o, o->n_before, o->n, slots + behind, n - behind);
}

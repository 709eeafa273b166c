/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_call.c - explains one command: its name, options and operands. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "base/path.h"
#include "guard/path/path_table.h"
#include "offline/explain/explain_args.h"
#include "offline/explain/explain_phrase.h"
#include "offline/manual/synopsis.h"

/* The operands of one command, and the options that were used with them. */
struct operands {
    const struct syntax_word *const *v;
    size_t n;
    bool behind;     /* there is a -- among them, ... */
    size_t n_before; /* ... behind this many */
    const struct fact_option *used;
    size_t n_used;
};

/* Whether an option with that spelling was used. */
static bool
is_used(const struct operands *o, const char *option, size_t n)
{
    for (size_t i = 0; i < o->n_used; i++)
        if (page_row_names(o->used[i].row, option, n))
            return true;
    return false;
}

/* Whether conditions hold: "+-c +-r", one of them was used; "!-e !-f", none. */
static bool
conditions_hold(const struct operands *o, const char *conditions)
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

/* Whether the conditions have the word --. */
static bool
needs_double_dash(const char *conditions)
{
    const char *at = strstr(conditions, "--");

    return at && (at == conditions || at[-1] == ' ') &&
           (at[2] == '\0' || at[2] == ' ');
}

/* The operands of a table whose conditions hold. Returns how many. */
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

        if (row->kind != 'P' || !conditions_hold(o, row->field[1]) ||
            (many && repeats))
            continue;
        many = many || repeats;
        slots[n] = (struct synopsis_slot){
            .repeats = repeats,
            .behind = needs_double_dash(row->field[1]),
            .meaning = row->field[2]};
        n++;
    }
    return n;
}

/* The slot of operand i of n. Slots before the one that repeats are filled in
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

/* The length of a meaning without a second half such as "; standard input when
 * nothing is named": something is named here. */
static int
useful_length(const struct explainer *x, const char *meaning)
{
    const char *end = explain_words(x, "is named");
    const char *cut = strstr(meaning, "; ");
    size_t n = strlen(meaning), len = strlen(end);

    if (cut && n > len && strcmp(meaning + n - len, end) == 0)
        return (int)(cut - meaning);
    return (int)n;
}

/* Explains a program in another language: '{print $1}', s/a/b/. */
static bool
explain_script(const struct explain_scope *s, const struct known_program *p,
               const struct operands *o, size_t i)
{
    const struct syntax_word *w = o->v[i];
    const char *language = program_quirk(p, "language");
    CLEANUP_BUF struct buf meaning = buf_of(512);

    if (s->x->out->person || !language || i > 0 || is_used(o, "-e", 2) ||
        is_used(o, "-f", 2) ||
        !script_meaning(language, w->text, is_used(o, "-n", 2), &meaning))
        return false;
    explain_add_word(s, w, EXPLAIN_OPERAND, "%s", meaning.p);
    return true;
}

/* Explains a signal of trap: it follows the command. */
static bool
explain_trap(const struct explain_scope *s, const struct known_program *p,
             const struct syntax_word *w, size_t i)
{
    const char *meaning = NULL;

    if (i > 0 && program_quirk(p, "signals-named"))
        meaning = explain_signal(w->text);
    if (!meaning)
        return false;
    explain_add_word(s, w, EXPLAIN_OPERAND, "when this comes: %s",
                     explain_words(s->x, meaning));
    return true;
}

/* Explains an operand of kill that stands for several processes. */
static bool
explain_group(const struct explain_scope *s, const struct known_program *p,
              const struct syntax_word *w)
{
    CLEANUP_BUF struct buf who = buf_of(128);

    if (!program_quirk(p, "groups") || !value_signal_group(s->x, w->text, &who))
        return false;
    explain_add_word(s, w, EXPLAIN_OPERAND, "%s", who.p);
    return true;
}

/* Adds the part with the table's meaning; {n} is the number of the operand. */
static void
explain_slot(const struct explain_scope *s, const struct syntax_word *w,
             const struct synopsis_slot *slot, size_t number)
{
    const char *meaning = slot->meaning, *mark = strstr(meaning, "{n}");

    if (mark)
        explain_add_word(s, w, EXPLAIN_OPERAND, "%.*s%zu%s",
                         (int)(mark - meaning), meaning, number, mark + 3);
    else
        explain_add_word(s, w, EXPLAIN_OPERAND, "%.*s",
                         useful_length(s->x, meaning), meaning);
}

static void
explain_one(const struct explain_scope *s, const struct known_program *p,
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

/* Explains operands [from, to) by the slots. */
static void
explain_range(const struct explain_scope *s, const struct known_program *p,
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

static void
explain_operands(const struct explain_scope *s, const struct known_program *p,
                 const struct operands *o)
{
    struct synopsis_slot slots[SYNOPSIS_SLOTS_MAX];
    size_t n = slots_of_table(p->table, o, slots), behind = 0;

    if (n == 0 && p->page)
        n = synopsis_read(p->page, o->n, slots);
    if (o->n > 1 && program_quirk(p, "signals-named") && o->v[0]->len > 1)
        explain_word_as_line(s, o->v[0]); /* what trap will run */
    while (behind < n && !slots[behind].behind)
        behind++;
    if (!o->behind || behind == n) {
        explain_range(s, p, o, 0, o->n, slots, n);
        return;
    }
    explain_range(s, p, o, 0, o->n_before, slots, behind);
    explain_range(s, p, o, o->n_before, o->n, slots + behind, n - behind);
}

/* The command itself: its name, subcommands and words in order. */

#define NAME_SHOWN 200 /* bytes of a variable's name */

/* The name to look up: the word itself, which may be a path into a directory of
 * programs. NULL for a program in another directory. */
static const char *
program_name(const char *text)
{
    const char *base = path_base(text);
    size_t n = (size_t)(base - text);
    char dir[PATH_MAX];

    if (n == 0)
        return text;
    if (n > sizeof(dir))
        return NULL;
    snprintf(dir, sizeof(dir), "%.*s", (int)n - 1, text);
    return path_is(dir, PATH_IS_BIN_DIR) ? text : NULL;
}

static void
set_source(struct explainer *x, struct explain_part *part,
           const struct known_program *p)
{
    CLEANUP_BUF struct buf b = buf_of(512);

    program_describe(p, &b);
    if (part)
        part->source = buf_take(&b);
    if (part && !part->source)
        x->nomem = true;
}

/* Adds the part for the name of the command. */
static void
add_command_part(const struct explain_scope *s, const struct syntax_word *w,
                 const struct known_program *p)
{
    const char *summary = p ? program_summary(p) : "";
    struct explain_part *part;

    if (!syntax_word_is_literal(w)) {
        explain_unknown(explain_add_word(s, w, EXPLAIN_COMMAND,
                                         "the command that this comes to"));
    } else if (w->text[0] == '!' && w->text[1]) {
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "an earlier command, where a person types: !! is the "
                         "last one");
    } else if (!p) {
        explain_unknown(explain_add_word(
            s, w, EXPLAIN_COMMAND,
            "a program or script of this machine, without a manual page"));
    } else if (!program_is_known(p)) {
        explain_unknown(
            explain_add_word(s, w, EXPLAIN_COMMAND,
                             "no manual page for %.100s on this machine, and "
                             "not in the built-in tables",
                             p->name));
    } else {
        part = explain_add_word(s, w, EXPLAIN_COMMAND, "%s",
                                *summary ? summary
                                         : explain_words(s->x, "a program"));
        set_source(s->x, part, p);
        s->x->out->known = true;
    }
}

/* Whether a synopsis has `word` behind the name of the program: that of
 * git-commit has "git commit", that of ssh-keygen does not have "ssh
 * keygen". */
static bool
is_subcommand(const struct known_program *p, const char *name, const char *word)
{
    char shown[256];

    if (p->table)
        return true;
    snprintf(shown, sizeof(shown), "%s %s", name, word);
    for (char *c = shown; *c; c++)
        if ((*c == '-' || *c == '_') && c < shown + strlen(name))
            *c = ' ';
    for (size_t i = 0; p->page && i < p->page->n; i++)
        if (p->page->rows[i].kind == 'S' &&
            strstr(p->page->rows[i].field[0], shown))
            return true;
    return false;
}

/* Whether the program may have subcommands. A table with operands and without
 * words means no, and no page is searched then. */
static bool
may_have_subcommands(const struct known_program *p)
{
    bool operands = false;

    for (size_t i = 0; p->table && i < p->table->n; i++) {
        if (p->table->rows[i].kind == 'T')
            return true;
        operands = operands || p->table->rows[i].kind == 'P';
    }
    return !operands;
}

/* The full word for an abbreviation: address for addr. */
static const char *
whole_object(const struct known_program *p, const char *word, char out[64])
{
    const char *list = program_quirk(p, "objects");
    size_t n = strlen(word);

    for (; list && *list; list += strspn(list, " ")) {
        size_t len = strcspn(list, " ");

        if (len >= n && len < 64 && memcmp(list, word, n) == 0) {
            memcpy(out, list, len);
            out[len] = '\0';
            return out;
        }
        list += len;
    }
    return word;
}

/* The page of a subcommand, "git commit" or "gcloud compute ssh"; or NULL. */
static const struct known_program *
find_subcommand_page(struct args *a, const char *word)
{
    static const char joints[] = "-_";
    const char *base = a->p ? path_base(a->p->name) : "";
    char name[200], whole[64];

    if (!isalpha((unsigned char)*word) || !a->p || strlen(word) > 60 ||
        !may_have_subcommands(a->p))
        return NULL;
    word = whole_object(a->p, word, whole);
    for (size_t i = 0; i < 2; i++) {
        const struct known_program *p;

        if (snprintf(name, sizeof(name), "%s%c%s", base, joints[i], word) >=
            (int)sizeof(name))
            return NULL;
        p = knowledge_get(&a->s->x->known, name);
        if (program_is_known(p) && is_subcommand(p, base, word))
            return p;
    }
    return NULL;
}

/* Whether the program takes a word that says what to do. */
static bool
has_verbs(const struct known_program *p, const char *word)
{
    static const char *const signs[] = {"COMMAND", "command", "OBJECT",
                                        "ACTION",  "action",  "subcommand"};

    if (p->table && page_term(p->table, word, strlen(word)))
        return true;
    for (size_t i = 0; p->page && i < p->page->n; i++) {
        const char *synopsis = p->page->rows[i].field[0];

        if (p->page->rows[i].kind != 'S')
            continue;
        for (size_t k = 0; k < ARRAY_SIZE(signs); k++)
            if (strstr(synopsis, signs[k]))
                return true;
        if (strstr(synopsis, word))
            return true;
    }
    return false;
}

/* Notes what the table of the family knows about its object. */
static void
note_family(struct args *a, const struct syntax_word *w)
{
    const struct page_row *row;

    if (!program_quirk(a->p, "objects"))
        return;
    a->family = a->p;
    row = page_term(a->p->table, w->text, strlen(w->text));
    if (row)
        args_note(a, row, a->s->base + w->from, a->s->base + w->to);
}

/* Reads the first operand as a subcommand, which has a page or a row. */
static bool
take_subcommand(struct args *a, const struct syntax_word *w)
{
    const struct known_program *sub;
    const struct page_row *row;
    struct explain_part *part;

    if (!syntax_word_is_literal(w) || a->ended || a->n_operands > 0)
        return false;
    sub = find_subcommand_page(a, w->text);
    if (sub) {
        part = explain_add_word(a->s, w, EXPLAIN_COMMAND, "%s",
                                *program_summary(sub)
                                    ? program_summary(sub)
                                    : explain_words(a->s->x, "a subcommand"));
        set_source(a->s->x, part, sub);
        note_family(a, w);
        a->p = sub;
        a->name_to = a->s->base + w->to;
        return true;
    }
    row = isalpha((unsigned char)*w->text)
              ? program_term(a->p, w->text, strlen(w->text))
              : NULL;
    if (!row || program_quirk(a->p, "letters") || !has_verbs(a->p, w->text))
        return false;
    explain_add_word(a->s, w, EXPLAIN_COMMAND, "%s", row->field[2]);
    args_note(a, row, a->s->base + w->from, a->s->base + w->to);
    a->name_to = a->s->base + w->to;
    return true;
}

/* How many operands come before a command that the program runs; -1 when it
 * runs none, as with the options that the quirk names: "0 !-v". */
static long
runs_after(const struct args *a)
{
    const char *runs = program_quirk(a->p, "runs");
    const char *no = runs ? strchr(runs, '!') : NULL;

    for (; no; no = strchr(no + 1, '!'))
        for (size_t i = 0; i < a->n_used; i++)
            if (page_row_names(a->used[i].row, no + 1, strcspn(no + 1, " ")))
                return -1;
    return runs ? strtol(runs, NULL, 10) : -1;
}

/* Explains the command that env, sudo, timeout ... run. */
static void
explain_rest(struct args *a)
{
    struct explain_command inner = {
        .s = a->s, .argv = a->c->argv + a->i, .n = a->c->n - a->i};
    const struct syntax_word *only = inner.argv[0];

    a->i = a->c->n;
    if (a->s->x->calls >= EXPLAIN_CALLS_MAX)
        return;
    a->s->x->calls++;
    /* ssh HOST 'cd /srv && ls': one word that is a command line */
    if (inner.n == 1 && only->flags & SYNTAX_QUOTED &&
        strchr(only->text, ' ') && explain_word_as_line(a->s, only)) {
        args_take_sentence(a);
        return;
    }
    a->inner = explain_call(&inner);
}

/* Whether options that follow belong to a script: python3 a.py -x. */
static bool
ends_behind(const struct args *a)
{
    const char *ends = program_quirk(a->p, "ends");

    return ends && (long)a->n_operands >= strtol(ends, NULL, 10);
}

static void
take_operand(struct args *a, const struct syntax_word *w)
{
    const char *assign = explain_is_assignment(w)
                             ? program_quirk(a->p, "assign")
                             : NULL;

    if (assign && (long)a->n_operands >= strtol(assign, NULL, 10)) {
        size_t n = strcspn(w->text, "=");

        explain_add_word(a->s, w, EXPLAIN_ASSIGNMENT, "sets the variable %.*s",
                         n < NAME_SHOWN ? (int)n : NAME_SHOWN, w->text);
        return;
    }
    if ((long)a->n_operands == runs_after(a)) {
        explain_rest(a);
        return;
    }
    if (explain_letters(a) || explain_keyword(a) || explain_term(a) ||
        take_subcommand(a, w))
        return;
    /* builtins read options only before their operands */
    a->ended = a->ended ||
               (program_is_builtin(a->p) && !program_quirk(a->p, "mixed"));
    a->operands[a->n_operands++] = w;
    a->ended = a->ended || ends_behind(a);
}

/* Whether a word is the -1 of kill -9 -1: no second signal follows a signal. */
static bool
is_group(const struct args *a, const char *text)
{
    return a->n_used > 0 && program_quirk(a->p, "groups") && text[1] &&
           strspn(text + 1, "0123456789") == strlen(text + 1);
}

static void
take_call_argument(struct args *a)
{
    const struct syntax_word *w = a->c->argv[a->i];
    const char *t = w->text;
    const struct page_row *row;
    enum option_takes takes;

    a->ended = a->ended ||
               (t[0] == '-' && (explain_is_text(a, w) || is_group(a, t)));
    if (!a->ended && strcmp(t, "--") == 0) {
        explain_add_word(a->s, w, EXPLAIN_OPERATOR,
                         "ends the options: what follows is none");
        row = a->p->table ? page_option(a->p->table, t, 2, &takes) : NULL;
        if (row)
            args_note(a, row, a->s->base + w->from, a->s->base + w->to);
        a->ended = a->behind = true;
        a->n_before = a->n_operands;
    } else if (!a->ended && t[0] == '-' &&
               (t[1] || program_option(a->p, "-", 1, &takes))) {
        explain_option(a);
    } else if (!a->ended && t[0] == '+' && t[1] &&
               program_option(a->p, t, 2, &takes)) {
        explain_option(a);
    } else {
        take_operand(a, w);
    }
}

/* Explains the words of an unknown program by their form. */
static void
explain_unknown_args(const struct explain_command *c)
{
    for (size_t i = 1; i < c->n; i++)
        explain_unknown(explain_add_word(
            c->s, c->argv[i],
            c->argv[i]->text[0] == '-' ? EXPLAIN_OPTION : EXPLAIN_OPERAND,
            c->argv[i]->text[0] == '-' ? N_("probably an option")
                                       : N_("an argument")));
}

struct fact *
explain_call(const struct explain_command *c)
{
    const struct syntax_word *w = c->argv[0];
    const char *name = syntax_word_is_literal(w) ? program_name(w->text) : NULL;
    const struct known_program *p = name && *name
                                        ? knowledge_get(&c->s->x->known, name)
                                        : NULL;
    CLEANUP(free_p) const struct syntax_word **operands = NULL;
    struct args a = {.c = c, .s = c->s, .p = p, .i = 1};
    struct fact *f;

    a.name_to = c->s->base + w->to;

    add_command_part(c->s, w, p);
    if (!program_is_known(p)) {
        explain_unknown_args(c);
        return fact_keep(&a);
    }
    operands = calloc(c->n, sizeof(*operands));
    if (!operands) {
        c->s->x->nomem = true;
        return NULL;
    }
    a.operands = operands;
    for (; a.i < c->n; a.i++)
        take_call_argument(&a);
    explain_operands(c->s, a.family ? a.family : a.p,
                     &(struct operands){.v = operands,
                                        .n = a.n_operands,
                                        .behind = a.behind,
                                        .n_before = a.n_before,
                                        .used = a.used,
                                        .n_used = a.n_used});
    if (program_quirk(p, "condition") && !c->s->mapped)
        a.sentence = explain_condition(c);
    f = fact_keep(&a);
    explain_precise(c->s->x, f);
    return f;
}

static const struct syntax_node *
function_of(const struct explain_scope *s, const char *name)
{
    const struct syntax_node *node = s->function;

    for (; node; node = node->after)
        if (node->kind == SYNTAX_FUNCTION && node->words &&
            strcmp(node->words->text, name) == 0)
            return node;
    return NULL;
}

/* The function that the name means at w: one that is defined before w or around
 * it. */
static const struct syntax_node *
meant_at(const struct explain_scope *s, const struct syntax_word *w)
{
    const struct syntax_node *f = s->function ? function_of(s, w->text) : NULL;

    return f && f->from < w->from && syntax_word_is_literal(w) ? f : NULL;
}

bool
explain_function_call(const struct explain_command *c)
{
    const struct syntax_word *w = c->argv[0];
    const struct syntax_node *f = meant_at(c->s, w);
    CLEANUP(free_p) const struct syntax_word **operands = NULL;
    struct args a = {.c = c, .s = c->s, .is_function = true};

    operands = f ? calloc(c->n, sizeof(*operands)) : NULL;
    if (!operands)
        return false;
    a.operands = operands;
    a.name_to = c->s->base + w->to;
    c->s->x->out->known = true;
    explain_add_word(c->s, w, EXPLAIN_COMMAND,
                     w->to <= f->to ? N_("this function itself, called again")
                                    : N_("the function that this line makes"));
    for (size_t i = 1; i < c->n; i++) {
        explain_add_word(c->s, c->argv[i], EXPLAIN_OPERAND,
                         "$%zu in the function", i);
        operands[a.n_operands++] = c->argv[i];
    }
    fact_keep(&a);
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_args.c - sorts a call's arguments into options and operands. */
#include "guard/risk/risk_args.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "guard/risk/risk_findings.h"

#define NAME_MAX_BYTES 96 /* of a program with its subcommands */
#define SUBCOMMANDS    2

/* "--fo" may be --force: getopt_long(3) accepts every unambiguous prefix. From
 * 3 characters on (one letter) the option may be meant, from 5 on it surely
 * is. */
#define ABBREVIATED_MIN      3
#define ABBREVIATED_SURE_MIN 5

static bool
long_matches(const char *option, size_t n, const char *word, size_t min)
{
    size_t whole = strlen(word);

    if (n == whole)
        return strncmp(option, word, n) == 0;
    return n >= min && n < whole && strncmp(option, word, n) == 0;
}

static bool
option_matches_min(const struct risk_parsed *p, const struct risk_option *o,
                   const struct program_word *w, size_t min)
{
    const char *word = risk_program_text(w->text);
    const char *name = o->arg->text;
    size_t n = o->len;

    switch (w->kind) {
    case PROGRAM_SHORT:
        if (o->letter)
            return o->letter == word[1];
        return n == 2 && name[1] == word[1];
    case PROGRAM_LONG:
        return !o->letter && long_matches(name, n, word, min);
    case PROGRAM_WHOLE:
        if (p->program && p->program->flags & PROGRAM_IS_WHOLE && n > 2 &&
            name[1] == '-') {
            name++;
            n--;
        }
        return !o->letter && strncmp(name, word, n) == 0 && !word[n];
    default:
        return false;
    }
}

bool
risk_option_matches(const struct risk_parsed *p, const struct risk_option *o,
                    const struct program_word *w)
{
    return option_matches_min(p, o, w, ABBREVIATED_MIN);
}

static bool
have_option(const struct risk_parsed *p, const struct program_word *w,
            bool strict)
{
    const char *pattern = risk_program_text(w->pattern);
    size_t min = strict ? ABBREVIATED_SURE_MIN : ABBREVIATED_MIN;

    for (size_t i = 0; i < p->n_options; i++) {
        const struct risk_option *o = &p->options[i];

        if (!option_matches_min(p, o, w, min))
            continue;
        if (!w->pattern)
            return true;
        if (o->value_text && (!o->value || o->value->known) &&
            risk_pattern_matches(pattern, o->value_text))
            return true;
    }
    return false;
}

/* Whether text abbreviates a verb of a program that allows it. */
static bool
is_abbreviated_verb(const struct risk_parsed *p, const struct program_word *w,
                    const char *text)
{
    const char *pattern = risk_program_text(w->pattern);

    return w->n && p->program && p->program->flags & PROGRAM_ABBREVIATES &&
           text[0] && strncmp(pattern, text, strlen(text)) == 0;
}

static bool
have_operand(const struct risk_parsed *p, const struct program_word *w,
             bool strict)
{
    const char *pattern = risk_program_text(w->pattern);

    for (size_t i = 0; i < p->n_operands; i++)
        if ((!w->n || w->n == i + 1) && p->operands[i]->known &&
            (risk_pattern_matches(pattern, p->operands[i]->text) ||
             (!strict && is_abbreviated_verb(p, w, p->operands[i]->text))))
            return true;
    return false;
}

bool
risk_args_have(const struct risk_parsed *p, uint32_t words, bool strict)
{
    for (const struct program_word *w = risk_program_words(words);
         w->kind != PROGRAM_END; w++) {
        if (w->kind == PROGRAM_DASHES    ? p->dashes
            : w->kind == PROGRAM_OPERAND ? have_operand(p, w, strict)
                                         : have_option(p, w, strict))
            return true;
    }
    return false;
}

struct arg_parser {
    struct risk_state *st;
    struct risk_parsed *p;
    size_t at; /* of v */
};

static struct risk_option *
add_parsed_option(struct arg_parser *s, const struct risk_arg *a, size_t len)
{
    struct risk_parsed *p = s->p;

    if (p->n_options == p->cap_options) {
        size_t cap = p->cap_options ? p->cap_options * 2 : 16;
        struct risk_option *v = risk_alloc(s->st, cap * sizeof(*v));

        if (!v)
            return NULL;
        if (p->n_options)
            memcpy(v, p->options, p->n_options * sizeof(*v));
        p->options = v;
        p->cap_options = cap;
    }
    p->options[p->n_options] = (struct risk_option){.arg = a, .len = len};
    return &p->options[p->n_options++];
}

bool
risk_option_is_listed(const struct risk_parsed *p, const struct risk_option *o,
                      uint32_t list)
{
    for (const struct program_word *w = risk_program_words(list);
         w->kind != PROGRAM_END; w++)
        if (risk_option_matches(p, o, w))
            return true;
    return false;
}

static bool
takes_value(const struct risk_parsed *p, const struct risk_option *o)
{
    return p->program && risk_option_is_listed(p, o, p->program->values);
}

/* Whether everything behind the last option is an operand. */
static bool
ends_options(const struct risk_parsed *p)
{
    return p->program && p->n_options &&
           risk_option_is_listed(p, &p->options[p->n_options - 1],
                                 p->program->ends);
}

static void
take_next_as_value(struct arg_parser *s, struct risk_option *o)
{
    if (s->at + 1 >= s->p->n)
        return;
    o->value = &s->p->v[++s->at];
    o->value_text = o->value->text;
}

/* Whether it is a shell: its first operand is a script, or with -c a text. */
static bool
is_shell_call(const struct risk_parsed *p)
{
    const struct program_rule *r = p->program ? risk_program_rules(p->program)
                                              : NULL;

    for (size_t i = 0; r && i < p->program->n_rules; i++)
        if (r[i].verb == PROGRAM_SHELL &&
            risk_program_words(r[i].select)->kind == PROGRAM_NTH &&
            p->program->flags & PROGRAM_IS_POSIX)
            return true;
    return false;
}

/* xargs -iX -eX -lX, sed -iX: the value is the rest of the word, never the next
 * one. */
static bool
takes_rest(const struct risk_parsed *p, char letter)
{
    if (strcmp(p->name, "sed") == 0 || strcmp(p->name, "gsed") == 0)
        return letter == 'i';
    return strcmp(p->name, "xargs") == 0 && strchr("eil", letter);
}

/* Sorts -rf, -ovalue, -o value. first: the index of the first letter. */
static void
sort_letters(struct arg_parser *s, const struct risk_arg *a, size_t first)
{
    /* bash -ox errexit: a shell reads the value of o from the next word */
    bool bundled = first == 0 || is_shell_call(s->p);

    for (size_t i = first; a->text[i] && a->text[i] != '='; i++) {
        struct risk_option *o = add_parsed_option(s, a, 0);

        if (!o)
            return;
        o->letter = a->text[i];
        if (takes_rest(s->p, o->letter)) {
            o->value_text = a->text + i + 1;
            return;
        }
        if (!takes_value(s->p, o))
            continue;
        if (!bundled && a->text[i + 1]) {
            o->value_text = a->text + i + 1;
            return;
        }
        take_next_as_value(s, o);
    }
}

/* gcc -oFILE: a program whose options are whole words may also have options of
 * one letter with a value. */
static void
sort_glued(struct arg_parser *s, const struct risk_arg *a)
{
    struct risk_option *o = add_parsed_option(s, a, 0);

    if (!o)
        return;
    o->letter = a->text[1];
    if (takes_value(s->p, o))
        o->value_text = a->text + 2;
    else
        s->p->n_options--;
}

/* Whether an option with one dash is a whole word, either for every option of
 * the program or for this one: bash reads -norc as a word, but as letters once
 * an option of letters came before. */
static bool
is_whole_word(const struct risk_parsed *p, struct risk_option *o)
{
    if (p->program && p->program->flags & PROGRAM_IS_WHOLE)
        return true;
    if (!p->program || !p->program->words || o->arg->text[1] == '-' ||
        !risk_option_is_listed(p, o, p->program->words))
        return false;
    for (const struct risk_option *before = p->options; before < o; before++) {
        if (before->letter) {
            o->len = 0; /* only its letters count */
            return false;
        }
    }
    return true;
}

static void
sort_option(struct arg_parser *s, const struct risk_arg *a)
{
    const char *equals = strchr(a->text, '=');
    size_t n = equals ? (size_t)(equals - a->text) : strlen(a->text);
    struct risk_option *o = add_parsed_option(s, a, n);
    bool is_word;

    if (!o)
        return;
    is_word = is_whole_word(s->p, o);
    if (is_word && n > 2 && a->text[1] != '-') {
        sort_glued(s, a);
        o = &s->p->options[s->p->n_options - 1];
        if (o->letter)
            o--;
    }
    if (n > 2 || a->text[1] == '-' || is_word) {
        if (equals)
            o->value_text = equals + 1;
        else if (takes_value(s->p, o)) {
            take_next_as_value(s, o);
            return;
        }
    }
    if (a->text[1] != '-' && !is_word)
        sort_letters(s, a, 1);
}

/* bash +x -c 'text': a plus turns a shell's option off. */
static bool
is_plus_option(const struct risk_parsed *p, const struct risk_arg *a)
{
    return a->text[0] == '+' && a->text[1] && a->known && is_shell_call(p);
}

static bool
is_option_argument(const struct risk_arg *a)
{
    return a->text[0] == '-' && a->text[1] && (a->known || a->text[1] != '$') &&
           !a->process;
}

static void
sort_arguments(struct arg_parser *s)
{
    struct risk_parsed *p = s->p;
    unsigned flags = p->program ? p->program->flags : 0;
    bool posix = flags & PROGRAM_IS_POSIX;
    bool ended = false;

    for (s->at = 0; s->at < p->n; s->at++) {
        const struct risk_arg *a = &p->v[s->at];

        if (!ended && strcmp(a->text, "--") == 0 && a->known) {
            ended = p->dashes = true;
        } else if (!ended && (is_option_argument(a) || is_plus_option(p, a))) {
            sort_option(s, a);
            ended = ends_options(p);
        } else if (flags & PROGRAM_IS_BUNDLED && s->at == 0 && a->known &&
                   strspn(a->text,
                          "abcdefghijklmnopqrstuvwxyz"
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(a->text)) {
            sort_letters(s, a, 0);
        } else {
            p->at[p->n_operands] = s->at;
            p->operands[p->n_operands++] = a;
            ended = ended || posix;
        }
    }
}

static bool
alloc_operands(struct arg_parser *s)
{
    struct risk_parsed *p = s->p;

    p->operands = risk_alloc(s->st, (p->n + 1) * sizeof(p->operands[0]));
    p->at = risk_alloc(s->st, (p->n + 1) * sizeof(p->at[0]));
    return p->operands && p->at;
}

/* The stanza of "name word" or "name word word", from the first operands. */
static const struct program *
find_stanza_of_words(const struct risk_parsed *p, size_t words)
{
    char name[NAME_MAX_BYTES];
    int n = snprintf(name, sizeof(name), "%s", p->name);

    if (p->n_operands < words)
        return NULL;
    for (size_t i = 0; i < words; i++) {
        if (!p->operands[i]->known || n < 0 || (size_t)n >= sizeof(name))
            return NULL;
        n += snprintf(name + n, sizeof(name) - (size_t)n, " %s",
                      p->operands[i]->text);
    }
    return (size_t)n < sizeof(name) ? risk_program_find(name) : NULL;
}

/* Whether the first operands name a subcommand. Options before them stay; what
 * follows them has to be sorted again. */
static bool
read_subcommand(struct risk_parsed *p)
{
    const struct program *sub = NULL;
    size_t at, kept = 0, words = SUBCOMMANDS;

    while (words > 0 && !(sub = find_stanza_of_words(p, words)))
        words--;
    if (words == 0)
        return false;
    at = p->at[words - 1] + 1;
    while (kept < p->n_options && p->options[kept].arg < p->operands[0])
        kept++;
    *p = (struct risk_parsed){
        .program = sub,
        .parent = p->program,
        .name = risk_program_text(sub->name),
        .v = p->v + at,
        .n = p->n - at,
        .options = p->options,
        .n_options = kept,
        .n_before = kept,
        .cap_options = p->cap_options,
    };
    return true;
}

bool
risk_parse_args(struct risk_state *st, const struct risk_arg *v, size_t n,
                struct risk_parsed *out)
{
    struct arg_parser s = {.st = st, .p = out};
    char base[NAME_MAX_BYTES];

    *out = (struct risk_parsed){.v = v + 1, .n = n - 1};
    out->program = risk_program_find_command(v[0].text, base, sizeof(base));
    out->name = out->program ? risk_program_text(out->program->name)
                             : path_base(v[0].text);
    if (!alloc_operands(&s))
        return false;
    sort_arguments(&s);
    if (out->program && read_subcommand(out)) {
        if (!alloc_operands(&s))
            return false;
        sort_arguments(&s);
    }
    return out->program != NULL;
}

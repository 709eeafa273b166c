/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_expand.c - words as a program would get them, as far as is known. */
#include "guard/risk/risk_expand.h"

#include <string.h>

#include "guard/risk/risk_brace.h"
#include "guard/risk/risk_evaluate.h"
#include "guard/risk/risk_memory.h"

/* The argument that is being put together. */
struct building {
    struct risk_state *st;
    const struct risk_frame *frame;
    const struct syntax_word *word;
    struct risk_args *out;
    struct risk_arg arg;
    bool begun;  /* there is something in it, be it an empty quote */
    bool braces; /* {a,b} stands in it, to be expanded at the end */
};

static void
begin(struct building *b)
{
    const struct syntax_word *w = b->word;

    b->arg = (struct risk_arg){.text = "",
                               .glob = "",
                               .word = b->frame->mapped ? NULL : w,
                               .source = w,
                               .flags = w->flags,
                               .known = true,
                               .number = true,
                               .from = risk_from(b->frame, w->from),
                               .to = risk_to(b->frame, w->to)};
    b->begun = false;
    b->braces = false;
}

static void
finish(struct building *b)
{
    struct risk_arg *a;

    if (!b->begun)
        return;
    b->arg.number = b->arg.number && !b->arg.known;
    if (b->braces && b->arg.known) {
        risk_brace(b->st, &b->arg, b->out);
    } else {
        a = risk_args_add(b->st, b->out);
        if (a)
            *a = b->arg;
    }
    begin(b);
}

static void
append(struct building *b, const char *text, const char *glob)
{
    bool same = text == glob && b->arg.text == b->arg.glob;

    if (text == glob && strspn(text, "0123456789") != strlen(text))
        b->arg.number = false;
    b->arg.text = b->arg.text[0] ? risk_join(b->st, b->arg.text, text) : text;
    b->arg.glob = same             ? b->arg.text
                  : b->arg.glob[0] ? risk_join(b->st, b->arg.glob, glob)
                                   : glob;
    b->begun = true;
}

static void
append_unknown(struct building *b, const struct syntax_part *p)
{
    const char *text = p->text;

    if (!risk_is_number(b->st, p))
        b->arg.number = false;

    if (p->kind == SYNTAX_PARAMETER)
        text = risk_join(b->st, "$", text);
    append(b, text, "*");
    b->arg.known = false;
}

/* A value without quotes is split at its blanks. */
static void
append_split(struct building *b, const char *text)
{
    static const char blanks[] = " \t\n";

    if (text[0] && strchr(blanks, text[0]))
        finish(b);
    while (*text) {
        size_t n;
        const char *word;

        text += strspn(text, blanks);
        n = strcspn(text, blanks);
        if (n == 0)
            break;
        word = risk_copy(b->st, text, n);
        if (strpbrk(word, "*?["))
            b->arg.pattern = true;
        append(b, word, word);
        text += n;
        if (*text)
            finish(b);
    }
}

static void
append_values(struct building *b, const struct risk_args *v, bool quoted)
{
    for (size_t i = 0; i < v->n; i++) {
        const struct risk_arg *a = &v->v[i];

        if (i > 0)
            finish(b);
        if (!a->known || a->tilde || a->pattern) {
            append(b, a->text, a->glob);
            b->arg.number = b->arg.number && a->number;
            b->arg.known = b->arg.known && a->known;
            b->arg.pattern = b->arg.pattern || (a->pattern && !quoted);
            b->arg.tilde = a->tilde;
            b->arg.fresh = a->fresh;
        } else if (quoted || b->st->keeps_whole) {
            append(b, a->text, a->text);
        } else {
            append_split(b, a->text);
        }
    }
}

/* "$*" is one word, with blanks between what it is of. */
static bool
append_joined(struct building *b, const struct risk_args *v)
{
    const char *text = "";

    if (b->st->split_changed)
        return false;
    for (size_t i = 0; i < v->n; i++) {
        const struct risk_arg *a = &v->v[i];

        if (!a->known || a->tilde || a->pattern)
            return false;
        text = risk_join(b->st, risk_join(b->st, text, i ? " " : ""), a->text);
    }
    append(b, text, text);
    return true;
}

/* $1 $@ $*: of a function that is called, of sh -c 'text' name words. */
static bool
append_positional(struct building *b, const struct syntax_part *p)
{
    const struct risk_args *all = b->frame->positional;
    char c = p->text[0];
    struct risk_args one;

    if (!all || !c || p->text[1] || !strchr("@*123456789", c) || b->st->shifted)
        return false;
    if (c == '*' && p->quoted && all->n > 1)
        return append_joined(b, all);
    if (c == '@' || c == '*') {
        append_values(b, all, p->quoted);
        return true;
    }
    if ((size_t)(c - '0') > all->n)
        return true;
    one = (struct risk_args){.v = &all->v[c - '1'], .n = 1};
    append_values(b, &one, p->quoted);
    return true;
}

static const char *const stand_ins[] = {"editor", "pager"};

bool
risk_is_stand_in(const char *name)
{
    for (size_t i = 0; i < sizeof(stand_ins) / sizeof(*stand_ins); i++)
        if (strcmp(name, stand_ins[i]) == 0)
            return true;
    return false;
}

/* What a name stands for when the line itself did not set it. */
static const char *
given(const struct risk_state *st, const char *name)
{
    if (strcmp(name, "HOME") == 0)
        return risk_home(st);
    if (strcmp(name, "PWD") == 0)
        return st->directory->dir;
    if (strcmp(name, "EDITOR") == 0 || strcmp(name, "VISUAL") == 0)
        return stand_ins[0];
    if (strcmp(name, "PAGER") == 0)
        return stand_ins[1];
    return strcmp(name, "SHELL") == 0 ? "bash" : NULL;
}

static bool
append_parameter(struct building *b, const struct syntax_part *p)
{
    size_t n = strcspn(p->text, "[");
    struct risk_variable *v = risk_variable(b->st, p->text, n);
    const struct risk_args *all;
    const char *index = p->text + n;
    const char *value;
    struct risk_args first;

    if (p->op[0] || (b->st->split_changed && !p->quoted))
        return false;
    if (append_positional(b, p))
        return true;
    if (!v || !v->ever) {
        value = n && !b->st->anything ? given(b->st, p->text) : NULL;
        if (value)
            append(b, value, value);
        return value != NULL;
    }
    all = risk_variable_value(b->st, v);
    if (!all)
        return false;
    first = *all;
    if (!index[0] || strcmp(index, "[0]") == 0)
        first.n = first.n > 1 ? 1 : first.n;
    else if (strcmp(index, "[@]") != 0 && strcmp(index, "[*]") != 0)
        return false;
    else if (index[1] == '*' && p->quoted && first.n > 1)
        return append_joined(b, &first);
    append_values(b, &first, p->quoted);
    return true;
}

/* $(which rm), $(command -v rm): the name does as well as the path. */
static const char *
named_by(const struct risk_state *st, const struct syntax_part *p)
{
    const struct syntax_node *n = p->body;
    const struct syntax_word *w;
    bool asks;

    if (!n || n->kind != SYNTAX_CALL || n->n_words < 2 || n->redirects)
        return NULL;
    w = n->words;
    asks = strcmp(w->text, "which") == 0 && n->n_words == 2;
    if (strcmp(w->text, "command") == 0 && n->n_words == 3 &&
        strcmp(w->next->text, "-v") == 0) {
        asks = true;
        w = w->next;
    }
    for (const struct risk_name *d = st->functions; d; d = d->next)
        asks = asks && strcmp(d->name, n->words->text) != 0;
    if (!asks || w->next->flags & SYNTAX_EXPANDS)
        return NULL;
    return w->next->text;
}

static bool
is_fresh(const struct syntax_part *p)
{
    const struct syntax_node *n = p->body;

    return n && n->kind == SYNTAX_CALL && n->n_words &&
           strcmp(n->words->text, "mktemp") == 0;
}

/* A pattern or braces, as they are written: with quotes in them the program
 * gets another text. */
static void
append_written(struct building *b, const struct syntax_part *p)
{
    if (strpbrk(p->text, "\\\"'$`")) {
        append_unknown(b, p);
        return;
    }
    b->arg.pattern = b->arg.pattern || p->kind == SYNTAX_GLOB;
    b->braces = b->braces || p->kind == SYNTAX_BRACE;
    append(b, p->text, p->text);
}

static void
append_part(struct building *b, const struct syntax_part *p)
{
    const char *name;

    switch (p->kind) {
    case SYNTAX_TEXT:
        append(b, p->text, p->text);
        return;
    case SYNTAX_GLOB:
    case SYNTAX_BRACE:
        append_written(b, p);
        return;
    case SYNTAX_TILDE:
        if (p->text[1] && strchr("+-0123456789", p->text[1]))
            break;
        if (!p->text[1] && !risk_home(b->st))
            break;
        b->arg.tilde = true;
        append(b, p->text, p->text);
        return;
    case SYNTAX_PARAMETER:
        if (!append_parameter(b, p))
            append_unknown(b, p);
        return;
    case SYNTAX_PROCESS_IN:
    case SYNTAX_PROCESS_OUT:
        b->arg.process = true;
        break;
    case SYNTAX_COMMAND:
        name = named_by(b->st, p);
        if (name) {
            append(b, name, name);
            return;
        }
        b->arg.fresh = is_fresh(p);
        break;
    case SYNTAX_EXPRESSION:
        break;
    }
    append_unknown(b, p);
}

void
risk_expand(struct risk_state *st, const struct risk_frame *f,
            const struct syntax_word *w, struct risk_args *out)
{
    struct building b = {.st = st, .frame = f, .word = w, .out = out};

    begin(&b);
    if (!(w->flags & SYNTAX_EXPANDS)) {
        b.begun = true;
        b.arg.text = b.arg.glob = w->text;
        finish(&b);
        return;
    }
    /* "$x" is an argument even when it is empty. */
    b.begun = w->flags & SYNTAX_QUOTED && !b.frame->positional;
    for (const struct syntax_part *p = w->parts; p; p = p->next)
        append_part(&b, p);
    finish(&b);
}

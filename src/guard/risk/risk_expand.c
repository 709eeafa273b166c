/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_expand.c - expands words into arguments, as far as they are known. */
#include "guard/risk/risk_expand.h"

#include <string.h>

#include "base/array.h"
#include "guard/risk/risk_evaluate.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_state.h"

/* {a,b}: one argument becomes several. */

#define ALTERNATIVES_MAX 64
#define ROUNDS_MAX       256  /* expansions of one brace */
#define LENGTH_MAX       1024 /* matching braces takes quadratic time */

/* Whether the brace at s[i] is closed, and has a comma of its own. */
static bool
find_closing_brace(const char *s, size_t i, size_t *close)
{
    size_t depth = 0;
    bool comma = false;

    for (; s[i]; i++) {
        depth += s[i] == '{';
        comma = comma || (s[i] == ',' && depth == 1);
        if (s[i] == '}' && --depth == 0) {
            *close = i;
            return comma;
        }
    }
    return false;
}

/* Finds the first { … } with a comma of its own. */
static bool
find_first_braces(const char *s, size_t *open, size_t *close)
{
    for (size_t i = 0; s[i]; i++)
        if (s[i] == '{' && find_closing_brace(s, i, close)) {
            *open = i;
            return true;
        }
    return false;
}

/* Replaces texts[at] by the alternatives of its first braces, in order. Returns
 * the new count; unchanged when there are none, or too many. */
static size_t
open_braces(struct risk_state *st, const char **texts, size_t n, size_t at)
{
    const char *s = texts[at];
    size_t open, close, depth = 0, from, made = 0;
    const char *list[ALTERNATIVES_MAX];

    if (!find_first_braces(s, &open, &close))
        return n;
    from = open + 1;
    for (size_t i = open + 1; i <= close; i++) {
        const char *head, *middle;

        depth += s[i] == '{';
        if (depth > 0 || (s[i] != ',' && i != close)) {
            depth -= depth > 0 && s[i] == '}';
            continue;
        }
        if (n - 1 + made >= ALTERNATIVES_MAX)
            return n;
        head = risk_copy(st, s, open);
        middle = risk_copy(st, s + from, i - from);
        list[made++] = risk_join(st, risk_join(st, head, middle),
                                 s + close + 1);
        from = i + 1;
    }
    memmove(texts + at + made, texts + at + 1, (n - at - 1) * sizeof(texts[0]));
    memcpy(texts + at, list, made * sizeof(texts[0]));
    return n - 1 + made;
}

/* Appends what the braces in a's text expand to. Too many alternatives, or a
 * range ({1..9}), stay one argument: a pattern. */
static void
expand_argument_braces(struct risk_state *st, const struct risk_arg *a,
                       struct risk_args *out)
{
    const char *texts[ALTERNATIVES_MAX] = {a->text};
    size_t n = 1, at = strlen(a->text) > LENGTH_MAX;

    for (size_t round = 0; at < n && round < ROUNDS_MAX; round++) {
        size_t before = n;

        n = open_braces(st, texts, n, at);
        at += n == before;
    }
    for (size_t i = 0; i < n; i++) {
        struct risk_arg *made;

        if (!texts[i][0] && !(a->flags & SYNTAX_QUOTED))
            continue; /* {,a} expands to a alone */
        made = risk_args_add(st, out);
        if (!made)
            return;
        *made = *a;
        made->text = made->glob = texts[i];
        made->pattern = made->pattern || strchr(texts[i], '{') != NULL;
    }
}

/* The argument that is being built. */
struct arg_builder {
    struct risk_state *st;
    const struct risk_frame *frame;
    const struct syntax_word *word;
    struct risk_args *out;
    struct risk_arg arg;
    bool begun;  /* it has a part, be it an empty quote */
    bool braces; /* it has {a,b}, to be expanded at the end */
};

static void
begin_argument(struct arg_builder *b)
{
    const struct syntax_word *w = b->word;

    b->arg = (struct risk_arg){.text = "",
                               .glob = "",
                               .word = b->frame->mapped ? NULL : w,
                               .source = w,
                               .flags = w->flags,
                               .known = true,
                               .number = true,
                               .from = risk_line_from(b->frame, w->from),
                               .to = risk_line_to(b->frame, w->to)};
    b->begun = false;
    b->braces = false;
}

static void
finish_argument(struct arg_builder *b)
{
    struct risk_arg *a;

    if (!b->begun)
        return;
    b->arg.number = b->arg.number && !b->arg.known;
    if (b->braces && b->arg.known) {
        expand_argument_braces(b->st, &b->arg, b->out);
    } else {
        a = risk_args_add(b->st, b->out);
        if (a)
            *a = b->arg;
    }
    begin_argument(b);
}

static void
append_text(struct arg_builder *b, const char *text, const char *glob)
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
append_unknown(struct arg_builder *b, const struct syntax_part *p)
{
    const char *text = p->text;

    if (!risk_part_is_number(b->st, p))
        b->arg.number = false;

    if (p->kind == SYNTAX_PARAMETER)
        text = risk_join(b->st, "$", text);
    append_text(b, text, "*");
    b->arg.known = false;
}

/* Splits an unquoted value at its blanks. */
static void
append_split(struct arg_builder *b, const char *text)
{
    static const char blanks[] = " \t\n";

    if (text[0] && strchr(blanks, text[0]))
        finish_argument(b);
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
        append_text(b, word, word);
        text += n;
        if (*text)
            finish_argument(b);
    }
}

static void
append_values(struct arg_builder *b, const struct risk_args *v, bool quoted)
{
    for (size_t i = 0; i < v->n; i++) {
        const struct risk_arg *a = &v->v[i];

        if (i > 0)
            finish_argument(b);
        if (!a->known || a->tilde || a->pattern) {
            append_text(b, a->text, a->glob);
            b->arg.number = b->arg.number && a->number;
            b->arg.known = b->arg.known && a->known;
            b->arg.pattern = b->arg.pattern || (a->pattern && !quoted);
            b->arg.tilde = a->tilde;
            b->arg.fresh = a->fresh;
        } else if (quoted || b->st->keeps_whole) {
            append_text(b, a->text, a->text);
        } else {
            append_split(b, a->text);
        }
    }
}

/* "$*" is one word: all of them, separated by blanks. */
static bool
append_joined(struct arg_builder *b, const struct risk_args *v)
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
    append_text(b, text, text);
    return true;
}

/* $1, $@ and $* of a function that is called, or of sh -c 'text' name words. */
static bool
append_positional(struct arg_builder *b, const struct syntax_part *p)
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

static const char *const placeholders[] = {"editor", "pager"};

bool
risk_is_placeholder(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(placeholders); i++)
        if (strcmp(name, placeholders[i]) == 0)
            return true;
    return false;
}

/* The value of a variable that the line itself does not assign; NULL: not
 * known. */
static const char *
known_variable_value(const struct risk_state *st, const char *name)
{
    if (strcmp(name, "HOME") == 0)
        return risk_home(st);
    if (strcmp(name, "PWD") == 0)
        return st->directory->dir;
    if (strcmp(name, "EDITOR") == 0 || strcmp(name, "VISUAL") == 0)
        return placeholders[0];
    if (strcmp(name, "PAGER") == 0)
        return placeholders[1];
    return strcmp(name, "SHELL") == 0 ? "bash" : NULL;
}

static bool
append_parameter(struct arg_builder *b, const struct syntax_part *p)
{
    size_t n = strcspn(p->text, "[");
    struct risk_variable *v = risk_variable_find(b->st, p->text, n);
    const struct risk_args *all;
    const char *index = p->text + n;
    const char *value;
    struct risk_args first;

    if (p->op[0] || (b->st->split_changed && !p->quoted))
        return false;
    if (append_positional(b, p))
        return true;
    if (!v || !v->ever) {
        value = n && !b->st->anything ? known_variable_value(b->st, p->text)
                                      : NULL;
        if (value)
            append_text(b, value, value);
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

/* The rm of $(which rm) and $(command -v rm), which does as well as its path;
 * NULL: it is another command. */
static const char *
name_of_which(const struct risk_state *st, const struct syntax_part *p)
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
is_mktemp(const struct syntax_part *p)
{
    const struct syntax_node *n = p->body;

    return n && n->kind == SYNTAX_CALL && n->n_words &&
           strcmp(n->words->text, "mktemp") == 0;
}

/* Appends a pattern or braces as written; with quotes in them the text is not
 * known. */
static void
append_written(struct arg_builder *b, const struct syntax_part *p)
{
    if (strpbrk(p->text, "\\\"'$`")) {
        append_unknown(b, p);
        return;
    }
    b->arg.pattern = b->arg.pattern || p->kind == SYNTAX_GLOB;
    b->braces = b->braces || p->kind == SYNTAX_BRACE;
    append_text(b, p->text, p->text);
}

static void
expand_part(struct arg_builder *b, const struct syntax_part *p)
{
    const char *name;

    switch (p->kind) {
    case SYNTAX_TEXT:
        append_text(b, p->text, p->text);
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
        append_text(b, p->text, p->text);
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
        name = name_of_which(b->st, p);
        if (name) {
            append_text(b, name, name);
            return;
        }
        b->arg.fresh = is_mktemp(p);
        break;
    case SYNTAX_EXPRESSION:
        break;
    }
    append_unknown(b, p);
}

void
risk_expand_word(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_word *w, struct risk_args *out)
{
    struct arg_builder b = {.st = st, .frame = f, .word = w, .out = out};

    begin_argument(&b);
    if (!(w->flags & SYNTAX_EXPANDS)) {
        b.begun = true;
        b.arg.text = b.arg.glob = w->text;
        finish_argument(&b);
        return;
    }
    /* "$x" is an argument even when it is empty. */
    b.begun = w->flags & SYNTAX_QUOTED && !b.frame->positional;
    for (const struct syntax_part *p = w->parts; p; p = p->next)
        expand_part(&b, p);
    finish_argument(&b);
}

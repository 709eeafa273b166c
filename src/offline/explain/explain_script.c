/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_script.c - walks the syntax tree of a command line.
 *
 * Each node goes to the function that explains its kind. Operators and
 * reserved words are not nodes of the tree: they are found in the text
 * between the nodes. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "offline/explain/explain_phrase.h"
#include "offline/explain/explain_state.h"

static int
by_place(const void *a, const void *b)
{
    const struct syntax_word *const *x = a, *const *y = b;

    return ((*x)->from > (*y)->from) - ((*x)->from < (*y)->from);
}

/* Counts the bodies of here-documents that are bytes of the line, and stores
 * them in v unless that is NULL. */
static size_t
collect_heredocs(const struct syntax *s, const struct syntax_word **v)
{
    size_t n = 0;

    for (const struct syntax_node *node = s->all; node; node = node->after)
        for (struct syntax_redirect *r = node->redirects; r; r = r->next) {
            if (!r->heredoc || node->mapped)
                continue;
            if (v)
                v[n] = r->heredoc;
            n++;
        }
    return n;
}

/* Fills s->heredocs. Returns false without memory. */
static bool
sort_heredocs(struct explain_scope *s)
{
    size_t n = collect_heredocs(s->s, NULL);

    s->heredocs = calloc(n + 1, sizeof(const struct syntax_word *));
    if (!s->heredocs)
        return false;
    s->n_heredocs = collect_heredocs(s->s, s->heredocs);
    qsort(s->heredocs, n, sizeof(const struct syntax_word *), by_place);
    return true;
}

/* The position behind the here-document whose body begins at `at`, with its end
 * mark; or `at` when none begins there. */
static size_t
skip_heredoc(const struct explain_scope *s, size_t at, size_t to)
{
    const char *line = s->x->line + s->base, *end;
    struct syntax_word key = {.from = at};
    const struct syntax_word *k = &key, *const * found;

    found = bsearch(&k, s->heredocs, s->n_heredocs, sizeof(k), by_place);
    if (!found)
        return at;
    at = (*found)->to;
    end = at < to ? memchr(line + at, '\n', to - at) : NULL;
    return end ? (size_t)(end - line) : to;
}

void
explain_operators(const struct explain_scope *s, const struct syntax_node *node,
                  size_t from, size_t to)
{
    const char *line = s->x->line + s->base, *end;

    if (s->mapped)
        return;
    while (from < to && s->x->out->n < EXPLAIN_PARTS_MAX) {
        size_t behind = to;

        if (line[from] == '#') {
            end = memchr(line + from, '\n', to - from);
            from = end ? (size_t)(end - line) : to;
        } else if (line[from] == '\n') {
            from = skip_heredoc(s, from + 1, to);
        } else if (explain_operator(s, node, from, &behind)) {
            from = behind;
        } else {
            from++;
        }
    }
}

/* The walk over the tree. */

struct script_walk {
    struct explain_scope s;
    const struct syntax_word **argv; /* room for the words of one command */
};

static void
on_words(const struct script_walk *sc, const struct syntax_node *node,
         const char *first, const char *others)
{
    for (const struct syntax_word *w = node->words; w; w = w->next)
        explain_add_word(
            &sc->s, w, EXPLAIN_OPERAND, "%s",
            explain_words(sc->s.x, w == node->words ? first : others));
}

static void
on_call(const struct script_walk *sc, const struct syntax_node *node)
{
    struct explain_command c = {.s = &sc->s, .argv = sc->argv};

    for (struct syntax_assign *a = node->assigns; a; a = a->next)
        explain_assignment(&sc->s, a);
    for (const struct syntax_word *w = node->words; w; w = w->next)
        sc->argv[c.n++] = w;
    if (c.n > 0 && !explain_function_call(&c))
        explain_call(&c);
}

/* Explains [[ ... ]] as a command. */
static void
on_test(const struct script_walk *sc, const struct syntax_node *node)
{
    struct syntax_word open = {.from = node->from, .to = node->from + 2};
    struct syntax_word close = {.from = node->to, .to = node->to};
    struct explain_command c = {.s = &sc->s, .argv = sc->argv};
    const char *line = sc->s.x->line + sc->s.base;
    size_t end = node->redirects ? node->redirects->from : node->to;

    open.text = "[[";
    close.text = "]]";
    sc->argv[c.n++] = &open;
    for (const struct syntax_word *w = node->words; w; w = w->next)
        sc->argv[c.n++] = w;
    while (end > node->from + 2 && line[end - 1] != ']')
        end--;
    close.from = end - 2;
    close.to = end;
    if (!sc->s.s->fault && !sc->s.mapped)
        sc->argv[c.n++] = &close;
    explain_call(&c);
}

/* Explains ((...)) with its brackets. */
static void
on_arithmetic(const struct script_walk *sc, const struct syntax_node *node,
              enum explain_kind kind, const char *meaning)
{
    const struct syntax_word *w = node->words;
    size_t wide = sc->s.mapped || sc->s.s->fault ? 0 : 2;

    if (w)
        explain_add(sc->s.x, kind, sc->s.base + w->from - wide,
                    sc->s.base + w->to + wide, sc->s.mapped ? w->text : NULL,
                    "%s", explain_words(sc->s.x, meaning));
}

static void
on_function(const struct script_walk *sc, const struct syntax_node *node)
{
    const struct syntax_word *w = node->words;

    if (!w)
        return;
    if (w->from == node->from)
        explain_add_word(&sc->s, w, EXPLAIN_KEYWORD,
                         "makes a function of this name, of what follows");
    else
        explain_add_word(&sc->s, w, EXPLAIN_OPERAND,
                         "the name of the function");
}

static void
on_kind(const struct script_walk *sc, const struct syntax_node *node)
{
    switch (node->kind) {
    case SYNTAX_CALL:
        on_call(sc, node);
        break;
    case SYNTAX_TEST:
        on_test(sc, node);
        break;
    case SYNTAX_ARITH:
        on_arithmetic(sc, node, EXPLAIN_COMMAND,
                      N_("calculates, and succeeds unless the result is 0"));
        break;
    case SYNTAX_FOR_ARITH:
        on_arithmetic(sc, node, EXPLAIN_OPERAND,
                      N_("start; as long as this holds; after each round"));
        break;
    case SYNTAX_FUNCTION:
        on_function(sc, node);
        break;
    case SYNTAX_FOR:
    case SYNTAX_SELECT:
        on_words(sc, node, N_("the variable that takes each value in turn"),
                 N_("one of the values"));
        break;
    case SYNTAX_CASE:
        on_words(sc, node, N_("what is compared with the patterns"), "");
        break;
    case SYNTAX_CASE_ITEM:
        on_words(sc, node, N_("a pattern: what follows runs where it matches"),
                 N_("a pattern: what follows runs where it matches"));
        break;
    case SYNTAX_COPROC:
        on_words(sc, node, N_("the name of its pipes"), "");
        break;
    default:
        break;
    }
}

/* Explains the operators between the words, commands and redirections of a
 * node. */
static void
on_gaps(const struct script_walk *sc, const struct syntax_node *node)
{
    size_t at = node->from;

    if (node->kind == SYNTAX_CALL || node->kind == SYNTAX_TEST ||
        node->kind == SYNTAX_ARITH)
        return;
    for (const struct syntax_word *w = node->words; w; w = w->next) {
        explain_operators(&sc->s, node, at, w->from);
        at = w->to;
    }
    for (const struct syntax_node *k = node->kids; k; k = k->next) {
        explain_operators(&sc->s, node, at, k->from);
        at = k->to;
    }
    for (struct syntax_redirect *r = node->redirects; r; r = r->next) {
        explain_operators(&sc->s, node, at, r->from);
        at = r->to;
    }
    explain_operators(&sc->s, node, at, node->to);
}

/* The number of substitutions around a node. */
static unsigned
substitution_depth(const struct syntax_node *node)
{
    unsigned depth = 0;

    while (node && depth <= EXPLAIN_DEPTH_MAX) {
        depth += !node->parent && node->holder;
        node = node->parent ? node->parent : node->holder;
    }
    return depth;
}

static void
on_node(struct script_walk *sc, const struct syntax_node *node)
{
    struct explainer *x = sc->s.x;
    unsigned outer = x->depth, depth = outer + substitution_depth(node);

    if (depth > EXPLAIN_DEPTH_MAX)
        return;
    x->depth = depth;
    sc->s.mapped = node->mapped;
    on_kind(sc, node);
    for (struct syntax_redirect *r = node->redirects; r; r = r->next)
        explain_redirect(&sc->s, r);
    on_gaps(sc, node);
    explain_expansions(&sc->s, node);
    x->depth = outer;
}

static void
run_script(struct script_walk *sc, size_t n)
{
    const struct syntax *s = sc->s.s;
    size_t end = s->fault ? s->fault_at : n;
    size_t from = s->top ? s->top->from : end, to = s->top ? s->top->to : end;

    for (const struct syntax_node *node = s->all; node; node = node->after)
        if (sc->s.x->out->n < EXPLAIN_PARTS_MAX)
            on_node(sc, node);
    sc->s.mapped = false;
    explain_operators(&sc->s, NULL, 0, from);
    explain_operators(&sc->s, NULL, to, end);
    for (const struct syntax_comment *c = s->comments; c; c = c->next)
        explain_add(sc->s.x, EXPLAIN_COMMENT, sc->s.base + c->from,
                    sc->s.base + c->to, NULL, "a comment: nothing is done");
}

/* The largest number of words in a command, plus [[ and ]]. */
static size_t
most_words(const struct syntax *s)
{
    size_t most = 0;

    for (const struct syntax_node *node = s->all; node; node = node->after)
        if (node->n_words > most)
            most = node->n_words;
    return most + 2;
}

static const struct syntax_node *
first_function(const struct syntax *s)
{
    const struct syntax_node *node = s->all;

    while (node && node->kind != SYNTAX_FUNCTION)
        node = node->after;
    return node;
}

void
explain_line_within(struct explainer *x, size_t from, size_t to)
{
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(free_p) const struct syntax_word **argv = NULL;
    CLEANUP(free_p) const struct syntax_word **heredocs = NULL;
    struct script_walk sc = {.s = {.x = x, .s = &s, .base = from}};

    if (x->depth + 1 > EXPLAIN_DEPTH_MAX) {
        explain_unknown(explain_add(x, EXPLAIN_EXPANSION, from, to, NULL,
                                    "nested too deeply to explain"));
        return;
    }
    if (syntax_read(x->line + from, to - from, &s, NULL) < 0 ||
        !(argv = calloc(most_words(&s), sizeof(*argv))) ||
        !sort_heredocs(&sc.s)) {
        x->nomem = true;
        return;
    }
    heredocs = sc.s.heredocs;
    sc.s.function = first_function(&s);
    sc.argv = argv;
    x->depth++;
    run_script(&sc, to - from);
    free(x->sentence);
    x->sentence = explain_sentence_of(&sc.s);
    if (s.fault)
        explain_unknown(explain_add(x, EXPLAIN_OPERATOR, from + s.fault_at,
                                    from + s.fault_at, "",
                                    "bash would not read this: %s", s.fault));
    x->depth--;
}

bool
explain_word_as_line(const struct explain_scope *s, const struct syntax_word *w)
{
    size_t from = s->base + w->from, to = s->base + w->to;
    const char *raw = s->x->line + from;
    char quote = *raw;

    if (s->mapped)
        return false;
    if (!(w->flags & SYNTAX_QUOTED)) {
        explain_line_within(s->x, from, to);
        return true;
    }
    if ((quote != '\'' && quote != '"') || to - from < 2 ||
        raw[to - from - 1] != quote || memchr(raw + 1, quote, to - from - 2) ||
        w->flags & SYNTAX_ANSI)
        return false;
    if (quote == '"' && memchr(raw, '\\', to - from))
        return false;
    explain_line_within(s->x, from + 1, to - 1);
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_function.c - functions that a line makes and calls. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_args.h"
#include "offline/explain/explain_tell.h"

#define BODY_SHOWN 160 /* bytes of a sentence in brackets */

static bool
is_call_of(const struct syntax_node *node, const char *name)
{
    return node->kind == SYNTAX_CALL && node->words &&
           strcmp(node->words->text, name) == 0;
}

static bool
is_inside(const struct syntax_node *node, const struct syntax_node *outer)
{
    while (node && node != outer)
        node = node->parent ? node->parent : node->holder;
    return node != NULL;
}

static const struct syntax_node *
function_of(const struct scope *s, const char *name)
{
    const struct syntax_node *node = s->function;

    for (; node; node = node->after)
        if (node->kind == SYNTAX_FUNCTION && node->words &&
            strcmp(node->words->text, name) == 0)
            return node;
    return NULL;
}

/* Whether the command, or one that it is part of, is sent to the background
 * before the function ends. */
static bool
is_in_background(const struct syntax_node *node, const struct syntax_node *f)
{
    for (; node && node != f; node = node->parent)
        if (node->join == SYNTAX_BACKGROUND)
            return true;
    return false;
}

/* "which calls itself twice, in the background, without end": the last where
 * the function does nothing else, so that nothing ends it. */
static bool
tell_recursion(struct teller *t, const struct syntax_node *f)
{
    bool background = false, others = false;
    size_t n = 0;

    for (const struct syntax_node *k = t->s->s->all; k; k = k->after) {
        bool itself = is_call_of(k, f->words->text);

        if (k->kind != SYNTAX_CALL || !is_inside(k, f))
            continue;
        others = others || !itself;
        background = background || (itself && is_in_background(k, f));
        n += itself;
    }
    if (n == 0)
        return false;
    buf_str(t->out, ", which calls itself");
    if (n > 2)
        buf_printf(t->out, " %zu times", n);
    buf_str(t->out, n == 2 ? " twice" : "");
    buf_str(t->out, background ? ", in the background" : "");
    buf_str(t->out, others ? "" : ", without end");
    return true;
}

void
tell_function(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    CLEANUP_BUF struct buf text = buf_of(BODY_SHOWN);
    struct teller inner = {.s = t->s, .out = &text};

    if (!node->words) {
        t->bad = true;
        return;
    }
    buf_printf(t->out, "makes the function %.60s", node->words->text);
    if (tell_recursion(t, node) || !node->kids)
        return;
    tell(&inner, node->kids, depth + 1);
    if (!inner.bad && !text.bad && text.len > 0)
        buf_printf(t->out, " (%s)", text.p);
}

/* The function that the name stands for at w: one that is made before, or
 * that w is in. */
static const struct syntax_node *
meant_at(const struct scope *s, const struct syntax_word *w)
{
    const struct syntax_node *f = s->function ? function_of(s, w->text) : NULL;

    return f && f->from < w->from && syntax_word_is_literal(w) ? f : NULL;
}

bool
explain_own(const struct call *c)
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
                     w->to <= f->to ? "this function itself, called again"
                                    : "the function that this line makes");
    for (size_t i = 1; i < c->n; i++) {
        explain_add_word(c->s, c->argv[i], EXPLAIN_OPERAND,
                         "$%zu in the function", i);
        operands[a.n_operands++] = c->argv[i];
    }
    fact_keep(&a);
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_bashism.c - what bash reads in one way and other shells in another. */
#include "guard/risk/risk_bashism.h"

#include <string.h>

#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_memory.h"

static bool
is_special_kind(enum syntax_kind kind)
{
    return kind == SYNTAX_TEST || kind == SYNTAX_ARITH ||
           kind == SYNTAX_FOR_ARITH || kind == SYNTAX_SELECT ||
           kind == SYNTAX_COPROC;
}

/* $[…] begins one byte nearer to its text than $((…)); ${x/a/b}, ${x^}. */
static bool
is_special_part(const struct syntax_part *p)
{
    if (p->kind == SYNTAX_EXPRESSION)
        return p->inside == 0 || p->inside < p->from + 3;
    if (p->kind == SYNTAX_PARAMETER)
        return (p->text[0] == '!' && p->text[1]) ||
               (p->op[0] && strchr("/^,@", p->op[0]));
    return p->kind == SYNTAX_PROCESS_IN || p->kind == SYNTAX_PROCESS_OUT;
}

static bool
is_special_word(const struct syntax_word *w)
{
    if (w->flags & SYNTAX_ANSI)
        return true;
    for (const struct syntax_part *p = w->parts; p; p = p->next) {
        if (is_special_part(p))
            return true;
        for (const struct syntax_part *k = p->kids; k; k = k->next)
            if (is_special_part(k))
                return true;
    }
    return false;
}

static bool
has_special_assign(const struct syntax_node *node)
{
    for (const struct syntax_assign *a = node->assigns; a; a = a->next)
        if (a->append || a->is_array || a->index ||
            (a->value && is_special_word(a->value)))
            return true;
    return false;
}

static bool
has_special_word(const struct syntax_node *node)
{
    const char *name = node->words ? node->words->text : "";

    if (node->kind == SYNTAX_CALL &&
        (strcmp(name, "declare") == 0 || strcmp(name, "typeset") == 0))
        return true;
    for (const struct syntax_word *w = node->words; w; w = w->next)
        if (is_special_word(w))
            return true;
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next)
        if (is_special_word(r->target))
            return true;
    return false;
}

void
risk_bashism(struct risk_state *st, const struct risk_frame *f,
             const struct syntax_node *node)
{
    if (is_special_kind(node->kind) || has_special_assign(node) ||
        has_special_word(node))
        risk_say_opaque(st, risk_from(f, node->from), risk_to(f, node->to),
                        "another shell would read it differently");
}

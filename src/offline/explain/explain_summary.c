/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_summary.c - one sentence for a whole command line. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_tell.h"

#define DEEPEST 6 /* compound commands inside one another */

static bool
is_condition(const struct syntax_node *node)
{
    return node->kind == SYNTAX_TEST ||
           (node->kind == SYNTAX_CALL && node->words &&
            (!strcmp(node->words->text, "[") ||
             !strcmp(node->words->text, "test")));
}

/* [ a ] || [ b ]: conditions in one, "tests whether a, or b". Returns the last
 * of those that have one joint; NULL where there is but one. */
static const struct syntax_node *
tell_conditions(struct teller *t, const struct syntax_node *first)
{
    static const char looks[] = "tests whether ";
    bool either = first->join == SYNTAX_OR;
    const struct syntax_node *last = first;

    if (!either && first->join != SYNTAX_AND)
        return NULL;
    while (last->next && is_condition(last) && is_condition(last->next) &&
           last->join == first->join)
        last = last->next;
    if (last == first)
        return NULL;
    for (const struct syntax_node *k = first; !t->bad; k = k->next) {
        CLEANUP_BUF struct buf text = buf_of(SENTENCE_MAX);
        struct teller inner = {.s = t->s, .out = &text};

        tell_node(&inner, k, DEEPEST);
        t->bad = inner.bad || text.bad || k->negated ||
                 strncmp(text.p, looks, sizeof(looks) - 1) != 0;
        if (k != first)
            buf_str(t->out, either ? ", or " : " and ");
        buf_str(t->out, t->bad       ? ""
                        : k == first ? text.p
                                     : text.p + sizeof(looks) - 1);
        if (k == last)
            break;
    }
    return last;
}

static void
tell_list(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    const struct syntax_node *last;

    for (const struct syntax_node *k = node->kids; k && !t->bad; k = k->next) {
        if (k->join == SYNTAX_OR && k->next && tell_is_true(k->next)) {
            tell(t, k, depth);
            buf_str(t->out, ", and takes a failure for success");
            k = k->next;
        } else if (is_condition(k) && (last = tell_conditions(t, k))) {
            k = last;
        } else {
            tell(t, k, depth);
        }
        if (k->join == SYNTAX_BACKGROUND)
            buf_str(t->out, ", in the background");
        if (!k->next)
            break;
        buf_str(t->out, k->join == SYNTAX_AND  ? "; if that succeeds, "
                        : k->join == SYNTAX_OR ? "; if that fails, "
                                               : "; then ");
    }
}

static void
tell_coproc(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    if (!node->kids) {
        t->bad = true;
        return;
    }
    buf_printf(t->out,
               "in the background, joined to the shell by the pipes "
               "%.40s: ",
               node->words ? node->words->text : "COPROC");
    tell(t, node->kids, depth + 1);
}

static void
tell_simple(struct teller *t, const struct syntax_node *node)
{
    CLEANUP(phrase_done) struct phrase p;

    phrase_init(&p);
    tell_call(t, node, NULL, &p);
    phrase_write(&p, t->out);
}

/* A compound command without its redirections; false: it is none. */
static bool
tell_compound(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    switch (node->kind) {
    case SYNTAX_SUBSHELL:
    case SYNTAX_GROUP:
        if (node->kids)
            tell(t, node->kids, depth + 1);
        return true;
    case SYNTAX_FOR:
    case SYNTAX_SELECT:
        tell_for(t, node, depth);
        return true;
    case SYNTAX_FOR_ARITH:
        tell_count(t, node, depth);
        return true;
    case SYNTAX_CASE:
        tell_case(t, node);
        return true;
    case SYNTAX_WHILE:
    case SYNTAX_UNTIL:
        tell_while(t, node, depth);
        return true;
    case SYNTAX_IF:
        tell_if(t, node, depth);
        return true;
    default:
        return false;
    }
}

void
tell_node(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    if (t->bad || depth > DEEPEST || t->out->bad) {
        t->bad = true;
        return;
    }
    if (tell_compound(t, node, depth)) {
        redirects_say(node, false, t->out);
        return;
    }
    switch (node->kind) {
    case SYNTAX_CALL:
    case SYNTAX_TEST:
        tell_simple(t, node);
        break;
    case SYNTAX_PIPELINE:
        tell_pipeline(t, node);
        break;
    case SYNTAX_LIST:
        tell_list(t, node, depth + 1);
        break;
    case SYNTAX_FUNCTION:
        tell_function(t, node, depth);
        break;
    case SYNTAX_ARITH:
        if (node->words)
            buf_printf(t->out, "calculates ((%.60s))", node->words->text);
        break;
    case SYNTAX_COPROC:
        tell_coproc(t, node, depth);
        break;
    default:
        t->bad = true;
        break;
    }
}

void
tell(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    tell_node(t, node, depth);
    if (node->negated)
        buf_str(t->out, ", and takes success for failure");
    if (node->timed)
        buf_str(t->out, ", and measures how long that takes");
}

char *
summary_of(const struct scope *s)
{
    CLEANUP_BUF struct buf out = buf_of(SENTENCE_MAX);
    struct teller t = {.s = s, .out = &out};

    if (!s->s->top || s->s->fault)
        return NULL;
    tell(&t, s->s->top, 0);
    if (s->s->top->join == SYNTAX_BACKGROUND)
        buf_str(&out, ", in the background");
    return t.bad || out.len == 0 ? NULL : explain_sentence(&out);
}

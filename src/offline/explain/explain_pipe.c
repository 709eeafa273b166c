/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_pipe.c - calls and pipelines of them as a part of a sentence. */
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_tell.h"

/* What < gives; false: nothing. */
bool
tell_input(const struct syntax_node *node, struct phrase *in)
{
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        if (r->kind == SYNTAX_READ) {
            buf_printf(&in->rest, " of %.60s", r->target->text);
        } else if (r->kind == SYNTAX_HERE_STRING) {
            buf_printf(&in->rest, " of the text %.60s", r->target->text);
        } else if (r->kind == SYNTAX_HEREDOC) {
            buf_str(&in->rest, " that follow");
        } else {
            continue;
        }
        buf_str(&in->verb, "shows");
        buf_str(&in->noun, "lines");
        in->many = true;
        return true;
    }
    return false;
}

/* "shows x" with its output in a file is "writes x into it". */
static void
tell_redirects(const struct syntax_node *node, struct phrase *out)
{
    bool thing = phrase_has_thing(out), text = thing && !out->many;

    if (thing && !out->order && redirects_to_file(node) &&
        strcmp(out->verb.p, "shows") == 0) {
        buf_clear(&out->verb);
        buf_str(&out->verb, "writes");
        text = true;
    }
    redirects_say(node, text, thing ? &out->tail : &out->verb);
}

/* A call as a phrase; in: what it reads, or NULL. True when it tells that. */
bool
tell_call(struct teller *t, const struct syntax_node *node,
          const struct phrase *in, struct phrase *out)
{
    size_t at = node->kind == SYNTAX_TEST || !node->words ? node->from
                                                          : node->words->from;
    const struct fact *f = fact_at(t->s->x, t->s->base + at);
    struct sayer s = {.x = t->s->x, .f = f, .in = in, .out = out};
    struct phrase input;

    if (!node->words && node->assigns) {
        const struct syntax_assign *a = node->assigns;

        buf_printf(&out->verb, "sets the variable %.60s%s", a->name,
                   a->value && a->value->flags & SYNTAX_RUNS
                       ? " to what a command writes"
                       : "");
        return false;
    }
    if (redirects_alone(node, &out->verb))
        return false;
    if (!f || f->lacks) {
        t->bad = true;
        return false;
    }
    phrase_init(&input);
    if (!in && tell_input(node, &input))
        s.in = &input;
    say_call(&s);
    tell_redirects(node, out);
    phrase_done(&input);
    return s.in_used;
}

/* What comes of a phrase that makes nothing one can name. */
static void
go_on(struct teller *t, struct phrase *p)
{
    phrase_write(p, t->out);
    buf_str(t->out, ", then ");
    phrase_done(p);
    phrase_init(p);
    buf_str(&p->noun, "what that writes");
}

/* while read x; do …; done */
bool
tell_is_read_loop(const struct syntax_node *node)
{
    const struct syntax_node *test = node->kids;

    return node->kind == SYNTAX_WHILE && test && test->next &&
           test->kind == SYNTAX_CALL && test->words &&
           strcmp(test->words->text, "read") == 0;
}

/* (cat), { cat; }: brackets round one call change nothing that is said. */
static const struct syntax_node *
without_brackets(const struct syntax_node *node)
{
    while ((node->kind == SYNTAX_SUBSHELL || node->kind == SYNTAX_GROUP) &&
           !node->redirects && !node->negated && node->kids &&
           (node->kids->kind == SYNTAX_CALL ||
            node->kids->kind == SYNTAX_SUBSHELL ||
            node->kids->kind == SYNTAX_GROUP) &&
           node->kids->join == SYNTAX_NONE)
        node = node->kids;
    return node;
}

/* A part of a pipeline that is no call: `last` is what comes before it, and
 * afterwards nothing one can name. */
static void
tell_compound(struct teller *t, const struct syntax_node *k, bool first,
              struct phrase *last)
{
    bool lines = !first && tell_is_read_loop(k);

    phrase_write(last, t->out);
    phrase_done(last);
    phrase_init(last);
    if (lines) {
        buf_str(t->out, ", and for each of them: ");
        tell(t, k->kids->next, 1);
        redirects_say(k, false, t->out);
        return;
    }
    buf_str(t->out, first ? "" : ", and with that as input ");
    tell(t, k, 1);
}

void
tell_pipeline(struct teller *t, const struct syntax_node *node)
{
    CLEANUP(phrase_done) struct phrase last;
    bool first = true;

    phrase_init(&last);
    for (const struct syntax_node *k = node->kids; k; k = k->next) {
        const struct syntax_node *part = without_brackets(k);
        struct phrase next;

        if (part->kind != SYNTAX_CALL) {
            tell_compound(t, part, first, &last);
        } else {
            if (!first && !phrase_has_thing(&last))
                go_on(t, &last);
            phrase_init(&next);
            if (!tell_call(t, part, first ? NULL : &last, &next) && !first &&
                last.verb.len > 0) { /* else it is said already */
                phrase_write(&last, t->out);
                buf_str(t->out, ", then ");
            }
            phrase_done(&last);
            last = next;
        }
        if (t->bad)
            return;
        first = false;
    }
    phrase_write(&last, t->out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_loop.c - loops, conditions and cases as a part of a sentence. */
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_tell.h"

/* What a loop repeats; where it cannot be said, that there is something. */
static void
tell_body(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    CLEANUP_BUF struct buf text = buf_of(SENTENCE_MAX);
    struct teller inner = {.s = t->s, .out = &text};

    tell(&inner, node, depth + 1);
    buf_str(t->out,
            inner.bad || text.bad || text.len == 0 ? "runs commands" : text.p);
}

/* "for each i of a, b: …" */
void
tell_for(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    bool chosen = node->kind == SYNTAX_SELECT;
    const struct syntax_word *w = node->words;
    size_t n = 0;

    if (!w || !node->kids) {
        t->bad = true;
        return;
    }
    buf_printf(t->out,
               chosen ? "each time a person chooses %.40s" : "for each %.40s",
               w->text);
    if (!w->next)
        buf_str(t->out, " of the arguments");
    for (w = w->next; w && n < 3; w = w->next, n++)
        buf_printf(t->out, "%s%.60s", n ? ", " : " of ", w->text);
    buf_str(t->out, w ? ", \342\200\246: " : ": ");
    tell_body(t, node->kids, depth);
}

/* for ((i=0; i<3; i++)) */
void
tell_count(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    if (!node->words || !node->kids) {
        t->bad = true;
        return;
    }
    buf_printf(t->out, "repeats, counting by ((%.60s)): ", node->words->text);
    tell_body(t, node->kids, depth);
}

void
tell_case(struct teller *t, const struct syntax_node *node)
{
    size_t n = 0;

    for (const struct syntax_node *k = node->kids; k; k = k->next)
        n++;
    if (!node->words || n == 0) {
        t->bad = true;
        return;
    }
    buf_printf(t->out, "finds which of ");
    if (n == 1)
        buf_str(t->out, "its patterns");
    else
        buf_printf(t->out, "%zu patterns", n);
    buf_printf(t->out, " %.60s matches, and runs what belongs to it",
               node->words->text);
}

/* What if and while look at: "tests whether a is a file" is "a is a file". */
static void
tell_test(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    static const char looks[] = "tests whether ";
    CLEANUP_BUF struct buf text = buf_of(SENTENCE_MAX);
    struct teller inner = {.s = t->s, .out = &text};

    tell_node(&inner, node, depth + 1);
    if (inner.bad || text.bad)
        buf_str(t->out, node->negated ? "commands fail" : "commands succeed");
    else if (strncmp(text.p, looks, sizeof(looks) - 1) == 0)
        buf_printf(t->out, "%s%s", node->negated ? "it is not true that " : "",
                   text.p + sizeof(looks) - 1);
    else
        buf_printf(t->out, "this %s (%s)", node->negated ? "fails" : "succeeds",
                   text.p);
}

/* while read x; do …; done < f */
static void
tell_lines(struct teller *t, const struct syntax_node *node)
{
    CLEANUP(phrase_done) struct phrase in;

    phrase_init(&in);
    if (tell_input(node, &in))
        buf_printf(t->out, "for each of the lines%s: ", in.rest.p);
    else
        buf_str(t->out, "for each line that is read: ");
}

void
tell_while(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    const struct syntax_node *test = node->kids;

    if (!test || !test->next) {
        t->bad = true;
        return;
    }
    if (tell_is_true(test)) {
        buf_str(t->out, "for ever: ");
    } else if (tell_is_read_loop(node)) {
        tell_lines(t, node);
    } else {
        buf_str(t->out, node->kind == SYNTAX_WHILE ? "as long as " : "until ");
        tell_test(t, test, depth);
        buf_str(t->out, ": ");
    }
    tell_body(t, test->next, depth);
}

void
tell_if(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    const struct syntax_node *k = node->kids;
    const char *start = "if ";

    t->bad = !k || !k->next;
    for (; k && k->next; k = k->next->next) {
        buf_str(t->out, start);
        tell_test(t, k, depth);
        buf_str(t->out, ": ");
        tell_body(t, k->next, depth);
        start = "; if not, but if ";
    }
    if (k) {
        buf_str(t->out, "; if not: ");
        tell_body(t, k, depth);
    }
}

bool
tell_is_true(const struct syntax_node *node)
{
    return node->kind == SYNTAX_CALL && node->words &&
           (!strcmp(node->words->text, "true") ||
            !strcmp(node->words->text, ":"));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_summary.c - one sentence for a whole command line. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain_phrase.h"

#define DEEPEST      6   /* compound commands inside one another */
#define SENTENCE_MAX 400 /* bytes: three rows of a screen */

struct teller {
    const struct scope *s;
    struct buf *out;
    bool bad; /* something in it cannot be said */
};

static void tell(struct teller *t, const struct syntax_node *node,
                 unsigned depth);

/* The same, but for a ! in front of it. */
static void tell_node(struct teller *t, const struct syntax_node *node,
                      unsigned depth);

/* What < gives; false: nothing. */
static bool
read_input(const struct syntax_node *node, struct phrase *in)
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

/* A call as a phrase; in: what it reads, or NULL. */
static void
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
        return;
    }
    if (redirects_alone(node, &out->verb))
        return;
    if (!f) {
        t->bad = true;
        return;
    }
    phrase_init(&input);
    if (!in && read_input(node, &input))
        s.in = &input;
    say_call(&s);
    redirects_say(node, phrase_has_thing(out) && !out->many,
                  phrase_has_thing(out) ? &out->tail : &out->verb);
    phrase_done(&input);
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
static bool
is_read_loop(const struct syntax_node *node)
{
    const struct syntax_node *test = node->kids;

    return node->kind == SYNTAX_WHILE && test && test->next &&
           test->kind == SYNTAX_CALL && test->words &&
           strcmp(test->words->text, "read") == 0;
}

static void
tell_pipeline(struct teller *t, const struct syntax_node *node)
{
    struct phrase last, next;
    const struct syntax_node *k;
    bool first = true;

    phrase_init(&last);
    for (k = node->kids; k; k = k->next) {
        if (!first && k->kind != SYNTAX_CALL)
            break;
        t->bad = t->bad || k->kind != SYNTAX_CALL;
        if (t->bad)
            break;
        phrase_init(&next);
        if (!first && !phrase_has_thing(&last))
            go_on(t, &last);
        tell_call(t, k, first ? NULL : &last, &next);
        phrase_done(&last);
        last = next;
        first = false;
    }
    phrase_write(&last, t->out);
    phrase_done(&last);
    if (k && !t->bad) { /* … | while read x; do …: a shell's own loop */
        t->bad = k->next || !is_read_loop(k);
        buf_str(t->out, ", and for each of them: ");
        if (!t->bad)
            tell(t, k->kids->next, 1);
    }
}

/* || true, || : */
static bool
is_true(const struct syntax_node *node)
{
    return node->kind == SYNTAX_CALL && node->words &&
           (!strcmp(node->words->text, "true") ||
            !strcmp(node->words->text, ":"));
}

static void
tell_list(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    for (const struct syntax_node *k = node->kids; k && !t->bad; k = k->next) {
        if (k->join == SYNTAX_OR && k->next && is_true(k->next)) {
            tell(t, k, depth);
            buf_str(t->out, ", and takes a failure for success");
            k = k->next;
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
static void
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
static void
tell_count(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    if (!node->words || !node->kids) {
        t->bad = true;
        return;
    }
    buf_printf(t->out, "repeats, counting by ((%.60s)): ", node->words->text);
    tell_body(t, node->kids, depth);
}

static void
tell_case(struct teller *t, const struct syntax_node *node)
{
    size_t n = 0;

    for (const struct syntax_node *k = node->kids; k; k = k->next)
        n++;
    if (!node->words || n == 0) {
        t->bad = true;
        return;
    }
    buf_printf(t->out, "looks which of ");
    if (n == 1)
        buf_str(t->out, "its patterns");
    else
        buf_printf(t->out, "%zu patterns", n);
    buf_printf(t->out, " %.60s matches, and runs what belongs to it",
               node->words->text);
}

/* What if and while look at: "looks whether a is a file" is "a is a file". */
static void
tell_test(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    static const char looks[] = "looks whether ";
    CLEANUP_BUF struct buf text = buf_of(SENTENCE_MAX);
    struct teller inner = {.s = t->s, .out = &text};

    tell_node(&inner, node, depth + 1);
    if (inner.bad || text.bad)
        buf_str(t->out, node->negated ? "commands fail" : "commands succeed");
    else if (strncmp(text.p, looks, sizeof(looks) - 1) == 0)
        buf_printf(t->out, "%s%s", node->negated ? "it is not so that " : "",
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
    if (read_input(node, &in))
        buf_printf(t->out, "for each of the lines%s: ", in.rest.p);
    else
        buf_str(t->out, "for each line that is read: ");
}

static void
tell_while(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    const struct syntax_node *test = node->kids;

    if (!test || !test->next) {
        t->bad = true;
        return;
    }
    if (is_true(test)) {
        buf_str(t->out, "for ever: ");
    } else if (is_read_loop(node)) {
        tell_lines(t, node);
    } else {
        buf_str(t->out, node->kind == SYNTAX_WHILE ? "as long as " : "until ");
        tell_test(t, test, depth);
        buf_str(t->out, ": ");
    }
    tell_body(t, test->next, depth);
}

static void
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

static void
tell_node(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    struct phrase p;

    if (t->bad || depth > DEEPEST || t->out->bad) {
        t->bad = true;
        return;
    }
    phrase_init(&p);
    switch (node->kind) {
    case SYNTAX_CALL:
    case SYNTAX_TEST:
        tell_call(t, node, NULL, &p);
        phrase_write(&p, t->out);
        break;
    case SYNTAX_PIPELINE:
        tell_pipeline(t, node);
        break;
    case SYNTAX_LIST:
        tell_list(t, node, depth + 1);
        break;
    case SYNTAX_SUBSHELL:
    case SYNTAX_GROUP:
        if (node->kids)
            tell(t, node->kids, depth + 1);
        redirects_say(node, false, t->out);
        break;
    case SYNTAX_FOR:
    case SYNTAX_SELECT:
        tell_for(t, node, depth);
        break;
    case SYNTAX_FOR_ARITH:
        tell_count(t, node, depth);
        break;
    case SYNTAX_CASE:
        tell_case(t, node);
        break;
    case SYNTAX_WHILE:
    case SYNTAX_UNTIL:
        tell_while(t, node, depth);
        break;
    case SYNTAX_IF:
        tell_if(t, node, depth);
        break;
    case SYNTAX_FUNCTION:
        if (node->words)
            buf_printf(t->out, "makes the function %.60s", node->words->text);
        break;
    case SYNTAX_ARITH:
        if (node->words)
            buf_printf(t->out, "calculates ((%.60s))", node->words->text);
        break;
    default:
        t->bad = true;
        break;
    }
    phrase_done(&p);
}

static void
tell(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    tell_node(t, node, depth);
    if (node->negated)
        buf_str(t->out, ", and takes success for failure");
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
    if (t.bad || out.bad || out.len == 0)
        return NULL;
    for (size_t i = 0; i < out.len; i++)
        if ((unsigned char)out.p[i] < 0x20)
            out.p[i] = ' ';
    return buf_take(&out);
}

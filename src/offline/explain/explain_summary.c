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

static bool
is_nowhere(const struct syntax_redirect *r)
{
    return strcmp(r->target->text, "/dev/null") == 0;
}

/* Where the output goes: ", into a.txt". */
static void
say_redirects(const struct syntax_node *node, bool text, struct buf *out)
{
    static const char *const into[] = {", and writes that into", " into"};
    static const char *const onto[] = {", and adds that to", " at the end of"};

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        bool writes = r->kind == SYNTAX_WRITE || r->kind == SYNTAX_CLOBBER ||
                      r->kind == SYNTAX_WRITE_BOTH;
        bool appends = r->kind == SYNTAX_APPEND ||
                       r->kind == SYNTAX_APPEND_BOTH;

        if ((!writes && !appends) || (r->fd == 2 && !is_nowhere(r)))
            continue;
        if (r->fd == 2)
            buf_str(out, ", without error messages");
        else if (is_nowhere(r))
            buf_str(out, ", and throws the output away");
        else
            buf_printf(out, "%s %.60s", writes ? into[text] : onto[text],
                       r->target->text);
    }
}

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
        buf_printf(&out->verb, "sets the variable %.60s", node->assigns->name);
        return;
    }
    if (!f) {
        t->bad = true;
        return;
    }
    phrase_init(&input);
    if (!in && read_input(node, &input))
        s.in = &input;
    say_call(&s);
    say_redirects(node, phrase_has_thing(out) && !out->many,
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

static void
tell_for(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    const struct syntax_word *w = node->words;
    size_t n = 0;

    if (!w || !node->kids) {
        t->bad = true;
        return;
    }
    buf_printf(t->out, "for each %.40s", w->text);
    for (w = w->next; w && n < 3; w = w->next, n++)
        buf_printf(t->out, "%s%.60s", n ? ", " : " of ", w->text);
    buf_str(t->out, w ? ", \342\200\246: " : ": ");
    tell(t, node->kids, depth + 1);
}

/* What if and while look at: "looks whether a is a file" is "a is a file". */
static void
tell_test(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    static const char looks[] = "looks whether ";
    CLEANUP_BUF struct buf text = buf_of(SENTENCE_MAX);
    struct teller inner = {.s = t->s, .out = &text};

    tell(&inner, node, depth + 1);
    t->bad = t->bad || inner.bad || text.bad;
    if (strncmp(text.p, looks, sizeof(looks) - 1) == 0)
        buf_str(t->out, text.p + sizeof(looks) - 1);
    else
        buf_printf(t->out, "this succeeds (%s)", text.p);
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
    } else {
        buf_str(t->out, node->kind == SYNTAX_WHILE ? "as long as " : "until ");
        tell_test(t, test, depth);
        buf_str(t->out, ": ");
    }
    tell(t, test->next, depth + 1);
}

static void
tell_if(struct teller *t, const struct syntax_node *node, unsigned depth)
{
    const struct syntax_node *test = node->kids;

    if (!test || !test->next || (test->next->next && test->next->next->next)) {
        t->bad = true; /* elif: see the parts */
        return;
    }
    buf_str(t->out, "if ");
    tell_test(t, test, depth);
    buf_str(t->out, ": ");
    tell(t, test->next, depth + 1);
    if (test->next->next) {
        buf_str(t->out, "; if not: ");
        tell(t, test->next->next, depth + 1);
    }
}

static void
tell(struct teller *t, const struct syntax_node *node, unsigned depth)
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
        say_redirects(node, false, t->out);
        break;
    case SYNTAX_FOR:
        tell_for(t, node, depth);
        break;
    case SYNTAX_WHILE:
    case SYNTAX_UNTIL:
        tell_while(t, node, depth);
        break;
    case SYNTAX_IF:
        tell_if(t, node, depth);
        break;
    default:
        t->bad = true;
        break;
    }
    phrase_done(&p);
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

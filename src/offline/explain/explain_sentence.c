/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_sentence.c - writes one sentence about a whole command line.
 *
 * Every function appends to t->out. It sets t->bad when something cannot
 * be explained, and then the whole sentence is dropped. depth counts the
 * compound commands around the node. */
#include <string.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "offline/explain/explain_phrase.h"

#define SENTENCE_MAX 400 /* bytes: three rows of a screen */

struct sentence {
    const struct explain_scope *s;
    struct buf *out;
    bool bad; /* a part cannot be explained */
};

/* Writes the phrase of what < reads. Returns false when there is no such
 * redirection. */
static bool
input_phrase(const struct syntax_node *node, struct phrase *in)
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

/* Adds the redirections: "shows x" with its output in a file is "writes x into
 * it". */
static void
sentence_redirects(const struct sentence *t, const struct syntax_node *node,
                   struct phrase *out)
{
    bool thing = phrase_has_thing(out), text = thing && !out->many;

    if (thing && !out->order && phrase_writes_file(node) &&
        strcmp(out->verb.p, "shows") == 0) {
        buf_clear(&out->verb);
        buf_str(&out->verb, "writes");
        text = true;
    }
    phrase_redirects(t->s->x, node, text, thing ? &out->tail : &out->verb);
}

/* Writes the phrase of a call; in is what it reads, or NULL. Returns whether
 * the phrase names it. */
static bool
sentence_call(struct sentence *t, const struct syntax_node *node,
              const struct phrase *in, struct phrase *out)
{
    size_t at = node->kind == SYNTAX_TEST || !node->words ? node->from
                                                          : node->words->from;
    const struct fact *f = fact_at(t->s->x, t->s->base + at);
    struct phrase_context s = {.x = t->s->x, .f = f, .in = in, .out = out};
    struct phrase input;

    if (!node->words && node->assigns) {
        const struct syntax_assign *a = node->assigns;

        buf_printf(&out->verb, "sets the variable %.60s%s", a->name,
                   a->value && a->value->flags & SYNTAX_RUNS
                       ? " to what a command writes"
                       : "");
        return false;
    }
    if (phrase_redirects_alone(t->s->x, node, &out->verb))
        return false;
    if (!f || f->lacks) {
        t->bad = true;
        return false;
    }
    phrase_init(&input);
    if (!in && input_phrase(node, &input))
        s.in = &input;
    phrase_of_call(&s);
    sentence_redirects(t, node, out);
    phrase_done(&input);
    return s.in_used;
}

/* Ends a phrase without a noun; the next one works on "what that writes". */
static void
begin_next_phrase(struct sentence *t, struct phrase *p)
{
    phrase_write(p, t->out);
    buf_str(t->out, ", then ");
    phrase_done(p);
    phrase_init(p);
    buf_str(&p->noun, "what that writes");
}

/* Whether it is a loop over lines: while read x; do ...; done */
static bool
is_read_loop(const struct syntax_node *node)
{
    const struct syntax_node *test = node->kids;

    return node->kind == SYNTAX_WHILE && test && test->next &&
           test->kind == SYNTAX_CALL && test->words &&
           strcmp(test->words->text, "read") == 0;
}

/* The call inside (cat) or { cat; }: brackets around one call change no
 * meaning. */
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

static void sentence_command(struct sentence *t, const struct syntax_node *node,
                             unsigned depth);

/* Adds a member of a pipeline that is no call. `last` is the phrase before it,
 * and is empty afterwards. */
static void
sentence_pipe_member(struct sentence *t, const struct syntax_node *k,
                     bool first, struct phrase *last)
{
    bool lines = !first && is_read_loop(k);

    phrase_write(last, t->out);
    phrase_done(last);
    phrase_init(last);
    if (lines) {
        buf_str(t->out, ", and for each of them: ");
        sentence_command(t, k->kids->next, 1);
        phrase_redirects(t->s->x, k, false, t->out);
        return;
    }
    buf_str(t->out, first ? "" : ", and with that as input ");
    sentence_command(t, k, 1);
}

static void
sentence_pipeline(struct sentence *t, const struct syntax_node *node)
{
    CLEANUP(phrase_done) struct phrase last;
    bool first = true;

    phrase_init(&last);
    for (const struct syntax_node *k = node->kids; k; k = k->next) {
        const struct syntax_node *part = without_brackets(k);
        struct phrase next;

        if (part->kind != SYNTAX_CALL) {
            sentence_pipe_member(t, part, first, &last);
        } else {
            if (!first && !phrase_has_thing(&last))
                begin_next_phrase(t, &last);
            phrase_init(&next);
            if (!sentence_call(t, part, first ? NULL : &last, &next) &&
                !first && last.verb.len > 0) { /* else it was written before */
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

/* Loops, conditions and case. */

/* Adds the body of a loop; "runs commands" when it cannot be explained. */
static void
sentence_body(struct sentence *t, const struct syntax_node *node,
              unsigned depth)
{
    CLEANUP_BUF struct buf text = buf_of(SENTENCE_MAX);
    struct sentence inner = {.s = t->s, .out = &text};

    sentence_command(&inner, node, depth + 1);
    buf_str(t->out,
            inner.bad || text.bad || text.len == 0 ? "runs commands" : text.p);
}

/* "for each i of a, b: …" */
static void
sentence_for(struct sentence *t, const struct syntax_node *node, unsigned depth)
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
    sentence_body(t, node->kids, depth);
}

/* for ((i=0; i<3; i++)) */
static void
sentence_count(struct sentence *t, const struct syntax_node *node,
               unsigned depth)
{
    if (!node->words || !node->kids) {
        t->bad = true;
        return;
    }
    buf_printf(t->out, "repeats, counting by ((%.60s)): ", node->words->text);
    sentence_body(t, node->kids, depth);
}

static void
sentence_case(struct sentence *t, const struct syntax_node *node)
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

static void sentence_plain_command(struct sentence *t,
                                   const struct syntax_node *node,
                                   unsigned depth);

/* Adds the condition of if and while: "a is a file" for "tests whether a is a
 * file". */
static void
sentence_test(struct sentence *t, const struct syntax_node *node,
              unsigned depth)
{
    static const char test[] = "tests whether ";
    CLEANUP_BUF struct buf text = buf_of(SENTENCE_MAX);
    struct sentence inner = {.s = t->s, .out = &text};

    sentence_plain_command(&inner, node, depth + 1);
    if (inner.bad || text.bad)
        buf_str(t->out, node->negated ? "commands fail" : "commands succeed");
    else if (strncmp(text.p, test, sizeof(test) - 1) == 0)
        buf_printf(t->out, "%s%s", node->negated ? "it is not true that " : "",
                   text.p + sizeof(test) - 1);
    else
        buf_printf(t->out, "this %s (%s)", node->negated ? "fails" : "succeeds",
                   text.p);
}

/* Adds the head of a loop over lines: while read x; do ...; done < f */
static void
sentence_lines(struct sentence *t, const struct syntax_node *node)
{
    CLEANUP(phrase_done) struct phrase in;

    phrase_init(&in);
    if (input_phrase(node, &in))
        buf_printf(t->out, "for each of the lines%s: ", in.rest.p);
    else
        buf_str(t->out, "for each line that is read: ");
}

/* true, : */
static bool
is_true_command(const struct syntax_node *node)
{
    return node->kind == SYNTAX_CALL && node->words &&
           (!strcmp(node->words->text, "true") ||
            !strcmp(node->words->text, ":"));
}

static void
sentence_while(struct sentence *t, const struct syntax_node *node,
               unsigned depth)
{
    const struct syntax_node *test = node->kids;

    if (!test || !test->next) {
        t->bad = true;
        return;
    }
    if (is_true_command(test)) {
        buf_str(t->out, "for ever: ");
    } else if (is_read_loop(node)) {
        sentence_lines(t, node);
    } else {
        buf_str(t->out, node->kind == SYNTAX_WHILE ? "as long as " : "until ");
        sentence_test(t, test, depth);
        buf_str(t->out, ": ");
    }
    sentence_body(t, test->next, depth);
}

static void
sentence_if(struct sentence *t, const struct syntax_node *node, unsigned depth)
{
    const struct syntax_node *k = node->kids;
    const char *start = "if ";

    t->bad = !k || !k->next;
    for (; k && k->next; k = k->next->next) {
        buf_str(t->out, start);
        sentence_test(t, k, depth);
        buf_str(t->out, ": ");
        sentence_body(t, k->next, depth);
        start = "; if not, but if ";
    }
    if (k) {
        buf_str(t->out, "; if not: ");
        sentence_body(t, k, depth);
    }
}

/* Functions that the line defines. */

#define BODY_SHOWN 160 /* bytes of a function's sentence */

static bool
is_call_of(const struct syntax_node *node, const char *name)
{
    return node->kind == SYNTAX_CALL && node->words &&
           strcmp(node->words->text, name) == 0;
}

static bool
is_node_inside(const struct syntax_node *node, const struct syntax_node *outer)
{
    while (node && node != outer)
        node = node->parent ? node->parent : node->holder;
    return node != NULL;
}

/* Whether the command, or one around it inside the function, runs in the
 * background. */
static bool
is_in_background(const struct syntax_node *node, const struct syntax_node *f)
{
    for (; node && node != f; node = node->parent)
        if (node->join == SYNTAX_BACKGROUND)
            return true;
    return false;
}

/* Adds ", which calls itself twice, in the background, without end"; the last
 * when the function does nothing else. Returns false when there is no
 * recursion. */
static bool
sentence_recursion(struct sentence *t, const struct syntax_node *f)
{
    bool background = false, others = false;
    size_t n = 0;

    for (const struct syntax_node *k = t->s->s->all; k; k = k->after) {
        bool itself = is_call_of(k, f->words->text);

        if (k->kind != SYNTAX_CALL || !is_node_inside(k, f))
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

static void
sentence_function(struct sentence *t, const struct syntax_node *node,
                  unsigned depth)
{
    CLEANUP_BUF struct buf text = buf_of(BODY_SHOWN);
    struct sentence inner = {.s = t->s, .out = &text};

    if (!node->words) {
        t->bad = true;
        return;
    }
    buf_printf(t->out, "makes the function %.60s", node->words->text);
    if (sentence_recursion(t, node) || !node->kids)
        return;
    sentence_command(&inner, node->kids, depth + 1);
    if (!inner.bad && !text.bad && text.len > 0)
        buf_printf(t->out, " (%s)", text.p);
}

/* Lists, compound commands and the whole line. */

#define DEEPEST 6 /* depth of nested compound commands */

static bool
is_condition(const struct syntax_node *node)
{
    return node->kind == SYNTAX_TEST ||
           (node->kind == SYNTAX_CALL && node->words &&
            (!strcmp(node->words->text, "[") ||
             !strcmp(node->words->text, "test")));
}

/* Joins [ a ] || [ b ] to "tests whether a, or b". Returns the last condition
 * of the row with the same operator, or NULL when there is only one. */
static const struct syntax_node *
sentence_conditions(struct sentence *t, const struct syntax_node *first)
{
    static const char test[] = "tests whether ";
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
        struct sentence inner = {.s = t->s, .out = &text};

        sentence_plain_command(&inner, k, DEEPEST);
        t->bad = inner.bad || text.bad || k->negated ||
                 strncmp(text.p, test, sizeof(test) - 1) != 0;
        if (k != first)
            buf_str(t->out, either ? ", or " : " and ");
        buf_str(t->out, t->bad       ? ""
                        : k == first ? text.p
                                     : text.p + sizeof(test) - 1);
        if (k == last)
            break;
    }
    return last;
}

static void
sentence_list(struct sentence *t, const struct syntax_node *node,
              unsigned depth)
{
    const struct syntax_node *last;

    for (const struct syntax_node *k = node->kids; k && !t->bad; k = k->next) {
        if (k->join == SYNTAX_OR && k->next && is_true_command(k->next)) {
            sentence_command(t, k, depth);
            buf_str(t->out, ", and takes a failure for success");
            k = k->next;
        } else if (is_condition(k) && (last = sentence_conditions(t, k))) {
            k = last;
        } else {
            sentence_command(t, k, depth);
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
sentence_coproc(struct sentence *t, const struct syntax_node *node,
                unsigned depth)
{
    if (!node->kids) {
        t->bad = true;
        return;
    }
    buf_printf(t->out,
               "in the background, joined to the shell by the pipes "
               "%.40s: ",
               node->words ? node->words->text : "COPROC");
    sentence_command(t, node->kids, depth + 1);
}

static void
sentence_simple(struct sentence *t, const struct syntax_node *node)
{
    CLEANUP(phrase_done) struct phrase p;

    phrase_init(&p);
    sentence_call(t, node, NULL, &p);
    phrase_write(&p, t->out);
}

/* Adds a compound command without its redirections. Returns false when it is
 * none. */
static bool
sentence_compound(struct sentence *t, const struct syntax_node *node,
                  unsigned depth)
{
    switch (node->kind) {
    case SYNTAX_SUBSHELL:
    case SYNTAX_GROUP:
        if (node->kids)
            sentence_command(t, node->kids, depth + 1);
        return true;
    case SYNTAX_FOR:
    case SYNTAX_SELECT:
        sentence_for(t, node, depth);
        return true;
    case SYNTAX_FOR_ARITH:
        sentence_count(t, node, depth);
        return true;
    case SYNTAX_CASE:
        sentence_case(t, node);
        return true;
    case SYNTAX_WHILE:
    case SYNTAX_UNTIL:
        sentence_while(t, node, depth);
        return true;
    case SYNTAX_IF:
        sentence_if(t, node, depth);
        return true;
    default:
        return false;
    }
}

static void
sentence_plain_command(struct sentence *t, const struct syntax_node *node,
                       unsigned depth)
{
    if (t->bad || depth > DEEPEST || t->out->bad) {
        t->bad = true;
        return;
    }
    if (sentence_compound(t, node, depth)) {
        phrase_redirects(t->s->x, node, false, t->out);
        return;
    }
    switch (node->kind) {
    case SYNTAX_CALL:
    case SYNTAX_TEST:
        sentence_simple(t, node);
        break;
    case SYNTAX_PIPELINE:
        sentence_pipeline(t, node);
        break;
    case SYNTAX_LIST:
        sentence_list(t, node, depth + 1);
        break;
    case SYNTAX_FUNCTION:
        sentence_function(t, node, depth);
        break;
    case SYNTAX_ARITH:
        if (node->words)
            buf_printf(t->out, "calculates ((%.60s))", node->words->text);
        break;
    case SYNTAX_COPROC:
        sentence_coproc(t, node, depth);
        break;
    default:
        t->bad = true;
        break;
    }
}

/* Adds any command, with the ! or time in front of it. */
static void
sentence_command(struct sentence *t, const struct syntax_node *node,
                 unsigned depth)
{
    sentence_plain_command(t, node, depth);
    if (node->negated)
        buf_str(t->out, ", and takes success for failure");
    if (node->timed)
        buf_str(t->out, ", and measures how long that takes");
}

/* In another language: one call after the other, by what the tables say of
 * each. What is put together by English grammar, loops and conditions, has no
 * sentence. */
static void
sentence_call_in_language(struct sentence *t, const struct syntax_node *node,
                          bool piped)
{
    const struct explainer *x = t->s->x;
    const struct fact *f = node->words
                               ? fact_at(x, t->s->base + node->words->from)
                               : NULL;
    CLEANUP(phrase_done) struct phrase made, in;
    struct phrase_context s = {.x = x, .f = f, .out = &made};

    phrase_init(&made);
    phrase_init(&in);
    s.in = piped ? &in : NULL;
    buf_str(&in.noun, explain_words(x, "standard input"));
    if (!f || f->lacks) {
        t->bad = true;
        return;
    }
    phrase_of_call(&s);
    phrase_redirects(x, node, false,
                     made.noun.len > 0 ? &made.tail : &made.verb);
    phrase_write_plain(x, &made, t->out);
}

static void
sentence_in_language(struct sentence *t, const struct syntax_node *node,
                     unsigned depth)
{
    bool pipe = node->kind == SYNTAX_PIPELINE;

    if (depth > DEEPEST || node->negated || node->timed ||
        (pipe && !node->kids))
        t->bad = true;
    else if (node->kind == SYNTAX_CALL)
        sentence_call_in_language(t, node, false);
    else if (!pipe && node->kind != SYNTAX_LIST)
        t->bad = true;
    for (const struct syntax_node *k = t->bad ? NULL : node->kids;
         k && node->kind != SYNTAX_CALL && !t->bad; k = k->next) {
        if (pipe && k->kind != SYNTAX_CALL)
            t->bad = true;
        else if (pipe)
            sentence_call_in_language(t, k, k != node->kids);
        else
            sentence_in_language(t, k, depth + 1);
        if (k->join == SYNTAX_BACKGROUND && !pipe)
            buf_str(t->out, explain_words(t->s->x, ", in the background"));
        if (k->next)
            buf_str(t->out, explain_words(t->s->x, pipe ? N_(", then ")
                                                   : k->join == SYNTAX_AND
                                                       ? N_("; if that "
                                                            "succeeds, ")
                                                   : k->join == SYNTAX_OR
                                                       ? N_("; if that "
                                                            "fails, ")
                                                       : N_("; then ")));
    }
}

char *
explain_sentence_of(const struct explain_scope *s)
{
    CLEANUP_BUF struct buf out = buf_of(SENTENCE_MAX);
    struct sentence t = {.s = s, .out = &out};

    if (!s->s->top || s->s->fault)
        return NULL;
    if (s->x->out->person)
        sentence_in_language(&t, s->s->top, 0);
    else
        sentence_command(&t, s->s->top, 0);
    if (s->s->top->join == SYNTAX_BACKGROUND)
        buf_str(&out, explain_words(s->x, ", in the background"));
    return t.bad || out.len == 0 ? NULL : explain_one_line(&out);
}

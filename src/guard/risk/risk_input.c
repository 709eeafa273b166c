/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_input.c - where a command's standard input comes from. */
#include <string.h>

#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_memory.h"
#include "guard/risk/risk_run.h"

static struct risk_input
unknown(const struct risk_frame *f, size_t from, size_t to)
{
    return (struct risk_input){RISK_INPUT_UNKNOWN, "", risk_from(f, from),
                               risk_to(f, to)};
}

/* The text that a word is known to be; NULL: not known. */
static const char *
known_text(struct risk_state *st, const struct risk_frame *f,
           const struct syntax_word *w)
{
    struct risk_args args = {0};

    if (!(w->flags & SYNTAX_EXPANDS))
        return w->text;
    risk_expand(st, f, w, &args);
    if (args.n != 1 || !args.v[0].known)
        return NULL;
    return args.v[0].text;
}

static struct risk_input
of_redirect(struct risk_state *st, const struct risk_frame *f,
            const struct syntax_redirect *r)
{
    struct risk_input in = unknown(f, r->from, r->to);
    const char *text = NULL;

    switch (r->kind) {
    case SYNTAX_HEREDOC:
        text = r->heredoc ? r->heredoc->text : "";
        break;
    case SYNTAX_HERE_STRING:
        text = known_text(st, f, r->target);
        break;
    case SYNTAX_READ:
        if (strcmp(r->target->text, "/dev/null") == 0)
            in.kind = RISK_INPUT_NONE;
        return in;
    case SYNTAX_DUP_IN:
        if (strcmp(r->target->text, "-") == 0 ||
            strcmp(r->target->text, "0") == 0)
            in.kind = RISK_INPUT_NONE;
        return in;
    default:
        return in;
    }
    if (!text)
        return in;
    in.kind = RISK_INPUT_TEXT;
    in.text = text;
    return in;
}

/* The last redirect of standard input, NULL without one. */
static const struct syntax_redirect *
input_redirect(const struct syntax_node *node)
{
    const struct syntax_redirect *found = NULL;

    for (const struct syntax_redirect *r = node->redirects; r; r = r->next) {
        bool reads = r->kind == SYNTAX_READ || r->kind == SYNTAX_READ_WRITE ||
                     r->kind == SYNTAX_HEREDOC ||
                     r->kind == SYNTAX_HERE_STRING || r->kind == SYNTAX_DUP_IN;

        if ((reads && (r->fd == 0 || r->fd == SYNTAX_FD_DEFAULT)) ||
            (r->kind == SYNTAX_DUP_OUT && r->fd == 0))
            found = r;
    }
    return found;
}

static bool
writes_elsewhere(const struct syntax_node *node)
{
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next)
        if (r->kind != SYNTAX_HEREDOC && r->kind != SYNTAX_HERE_STRING &&
            r->kind != SYNTAX_READ)
            return true;
    return false;
}

/* printf's words, when its format is plain enough to be sure. */
static const char *
printed(struct risk_state *st, const struct risk_args *a)
{
    const char *format = a->n > 1 ? a->v[1].text : "";
    const char *text = "";

    if (a->n == 2 && !strpbrk(format, "%\\"))
        return format;
    if (strcmp(format, "%s\\n") != 0 && strcmp(format, "%s") != 0 &&
        strcmp(format, "%s\n") != 0)
        return NULL;
    for (size_t i = 2; i < a->n; i++)
        text = risk_join(st, risk_join(st, text, i > 2 ? "\n" : ""),
                         a->v[i].text);
    return text;
}

/* echo's words; NULL when it would change them. */
static const char *
echoed(struct risk_state *st, const struct risk_args *a)
{
    const char *text = "";
    bool escapes = false;
    size_t i = 1;

    for (; i < a->n && a->v[i].text[0] == '-'; i++) {
        const char *s = a->v[i].text + 1;

        if (!*s || strspn(s, "neE") != strlen(s))
            break;
        escapes = escapes || strchr(s, 'e');
    }
    for (size_t first = i; i < a->n; i++) {
        if ((escapes || st->frame->bashless) && strchr(a->v[i].text, '\\'))
            return NULL;
        text = risk_join(st, risk_join(st, text, i > first ? " " : ""),
                         a->v[i].text);
    }
    return text;
}

/* What a command is sure to write into a pipe; NULL: who knows. */
static const char *
output_of(struct risk_state *st, const struct risk_frame *f,
          const struct syntax_node *node)
{
    const struct syntax_redirect *r = input_redirect(node);
    struct risk_args a = {0};

    if (node->kind != SYNTAX_CALL || !node->words || writes_elsewhere(node))
        return NULL;
    for (const struct syntax_word *w = node->words; w; w = w->next)
        risk_expand(st, f, w, &a);
    for (size_t i = 0; i < a.n; i++)
        if (!a.v[i].known || a.v[i].pattern || a.v[i].tilde)
            return NULL;
    if (a.n == 0)
        return NULL;
    if (strcmp(a.v[0].text, "echo") == 0)
        return echoed(st, &a);
    if (strcmp(a.v[0].text, "printf") == 0)
        return printed(st, &a);
    if (strcmp(a.v[0].text, "cat") == 0 && a.n == 1 && r) {
        struct risk_input in = of_redirect(st, f, r);

        return in.kind == RISK_INPUT_TEXT ? in.text : NULL;
    }
    return NULL;
}

static struct risk_input
of_pipe(struct risk_state *st, const struct risk_frame *f,
        const struct syntax_node *before)
{
    struct risk_input in = unknown(f, before->from, before->to);
    const char *text = output_of(st, f, before);

    if (text) {
        in.kind = RISK_INPUT_TEXT;
        in.text = text;
    }
    return in;
}

static const struct syntax_node *
kid_before(const struct syntax_node *parent, const struct syntax_node *node)
{
    const struct syntax_node *before = parent->kids;

    if (before == node)
        return NULL;
    while (before && before->next != node)
        before = before->next;
    return before;
}

/* tee >(sh): a body that reads what is written to it. */
static bool
is_written_to(const struct syntax_node *holder, const struct syntax_node *body)
{
    for (const struct syntax_word *w = holder->words; w; w = w->next)
        for (const struct syntax_part *p = w->parts; p; p = p->next)
            if (p->body == body)
                return p->kind == SYNTAX_PROCESS_OUT;
    for (const struct syntax_redirect *r = holder->redirects; r; r = r->next)
        for (const struct syntax_part *p = r->target->parts; p; p = p->next)
            if (p->body == body)
                return p->kind == SYNTAX_PROCESS_OUT;
    return false;
}

struct risk_input
risk_input_of(struct risk_state *st, const struct risk_frame *f,
              const struct syntax_node *node)
{
    size_t from = node->from, to = node->to;

    while (node) {
        const struct syntax_redirect *r = input_redirect(node);
        const struct syntax_node *up = node->parent, *before = NULL;

        if (r)
            return of_redirect(st, f, r);
        if (node == f->body)
            break;
        if (up && up->kind == SYNTAX_PIPELINE)
            before = kid_before(up, node);
        if (before)
            return of_pipe(st, f, before);
        if (up && up->kind == SYNTAX_COPROC)
            return unknown(f, up->from, up->to);
        if (!up && node->holder && is_written_to(node->holder, node))
            return unknown(f, node->from, node->to);
        node = up ? up : node->holder;
    }
    if (st->reads) /* exec < file, of this shell or of an outer one */
        return unknown(f, from, to);
    return f->input;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_list.c - parses lists of pipelines, and pipelines of commands. */
#include <string.h>

#include "guard/syntax/syntax_command.h"
#include "guard/syntax/syntax_lexer.h"

enum { LIST_BEGIN, LIST_AFTER };

struct list_ending {
    const char *word[3]; /* reserved words */
    const char *operator;
};

static const struct list_ending endings[] = {
    [SYNTAX_LIST_ALL] = {{NULL}, NULL},
    [SYNTAX_LIST_PAREN] = {{NULL}, ")"},
    [SYNTAX_LIST_BRACE] = {{"}"}, NULL},
    [SYNTAX_LIST_INSIDE] = {{NULL}, "}"},
    [SYNTAX_LIST_THEN] = {{"then"}, NULL},
    [SYNTAX_LIST_DO] = {{"do"}, NULL},
    [SYNTAX_LIST_DONE] = {{"done"}, NULL},
    [SYNTAX_LIST_FI] = {{"fi", "else", "elif"}, NULL},
    [SYNTAX_LIST_ESAC] = {{"esac"}, ";"},
};

static void
add_list_kid(struct syntax_parser *p, struct syntax_frame *f)
{
    struct syntax_node *kid = p->node;

    p->node = NULL;
    if (!kid)
        return;
    if (f->list.last) {
        kid->depends = f->list.last->join == SYNTAX_AND ||
                       f->list.last->join == SYNTAX_OR;
        f->list.last->next = kid;
    } else {
        f->list.first = kid;
    }
    if (f->list.n++ == 0)
        f->list.before = p->before;
    f->list.last = kid;
}

/* A node around the kids, in front of them in `all`; a single kid stays as it
 * is. */
static struct syntax_node *
join_kids(struct syntax_parser *p, struct syntax_frame *f,
          enum syntax_kind kind)
{
    struct syntax_node *node = f->list.first, *last = p->last;

    p->before = f->list.before;
    if (f->list.n < 2)
        return node;
    p->last = f->list.before;
    node = syntax_node_new(p, kind, 0);
    if (!node)
        return NULL;
    p->last = last;
    node->from = f->list.first->from;
    node->to = f->list.last->to;
    node->kids = f->list.first;
    for (struct syntax_node *k = node->kids; k; k = k->next)
        k->parent = node;
    return node;
}

/* An & puts the whole of a && b || c into the background. */
static void
mark_background(struct syntax_node *kid)
{
    struct syntax_node *chain = kid;

    for (; kid; kid = kid->next) {
        if (kid->join == SYNTAX_AND || kid->join == SYNTAX_OR)
            continue;
        for (; chain != kid; chain = chain->next)
            chain->apart = kid->join == SYNTAX_BACKGROUND;
        chain->apart = kid->join == SYNTAX_BACKGROUND;
        chain = kid->next;
    }
}

/* Finds the newlines between kids. A mapped source has lost its offsets: there
 * a newline is assumed everywhere. */
static void
mark_line_ends(const struct syntax_parser *p, struct syntax_node *kid)
{
    for (; kid && kid->next; kid = kid->next)
        kid->ends_line = kid->mapped || kid->to > kid->next->from ||
                         memchr(p->src.s + kid->to, '\n',
                                kid->next->from - kid->to);
}

static void
end_list(struct syntax_parser *p, struct syntax_frame *f)
{
    mark_background(f->list.first);
    mark_line_ends(p, f->list.first);
    if (f->list.last && f->list.last->join != SYNTAX_BACKGROUND)
        f->list.last->join = SYNTAX_NONE;
    p->node = join_kids(p, f, SYNTAX_LIST);
    syntax_pop_frame(p);
}

static bool
is_list_end(struct syntax_parser *p, const struct syntax_frame *f,
            bool reserved)
{
    const struct list_ending *end = f->rule;

    if (syntax_peek(p) == SYNTAX_END)
        return true;
    if (end->operator&& syntax_ahead(p, end->operator) &&
        (*end->operator!= ';' || syntax_ahead(p, ";;") ||
         syntax_ahead(p, ";&")))
        return true;
    for (size_t i = 0; reserved && i < 3 && end->word[i]; i++)
        if (syntax_keyword_ahead(p, end->word[i]))
            return true;
    return false;
}

/* Consumes the operator behind a command of a list. True: another command may
 * follow. */
static bool
take_list_operator(struct syntax_parser *p, struct syntax_frame *f)
{
    enum syntax_join join = SYNTAX_THEN;

    syntax_skip_blanks(p);
    f->must = false;
    if (is_list_end(p, f, p->reserved))
        return false;
    if (syntax_take(p, "&&")) {
        join = SYNTAX_AND;
        f->must = true;
    } else if (syntax_take(p, "||")) {
        join = SYNTAX_OR;
        f->must = true;
    } else if (syntax_take(p, "&")) {
        join = SYNTAX_BACKGROUND;
    } else if (syntax_ahead(p, ";;") || syntax_ahead(p, ";&") ||
               (!syntax_take(p, ";") && !syntax_take_newline(p))) {
        syntax_unexpected(p);
        return false;
    }
    if (f->list.last)
        f->list.last->join = join;
    return true;
}

/* Consumes ! and time, behind which the command may be missing. */
static bool
take_prefixes(struct syntax_parser *p, struct syntax_frame *f)
{
    bool any = false;

    for (;; syntax_skip_blanks(p), any = true) {
        size_t bang = syntax_ahead(p, "!");

        if (bang &&
            (syntax_keyword_ahead(p, "!") || syntax_char_at(p, bang) == '(')) {
            syntax_take(p, "!");
            f->list.negated = !f->list.negated;
        } else if (syntax_take_keyword(p, "time")) {
            f->list.timed = true;
            syntax_skip_blanks(p);
            syntax_take_keyword(p, "-p");
            syntax_skip_blanks(p);
            syntax_take_keyword(p, "--");
        } else {
            return any;
        }
    }
}

static void
end_pipeline(struct syntax_parser *p, struct syntax_frame *f)
{
    p->node = join_kids(p, f, SYNTAX_PIPELINE);
    if (p->node) {
        p->node->negated = f->list.negated;
        p->node->timed = f->list.timed;
        if (p->node->kind == SYNTAX_PIPELINE && f->list.n > 1)
            p->node->from = syntax_line_offset(p, f->from);
    }
    syntax_pop_frame(p);
}

/* ! or time without a command is a simple command of no words. */
static bool
take_empty_pipeline(struct syntax_parser *p, struct syntax_frame *f)
{
    int c = syntax_peek(p);

    if (c == ')' ? !(p->in_paren && f->list.timed)
                 : c != SYNTAX_END && c != '\n' && c != ';')
        return false;
    if (syntax_ahead(p, ";;") || syntax_ahead(p, ";&"))
        return false;
    f->list.before = p->last;
    p->before = p->last;
    p->node = syntax_node_new(p, SYNTAX_CALL, f->from);
    p->reserved = false;
    add_list_kid(p, f);
    return true;
}

static void
step_pipeline(struct syntax_parser *p, struct syntax_frame *f)
{
    if (f->state == LIST_BEGIN) {
        f->state = LIST_AFTER;
        f->from = p->src.at;
        if (take_prefixes(p, f) && take_empty_pipeline(p, f))
            end_pipeline(p, f);
        else
            syntax_command_push(p, false);
        return;
    }
    add_list_kid(p, f);
    syntax_skip_blanks(p);
    if (p->out->fault || syntax_ahead(p, "||") || !syntax_ahead(p, "|")) {
        end_pipeline(p, f);
        return;
    }
    if (f->list.last)
        f->list.last->join = syntax_ahead(p, "|&") ? SYNTAX_PIPE_BOTH
                                                   : SYNTAX_PIPE;
    if (!syntax_take(p, "|&"))
        syntax_take(p, "|");
    syntax_skip_newlines(p);
    syntax_command_push(p, false);
}

static void
push_pipeline(struct syntax_parser *p)
{
    struct syntax_frame *f = syntax_push_frame(p, step_pipeline, false);

    if (f)
        f->list.before = p->last;
}

static void
step_list(struct syntax_parser *p, struct syntax_frame *f)
{
    bool more = true;

    if (f->state == LIST_AFTER) {
        add_list_kid(p, f);
        more = !p->out->fault && take_list_operator(p, f);
    }
    if (more)
        syntax_skip_newlines(p);
    if (!more || p->out->fault || (!f->must && is_list_end(p, f, true))) {
        end_list(p, f);
        return;
    }
    f->state = LIST_AFTER;
    push_pipeline(p);
}

void
syntax_list_push(struct syntax_parser *p, enum syntax_list_end end)
{
    struct syntax_frame *f = syntax_push_frame(p, step_list, true);

    p->node = NULL;
    if (f)
        f->rule = &endings[end];
}

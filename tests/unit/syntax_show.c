/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_show.c - prints a syntax tree as one line, for tables of tests. */
#include "syntax_show.h"

#include <string.h>

static void show_node(struct buf *out, const struct syntax_node *node);
static void show_bodies(struct buf *out, const struct syntax_part *part);

static const char *const kinds[] = {
    [SYNTAX_CALL] = "call",     [SYNTAX_PIPELINE] = "pipe",
    [SYNTAX_LIST] = "list",     [SYNTAX_SUBSHELL] = "sub",
    [SYNTAX_GROUP] = "group",   [SYNTAX_FUNCTION] = "function",
    [SYNTAX_IF] = "if",         [SYNTAX_FOR] = "for",
    [SYNTAX_SELECT] = "select", [SYNTAX_FOR_ARITH] = "for((",
    [SYNTAX_WHILE] = "while",   [SYNTAX_UNTIL] = "until",
    [SYNTAX_CASE] = "case",     [SYNTAX_CASE_ITEM] = "item",
    [SYNTAX_TEST] = "test",     [SYNTAX_ARITH] = "arith",
    [SYNTAX_COPROC] = "coproc",
};

static const char *const joins[] = {
    [SYNTAX_NONE] = "",        [SYNTAX_THEN] = " ;",       [SYNTAX_AND] = " &&",
    [SYNTAX_OR] = " ||",       [SYNTAX_BACKGROUND] = " &", [SYNTAX_PIPE] = " |",
    [SYNTAX_PIPE_BOTH] = " |&"};

static const char *const redirects[] = {
    [SYNTAX_READ] = "<",          [SYNTAX_WRITE] = ">",
    [SYNTAX_CLOBBER] = ">|",      [SYNTAX_APPEND] = ">>",
    [SYNTAX_READ_WRITE] = "<>",   [SYNTAX_WRITE_BOTH] = "&>",
    [SYNTAX_APPEND_BOTH] = "&>>", [SYNTAX_DUP_IN] = "<&",
    [SYNTAX_DUP_OUT] = ">&",      [SYNTAX_HEREDOC] = "<<",
    [SYNTAX_HERE_STRING] = "<<<"};

static void
show_word(struct buf *out, const struct syntax_word *w)
{
    static const struct {
        unsigned flag;
        char letter;
    } letters[] = {{SYNTAX_QUOTED, 'q'},  {SYNTAX_ANSI, 'n'},
                   {SYNTAX_PATTERN, 'p'}, {SYNTAX_EXPANDS, 'x'},
                   {SYNTAX_RUNS, 'r'},    {SYNTAX_OPERATOR, 'o'}};
    size_t was = out->len;

    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
        if (w->flags & letters[i].flag &&
            !(letters[i].flag == SYNTAX_EXPANDS && w->flags & SYNTAX_PATTERN))
            buf_ch(out, letters[i].letter);
    if (out->len > was)
        buf_ch(out, ':');
    buf_str(out, w->text);
    show_bodies(out, w->parts);
}

static void
show_bodies(struct buf *out, const struct syntax_part *part)
{
    for (; part; part = part->next) {
        if (part->body) {
            buf_ch(out, '<');
            show_node(out, part->body);
            buf_ch(out, '>');
        }
        show_bodies(out, part->kids);
    }
}

static void
show_assign(struct buf *out, const struct syntax_assign *a)
{
    buf_str(out, a->name);
    if (a->index)
        buf_printf(out, "[%s]", a->index);
    show_bodies(out, a->kids);
    buf_str(out, a->append ? "+=" : "=");
    if (a->is_array)
        buf_ch(out, '(');
    for (const struct syntax_word *w = a->words; w; w = w->next) {
        show_word(out, w);
        buf_str(out, w->next ? " " : "");
    }
    if (a->is_array)
        buf_ch(out, ')');
    if (a->value)
        show_word(out, a->value);
}

static void
show_redirect(struct buf *out, const struct syntax_redirect *r)
{
    if (r->fd >= 0)
        buf_printf(out, "%d", r->fd);
    if (r->variable)
        buf_printf(out, "{%s}", r->variable);
    buf_str(out, redirects[r->kind]);
    show_word(out, r->target);
    if (r->heredoc) {
        buf_str(out, "(");
        show_word(out, r->heredoc);
        buf_str(out, ")");
    }
}

static void
show_node(struct buf *out, const struct syntax_node *node)
{
    bool call = node->kind == SYNTAX_CALL;
    const char *gap = call ? "" : " ";

    if (node->timed)
        buf_str(out, "time ");
    if (node->negated)
        buf_str(out, "! ");
    buf_str(out, call ? "[" : "(");
    if (!call)
        buf_str(out, kinds[node->kind]);
    for (const struct syntax_assign *a = node->assigns; a; a = a->next) {
        buf_str(out, gap);
        show_assign(out, a);
        gap = " ";
    }
    for (const struct syntax_word *w = node->words; w; w = w->next) {
        buf_str(out, gap);
        show_word(out, w);
        gap = " ";
    }
    for (const struct syntax_node *k = node->kids; k; k = k->next) {
        buf_ch(out, ' ');
        show_node(out, k);
    }
    for (struct syntax_redirect *r = node->redirects; r; r = r->next) {
        buf_str(out, gap);
        show_redirect(out, r);
        gap = " ";
    }
    buf_str(out, call ? "]" : ")");
    buf_str(out, joins[node->join]);
}

void
syntax_show(struct buf *out, const struct syntax *s)
{
    if (s->top)
        show_node(out, s->top);
    if (s->fault)
        buf_printf(out, "%s!%s", s->top ? " " : "", s->fault);
}

static void
show_parts(struct buf *out, const struct syntax_part *part)
{
    static const char *const names[] = {
        [SYNTAX_TEXT] = "text",       [SYNTAX_PARAMETER] = "var",
        [SYNTAX_COMMAND] = "command", [SYNTAX_PROCESS_IN] = "in",
        [SYNTAX_PROCESS_OUT] = "out", [SYNTAX_EXPRESSION] = "expr",
        [SYNTAX_GLOB] = "glob",       [SYNTAX_BRACE] = "brace",
        [SYNTAX_TILDE] = "tilde"};

    for (; part; part = part->next) {
        buf_printf(out, "%s%s(%s%s%s", part->quoted ? "q" : "",
                   names[part->kind], part->text, *part->op ? "," : "",
                   part->op);
        if (part->kids) {
            buf_ch(out, '|');
            show_parts(out, part->kids);
        }
        buf_str(out, part->next ? ") " : ")");
    }
}

void
syntax_show_parts(struct buf *out, const struct syntax *s)
{
    const struct syntax_node *node = s->all;

    for (const struct syntax_word *w = node ? node->words : NULL; w;
         w = w->next) {
        show_parts(out, w->parts);
        buf_str(out, w->next ? " / " : "");
    }
}

static const char *
wrong_parts(const struct syntax_part *part, const struct syntax_node *holder,
            size_t n)
{
    for (; part; part = part->next) {
        const char *wrong;

        if (part->from > part->to || part->to > n || !part->text || !part->op)
            return "a part outside the line";
        if (part->body && (part->body->parent || part->body->holder != holder))
            return "a body without its holder";
        wrong = wrong_parts(part->kids, holder, n);
        if (wrong)
            return wrong;
    }
    return NULL;
}

static const char *
wrong_word(const struct syntax_word *w, const struct syntax_node *holder,
           size_t n)
{
    if (!w)
        return NULL;
    if (w->from > w->to || w->to > n)
        return "a word outside the line";
    if (strlen(w->text) != w->len)
        return "a word whose length is not its text's";
    return wrong_parts(w->parts, holder, n);
}

static const char *
wrong_node(const struct syntax_node *node, size_t n)
{
    const char *wrong = NULL;
    size_t words = 0;

    if (node->from > node->to || node->to > n)
        return "a node outside the line";
    for (struct syntax_word *w = node->words; w && !wrong; w = w->next) {
        wrong = wrong_word(w, node, n);
        words++;
    }
    if (!wrong && words != node->n_words)
        return "a wrong number of words";
    for (struct syntax_node *k = node->kids; k; k = k->next)
        if (k->parent != node)
            return "a kid without its parent";
    for (struct syntax_redirect *r = node->redirects; r && !wrong;
         r = r->next) {
        if (!r->target)
            return "a redirect without a target";
        wrong = wrong_word(r->target, node, n);
        if (!wrong)
            wrong = wrong_word(r->heredoc, node, n);
    }
    for (struct syntax_assign *a = node->assigns; a && !wrong; a = a->next) {
        wrong = wrong_parts(a->kids, node, n);
        if (!wrong)
            wrong = wrong_word(a->value, node, n);
        for (struct syntax_word *w = a->words; w && !wrong; w = w->next)
            wrong = wrong_word(w, node, n);
    }
    return wrong;
}

const char *
syntax_wrong(const struct syntax *s, size_t line_bytes)
{
    size_t at = 0;

    for (const struct syntax_node *node = s->all; node; node = node->after) {
        const char *wrong = wrong_node(node, line_bytes);

        if (wrong)
            return wrong;
        if (node->from < at)
            return "nodes out of their order";
        at = node->from;
    }
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_evaluate.c - finds where bash evaluates text, and what that runs. */
#include "guard/risk/risk_evaluate.h"

#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "guard/risk/risk_expand.h"
#include "guard/risk/risk_findings.h"
#include "guard/risk/risk_internal.h"

#define DEPTH_MAX 64 /* of expansions inside expansions; more is opaque */

/* An expression that is being evaluated. */
struct arith_expression {
    struct risk_state *st;
    const struct risk_frame *frame;
    const char *text;
    size_t offset; /* offset of the text in the frame; 0: not known */
    const struct syntax_part *kids;
    unsigned depth;
};

static void evaluate_parameter(const struct arith_expression *x,
                               const struct syntax_part *p, unsigned as);

static void
report_unknown(struct risk_state *st)
{
    risk_report_unread(st, st->from, st->to,
                       "evaluates the result of an expansion");
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether the name at [from, to) is assigned: x=5, x++, ++x. Then it is a
 * number. */
static bool
is_assigned(const char *text, size_t from, size_t to)
{
    size_t before = from;

    to += strspn(text + to, " \t\n");
    if (text[to] == '[')
        to += strcspn(text + to, "]") + (strchr(text + to, ']') != NULL);
    to += strspn(text + to, " \t\n");
    while (before > 0 && strchr(" \t\n", text[before - 1]))
        before--;
    if (before > 1 && text[before - 1] == text[before - 2] &&
        strchr("+-", text[before - 1]))
        return true;
    if (strncmp(text + to, "++", 2) == 0 || strncmp(text + to, "--", 2) == 0)
        return true;
    if (text[to] == '=')
        return text[to + 1] != '=';
    if (strncmp(text + to, "<<=", 3) == 0 || strncmp(text + to, ">>=", 3) == 0)
        return true;
    return text[to] && strchr("*/%+-&^|", text[to]) && text[to + 1] == '=';
}

static void
evaluate_arith_name(struct risk_state *st, const char *text, size_t from,
                    size_t to)
{
    risk_variable_evaluate(st, text + from, to - from, RISK_AS_ARITHMETIC);
    if (is_assigned(text, from, to))
        risk_variable_assign(st, text + from, to - from,
                             risk_value_of_number(st), false);
}

static size_t
parameter_word_end(const char *text, size_t at)
{
    while (ascii_is_word(text[at]) || text[at] == '#' || text[at] == '@')
        at++;
    return at;
}

/* Evaluates the names of a text in which nothing expands. */
static void
evaluate_names(struct risk_state *st, const char *text)
{
    for (size_t i = 0, to; text[i]; i = to) {
        to = i + 1;
        if (strncmp(text + i, "${#", 3) == 0) {
            to = parameter_word_end(text, i + 3);
        } else if (is_digit(text[i])) {
            to = parameter_word_end(text, i);
        } else if (ascii_is_word(text[i])) {
            to = i + risk_name_length(text + i);
            evaluate_arith_name(st, text, i, to);
        }
    }
}

/* As what the expansion at [from, to) of the text is read: RISK_AS_ bits; 0: as
 * part of a name that is not known. */
static unsigned
kid_context(const struct arith_expression *x, size_t from, size_t to,
            const struct syntax_part *next)
{
    const char *s = x->text;
    bool before = from > 0 && ascii_is_word(s[from - 1]), after;
    size_t word = from;

    after = ascii_is_word(s[to]) ||
            (next && next->from == x->offset + to && s[to] == '$');
    while (word > 0 && ascii_is_word(s[word - 1]))
        word--;
    if (before && !is_digit(s[word]))
        return 0; /* a$i: a name that is not known */
    return before || after ? RISK_AS_ARITHMETIC | RISK_AS_NUMBER
                           : RISK_AS_ARITHMETIC;
}

static void
evaluate_kid(const struct arith_expression *x, const struct syntax_part *k,
             unsigned as)
{
    if (as == 0)
        report_unknown(x->st);
    else if (k->kind == SYNTAX_PARAMETER)
        evaluate_parameter(x, k, as);
    else if (k->kind == SYNTAX_COMMAND && !risk_prints_number(k->body))
        report_unknown(x->st);
}

/* A copy without quoting characters. What expands in quotes may be empty, so
 * that "$y"x is x; with `apart`, quotes separate names. */
static const char *
copy_unquoted(struct risk_state *st, const char *text, bool apart)
{
    char *copy = risk_alloc(st, strlen(text) + 1), *to = copy;

    for (; copy && *text; text++) {
        if (*text == '\\' && text[1] == '\n')
            text++;
        else if (!strchr("\\\"'", *text))
            *to++ = *text;
        else if (apart)
            *to++ = ' ';
    }
    return copy ? copy : "";
}

static void
evaluate_unquoted_names(struct risk_state *st, const char *text)
{
    evaluate_names(st, copy_unquoted(st, text, false));
    if (strchr(text, '$') && strpbrk(text, "\"'"))
        evaluate_names(st, copy_unquoted(st, text, true));
}

/* For kids without offsets, or that do not fit the text. */
static void
evaluate_all_kids(const struct arith_expression *x)
{
    for (const struct syntax_part *k = x->kids; k; k = k->next)
        evaluate_kid(x, k,
                     k->next ? RISK_AS_ARITHMETIC | RISK_AS_NUMBER
                             : RISK_AS_ARITHMETIC);
    evaluate_unquoted_names(x->st, x->text);
}

/* Evaluates the text between the kids, and each kid by its context. */
static void
evaluate_expression(const struct arith_expression *x)
{
    const struct syntax_part *k = x->kids;
    size_t at = 0, n = strlen(x->text);
    char *text;

    if (x->offset == 0 || strpbrk(x->text, "\\\"'")) {
        evaluate_all_kids(x);
        return;
    }
    text = risk_alloc(x->st, n + 1);
    if (!text)
        return;
    memcpy(text, x->text, n);
    for (; k; k = k->next) {
        size_t from = k->from - x->offset, to = k->to - x->offset;

        if (k->from < x->offset || from < at || to > n) {
            evaluate_all_kids(x);
            return;
        }
        evaluate_kid(x, k, kid_context(x, from, to, k->next));
        memset(text + from, ' ', to - from); /* it may be empty */
        at = to;
    }
    evaluate_names(x->st, text);
}

static void
evaluate_written(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_part *p, const char *text, size_t offset,
                 unsigned depth)
{
    struct arith_expression x = {st, f, text, offset, p->kids, depth};

    if (strlen(text) == SYNTAX_WRITTEN_BYTES &&
        (p->inside == 0 || p->to - p->inside > SYNTAX_WRITTEN_BYTES + 2))
        report_unknown(st); /* the text was cut */
    evaluate_expression(&x);
}

static bool
is_balanced(const char *text)
{
    size_t depth = 0;

    for (; *text; text++) {
        depth += *text == '[';
        if (*text == ']' && depth-- == 0)
            return false;
    }
    return depth == 0;
}

/* Evaluates a known text: its expansions are read as if written in the line. */
static void
evaluate_text(struct risk_state *st, const char *text, size_t from, size_t to)
{
    struct risk_frame inner;

    if (!strpbrk(text, "[]$`\\\"'")) {
        evaluate_names(st, text);
        return;
    }
    if (strpbrk(text, "\\\"'") || !is_balanced(text)) {
        report_unknown(st);
        return;
    }
    inner = *st->frame;
    inner.outer = st->frame;
    inner.mapped = true;
    inner.from = from;
    inner.to = to;
    inner.input.kind = RISK_INPUT_NONE;
    text = risk_join(st, risk_join(st, "((", text), "))");
    risk_walk_text(st, &inner, text, true);
}

/* Evaluates a name, or name[subscript]. */
static void
evaluate_name(struct risk_state *st, const char *text, size_t from, size_t to)
{
    size_t n = risk_name_length(text), end = strlen(text);
    const char *index = text + n + 1;

    if (!text[n] || (n == 0 && !strchr(text, '[')))
        return;
    if (n == 0 || text[n] != '[' || text[end - 1] != ']') {
        if (strchr(text, '['))
            report_unknown(st);
        return;
    }
    if (strcmp(index, "@]") != 0 && strcmp(index, "*]") != 0)
        evaluate_text(st, risk_copy(st, index, strlen(index) - 1), from, to);
}

static void
evaluate_known(struct risk_state *st, const struct risk_arg *a, unsigned as)
{
    if (as & RISK_AS_NUMBER &&
        strspn(a->text, "0123456789.") != strlen(a->text))
        report_unknown(st);
    if (as & RISK_AS_ARITHMETIC)
        evaluate_text(st, a->text, a->from, a->to);
    if (as & RISK_AS_NAME)
        evaluate_name(st, a->text, a->from, a->to);
}

/* Whether it is {1..9}. */
static bool
is_number_range(const struct risk_arg *a)
{
    return a->known && a->pattern && a->text[0] == '{' &&
           strspn(a->text, "{}0123456789.-") == strlen(a->text);
}

void
risk_evaluate_value(struct risk_state *st, const struct risk_args *value,
                    unsigned as)
{
    if (!value)
        report_unknown(st);
    for (size_t i = 0; value && i < value->n; i++) {
        const struct risk_arg *a = &value->v[i];

        if (a->number || is_number_range(a))
            continue;
        if (!a->known || a->pattern || a->tilde)
            report_unknown(st);
        else
            evaluate_known(st, a, as);
    }
}

/* Evaluates the parts of a word that is not fully known as an expression. */
static void
evaluate_parts(struct risk_state *st, const struct risk_frame *f,
               const struct syntax_word *w, unsigned as)
{
    const char *text = "";
    struct arith_expression x = {.st = st, .frame = f};

    for (const struct syntax_part *p = w->parts; p; p = p->next) {
        unsigned kid = w->parts->next ? RISK_AS_ARITHMETIC | RISK_AS_NUMBER
                                      : as;
        bool is_text = p->kind == SYNTAX_TEXT || p->kind == SYNTAX_GLOB;

        text = risk_join(st, text, is_text ? p->text : " ");
        if ((p->kind == SYNTAX_TEXT && strpbrk(p->text, "$`\\\"'")) ||
            (p->kind == SYNTAX_GLOB && strpbrk(p->text, "\\\"'")))
            report_unknown(st);
        if (p->kind == SYNTAX_PARAMETER || p->kind == SYNTAX_COMMAND)
            evaluate_kid(&x, p, kid);
        for (const struct syntax_part *k = is_text ? p->kids : NULL; k;
             k = k->next)
            evaluate_kid(&x, k, RISK_AS_ARITHMETIC | RISK_AS_NUMBER);
    }
    if (as & RISK_AS_NAME)
        text += strcspn(text, "[");
    evaluate_unquoted_names(st, text);
}

void
risk_evaluate_arg(struct risk_state *st, const struct risk_frame *f,
                  const struct risk_arg *a, unsigned as)
{
    bool is_name = as == RISK_AS_NAME;

    if (a->number)
        return;
    if (a->known && !a->tilde && (!a->pattern || is_name))
        evaluate_known(st, a, as);
    else if (a->source)
        evaluate_parts(st, f, a->source, as);
    else
        report_unknown(st);
}

static void
evaluate_positional(const struct arith_expression *x, const char *name,
                    unsigned as)
{
    const struct risk_args *all = x->frame->positional;
    struct risk_args one = {0};

    if (x->st->shifted || x->st->later || (!all && x->frame->depth > 0)) {
        report_unknown(x->st);
    } else if (all && strchr("@*", name[0])) {
        risk_evaluate_value(x->st, all, as);
    } else if (all && name[1]) {
        report_unknown(x->st);
    } else if (all && (size_t)(name[0] - '0') <= all->n) {
        one = (struct risk_args){.v = &all->v[name[0] - '1'], .n = 1};
        risk_evaluate_value(x->st, &one, as);
    }
}

/* Whether it is ${!a[@]}, the subscripts of an array; not ${!a*}, names. */
static bool
is_keys(const struct syntax_part *p)
{
    size_t n = strlen(p->text);

    return p->text[0] == '!' && n > 3 && p->text[n - 1] == ']' &&
           strchr("@*", p->text[n - 2]);
}

static bool
is_map(const struct risk_state *st, const char *name, size_t n)
{
    const struct risk_variable *v = risk_variable_find(st, name, n);

    return v && v->is_map && v->shell == st->frame->shell &&
           !(v->loses_map && (st->loop || st->later));
}

bool
risk_part_is_number(struct risk_state *st, const struct syntax_part *p)
{
    struct risk_variable *v;

    if (p->kind == SYNTAX_COMMAND)
        return risk_prints_number(p->body);
    if (p->kind != SYNTAX_PARAMETER)
        return p->kind == SYNTAX_EXPRESSION;
    if (p->text[0] == '#' ||
        (p->text[0] && !p->text[1] && strchr("?$!", p->text[0])))
        return true;
    if (is_keys(p))
        return !is_map(st, p->text + 1, strcspn(p->text, "[") - 1);
    v = risk_variable_find(st, p->text, strlen(p->text));
    return v && !p->op[0] && risk_variable_is_number(st, v);
}

/* Evaluates the default or alternative text of ${x-…}, ${x+…} and the like. */
static void
evaluate_op(const struct arith_expression *x, const struct syntax_part *p)
{
    size_t skip = 1;

    if (p->op[0] == ':' && p->op[1] && strchr("-=+?", p->op[1]))
        skip = 2;
    if (p->op[0] && strchr("-=+:", p->op[0]))
        evaluate_written(x->st, x->frame, p, p->op + skip,
                         p->inside ? p->inside + skip : 0, x->depth + 1);
}

/* Evaluates ${x…} where a number is expected. */
static void
evaluate_parameter(const struct arith_expression *x,
                   const struct syntax_part *p, unsigned as)
{
    const char *name = p->text;
    size_t n = risk_name_length(name);
    bool same = !p->op[0] || strchr("-=+?[", p->op[0]) ||
                (p->op[0] == ':' && strchr("-=+?", p->op[1]));

    if (x->depth > DEPTH_MAX)
        report_unknown(x->st);
    else if ((name[0] == '#' && name[1]) ||
             (name[0] && !name[1] && strchr("?#$!", name[0])))
        return;
    else if (is_keys(p) && !is_map(x->st, name + 1, strcspn(name, "[") - 1))
        return;
    else if (n > 0)
        risk_variable_evaluate(x->st, name, n,
                               same ? as : RISK_AS_ARITHMETIC | RISK_AS_NUMBER);
    else if (name[0] && strchr("@*123456789", name[0]) && same)
        evaluate_positional(x, name, as);
    else
        report_unknown(x->st);
    if (x->depth <= DEPTH_MAX)
        evaluate_op(x, p);
}

/* ${!x}: evaluates the value as a name. */
static void
evaluate_indirect(struct risk_state *st, const struct risk_frame *f,
                  const struct syntax_part *p)
{
    struct arith_expression x = {.st = st, .frame = f};
    const char *name = p->text + 1;
    size_t n = risk_name_length(name);

    if (is_keys(p) || strcmp(p->op, "*") == 0 || strcmp(p->op, "@") == 0)
        return;
    if (n > 0)
        risk_variable_evaluate(st, name, n, RISK_AS_NAME);
    else if (name[0] && strchr("@*123456789", name[0]))
        evaluate_positional(&x, name, RISK_AS_NAME);
}

/* ${x:=text} assigns. */
static void
assign_default(struct risk_state *st, const struct risk_frame *f,
               const struct syntax_part *p)
{
    const char *text = p->op + 1 + (p->op[0] == ':');
    bool plain = !p->kids && !strpbrk(text, "$`\\\"'*?[{~<> \t\n");
    struct risk_args *value = plain ? risk_value_of_text(st, text) : NULL;
    size_t n = risk_name_length(p->text);

    risk_environment_assigned(st, f, p->text, n, value);
    risk_variable_assign(st, p->text, n, value, false);
}

/* Evaluates the subscripts of x[i] and x[…], and the offsets of ${x:o:l}. */
static void
evaluate_subscripts(struct risk_state *st, const struct risk_frame *f,
                    const struct syntax_part *p, unsigned depth)
{
    const char *name = p->text + strspn(p->text, "#!");
    const char *index = strchr(name, '[');
    size_t n = index ? (size_t)(index - name) : strlen(name);

    if (index && index[1] != '@' && index[1] != '*' && !is_map(st, name, n))
        evaluate_names(st, index);
    if (p->op[0] == '[' && !is_map(st, name, n))
        evaluate_written(st, f, p, p->op, p->inside, depth);
    if (p->op[0] == ':' && (!p->op[1] || !strchr("-=?+", p->op[1])))
        evaluate_written(st, f, p, p->op, p->inside, depth);
}

static void
evaluate_expansion(struct risk_state *st, const struct risk_frame *f,
                   const struct syntax_part *p, unsigned depth)
{
    if (p->text[0] == '!' && p->text[1])
        evaluate_indirect(st, f, p);
    evaluate_subscripts(st, f, p, depth);
    if (p->op[0] == '=' || (p->op[0] == ':' && p->op[1] == '='))
        assign_default(st, f, p);
    if (strstr(p->op, "@P"))
        risk_report_unread(st, st->from, st->to,
                           "a prompt runs commands in it");
}

/* Whether an expression cannot fail: 1 + 2*3. 08 and 1+ can. */
static bool
is_plain_sum(const char *text)
{
    for (;;) {
        text += strspn(text, " ");
        if (*text == '0' && is_digit(text[1]))
            return false;
        if (!is_digit(*text))
            return false;
        text += strspn(text, "0123456789");
        text += strspn(text, " ");
        if (!*text)
            return true;
        if (!strchr("+-*", *text) || text[1] == *text)
            return false;
        text++;
    }
}

/* Whether it is ${x-…}, ${x:-…}, ${x#…} or the like. Anything else behind the
 * name is a bad substitution, or arithmetic. */
static bool
is_substitution(const struct syntax_part *p)
{
    const char *op = p->op + (p->op[0] == ':');

    if (!p->op[0])
        return p->text[0] != '\0';
    if (!p->text[0] || (p->text[0] == '#' && p->text[1]))
        return false;
    if (op[0] == '=')
        return risk_name_length(p->text) > 0;
    return op[0] && strchr(op > p->op ? "-+?" : "-+?#%/^,", op[0]);
}

/* Whether bash may fail on it: 1/0, ${!x}, ${x[]}, ${1:=a}, ${x:y}. */
static bool
may_end_line(const struct syntax_part *p)
{
    if (p->kind == SYNTAX_EXPRESSION)
        return !is_plain_sum(p->text);
    if (p->kind != SYNTAX_PARAMETER)
        return false;
    if (p->text[0] == '!' && p->text[1])
        return true;
    if (strchr(p->text, '[') || (p->op[0] && strchr("@[", p->op[0])))
        return p->op[0] || !(strstr(p->text, "[@]") || strstr(p->text, "[*]"));
    return !is_substitution(p);
}

static void
evaluate_part(struct risk_state *st, const struct risk_frame *f,
              const struct syntax_part *p, unsigned depth)
{
    st->fails = st->fails || may_end_line(p);
    if (depth > DEPTH_MAX) {
        report_unknown(st);
        return;
    }
    if (p->kind == SYNTAX_PARAMETER)
        evaluate_expansion(st, f, p, depth);
    else if (p->kind == SYNTAX_EXPRESSION && p->op[0] != '[')
        evaluate_written(st, f, p, p->text, p->inside, depth);
    for (const struct syntax_part *k = p->kids; k; k = k->next)
        evaluate_part(st, f, k, depth + 1);
}

static void
evaluate_word(struct risk_state *st, const struct risk_frame *f,
              const struct syntax_word *w)
{
    if (!(w->flags & SYNTAX_EXPANDS))
        return;
    for (const struct syntax_part *p = w->parts; p; p = p->next)
        evaluate_part(st, f, p, 0);
}

/* Evaluates the subscript of ([subscript]=value). */
static void
evaluate_element(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_word *w)
{
    const struct syntax_part *p = w->parts;
    const struct syntax_part *next = p ? p->next : NULL;
    bool is_assigned = next && next->kind == SYNTAX_TEXT &&
                       (next->text[0] == '=' || next->text[0] == '+');

    if (p && p->kind == SYNTAX_EXPRESSION && p->op[0] == '[')
        evaluate_written(st, f, p, p->text, p->inside, 0);
    else if (p && p->kind == SYNTAX_TEXT && p->text[0] == '[' && is_assigned) {
        if (strpbrk(p->text, "$`")) /* it was quoted, and now expands */
            report_unknown(st);
        evaluate_unquoted_names(st, p->text);
    }
}

void
risk_evaluate_array(struct risk_state *st, const struct risk_frame *f,
                    const struct syntax_assign *a)
{
    if (!is_map(st, a->name, strlen(a->name)))
        for (const struct syntax_word *w = a->words; w; w = w->next)
            evaluate_element(st, f, w);
}

static void
evaluate_assign(struct risk_state *st, const struct risk_frame *f,
                const struct syntax_assign *a)
{
    const struct syntax_part index = {
        .inside = a->inside, .to = a->to, .kids = a->kids};

    if (a->value)
        evaluate_word(st, f, a->value);
    for (const struct syntax_word *w = a->words; w; w = w->next)
        evaluate_word(st, f, w);
    risk_evaluate_array(st, f, a);
    for (const struct syntax_part *k = a->kids; k; k = k->next)
        evaluate_part(st, f, k, 0);
    st->fails = st->fails || a->index;
    if (a->index && !is_map(st, a->name, strlen(a->name)))
        evaluate_written(st, f, &index, a->index, a->inside, 0);
}

static void
evaluate_redirect(struct risk_state *st, const struct risk_frame *f,
                  const struct syntax_redirect *r)
{
    evaluate_word(st, f, r->target);
    if (r->heredoc)
        evaluate_word(st, f, r->heredoc);
    if (!r->variable)
        return;
    if (strchr(r->variable, '['))
        evaluate_text(st, strchr(r->variable, '['), st->from, st->to);
    risk_variable_assign(st, r->variable, risk_name_length(r->variable),
                         risk_value_of_number(st), false);
}

static void
evaluate_operand(struct risk_state *st, const struct risk_frame *f,
                 const struct syntax_word *w, unsigned as)
{
    struct risk_args args = {0};

    risk_expand_word(st, f, w, &args);
    if (w->flags & SYNTAX_EXPANDS)
        evaluate_parts(st, f, w, as);
    else if (args.n == 1)
        risk_evaluate_arg(st, f, &args.v[0], as);
}

/* Evaluates the numeric operands and names in [[ … ]]. */
static void
evaluate_test(struct risk_state *st, const struct risk_frame *f,
              const struct syntax_node *node)
{
    static const char *const numeric[] = {"-eq", "-ne", "-lt",
                                          "-le", "-gt", "-ge"};
    const struct syntax_word *before = NULL;

    for (const struct syntax_word *w = node->words; w;
         before = w, w = w->next) {
        bool is_number = false;

        if (!(w->flags & SYNTAX_OPERATOR) || !w->next)
            continue;
        for (size_t i = 0; i < ARRAY_SIZE(numeric); i++)
            is_number = is_number || strcmp(w->text, numeric[i]) == 0;
        if (is_number && before) {
            evaluate_operand(st, f, before, RISK_AS_ARITHMETIC);
            evaluate_operand(st, f, w->next, RISK_AS_ARITHMETIC);
        }
        if (strcmp(w->text, "-v") == 0 || strcmp(w->text, "-R") == 0)
            evaluate_operand(st, f, w->next, RISK_AS_NAME);
    }
}

void
risk_evaluate_node(struct risk_state *st, const struct risk_frame *f,
                   const struct syntax_node *node)
{
    for (const struct syntax_word *w = node->words; w; w = w->next)
        evaluate_word(st, f, w);
    for (const struct syntax_assign *a = node->assigns; a; a = a->next)
        evaluate_assign(st, f, a);
    for (const struct syntax_redirect *r = node->redirects; r; r = r->next)
        evaluate_redirect(st, f, r);
    if (node->kind == SYNTAX_TEST)
        evaluate_test(st, f, node);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_expansion.c - explains what the shell puts in place of words. */
#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "offline/explain/explain_state.h"

static const struct {
    char name;
    const char *meaning;
} specials[] = {
    {'?', N_("the exit status of the last command")},
    {'$', N_("the process number of the shell")},
    {'!', N_("the process number of the last command in the background")},
    {'#', N_("how many arguments there are")},
    {'@', N_("all arguments, each a word")},
    {'*', N_("all arguments as one")},
    {'-', N_("the options of the shell")},
    {'0', N_("the name of the shell or script")},
    {'_', N_("the last argument of the command before")},
};

/* What follows the name in ${name...}; the first that fits counts. */
static const struct {
    const char *op, *meaning;
} changes[] = {
    {":-", N_("or what stands behind :- where it is empty")},
    {"-", N_("or what stands behind - where it is not set")},
    {":=", N_("set to what stands behind := where it is empty")},
    {"=", N_("set to what stands behind = where it is not set")},
    {":?", N_("or an error where it is empty")},
    {"?", N_("or an error where it is not set")},
    {":+", N_("but what stands behind :+ where it is not empty")},
    {"+", N_("but what stands behind + where it is set")},
    {"##", N_("without the longest beginning that matches")},
    {"#", N_("without the shortest beginning that matches")},
    {"%%", N_("without the longest end that matches")},
    {"%", N_("without the shortest end that matches")},
    {"//", N_("with every match replaced")},
    {"/", N_("with the first match replaced")},
    {"^^", N_("in large letters")},
    {"^", N_("with its first letter large")},
    {",,", N_("in small letters")},
    {",", N_("with its first letter small")},
    {":", N_("a part of it")},
    {"[", N_("one or all elements of the array")},
    {"@", N_("in another form")},
};

static size_t
variable_name_length(const char *s, size_t n)
{
    size_t i = 0;

    while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'))
        i++;
    return i;
}

/* What ${...} does with the value, by the text behind the name; NULL when there
 * is none. */
static const char *
find_change(const char *s, size_t n)
{
    for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
        if (strlen(changes[i].op) <= n &&
            memcmp(changes[i].op, s, strlen(changes[i].op)) == 0)
            return changes[i].meaning;
    return n ? N_("changed by the shell") : NULL;
}

/* Describes ${...}: the name and what is done to its value. */
static void
describe_variable(const struct explainer *x, const char *s, size_t n,
                  struct buf *out)
{
    bool length = n > 1 && *s == '#', refers = n > 1 && *s == '!';
    size_t len;
    const char *change;

    s += length || refers;
    n -= length || refers;
    len = variable_name_length(s, n);
    for (size_t i = 0; n > 0 && i < ARRAY_SIZE(specials); i++)
        if (s[0] == specials[i].name && len <= 1) {
            buf_str(out, explain_words(x, specials[i].meaning));
            return;
        }
    change = find_change(s + len, n - len);
    if (len > 0 && isdigit((unsigned char)*s))
        buf_printf(out, explain_words(x, "argument %.*s"), (int)len, s);
    else
        buf_printf(out,
                   length ? explain_words(x, "the length of %.*s")
                          : explain_words(x, "the value of %.*s"),
                   (int)(len < 100 ? len : 100), s);
    if (refers)
        buf_str(out, explain_words(x, ", taken as a name"));
    if (change)
        buf_printf(out, ", %s", explain_words(x, change));
}

/* Describes a parameter by its name and what follows it. */
static void
describe_parameter(const struct explainer *x, const struct syntax_part *p,
                   struct buf *out)
{
    CLEANUP_BUF struct buf b = buf_of(4096);

    buf_str(&b, p->text);
    buf_add(&b, p->op, strnlen(p->op, 100));
    describe_variable(x, b.p, b.len, out);
}

/* Explains the marks around the command of a substitution. */
static void
around_body(const struct explain_scope *s, const struct syntax_part *p)
{
    size_t head = s->x->line[s->base + p->from] == '`' ? 1 : 2;

    if (!p->body || p->body->mapped)
        return;
    s->x->depth++;
    explain_operators(s, NULL, p->from + head, p->body->from);
    if (p->to > p->body->to)
        explain_operators(s, NULL, p->body->to, p->to - 1);
    s->x->depth--;
}

static void
on_part(const struct explain_scope *s, const struct syntax_part *p)
{
    CLEANUP_BUF struct buf meaning = buf_of(1024);

    switch (p->kind) {
    case SYNTAX_COMMAND:
        buf_str(&meaning,
                explain_words(s->x, "replaced by what this command writes:"));
        break;
    case SYNTAX_PROCESS_IN:
        buf_str(&meaning,
                explain_words(
                    s->x, "a file from which this command's output is read:"));
        break;
    case SYNTAX_PROCESS_OUT:
        buf_str(&meaning,
                explain_words(s->x, "a file that this command reads:"));
        break;
    case SYNTAX_EXPRESSION:
        buf_str(
            &meaning,
            explain_words(s->x, "replaced by the result of this calculation"));
        break;
    case SYNTAX_PARAMETER:
        describe_parameter(s->x, p, &meaning);
        break;
    default:
        return; /* text or a pattern: the word as a whole is explained */
    }
    explain_add(s->x, EXPLAIN_EXPANSION, s->base + p->from, s->base + p->to,
                NULL, "%s", meaning.p);
    around_body(s, p);
}

/* Explains the expansions among the parts of a word. */
static void
on_parts(const struct explain_scope *s, const struct syntax_part *p)
{
    for (; p; p = p->next) {
        on_part(s, p);
        for (const struct syntax_part *k = p->kids; k; k = k->next)
            if (k->body)
                on_part(s, k);
    }
}

static bool
word_has_part(const struct syntax_word *w, enum syntax_part_kind kind)
{
    const struct syntax_part *p = w->parts;

    while (p && p->kind != kind)
        p = p->next;
    return p != NULL;
}

static void
on_word(const struct explain_scope *s, const struct syntax_word *w,
        bool names_files)
{
    if (!w)
        return;
    if (word_has_part(w, SYNTAX_TILDE))
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "~ is replaced by a home directory");
    if (word_has_part(w, SYNTAX_BRACE))
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "one word for each that stands in the braces");
    if (names_files && word_has_part(w, SYNTAX_GLOB))
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "replaced by the names of all files that match");
    on_parts(s, w->parts);
}

static void
on_assign(const struct explain_scope *s, const struct syntax_assign *a)
{
    if (a->is_array)
        explain_add(s->x, EXPLAIN_EXPANSION, s->base + a->from, s->base + a->to,
                    NULL, "the elements of the array");
    on_parts(s, a->kids);
    on_word(s, a->value, false);
    for (const struct syntax_word *w = a->words; w; w = w->next)
        on_word(s, w, true);
}

void
explain_expansions(const struct explain_scope *s,
                   const struct syntax_node *node)
{
    bool files = node->kind != SYNTAX_TEST && node->kind != SYNTAX_CASE_ITEM;

    for (struct syntax_assign *a = node->assigns; a; a = a->next)
        on_assign(s, a);
    for (const struct syntax_word *w = node->words; w; w = w->next)
        if (node->kind == SYNTAX_ARITH || node->kind == SYNTAX_FOR_ARITH)
            on_parts(s, w->parts->kids);
        else
            on_word(s, w, files);
    for (struct syntax_redirect *r = node->redirects; r; r = r->next) {
        on_word(s, r->target, true);
        if (r->heredoc)
            on_parts(s, r->heredoc->parts);
    }
}

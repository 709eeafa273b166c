/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_expansion.c - what the shell puts in the place of words. */
#include <ctype.h>
#include <string.h>

#include "offline/explain_state.h"

static const struct {
    char name;
    const char *meaning;
} specials[] = {
    {'?', "the exit status of the last command"},
    {'$', "the process number of the shell"},
    {'!', "the process number of the last command in the background"},
    {'#', "how many arguments there are"},
    {'@', "all arguments, each a word"},
    {'*', "all arguments as one"},
    {'-', "the options of the shell"},
    {'0', "the name of the shell or script"},
    {'_', "the last argument of the command before"},
};

/* Behind the name in ${name…}; the first that fits. */
static const struct {
    const char *op, *meaning;
} changes[] = {
    {":-", "or what stands behind :- where it is empty"},
    {"-", "or what stands behind - where it is not set"},
    {":=", "set to what stands behind := where it is empty"},
    {"=", "set to what stands behind = where it is not set"},
    {":?", "or an error where it is empty"},
    {"?", "or an error where it is not set"},
    {":+", "but what stands behind :+ where it is not empty"},
    {"+", "but what stands behind + where it is set"},
    {"##", "without the longest beginning that matches"},
    {"#", "without the shortest beginning that matches"},
    {"%%", "without the longest end that matches"},
    {"%", "without the shortest end that matches"},
    {"//", "with every match replaced"},
    {"/", "with the first match replaced"},
    {"^^", "in large letters"},
    {"^", "with its first letter large"},
    {",,", "in small letters"},
    {",", "with its first letter small"},
    {":", "a part of it"},
    {"[", "one or all elements of the array"},
    {"@", "in another form"},
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static size_t
name_length(const char *s, size_t n)
{
    size_t i = 0;

    while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'))
        i++;
    return i;
}

/* ${…}: the name and what is done to it. */
static const char *
find_change(const char *s, size_t n)
{
    for (size_t i = 0; i < N_OF(changes); i++)
        if (strlen(changes[i].op) <= n &&
            memcmp(changes[i].op, s, strlen(changes[i].op)) == 0)
            return changes[i].meaning;
    return n ? "changed by the shell" : NULL;
}

static void
say_variable(const char *s, size_t n, struct buf *out)
{
    bool length = n > 1 && *s == '#', refers = n > 1 && *s == '!';
    size_t len;
    const char *change;

    s += length || refers;
    n -= length || refers;
    len = name_length(s, n);
    for (size_t i = 0; n > 0 && i < N_OF(specials); i++)
        if (s[0] == specials[i].name && len <= 1) {
            buf_str(out, specials[i].meaning);
            return;
        }
    change = find_change(s + len, n - len);
    if (len > 0 && isdigit((unsigned char)*s))
        buf_printf(out, "argument %.*s", (int)len, s);
    else
        buf_printf(out, "%s %.*s", length ? "the length of" : "the value of",
                   (int)(len < 100 ? len : 100), s);
    if (refers)
        buf_str(out, ", taken as a name");
    if (change)
        buf_printf(out, ", %s", change);
}

static void
on_part(const struct scope *s, const struct word_part *p)
{
    struct explainer *x = s->x;
    size_t from = s->base + p->from, to = s->base + p->to;
    CLEANUP_BUF struct buf meaning = buf_of(1024);

    if (p->flag == WORD_COMMAND)
        buf_str(&meaning, "replaced by what this command writes:");
    else if (p->flag == WORD_PROCESS)
        buf_str(&meaning,
                x->line[from] == '<'
                    ? "a file from which this command's output is read:"
                    : "a file that this command reads:");
    else if (p->flag == WORD_ARITH)
        buf_str(&meaning, "replaced by the result of this calculation");
    else if (p->flag == WORD_VARIABLE && x->line[from] == '$')
        say_variable(x->line + s->base + p->in, p->in_to - p->in, &meaning);
    else if (p->flag == WORD_VARIABLE)
        buf_str(&meaning, "the elements of the array");
    else
        return; /* a pattern: the whole word is explained */
    explain_add(x, EXPLAIN_EXPANSION, from, to, NULL, "%s", meaning.p);
    if (p->flag & (WORD_COMMAND | WORD_PROCESS))
        explain_inner(x, s->base + p->in, s->base + p->in_to);
}

static void
on_word(const struct scope *s, const struct word *w)
{
    if (w->kind != WORD_PLAIN && w->kind != WORD_TARGET)
        return;
    if (w->flags & WORD_TILDE)
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "~ is replaced by a home directory");
    if (w->flags & WORD_BRACE)
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "one word for each that stands in the braces");
    if (w->flags & WORD_GLOB && !(w->flags & WORD_IN_TEST))
        explain_add_word(s, w, EXPLAIN_EXPANSION,
                         "replaced by the names of all files that match");
}

void
explain_expansions(const struct scope *s)
{
    const struct words *w = s->w;

    for (size_t i = 0; i < w->n; i++)
        on_word(s, &w->v[i]);
    for (size_t i = 0; i < w->n_parts; i++)
        on_part(s, &w->parts[i]);
}

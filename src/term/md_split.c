/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_split.c - where one markdown block ends (CommonMark 0.30, 4 and 5). */
#include "term/md_split.h"

#include <ctype.h>
#include <string.h>

/* More blanks than this in front, and the line is code or goes on. */
#define INDENT_MAX 3

enum kind { BLANK, TEXT, FENCE, HEADING, RULE, UNDERLINE, QUOTE, ITEM };

struct line {
    enum kind kind;
    size_t indent;
    size_t inside;         /* ITEM: where its content begins */
    bool interrupts;       /* ITEM: may follow a paragraph at once */
    struct md_fence fence; /* FENCE */
};

/* Blanks in front, a tab to the next fourth column; *bytes what they take. */
static size_t
indent_of(const char *line, size_t n, size_t *bytes)
{
    size_t columns = 0, i = 0;

    for (; i < n && (line[i] == ' ' || line[i] == '\t'); i++)
        columns += line[i] == ' ' ? 1 : 4 - columns % 4;
    *bytes = i;
    return columns;
}

static size_t
run_of(const char *p, size_t n, char c)
{
    size_t i = 0;

    while (i < n && p[i] == c)
        i++;
    return i;
}

static bool
is_blank_from(const char *p, size_t n, size_t at)
{
    for (; at < n; at++) {
        if (p[at] != ' ' && p[at] != '\t')
            return false;
    }
    return true;
}

static bool
is_fence(const char *p, size_t n, struct md_fence *f)
{
    size_t run = run_of(p, n, p[0]);

    if ((p[0] != '`' && p[0] != '~') || run < 3)
        return false;
    if (p[0] == '`' && memchr(p + run, '`', n - run))
        return false; /* code inside a line */
    f->mark = p[0];
    f->length = run;
    return true;
}

static bool
is_heading(const char *p, size_t n)
{
    size_t run = run_of(p, n, '#');

    return run >= 1 && run <= 6 &&
           (run == n || p[run] == ' ' || p[run] == '\t');
}

/* Three or more of * - _ with blanks between. */
static bool
is_rule(const char *p, size_t n)
{
    size_t marks = 0;

    for (size_t i = 0; i < n; i++) {
        if (p[i] == ' ' || p[i] == '\t')
            continue;
        if (p[i] != p[0])
            return false;
        marks++;
    }
    return marks >= 3 && strchr("*-_", p[0]);
}

/* All = or all -: the line before it is a heading. */
static bool
is_underline(const char *p, size_t n)
{
    size_t run = run_of(p, n, p[0]);

    return (p[0] == '=' || p[0] == '-') && is_blank_from(p, n, run);
}

static bool
is_item(const char *p, size_t n, struct line *l)
{
    size_t digits = 0, mark, bytes, blanks;

    while (digits < n && digits < 10 && isdigit((unsigned char)p[digits]))
        digits++;
    if (digits > 9 || digits == n)
        return false;
    if (digits == 0 ? !strchr("-+*", p[0])
                    : p[digits] != '.' && p[digits] != ')')
        return false;
    mark = digits + 1;
    blanks = indent_of(p + mark, n - mark, &bytes);
    if (mark < n && blanks == 0)
        return false;
    l->interrupts = mark + bytes < n &&
                    (digits == 0 || (digits == 1 && p[0] == '1'));
    /* five or more blanks: one, and code in the item */
    if (blanks > 4 || mark + bytes == n)
        blanks = 1;
    l->inside = l->indent + mark + blanks;
    return true;
}

static struct line
classify(const char *p, size_t n)
{
    struct line l = {.kind = TEXT};
    size_t bytes;

    l.indent = indent_of(p, n, &bytes);
    p += bytes;
    n -= bytes;
    if (n == 0)
        l.kind = BLANK;
    else if (is_fence(p, n, &l.fence))
        l.kind = FENCE;
    else if (is_heading(p, n))
        l.kind = HEADING;
    else if (is_underline(p, n))
        l.kind = UNDERLINE;
    else if (is_rule(p, n))
        l.kind = RULE;
    else if (*p == '>')
        l.kind = QUOTE;
    else if (is_item(p, n, &l))
        l.kind = ITEM;
    l.fence.indent = l.indent;
    return l;
}

bool
md_fence_ends(const struct md_fence *f, const char *line, size_t n)
{
    size_t bytes, run;
    size_t indent = indent_of(line, n, &bytes);

    run = run_of(line + bytes, n - bytes, f->mark);
    return indent <= f->indent + INDENT_MAX && run >= f->length &&
           is_blank_from(line, n, bytes + run);
}

/* The line belongs to the open list item. */
static unsigned
in_item(struct md_split *s, const struct line *l, const char *p, size_t n)
{
    s->blank = false;
    if (s->fence.mark) {
        if (md_fence_ends(&s->fence, p, n))
            s->fence.mark = 0;
    } else if (l->kind == FENCE) {
        s->fence = l->fence;
    }
    s->text = l->kind == TEXT || l->kind == ITEM;
    return 0;
}

/* What a line that stands by itself begins. */
static unsigned
begin(struct md_split *s, const struct line *l, const char *p, size_t n)
{
    unsigned cut = s->open ? MD_CUT_BEFORE : 0;

    *s = (struct md_split){.open = true, .text = l->kind != RULE};
    if (l->kind == FENCE) {
        s->fence = l->fence;
        return cut | MD_FENCE;
    }
    if (l->kind == ITEM) {
        size_t bytes;

        s->list = true;
        s->inside = l->inside;
        (void)indent_of(p, n, &bytes);
        if (l->inside - l->indent + bytes < n)
            (void)is_fence(p + bytes + (l->inside - l->indent),
                           n - bytes - (l->inside - l->indent), &s->fence);
        s->fence.indent = s->inside;
    }
    if (l->kind == HEADING || l->kind == RULE) {
        s->open = false;
        return cut | MD_CUT_AFTER;
    }
    return cut;
}

static unsigned
blank(struct md_split *s)
{
    if (s->list) {
        s->blank = true;
        s->text = false;
        return MD_GAP;
    }
    s->open = false;
    return MD_GAP | MD_CUT_AFTER;
}

/* The line goes on with the block that is open. */
static bool
goes_on(const struct md_split *s, const struct line *l)
{
    if (s->list && s->blank)
        return false;
    switch (l->kind) {
    case TEXT:
        return true;
    case UNDERLINE:
        return s->text && !s->list;
    case ITEM:
        return s->text && !s->list && !l->interrupts;
    case QUOTE:
        return s->text && !s->list;
    default:
        return l->indent > INDENT_MAX;
    }
}

unsigned
md_split_line(struct md_split *s, const char *line, size_t n)
{
    struct line l = classify(line, n);

    if (l.kind == BLANK)
        return s->list && s->fence.mark ? 0 : blank(s);
    if (s->open && s->list && l.indent >= s->inside)
        return in_item(s, &l, line, n);
    if (l.kind != TEXT && l.indent > INDENT_MAX)
        l.kind = TEXT;
    if (s->fence.mark || !s->open || !goes_on(s, &l)) {
        if (l.kind == UNDERLINE)
            l.kind = is_rule(line + l.indent, n - l.indent) ? RULE : TEXT;
        return begin(s, &l, line, n);
    }
    if (l.kind == UNDERLINE) {
        s->open = false;
        return MD_CUT_AFTER;
    }
    return 0;
}

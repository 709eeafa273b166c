/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_text.c - an explanation for people: two columns. */
#include <string.h>

#include "base/cleanup.h"
#include "offline/explain/explain.h"
#include "term/escape.h"
#include "term/width.h"

#define WIDTH_MIN   24 /* narrower, and a meaning is a word a line */
#define INDENT      2  /* blanks a level */
#define GAP         2  /* blanks between the columns */
#define LEFT_MAX    28 /* a longer part stands on a line of its own */
#define WHAT_MAX    60 /* columns of a part that are shown */
#define MEANING_MAX 8192

/* The left column of the part at i, and how many parts it shows: an option
 * and the value behind it stand together, as they were typed. */
static size_t
show_what(const struct explain *x, size_t i, struct buf *out)
{
    const struct explain_part *p = &x->parts[i], *next = p + 1;
    CLEANUP_BUF struct buf whole = buf_of(MEANING_MAX);
    bool pair = p->kind == EXPLAIN_OPTION && i + 1 < x->n &&
                next->kind == EXPLAIN_VALUE && next->depth == p->depth;

    escape_str(&whole, NULL, p->what, ESCAPE_LINES);
    if (pair && next->from != p->to)
        buf_ch(&whole, ' ');
    else if (pair && p->to - p->from > strlen(p->what))
        buf_ch(&whole, '='); /* part of the option's bytes, not its name */
    if (pair)
        escape_str(&whole, NULL, next->what, ESCAPE_LINES);
    width_truncate(out, whole.p, whole.len, WHAT_MAX, "\342\200\246");
    return pair ? 2 : 1;
}

static size_t
depth_columns(const struct explain_part *p)
{
    size_t depth = p->depth + (p->kind != EXPLAIN_COMMAND);

    return INDENT * depth;
}

/* Where the right column begins. */
static size_t
left_columns(const struct explain *x, size_t width)
{
    size_t most = width / 3 < LEFT_MAX ? width / 3 : LEFT_MAX, left = 8;

    for (size_t i = 0; i < x->n;) {
        CLEANUP_BUF struct buf what = buf_of(MEANING_MAX);
        size_t columns;

        columns = depth_columns(&x->parts[i]);
        i += show_what(x, i, &what);
        columns += width_str(what.p);
        if (columns > left && columns <= most)
            left = columns;
    }
    return left;
}

/* Whether all of the part is one expansion, but for quotes round it. */
static bool
is_expansion_of(const struct explain_part *p, const struct explain_part *next)
{
    return next->kind == EXPLAIN_EXPANSION && next->depth == p->depth &&
           next->from <= p->from + 1 && next->to + 1 >= p->to;
}

/* The meaning of the `shown` parts at i, and of an expansion that says the
 * same bytes once more. Returns how many parts that were. */
static size_t
show_meaning(const struct explain *x, size_t i, size_t shown, struct buf *out)
{
    const struct explain_part *p = &x->parts[i];
    const struct explain_part *last = p + shown - 1;

    escape_str(out, NULL, p->meaning, ESCAPE_LINES | ESCAPE_PROSE);
    if (p->source)
        buf_printf(out, " [%s]", p->source);
    if (i + shown < x->n && is_expansion_of(last, last + 1)) {
        if (out->p[out->len - 1] == '.')
            buf_cut(out, out->len - 1);
        buf_str(out, "; ");
        escape_str(out, NULL, last[1].meaning, ESCAPE_LINES | ESCAPE_PROSE);
        shown++;
    }
    return shown;
}

static void
add_blanks(struct buf *out, size_t n)
{
    while (n-- > 0)
        buf_ch(out, ' ');
}

/* A row: the part, and its meaning beside it or below. */
static size_t
add_row(const struct explain *x, size_t i, size_t left, size_t width,
        struct buf *out)
{
    const struct explain_part *p = &x->parts[i];
    CLEANUP_BUF struct buf what = buf_of(MEANING_MAX);
    CLEANUP_BUF struct buf meaning = buf_of(MEANING_MAX);
    struct width_wrap wrap = {
        .columns = width, .start = left + GAP, .indent = left + GAP};
    size_t shown, columns;

    shown = show_what(x, i, &what);
    shown = show_meaning(x, i, shown, &meaning);
    columns = depth_columns(p) + width_str(what.p);
    add_blanks(out, depth_columns(p));
    buf_str(out, what.p);
    if (columns > left) {
        buf_ch(out, '\n');
        columns = 0;
    }
    add_blanks(out, left + GAP - columns);
    width_wrap(out, meaning.p, meaning.len, &wrap);
    buf_ch(out, '\n');
    return shown;
}

/* A text of its own, wrapped. */
static void
add_lines(const char *label, const char *text, size_t width, struct buf *out)
{
    CLEANUP_BUF struct buf safe = buf_of(MEANING_MAX);
    struct width_wrap wrap = {.columns = width, .indent = strlen(label)};

    buf_str(&safe, label);
    escape_str(&safe, NULL, text, ESCAPE_LINES | ESCAPE_PROSE);
    width_wrap(out, safe.p, safe.len, &wrap);
    buf_ch(out, '\n');
}

/* The command once, what the whole does, and what is dangerous in it. */
static void
show_head(const struct explain *x, size_t width, struct buf *out)
{
    CLEANUP_BUF struct buf risk = buf_of(MEANING_MAX);

    escape_str(out, NULL, x->line, ESCAPE_PROSE);
    buf_ch(out, '\n');
    if (*x->summary)
        add_lines("", x->summary, width, out);
    explain_risk_text(&x->risk, &risk);
    if (risk.len > 0)
        add_lines("risk: ", risk.p, width, out);
    buf_ch(out, '\n');
}

void
explain_text(const struct explain *x, int width, struct buf *out)
{
    size_t columns = width > WIDTH_MIN ? (size_t)width : WIDTH_MIN;
    size_t left = left_columns(x, columns);

    show_head(x, columns, out);
    for (size_t i = 0; i < x->n;)
        i += add_row(x, i, left, columns, out);
}

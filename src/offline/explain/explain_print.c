/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_print.c - writes an explanation as two columns, or as JSON. */
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/message.h"
#include "offline/explain/explain.h"
#include "term/escape.h"
#include "term/width.h"

#define WIDTH_MIN   24 /* the least width: below it a line has one word */
#define INDENT      2  /* blanks a level */
#define GAP         2  /* blanks between the columns */
#define LEFT_MAX    28 /* a longer part gets a line of its own */
#define WHAT_MAX    60 /* shown columns of a part */
#define MORE        "\342\200\246" /* behind a part that is cut */
#define MEANING_MAX 8192

/* Appends the left column for part i and returns how many parts it shows: an
 * option and its value are shown together, as they were typed. */
static size_t
show_what(const struct explain *x, size_t i, const char *more, struct buf *out)
{
    const struct explain_part *p = &x->parts[i], *next = p + 1;
    CLEANUP_BUF struct buf whole = buf_of(MEANING_MAX);
    bool pair = p->kind == EXPLAIN_OPTION && i + 1 < x->n &&
                next->kind == EXPLAIN_VALUE && next->depth == p->depth;

    escape_str(&whole, NULL, p->what, ESCAPE_LINES);
    if (pair && next->from != p->to)
        buf_ch(&whole, ' ');
    else if (pair && p->to - p->from > strlen(p->what))
        buf_ch(
            &whole,
            '='); /* it belongs to the bytes of the option, not to its name */
    if (pair)
        escape_str(&whole, NULL, next->what, ESCAPE_LINES);
    width_truncate(out, whole.p, whole.len, WHAT_MAX, more);
    return pair ? 2 : 1;
}

static size_t
depth_columns(const struct explain_part *p)
{
    size_t depth = p->depth + (p->kind != EXPLAIN_COMMAND);

    return INDENT * depth;
}

/* The width of the left column. */
static size_t
left_columns(const struct explain *x, size_t width)
{
    size_t most = width / 3 < LEFT_MAX ? width / 3 : LEFT_MAX, left = 8;

    for (size_t i = 0; i < x->n;) {
        CLEANUP_BUF struct buf what = buf_of(MEANING_MAX);
        size_t columns;

        columns = depth_columns(&x->parts[i]);
        i += show_what(x, i, MORE, &what);
        columns += width_str(what.p);
        if (columns > left && columns <= most)
            left = columns;
    }
    return left;
}

/* Whether the whole part is one expansion, quotes aside. */
static bool
is_expansion_of(const struct explain_part *p, const struct explain_part *next)
{
    return next->kind == EXPLAIN_EXPANSION && next->depth == p->depth &&
           next->from <= p->from + 1 && next->to + 1 >= p->to;
}

/* Appends the meaning of the `shown` parts at i, and of an expansion over the
 * same bytes. Returns how many parts that are. */
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

/* Appends a row: a part, and its meaning beside or below it. */
static size_t
add_part_row(const struct explain *x, size_t i, size_t left, size_t width,
             struct buf *out)
{
    const struct explain_part *p = &x->parts[i];
    CLEANUP_BUF struct buf what = buf_of(MEANING_MAX);
    CLEANUP_BUF struct buf meaning = buf_of(MEANING_MAX);
    struct width_wrap wrap = {
        .columns = width, .start = left + GAP, .indent = left + GAP};
    size_t shown, columns;

    shown = show_what(x, i, MORE, &what);
    shown = show_meaning(x, i, shown, &meaning);
    columns = depth_columns(p) + width_str(what.p);
    buf_blanks(out, depth_columns(p));
    buf_str(out, what.p);
    if (columns > left) {
        buf_ch(out, '\n');
        columns = 0;
    }
    buf_blanks(out, left + GAP - columns);
    width_wrap(out, meaning.p, meaning.len, &wrap);
    buf_ch(out, '\n');
    return shown;
}

/* Appends a part with its meaning behind it. */
static size_t
add_plain_part(const struct explain *x, size_t i, struct buf *out)
{
    size_t shown = show_what(x, i, "...", out);

    buf_str(out, ": ");
    shown = show_meaning(x, i, shown, out);
    buf_ch(out, '\n');
    return shown;
}

/* Appends a wrapped text. */
static void
add_wrapped_lines(const char *label, const char *text, size_t width,
                  struct buf *out)
{
    CLEANUP_BUF struct buf safe = buf_of(MEANING_MAX);
    struct width_wrap wrap = {.columns = width, .indent = width_str(label)};

    buf_str(&safe, label);
    escape_str(&safe, NULL, text, ESCAPE_LINES | ESCAPE_PROSE);
    width_wrap(out, safe.p, safe.len, &wrap);
    buf_ch(out, '\n');
}

/* Appends the command line, the sentence about it, and its risk. */
static void
show_head(const struct explain *x, size_t width, struct buf *out)
{
    CLEANUP_BUF struct buf risk = buf_of(MEANING_MAX);

    escape_str(out, NULL, x->line, ESCAPE_PROSE);
    buf_ch(out, '\n');
    if (*x->summary)
        add_wrapped_lines("", x->summary, width, out);
    explain_risk_text(&x->risk, x->person, &risk);
    if (risk.len > 0)
        add_wrapped_lines(message_for(x->person, "risk: "), risk.p, width, out);
    buf_ch(out, '\n');
}

void
explain_text(const struct explain *x, int width, struct buf *out)
{
    size_t columns = width > WIDTH_MIN ? (size_t)width : WIDTH_MIN;
    size_t left = left_columns(x, columns);

    show_head(x, width == EXPLAIN_PLAIN ? SIZE_MAX : columns, out);
    for (size_t i = 0; i < x->n && width == EXPLAIN_PLAIN;)
        i += add_plain_part(x, i, out);
    for (size_t i = 0; i < x->n && width != EXPLAIN_PLAIN;)
        i += add_part_row(x, i, left, columns, out);
}

/* The same as JSON. */

/* "command", … */
static const char *
kind_name(enum explain_kind kind)
{
    static const char *const names[] = {
        "command",  "keyword",  "option",     "value",     "operand",
        "operator", "redirect", "assignment", "expansion", "comment",
    };

    return names[kind];
}

static void
write_risk(const struct explain_risk *r, struct json_writer *w)
{
    json_open_object(w);
    json_member_bool(w, "destructive", r->destructive);
    json_member_bool(w, "privileged", r->privileged);
    json_member_bool(w, "network", r->network);
    json_member_bool(w, "opaque", r->opaque);
    json_key(w, "reasons");
    json_open_array(w);
    for (size_t i = 0; i < r->n; i++)
        json_put_str(w, r->reasons[i]);
    json_close_array(w);
    json_close_object(w);
}

/* "text" is the bytes of the line; "spelling" is added where it differs: -m for
 * the m of -am. */
static void
write_part(const char *line, const struct explain_part *p,
           struct json_writer *w)
{
    size_t n = p->to - p->from;

    json_open_object(w);
    json_member_str(w, "kind", kind_name(p->kind));
    json_member_int(w, "from", (int64_t)p->from);
    json_member_int(w, "to", (int64_t)p->to);
    json_member_int(w, "depth", p->depth);
    json_key(w, "text");
    json_put_strn(w, line + p->from, n);
    if (strlen(p->what) != n || memcmp(p->what, line + p->from, n) != 0)
        json_member_str(w, "spelling", p->what);
    json_member_str(w, "meaning", p->meaning);
    if (p->source)
        json_member_str(w, "source", p->source);
    json_member_bool(w, "known", p->known);
    json_close_object(w);
}

void
explain_json(const struct explain *x, struct json_writer *w)
{
    json_open_object(w);
    json_member_bool(w, "known", x->known);
    json_member_str(w, "source", x->source);
    json_member_str(w, "summary", x->summary);
    json_key(w, "risk");
    write_risk(&x->risk, w);
    json_key(w, "parts");
    json_open_array(w);
    for (size_t i = 0; i < x->n; i++)
        write_part(x->line, &x->parts[i], w);
    json_close_array(w);
    json_close_object(w);
}

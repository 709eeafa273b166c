/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrap.c - breaks text at blanks into lines of a width. */
#include <stdbool.h>

#include "term/width.h"

struct line {
    const struct width_wrap *w;
    struct buf *out;
    size_t at;     /* columns taken */
    size_t blanks; /* seen, and owed before the next word */
    bool begun;    /* a word stands on this line */
    bool fresh;    /* the indent is owed too */
};

static void
begin_line(struct line *l)
{
    buf_ch(l->out, '\n');
    l->at = l->w->indent + (l->w->prefix ? width_str(l->w->prefix) : 0);
    l->blanks = 0;
    l->begun = false;
    l->fresh = true;
}

static void
pay(struct line *l)
{
    if (l->fresh) {
        for (size_t i = 0; i < l->w->indent; i++)
            buf_ch(l->out, ' ');
        buf_str(l->out, l->w->prefix ? l->w->prefix : "");
    }
    l->fresh = false;
    for (; l->blanks > 0; l->blanks--) {
        buf_ch(l->out, ' ');
        l->at++;
    }
}

static void
place(struct line *l, const char *word, size_t n, size_t columns)
{
    if (l->begun && l->at + l->blanks + columns > l->w->columns)
        begin_line(l);
    pay(l);
    buf_add(l->out, word, n);
    l->at += columns;
    l->begun = true;
}

/* What must stay together at p: a wide character alone, else everything up to
 * a blank, a newline or a wide character. */
static size_t
next_word(const struct width_wrap *w, const char *p, size_t n, size_t *columns)
{
    bool wide = false;
    size_t at = 0;

    *columns = 0;
    while (at < n && p[at] != ' ' && p[at] != '\n') {
        size_t width;
        size_t len = width_unit_as(p + at, n - at, w->joins, &width);

        if (*columns > 0 && (width >= 2 || (wide && width > 0)))
            break;
        wide |= width >= 2;
        *columns += width;
        at += len;
    }
    return at;
}

int
width_wrap(struct buf *out, const char *p, size_t n, const struct width_wrap *w)
{
    struct line l = {.w = w, .out = out, .at = w->start};

    while (n > 0) {
        size_t columns, len = 1;

        if (*p == '\n')
            begin_line(&l);
        else if (*p == ' ')
            l.blanks++;
        else if ((len = next_word(w, p, n, &columns)) > 0 && columns > 0)
            place(&l, p, len, columns);
        else
            buf_add(out, p, len); /* a sequence alone takes no place */
        p += len;
        n -= len;
    }
    return out->bad ? -1 : 0;
}

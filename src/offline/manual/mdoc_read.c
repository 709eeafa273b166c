/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mdoc_read.c - pages written with mdoc(7): their structure. */
#include <string.h>

#include "offline/manual/mdoc_words.h"
#include "offline/manual/page_reader.h"

#define LISTS_MAX 16

struct mdoc {
    struct roff *r;
    struct blocks *b;
    struct mdoc_words w;
    bool tagged[LISTS_MAX + 1]; /* per open list: do its items have tags? */
    unsigned lists;
    bool in_tag; /* .It … Xo goes on until .Xc */
    bool in_synopsis;
};

static void
begin_text(struct mdoc *m)
{
    blocks_begin(m->b, BLOCK_TEXT, 2 * m->lists);
}

/* Adds what the macro line came to. */
static void
flush(struct mdoc *m)
{
    if (m->w.unspaced && m->w.line.len > 0)
        buf_ch(&m->w.line, ROFF_JOIN);
    blocks_add(m->b, m->w.line.p);
    buf_clear(&m->w.line);
}

static void
on_heading(struct mdoc *m, const struct roff_line *l, enum block_kind kind)
{
    m->lists = 0;
    m->in_tag = false;
    blocks_begin(m->b, kind, 0);
    mdoc_words_add(&m->w, m->r, l->args, l->n);
    m->in_synopsis = strcmp(m->w.line.p, "SYNOPSIS") == 0;
    flush(m);
    begin_text(m);
}

static bool
has_arg(const struct roff_line *l, const char *arg)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->args[i], arg) == 0)
            return true;
    return false;
}

static void
on_list(struct mdoc *m, const struct roff_line *l)
{
    if (m->lists < LISTS_MAX)
        m->lists++;
    m->tagged[m->lists] = has_arg(l, "-tag") || has_arg(l, "-hang") ||
                          has_arg(l, "-inset") || has_arg(l, "-ohang") ||
                          has_arg(l, "-diag");
    begin_text(m);
}

static void
on_list_end(struct mdoc *m)
{
    m->lists -= m->lists > 0;
    begin_text(m);
}

static void
on_item(struct mdoc *m, const struct roff_line *l)
{
    bool tagged = m->tagged[m->lists];
    size_t n = l->n;

    if (!tagged) {
        begin_text(m);
        mdoc_words_add(&m->w, m->r, l->args, n);
        flush(m);
        return;
    }
    blocks_begin(m->b, BLOCK_TAG, 2 * m->lists - 1);
    m->in_tag = has_arg(l, "Xo");
    mdoc_words_add(&m->w, m->r, l->args, n);
    flush(m);
    if (!m->in_tag)
        begin_text(m);
}

/* Structure; false when the line is words. */
static bool
on_structure(struct mdoc *m, const struct roff_line *l)
{
    const char *name = l->macro;

    if (strcmp(name, "Sh") == 0)
        on_heading(m, l, BLOCK_SECTION);
    else if (strcmp(name, "Ss") == 0)
        on_heading(m, l, BLOCK_SUBSECTION);
    else if (strcmp(name, "Bl") == 0)
        on_list(m, l);
    else if (strcmp(name, "El") == 0)
        on_list_end(m);
    else if (strcmp(name, "It") == 0)
        on_item(m, l);
    else if (strcmp(name, "Pp") == 0 || strcmp(name, "Lp") == 0)
        begin_text(m);
    else if (strcmp(name, "Bd") == 0)
        m->b->keep_lines = has_arg(l, "-literal") || has_arg(l, "-unfilled");
    else if (strcmp(name, "Ed") == 0)
        m->b->keep_lines = false;
    else
        return false;
    return true;
}

static void
on_words(struct mdoc *m, const struct roff_line *l)
{
    const char *args[ROFF_ARGS_MAX + 1] = {l->macro};

    if (strcmp(l->macro, "Nm") == 0) {
        if (l->n > 0)
            mdoc_words_set_name(&m->w, l->args[0]);
        if (m->in_synopsis) /* which has a line for each use */
            blocks_break(m->b);
    }
    for (size_t i = 0; i < l->n; i++)
        args[i + 1] = l->args[i];
    mdoc_words_add(&m->w, m->r, args, l->n + 1);
    flush(m);
    if (m->in_tag && (strcmp(l->macro, "Xc") == 0 || has_arg(l, "Xc"))) {
        m->in_tag = false;
        begin_text(m);
    }
}

static void
on_text(struct mdoc *m, const char *raw)
{
    if (!*raw) {
        begin_text(m);
        return;
    }
    roff_plain(m->r, raw, false, &m->w.line);
    flush(m);
}

void
mdoc_read(struct roff *r, struct roff_line *line, struct blocks *b)
{
    struct mdoc m = {.r = r, .b = b};

    mdoc_words_init(&m.w);
    while (roff_next(r, line)) {
        if (!line->macro)
            on_text(&m, line->args[0]);
        else if (!on_structure(&m, line))
            on_words(&m, line);
    }
    mdoc_words_done(&m.w);
}

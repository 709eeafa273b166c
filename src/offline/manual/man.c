/* SPDX-License-Identifier: GPL-3.0-or-later */
/* man.c - reads pages that are written with man(7). */
#include <string.h>

#include "base/array.h"
#include "offline/manual/blocks.h"

#define LEVELS_MAX 32 /* depth of .RS; pages have up to 5 */

struct man {
    struct roff *r;
    struct blocks *b;
    struct buf line;  /* the text of the current line */
    unsigned level;   /* .RS that are open */
    bool hangs;       /* the text explains a tag */
    bool italic;      /* the font at the end of the last text line */
    bool wants_tag;   /* the next line is the tag of .TP */
    bool wants_title; /* … or .SH's title */
    enum block_kind title;
};

static unsigned
man_indent(const struct man *m)
{
    return 2 * m->level + m->hangs;
}

static void
begin_man_paragraph(struct man *m)
{
    blocks_begin(m->b, BLOCK_TEXT, man_indent(m));
}

/* Adds a line of text to the current block. */
static void
add_man_line(struct man *m, const char *text)
{
    if (m->wants_title && *text) {
        blocks_begin(m->b, m->title, 0);
        blocks_add(m->b, text);
        m->wants_title = false;
        begin_man_paragraph(m);
        return;
    }
    if (!m->wants_tag) {
        blocks_add(m->b, text);
        return;
    }
    blocks_add(m->b, text);
    if (*text && text[strlen(text) - 1] == ROFF_JOIN)
        return;
    m->wants_tag = !*text;
    if (*text) {
        m->hangs = true;
        begin_man_paragraph(m);
    }
}

static void
on_section(struct man *m, const struct roff_line *l, enum block_kind kind)
{
    m->level = 0;
    m->hangs = m->wants_tag = m->italic = m->b->keep_lines = false;
    m->title = kind;
    m->wants_title = true;
    buf_clear(&m->line);
    for (size_t i = 0; i < l->n; i++) {
        buf_str(&m->line, i ? " " : "");
        roff_plain(m->r, l->args[i], false, &m->line);
    }
    add_man_line(m, m->line.p);
}

static void
on_tp(struct man *m, const struct roff_line *l)
{
    (void)l;
    m->hangs = false;
    m->wants_tag = true;
    m->italic = false;
    blocks_begin(m->b, BLOCK_TAG, man_indent(m));
}

/* Whether a tag is only a list mark: a bullet, a dash, "1.", "(a)". */
static bool
is_bullet(const char *tag)
{
    /* bullet, middle dot, white circle, white bullet, square */
    static const char *const signs[] = {
        "\342\200\242", "\302\267",     "\342\227\213",
        "\342\227\246", "\342\226\241",
    };
    size_t n = strcspn(tag, " ");

    for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
        if (strcmp(tag, signs[i]) == 0)
            return true;
    if (tag[0] == '-' || tag[0] == '*' || tag[0] == 'o' || tag[0] == '+')
        return tag[1] == '\0';
    return n > 0 && n < 5 && strspn(tag, "0123456789().") == n;
}

static void
on_ip(struct man *m, const struct roff_line *l)
{
    m->hangs = m->wants_tag = m->italic = false;
    buf_clear(&m->line);
    if (l->n > 0)
        roff_plain(m->r, l->args[0], false, &m->line);
    if (m->line.len > 0 && !is_bullet(m->line.p)) {
        blocks_begin(m->b, BLOCK_TAG, man_indent(m));
        blocks_add(m->b, m->line.p);
    }
    m->hangs = true;
    begin_man_paragraph(m);
}

static void
on_paragraph(struct man *m, const struct roff_line *l)
{
    (void)l;
    m->hangs = m->wants_tag = m->italic = false;
    begin_man_paragraph(m);
}

static void
on_rs(struct man *m, const struct roff_line *l)
{
    (void)l;
    if (m->level < LEVELS_MAX)
        m->level++;
    m->hangs = false;
    begin_man_paragraph(m);
}

static void
on_re(struct man *m, const struct roff_line *l)
{
    (void)l;
    if (m->level > 0)
        m->level--;
    m->hangs = true; /* the explanation of the tag goes on behind the inset */
    begin_man_paragraph(m);
}

static void
on_space(struct man *m, const struct roff_line *l)
{
    (void)l;
    if (!m->wants_tag && !m->wants_title)
        begin_man_paragraph(m);
}

static void
on_break(struct man *m, const struct roff_line *l)
{
    (void)l;
    blocks_break(m->b);
}

static void
on_nofill(struct man *m, const struct roff_line *l)
{
    m->b->keep_lines = l->macro[0] == 'n' || l->macro[1] == 'X';
    blocks_break(m->b);
}

/* .OP -x FILE: an optional argument in a synopsis. */
static void
on_op(struct man *m, const struct roff_line *l)
{
    buf_clear(&m->line);
    for (size_t i = 0; i < l->n && i < 2; i++) {
        buf_ch(&m->line, i ? ' ' : '[');
        roff_plain(m->r, l->args[i], false, &m->line);
    }
    buf_ch(&m->line, ']');
    add_man_line(m, m->line.p);
}

static void
on_sy(struct man *m, const struct roff_line *l)
{
    blocks_break(m->b);
    buf_clear(&m->line);
    if (l->n > 0)
        roff_plain(m->r, l->args[0], false, &m->line);
    add_man_line(m, m->line.p);
}

/* .BR and similar macros: the fonts alternate between the letters of the name.
 * .B and .SM put blanks between the words. */
static void
on_font(struct man *m, const struct roff_line *l)
{
    bool one = !l->macro[1] || strcmp(l->macro, "SM") == 0;

    buf_clear(&m->line);
    if (l->n == 0)
        m->italic = l->macro[0] == 'I';
    for (size_t i = 0; i < l->n; i++) {
        bool slanted = l->macro[one ? 0 : i % 2] == 'I';

        buf_str(&m->line, one && i ? " " : "");
        if (slanted)
            buf_ch(&m->line, ROFF_ARG_ON);
        slanted = roff_plain(m->r, l->args[i], slanted, &m->line);
        if (slanted)
            buf_ch(&m->line, ROFF_ARG_OFF);
    }
    add_man_line(m, m->line.p);
}

struct man_row {
    const char *name;
    void (*run)(struct man *m, const struct roff_line *l);
};

static const struct man_row rows[] = {
    {"TP", on_tp},        {"TQ", on_tp},       {"IP", on_ip},
    {"PP", on_paragraph}, {"P", on_paragraph}, {"LP", on_paragraph},
    {"HP", on_paragraph}, {"RS", on_rs},       {"RE", on_re},
    {"sp", on_space},     {"br", on_break},    {"ti", on_break},
    {"nf", on_nofill},    {"fi", on_nofill},   {"EX", on_nofill},
    {"EE", on_nofill},    {"OP", on_op},       {"SY", on_sy},
    {"B", on_font},       {"I", on_font},      {"SM", on_font},
    {"SB", on_font},      {"BR", on_font},     {"RB", on_font},
    {"BI", on_font},      {"IB", on_font},     {"IR", on_font},
    {"RI", on_font},
};

static void
on_macro(struct man *m, const struct roff_line *l)
{
    if (strcmp(l->macro, "SH") == 0)
        on_section(m, l, BLOCK_SECTION);
    else if (strcmp(l->macro, "SS") == 0)
        on_section(m, l, BLOCK_SUBSECTION);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (strcmp(rows[i].name, l->macro) == 0)
            rows[i].run(m, l);
}

static void
on_text(struct man *m, const char *raw)
{
    if (!*raw) {
        on_space(m, NULL);
        return;
    }
    if (*raw == ' ' || *raw == '\t')
        blocks_break(m->b);
    buf_clear(&m->line);
    if (m->italic)
        buf_ch(&m->line, ROFF_ARG_ON);
    m->italic = roff_plain(m->r, raw, m->italic, &m->line);
    if (m->italic)
        buf_ch(&m->line, ROFF_ARG_OFF);
    add_man_line(m, m->line.p);
}

void
man_read(struct roff *r, struct roff_line *line, struct blocks *b)
{
    struct man m = {.r = r, .b = b};

    buf_init(&m.line, 8 * ROFF_ARGS_MAX * 1024);
    while (roff_next(r, line)) {
        if (line->macro)
            on_macro(&m, line);
        else
            on_text(&m, line->args[0]);
    }
    buf_done(&m.line);
}

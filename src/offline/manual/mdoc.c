/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mdoc.c - reads pages that are written with mdoc(7). */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "offline/manual/blocks.h"
#include "offline/manual/roff.h"

#define MDOC_OPEN_MAX 16

struct mdoc_words {
    struct buf line;                    /* what came out so far */
    char name[64];                      /* of the page, for .Nm */
    bool glue;                          /* no blank before the next word */
    bool unspaced;                      /* .Sm off */
    const char *closing[MDOC_OPEN_MAX]; /* closing signs of .Op, .Dq ... for the
                                           end of the line */
    size_t n_closing;
};

enum word_style {
    TEXT,   /* words as they are */
    DASH,   /* .Fl: a dash before each */
    SLANT,  /* .Ar: an argument's name */
    WRAP,   /* .Op: encloses the rest of the line */
    OPEN,   /* .Oo: encloses until … */
    SHUT,   /* … .Oc */
    GLUE,   /* .Ns */
    PREFIX, /* .Pf: its first word sticks to the next */
    APOS,   /* .Ap */
    NAME,   /* .Nm */
    XREF,   /* .Xr */
    ABOUT,  /* .Nd */
    SPACING,
    NOTHING,
};

struct macro {
    const char *name;
    enum word_style act;
    const char *left, *right;
};

static const struct macro macros[] = {
    {"Fl", DASH, "", ""},          {"Ar", SLANT, "", ""},
    {"Cm", TEXT, "", ""},          {"Ic", TEXT, "", ""},
    {"Em", TEXT, "", ""},          {"Sy", TEXT, "", ""},
    {"Li", TEXT, "", ""},          {"Pa", TEXT, "", ""},
    {"Ev", TEXT, "", ""},          {"Dv", TEXT, "", ""},
    {"Va", TEXT, "", ""},          {"Vt", TEXT, "", ""},
    {"Er", TEXT, "", ""},          {"Fn", TEXT, "", ""},
    {"Fa", SLANT, "", ""},         {"Ft", TEXT, "", ""},
    {"No", TEXT, "", ""},          {"Tn", TEXT, "", ""},
    {"Ad", TEXT, "", ""},          {"An", TEXT, "", ""},
    {"Cd", TEXT, "", ""},          {"Lk", TEXT, "", ""},
    {"Mt", TEXT, "", ""},          {"Ms", TEXT, "", ""},
    {"St", TEXT, "", ""},          {"Dl", TEXT, "", ""},
    {"D1", TEXT, "", ""},          {"Ux", TEXT, "UNIX", ""},
    {"Bx", TEXT, "BSD", ""},       {"Nx", TEXT, "NetBSD", ""},
    {"Ox", TEXT, "OpenBSD", ""},   {"Fx", TEXT, "FreeBSD", ""},
    {"Dx", TEXT, "DragonFly", ""}, {"At", TEXT, "AT&T UNIX", ""},
    {"Op", WRAP, "[", "]"},        {"Oo", OPEN, "[", ""},
    {"Oc", SHUT, "", "]"},         {"Bq", WRAP, "[", "]"},
    {"Bo", OPEN, "[", ""},         {"Bc", SHUT, "", "]"},
    {"Pq", WRAP, "(", ")"},        {"Po", OPEN, "(", ""},
    {"Pc", SHUT, "", ")"},         {"Aq", WRAP, "<", ">"},
    {"Ao", OPEN, "<", ""},         {"Ac", SHUT, "", ">"},
    {"Brq", WRAP, "{", "}"},       {"Bro", OPEN, "{", ""},
    {"Brc", SHUT, "", "}"},        {"Dq", WRAP, "\"", "\""},
    {"Do", OPEN, "\"", ""},        {"Dc", SHUT, "", "\""},
    {"Qq", WRAP, "\"", "\""},      {"Qo", OPEN, "\"", ""},
    {"Qc", SHUT, "", "\""},        {"Sq", WRAP, "'", "'"},
    {"So", OPEN, "'", ""},         {"Sc", SHUT, "", "'"},
    {"Ql", WRAP, "'", "'"},        {"Xo", NOTHING, "", ""},
    {"Xc", NOTHING, "", ""},       {"Ns", GLUE, "", ""},
    {"Pf", PREFIX, "", ""},        {"Ap", APOS, "", ""},
    {"Nm", NAME, "", ""},          {"Xr", XREF, "", ""},
    {"Nd", ABOUT, "", ""},         {"Sm", SPACING, "", ""},
    {"Bk", NOTHING, "", ""},       {"Ek", NOTHING, "", ""},
    {"Eo", NOTHING, "", ""},       {"Ec", NOTHING, "", ""},
    {"Dd", NOTHING, "", ""},       {"Dt", NOTHING, "", ""},
    {"Os", NOTHING, "", ""},       {"Ex", NOTHING, "", ""},
    {"Rv", NOTHING, "", ""},       {"Bf", NOTHING, "", ""},
    {"Ef", NOTHING, "", ""},       {"br", NOTHING, "", ""},
    {"sp", NOTHING, "", ""},       {"Ta", TEXT, "", ""},
    {"Sx", TEXT, "", ""},
};

static const struct macro *
find_macro(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(macros); i++)
        if (strcmp(macros[i].name, name) == 0)
            return &macros[i];
    return NULL;
}

static void
words_init(struct mdoc_words *w)
{
    *w = (struct mdoc_words){0};
    buf_init(&w->line, 256 * 1024);
}

static void
words_done(struct mdoc_words *w)
{
    if (!w)
        return;
    buf_done(&w->line);
}

static void
words_set_name(struct mdoc_words *w, const char *name)
{
    if (!w->name[0] && strlen(name) < sizeof(w->name))
        snprintf(w->name, sizeof(w->name), "%s", name);
}

static bool
is_closing(const char *s)
{
    return s[0] && !s[1] && strchr(".,:;)]?!", s[0]);
}

static bool
is_opening(const char *s)
{
    return (s[0] == '(' || s[0] == '[') && !s[1];
}

/* Appends a blank before the next word where one is needed. */
static void
put_space(struct mdoc_words *w)
{
    if (!w->glue && !w->unspaced && w->line.len > 0)
        buf_ch(&w->line, ' ');
    w->glue = false;
}

static void
put_mdoc_word(struct mdoc_words *w, struct roff *r, const char *word)
{
    if (is_closing(word))
        w->glue = true;
    put_space(w);
    roff_plain(r, word, false, &w->line);
    w->glue = is_opening(word);
}

static void
put_mdoc_sign(struct mdoc_words *w, const char *sign, bool closes)
{
    w->glue = w->glue || closes;
    put_space(w);
    buf_str(&w->line, sign);
    w->glue = !closes;
}

static void
put_slanted(struct mdoc_words *w, struct roff *r, const char *word)
{
    put_space(w);
    buf_ch(&w->line, ROFF_ARG_ON);
    roff_plain(r, word, false, &w->line);
    buf_ch(&w->line, ROFF_ARG_OFF);
}

static void
put_styled(struct mdoc_words *w, struct roff *r, enum word_style act,
           const char *word)
{
    if (is_closing(word) || is_opening(word) || strcmp(word, "|") == 0) {
        put_mdoc_word(w, r, word);
    } else if (act == DASH) {
        put_mdoc_sign(w, "-", false);
        put_mdoc_word(w, r, word);
    } else if (act == SLANT) {
        put_slanted(w, r, word);
    } else {
        put_mdoc_word(w, r, word);
    }
}

/* Whether the words of a macro end at i: at another macro or at the end of the
 * line. */
static bool
ends_words(const char *const *args, size_t n, size_t i)
{
    return i >= n || find_macro(args[i]);
}

/* Appends a macro that has no words. */
static void
put_bare_macro(struct mdoc_words *w, struct roff *r, enum word_style act)
{
    if (act == DASH) {
        put_mdoc_sign(w, "-", false);
    } else if (act == SLANT) {
        put_slanted(w, r, "file");
        put_mdoc_word(w, r, "...");
    } else if (act == NAME) {
        put_mdoc_word(w, r, w->name);
    }
}

/* Appends a reference, .Xr name 1. Returns how many words it used. */
static size_t
put_reference(struct mdoc_words *w, struct roff *r, const char *const *args,
              size_t n)
{
    put_mdoc_word(w, r, args[0]);
    if (n < 2 || is_closing(args[1]))
        return 1;
    buf_ch(&w->line, '(');
    roff_plain(r, args[1], false, &w->line);
    buf_ch(&w->line, ')');
    return 2;
}

static void
begin_macro(struct mdoc_words *w, struct roff *r, const struct macro *m)
{
    if (m->act == TEXT && *m->left)
        put_mdoc_word(w, r, m->left);
    if (m->act == WRAP && w->n_closing < MDOC_OPEN_MAX)
        w->closing[w->n_closing++] = m->right;
    if (m->act == WRAP || m->act == OPEN)
        put_mdoc_sign(w, m->left, false);
    else if (m->act == SHUT)
        put_mdoc_sign(w, m->right, true);
    else if (m->act == ABOUT)
        put_mdoc_word(w, r, "-");
    else if (m->act == GLUE)
        w->glue = true;
    if (m->act == APOS) {
        put_mdoc_sign(w, "'", true);
        w->glue = true;
    }
}

/* Closes what .Op and similar macros opened, before trailing punctuation. */
static void
close_wrapped(struct mdoc_words *w)
{
    while (w->n_closing > 0)
        put_mdoc_sign(w, w->closing[--w->n_closing], true);
}

static bool
only_closing(const char *const *args, size_t n, size_t i)
{
    for (; i < n; i++)
        if (!is_closing(args[i]))
            return false;
    return true;
}

/* Appends the text of the words to w->line; macros among them are carried
 * out. */
static void
words_add(struct mdoc_words *w, struct roff *r, const char *const *args,
          size_t n)
{
    const struct macro *m = NULL;
    enum word_style act = TEXT;

    w->glue = w->line.len == 0 ? false : w->glue;
    w->n_closing = 0;
    for (size_t i = 0; i < n; i++) {
        if (w->n_closing > 0 && i > 0 && only_closing(args, n, i))
            close_wrapped(w);
        m = find_macro(args[i]);
        if (m) {
            act = m->act;
            begin_macro(w, r, m);
            if (ends_words(args, n, i + 1) || is_closing(args[i + 1]))
                put_bare_macro(w, r, act);
        } else if (act == XREF) {
            i += put_reference(w, r, args + i, n - i) - 1;
            act = TEXT;
        } else if (act == SPACING) {
            w->unspaced = strcmp(args[i], "off") == 0;
        } else if (act != NOTHING) {
            put_styled(w, r, act, args[i]);
            w->glue = w->glue || act == PREFIX;
            act = act == PREFIX ? TEXT : act;
        }
    }
    close_wrapped(w);
    w->glue = false;
}

/* The structure: headings, lists, paragraphs. */

#define LISTS_MAX 16

struct mdoc {
    struct roff *r;
    struct blocks *b;
    struct mdoc_words w;
    bool tagged[LISTS_MAX + 1]; /* per open list: whether its items have tags */
    unsigned lists;
    bool in_tag; /* inside the tag of .It ... Xo, which ends at .Xc */
    bool in_synopsis;
};

static void
begin_mdoc_paragraph(struct mdoc *m)
{
    blocks_begin(m->b, BLOCK_TEXT, 2 * m->lists);
}

/* Adds the text of the macro line. */
static void
flush_line(struct mdoc *m)
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
    words_add(&m->w, m->r, l->args, l->n);
    m->in_synopsis = strcmp(m->w.line.p, "SYNOPSIS") == 0;
    flush_line(m);
    begin_mdoc_paragraph(m);
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
    begin_mdoc_paragraph(m);
}

static void
on_list_end(struct mdoc *m)
{
    m->lists -= m->lists > 0;
    begin_mdoc_paragraph(m);
}

static void
on_item(struct mdoc *m, const struct roff_line *l)
{
    bool tagged = m->tagged[m->lists];
    size_t n = l->n;

    if (!tagged) {
        begin_mdoc_paragraph(m);
        words_add(&m->w, m->r, l->args, n);
        flush_line(m);
        return;
    }
    blocks_begin(m->b, BLOCK_TAG, 2 * m->lists - 1);
    m->in_tag = has_arg(l, "Xo");
    words_add(&m->w, m->r, l->args, n);
    flush_line(m);
    if (!m->in_tag)
        begin_mdoc_paragraph(m);
}

/* Handles macros of structure. Returns false when the line has words. */
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
        begin_mdoc_paragraph(m);
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
            words_set_name(&m->w, l->args[0]);
        if (m->in_synopsis) /* a synopsis has one line for each use */
            blocks_break(m->b);
    }
    for (size_t i = 0; i < l->n; i++)
        args[i + 1] = l->args[i];
    words_add(&m->w, m->r, args, l->n + 1);
    flush_line(m);
    if (m->in_tag && (strcmp(l->macro, "Xc") == 0 || has_arg(l, "Xc"))) {
        m->in_tag = false;
        begin_mdoc_paragraph(m);
    }
}

static void
on_text(struct mdoc *m, const char *raw)
{
    if (!*raw) {
        begin_mdoc_paragraph(m);
        return;
    }
    roff_plain(m->r, raw, false, &m->w.line);
    flush_line(m);
}

void
mdoc_read(struct roff *r, struct roff_line *line, struct blocks *b)
{
    struct mdoc m = {.r = r, .b = b};

    words_init(&m.w);
    while (roff_next(r, line)) {
        if (!line->macro)
            on_text(&m, line->args[0]);
        else if (!on_structure(&m, line))
            on_words(&m, line);
    }
    words_done(&m.w);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mdoc_words.c - what a line of mdoc(7) says in plain text. */
#include "offline/manual/mdoc_words.h"

#include <stdio.h>
#include <string.h>

enum act {
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
    enum act act;
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
    for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++)
        if (strcmp(macros[i].name, name) == 0)
            return &macros[i];
    return NULL;
}

void
mdoc_words_init(struct mdoc_words *w)
{
    *w = (struct mdoc_words){0};
    buf_init(&w->line, 256 * 1024);
}

void
mdoc_words_done(struct mdoc_words *w)
{
    if (!w)
        return;
    buf_done(&w->line);
}

void
mdoc_words_set_name(struct mdoc_words *w, const char *name)
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

/* A blank before the next word, where one belongs. */
static void
space(struct mdoc_words *w)
{
    if (!w->glue && !w->unspaced && w->line.len > 0)
        buf_ch(&w->line, ' ');
    w->glue = false;
}

static void
put(struct mdoc_words *w, struct roff *r, const char *word)
{
    if (is_closing(word))
        w->glue = true;
    space(w);
    roff_plain(r, word, false, &w->line);
    w->glue = is_opening(word);
}

static void
put_sign(struct mdoc_words *w, const char *sign, bool closes)
{
    w->glue = w->glue || closes;
    space(w);
    buf_str(&w->line, sign);
    w->glue = !closes;
}

static void
put_slanted(struct mdoc_words *w, struct roff *r, const char *word)
{
    space(w);
    buf_ch(&w->line, ROFF_ARG_ON);
    roff_plain(r, word, false, &w->line);
    buf_ch(&w->line, ROFF_ARG_OFF);
}

static void
put_styled(struct mdoc_words *w, struct roff *r, enum act act, const char *word)
{
    if (is_closing(word) || is_opening(word) || strcmp(word, "|") == 0) {
        put(w, r, word);
    } else if (act == DASH) {
        put_sign(w, "-", false);
        put(w, r, word);
    } else if (act == SLANT) {
        put_slanted(w, r, word);
    } else {
        put(w, r, word);
    }
}

/* Whether a macro's own words end here: at the line's end or a macro. */
static bool
ends(const char *const *args, size_t n, size_t i)
{
    return i >= n || find_macro(args[i]);
}

/* A macro with no words of its own. */
static void
put_bare(struct mdoc_words *w, struct roff *r, enum act act)
{
    if (act == DASH) {
        put_sign(w, "-", false);
    } else if (act == SLANT) {
        put_slanted(w, r, "file");
        put(w, r, "...");
    } else if (act == NAME) {
        put(w, r, w->name);
    }
}

/* .Xr name 1: both words at once. Returns how many were taken. */
static size_t
put_reference(struct mdoc_words *w, struct roff *r, const char *const *args,
              size_t n)
{
    put(w, r, args[0]);
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
        put(w, r, m->left);
    if (m->act == WRAP && w->n_shut < MDOC_OPEN_MAX)
        w->shut[w->n_shut++] = m->right;
    if (m->act == WRAP || m->act == OPEN)
        put_sign(w, m->left, false);
    else if (m->act == SHUT)
        put_sign(w, m->right, true);
    else if (m->act == ABOUT)
        put(w, r, "-");
    else if (m->act == GLUE)
        w->glue = true;
    if (m->act == APOS) {
        put_sign(w, "'", true);
        w->glue = true;
    }
}

/* Behind the last word but trailing punctuation: what .Op opened closes. */
static void
close_wrapped(struct mdoc_words *w)
{
    while (w->n_shut > 0)
        put_sign(w, w->shut[--w->n_shut], true);
}

static bool
only_closing(const char *const *args, size_t n, size_t i)
{
    for (; i < n; i++)
        if (!is_closing(args[i]))
            return false;
    return true;
}

void
mdoc_words_add(struct mdoc_words *w, struct roff *r, const char *const *args,
               size_t n)
{
    const struct macro *m = NULL;
    enum act act = TEXT;

    w->glue = w->line.len == 0 ? false : w->glue;
    w->n_shut = 0;
    for (size_t i = 0; i < n; i++) {
        if (w->n_shut > 0 && i > 0 && only_closing(args, n, i))
            close_wrapped(w);
        m = find_macro(args[i]);
        if (m) {
            act = m->act;
            begin_macro(w, r, m);
            if (ends(args, n, i + 1) || is_closing(args[i + 1]))
                put_bare(w, r, act);
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

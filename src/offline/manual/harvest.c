/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harvest.c - the options that a page documents. */
#include "offline/manual/harvest.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "offline/manual/page.h"
#include "offline/manual/roff.h"

#define TAGS_MAX 64 /* that share one paragraph; pages have up to 20 */

/* A paragraph that is longer is no tag. */
#define TERM_LINE_MAX 72

struct harvest {
    const struct blocks *b;
    struct buf *out;
    const char *heading; /* what is read stands under it */
    const char *name, *section;
    bool named; /* the N row is written */
};

/* The paragraph that explains the tag at i: the next deeper text, or the next
 * at all behind a heading or a colon. Tags that stand together share one. NULL
 * when there is none. */
static const char *
explanation(const struct harvest *h, size_t i)
{
    const struct block *tag = &h->b->v[i];
    const char *text = blocks_text(h->b, i);
    size_t n = strlen(text);
    bool colon = tag->kind == BLOCK_SUBSECTION ||
                 (tag->kind == BLOCK_TEXT && n > 0 && text[n - 1] == ':');

    for (size_t k = i + 1; k < h->b->n && k <= i + TAGS_MAX; k++) {
        const struct block *next = &h->b->v[k];

        if (next->kind == BLOCK_TEXT)
            return next->indent + colon > tag->indent ? blocks_text(h->b, k)
                                                      : NULL;
        if (next->kind != BLOCK_TAG || next->indent != tag->indent)
            return NULL;
    }
    return NULL;
}

static void
add_plain(struct buf *out, const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s >= 0x20)
            buf_ch(out, *s);
}

static void
add_option(struct harvest *h, const struct spelling *s, size_t n,
           const char *text)
{
    const char *arg = "";

    buf_str(h->out, "O\t");
    for (size_t i = 0; i < n; i++) {
        buf_printf(h->out, "%s%s", i ? " " : "", s[i].name);
        if (s[i].takes != TAKES_NOTHING)
            buf_str(h->out, s[i].takes == TAKES_VALUE ? ":" : "::");
        if (!*arg)
            arg = s[i].arg;
    }
    buf_ch(h->out, '\t');
    add_plain(h->out, arg);
    buf_ch(h->out, '\t');
    harvest_meaning(text ? text : "", arg, h->out);
    buf_ch(h->out, '\n');
}

static const char *
word_end(const char *p)
{
    while (isalnum((unsigned char)*p) || *p == '-' || *p == '_')
        p++;
    return p;
}

/* A tag without a dash: a subcommand, an old-style letter, "if=FILE". Several
 * may share it: "remove, purge". */
static void
add_term(struct harvest *h, const char *tag, const char *text)
{
    const char *p = tag + strspn(tag, "\001\002"), *end = word_end(p);
    CLEANUP_BUF struct buf names = buf_of(1024);

    if (end == p || end - p >= SPELLING_NAME_SIZE || !text)
        return;
    end += *end == '=';
    buf_add(&names, p, (size_t)(end - p));
    for (p = end + strspn(end, "\001\002"); strncmp(p, ", ", 2) == 0;) {
        const char *from = p + 2 + strspn(p + 2, "\001\002");

        end = word_end(from);
        if (end == from)
            break;
        buf_ch(&names, ' ');
        buf_add(&names, from, (size_t)(end - from));
        p = end + strspn(end, "\001\002");
    }
    if (*p && *p != ' ' && *p != '[' && *p != '|' && p[-1] != '=' &&
        p[-1] != ROFF_ARG_ON)
        return; /* "file.c", "a:b" */
    buf_printf(h->out, "T\t%s\t", names.p);
    p += strspn(p, " ");
    if (strlen(p) < SPELLING_ARG_SIZE)
        add_plain(h->out, p);
    while (h->out->len > 0 && h->out->p[h->out->len - 1] == ' ')
        buf_cut(h->out, h->out->len - 1);
    buf_ch(h->out, '\t');
    harvest_sentence(text, h->out);
    buf_ch(h->out, '\n');
}

/* Headings under which bare words are no part of a command line. */
static bool
has_terms(const char *heading)
{
    static const char *const without[] = {
        "NAME",    "SYNOPSIS", "ENVIRONMENT", "EXAMPLE",   "EXIT",
        "FILES",   "SEE",      "DIAGNOST",    "AUTHOR",    "BUGS",
        "HISTORY", "NOTES",    "RETURN",      "STANDARDS", "COPYRIGHT",
    };

    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
        if (strncasecmp(heading, without[i], strlen(without[i])) == 0)
            return false;
    return true;
}

static void
harvest_tag(struct harvest *h, size_t i)
{
    struct spelling s[SPELLINGS_MAX];
    const char *tag = blocks_text(h->b, i);
    size_t n = spelling_read(tag, false, s);

    if (n > 0)
        add_option(h, s, n, explanation(h, i));
    else if (has_terms(h->heading))
        add_term(h, tag, explanation(h, i));
}

/* A line of text that is an option, a gap, and what it means. */
static bool
harvest_line(struct harvest *h, const char *line, size_t len)
{
    struct spelling s[SPELLINGS_MAX];
    CLEANUP_BUF struct buf tag = buf_of(256);
    size_t gap = 0, n;

    while (gap + 1 < len &&
           !(line[gap] == '\t' || (line[gap] == ' ' && line[gap + 1] == ' ')))
        gap++;
    if (gap + 1 >= len || gap > 128)
        return false;
    buf_add(&tag, line, gap);
    n = spelling_read(tag.p, true, s);
    if (n == 0)
        return false;
    buf_clear(&tag);
    buf_add(&tag, line + gap, utf8_boundary(line + gap, len - gap, 250));
    add_option(h, s, n, tag.p);
    return true;
}

/* Whether each of a few lines names an option and nothing else: "-a", below it
 * "--all". */
static bool
is_list(const char *text)
{
    struct spelling s[SPELLINGS_MAX];

    for (size_t i = 0; text && i < 4; i++) {
        CLEANUP_BUF struct buf line = buf_of(512);
        const char *nl = strchr(text, '\n');

        buf_add(&line, text, nl ? (size_t)(nl - text) : strnlen(text, 400));
        if (spelling_read(line.p, true, s) == 0)
            return false;
        text = nl ? nl + 1 : NULL;
    }
    return text == NULL;
}

/* A paragraph that names options: above a deeper one, or in its own first
 * line, or line by line. */
static void
harvest_text(struct harvest *h, size_t i)
{
    struct spelling s[SPELLINGS_MAX];
    const char *text = blocks_text(h->b, i), *nl;
    CLEANUP_BUF struct buf first = buf_of(4096);
    size_t n;

    text += strspn(text, " \t\001\002");
    if (*text != '-' && *text != '+') {
        if (islower((unsigned char)*text) && strlen(text) < TERM_LINE_MAX &&
            !strchr(".:", text[strlen(text) - 1]) && has_terms(h->heading))
            add_term(h, text, explanation(h, i));
        return;
    }
    if (is_list(text) && explanation(h, i)) {
        for (const char *p = text; *p; p++)
            buf_str(&first, *p == '\n' ? ", " : (char[]){*p, '\0'});
        n = spelling_read(first.p, true, s);
        add_option(h, s, n, explanation(h, i));
        return;
    }
    nl = strchr(text, '\n');
    buf_add(&first, text, nl ? (size_t)(nl - text) : strnlen(text, 512));
    n = spelling_read(first.p, true, s);
    if (n > 0 && nl && nl[1] && nl[1 + strspn(nl + 1, " \t\001")] != '-')
        add_option(h, s, n, nl + 1);
    else
        for (const char *p = text; p; p = strchr(p, '\n')) {
            p += strspn(p, "\n \t");
            harvest_line(h, p, strcspn(p, "\n"));
        }
}

/* Whether a list "a, b" names it. */
static bool
is_listed(const char *list, size_t n, const char *name)
{
    static const char ends[] = " ,\t\n\001\002";
    size_t len = strlen(name);

    for (size_t i = 0; i < n;) {
        size_t word = strcspn(list + i, ends);

        if (word == len && memcmp(list + i, name, len) == 0)
            return true;
        i += word + strspn(list + i + word, ends);
    }
    return false;
}

static void
add_name(struct harvest *h, const char *name, size_t n, const char *summary)
{
    if (h->named)
        return;
    buf_str(h->out, "N\t");
    buf_add(h->out, name, n);
    buf_printf(h->out, "\t%s\t", h->section);
    harvest_sentence(summary, h->out);
    buf_ch(h->out, '\n');
    h->named = true;
}

/* "tar - an archiving utility", "a, b - what both are". The name asked for
 * when it is one of them: awk's page may be mawk's. */
static void
harvest_name(struct harvest *h, const char *text)
{
    const char *dash = strstr(text, " - ");
    size_t skip = 3, n;

    if (!dash) {
        dash = strstr(text, " \342\200\223 ");
        skip = 5;
    }
    if (!dash)
        return;
    text += strspn(text, " \001\002");
    if (text >= dash || is_listed(text, (size_t)(dash - text), h->name))
        n = 0;
    else
        n = strcspn(text, " ,\001\002\t\n");
    add_name(h, n ? text : h->name, n ? n : strlen(h->name), dash + skip);
}

static void
harvest_synopsis(struct harvest *h, const char *text)
{
    buf_str(h->out, "S\t");
    for (; *text; text++) {
        if (*text == '\n' && text[1] != ' ')
            buf_str(h->out, "\nS\t");
        else if (*text == '\n' || *text == '\t')
            buf_ch(h->out, ' ');
        else if ((unsigned char)*text >= 0x20)
            buf_ch(h->out, *text);
    }
    buf_ch(h->out, '\n');
}

/* Under bash's SHELL BUILTIN COMMANDS each tag at the left is a builtin, and
 * what stands deeper is its own. */
static void
add_builtin(struct harvest *h, size_t i)
{
    const char *text = blocks_text(h->b, i), *meaning = explanation(h, i);
    size_t n;

    text += strspn(text, " \001\002");
    n = strcspn(text, " \001\002");
    if (!meaning || n == 0)
        return;
    buf_str(h->out, "B\t");
    buf_add(h->out, text, n);
    buf_ch(h->out, '\t');
    add_plain(h->out, text);
    buf_ch(h->out, '\t');
    harvest_sentence(meaning, h->out);
    buf_ch(h->out, '\n');
}

static void
harvest_block(struct harvest *h, size_t i, bool builtins)
{
    const struct block *block = &h->b->v[i];
    const char *text = blocks_text(h->b, i);
    bool is_text = block->kind == BLOCK_TEXT;

    if (block->kind == BLOCK_SECTION)
        return;
    if (builtins && block->kind == BLOCK_TAG && block->indent == 0)
        add_builtin(h, i);
    else if (is_text && strcasecmp(h->heading, "NAME") == 0)
        harvest_name(h, text);
    else if (is_text && strcasecmp(h->heading, "SYNOPSIS") == 0)
        harvest_synopsis(h, text);
    else if (block->kind == BLOCK_TAG ||
             (block->kind == BLOCK_SUBSECTION && *text == '-'))
        harvest_tag(h, i);
    else if (is_text)
        harvest_text(h, i);
}

void
harvest(const struct blocks *b, const char *name, const char *section,
        struct buf *out)
{
    CLEANUP_BUF struct buf rest = buf_of(PAGE_BYTES_MAX);
    struct harvest h = {
        .b = b, .out = out, .heading = "", .name = name, .section = section};
    bool builtins = false, tests = false;

    for (size_t i = 0; i < b->n; i++) {
        if (b->v[i].kind == BLOCK_SECTION) {
            h.heading = blocks_text(b, i);
            builtins = strcmp(h.heading, "SHELL BUILTIN COMMANDS") == 0;
            tests = strcmp(h.heading, "CONDITIONAL EXPRESSIONS") == 0;
            if (tests)
                buf_str(&rest, "B\t[[\t\tsays whether a condition holds\n");
        }
        h.out = builtins || tests ? &rest : out;
        harvest_block(&h, i, builtins);
    }
    h.out = out;
    add_name(&h, name, strlen(name), "");
    buf_str(out, rest.p);
}

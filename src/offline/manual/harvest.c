/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harvest.c - collects options, subcommands and synopsis from a page. */
#include "offline/manual/harvest.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "offline/manual/page.h"
#include "offline/manual/roff.h"

#define ENOUGH_BYTES 45  /* a shorter first sentence is followed by the next */
#define MOST_BYTES   240 /* three lines beside the column of options */

/* The most bytes of a paragraph that are read: it may be a whole page. */
#define LOOK_BYTES 4096

static bool
is_page_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* The name of an option's value when it is one word: "MODE" of "-MODE". */
struct value_name {
    const char *p;
    size_t n;
    bool large; /* in capitals, so that it is found without italics */
};

static bool
is_option_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static struct value_name
parse_value_name(const char *value)
{
    struct value_name name = {.p = value};

    if (strncmp(value, "[-]", 3) == 0 || strncmp(value, "[+]", 3) == 0)
        name.p += 3; /* "[-]NUM" */
    name.p += strspn(name.p, "-/+");
    while (is_option_byte(name.p[name.n]))
        name.n++;
    if (name.p[name.n] != '\0')
        name.n = 0;
    name.large = name.n > 0 &&
                 strspn(name.p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == name.n;
    return name;
}

/* The length of the value's name at p with its angle brackets, 0 when it is not
 * there or is part of a longer word. */
static size_t
value_name_length(const char *p, const struct value_name *name, bool slanted)
{
    size_t angle = *p == '<';

    if (name->n == 0 || !(slanted || angle || name->large) ||
        strncasecmp(p + angle, name->p, name->n) != 0)
        return 0;
    if (angle)
        return p[1 + name->n] == '>' ? name->n + 2 : 0;
    if (name->large && memcmp(p, name->p, name->n) != 0)
        return 0;
    return is_option_byte(p[name->n]) ? 0 : name->n;
}

/* Copies up to LOOK_BYTES. Each run of blanks becomes one blank, and marks are
 * removed except those around the value's name. */
static void
flatten_text(const char *text, const struct value_name *name, struct buf *out)
{
    bool blank = false, slanted = false;
    char before = ' ';

    for (; *text && out->len < LOOK_BYTES; text++) {
        size_t n = is_option_byte(before)
                       ? 0
                       : value_name_length(text, name, slanted);

        if (is_page_blank(*text)) {
            blank = out->len > 0;
            before = ' ';
            continue;
        }
        slanted = *text == ROFF_ARG_ON || (slanted && *text != ROFF_ARG_OFF);
        if ((unsigned char)*text < 0x20)
            continue;
        if (blank)
            buf_ch(out, ' ');
        blank = false;
        if (n > 0) {
            buf_ch(out, ROFF_ARG_ON);
            buf_add(out, text, n);
            buf_ch(out, ROFF_ARG_OFF);
            text += n - 1;
        } else {
            buf_ch(out, *text);
        }
        before = *text;
    }
}

/* Whether the full stop at s[i] ends an abbreviation: "e.g.", "i.e.", "vs.", a
 * single letter. */
static bool
is_stop_of_abbreviation(const char *s, size_t i)
{
    static const char *const short_words[] = {"etc",  "vs", "cf",  "resp",
                                              "eg",   "ie", "fig", "approx",
                                              "incl", "no", "e.g", "i.e"};
    size_t from = i;

    while (from > 0 && s[from - 1] != ' ' && s[from - 1] != '(')
        from--;
    if (i - from <= 1)
        return true;
    for (size_t k = 0; k < ARRAY_SIZE(short_words); k++)
        if (strlen(short_words[k]) == i - from &&
            strncasecmp(short_words[k], s + from, i - from) == 0)
            return strcmp(short_words[k], "no") != 0;
    return false;
}

/* The end of the sentence around byte `from`. */
static size_t
sentence_end(const char *s, size_t n, size_t from)
{
    for (size_t i = from; i < n; i++) {
        size_t next = i + 1;

        if (s[i] != '.' && s[i] != '!' && s[i] != '?')
            continue;
        while (next < n && strchr(")\"'", s[next]))
            next++;
        if (next == n || (s[next] == ' ' && !is_stop_of_abbreviation(s, i) &&
                          !islower((unsigned char)s[next + 1])))
            return next;
    }
    return n;
}

/* Appends the text cut at a blank, with an ellipsis. */
static void
add_cut(const char *s, size_t n, struct buf *out)
{
    size_t at = MOST_BYTES;

    while (at > MOST_BYTES / 2 && s[at] != ' ')
        at--;
    if (s[at] != ' ')
        at = utf8_boundary(s, n, MOST_BYTES);
    while (at > 0 && strchr(" ,;:", s[at - 1]))
        at--;
    buf_add(out, s, at);
    buf_str(out, " \342\200\246");
}

/* Whether a sentence says what happens without the option. */
static bool
is_of_its_absence(const char *s)
{
    static const char *const begins[] = {
        "If this option is not ", "If not given", "If not specified",
        "Without this option", "When this option is not "};

    for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
        if (strncmp(s, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* The same for an option whose value has that name. The name is put between the
 * marks of roff.h wherever the text has it. */
static void
harvest_meaning(const char *text, const char *value, struct buf *out)
{
    CLEANUP_BUF struct buf flat = buf_of(4 * LOOK_BYTES);
    struct value_name name = parse_value_name(value);
    size_t first, end;

    flatten_text(text, &name, &flat);
    first = end = sentence_end(flat.p, flat.len, 0);
    if (first < ENOUGH_BYTES && first < flat.len &&
        !is_of_its_absence(flat.p + first + 1))
        end = sentence_end(flat.p, flat.len, first);
    if (end > 0 && flat.p[end - 1] == ':')
        end = first; /* the list that it announces is not part of the text */
    while (end > 0 && strchr(" ;,", flat.p[end - 1]))
        end--;
    if (end > MOST_BYTES)
        add_cut(flat.p, flat.len, out);
    else
        buf_add(out, flat.p, end);
}

/* Appends the first sentence or two of a text as one line without marks, at
 * most about 240 bytes. */
static void
harvest_sentence(const char *text, struct buf *out)
{
    harvest_meaning(text, "", out);
}

/* The facts: name, synopsis, options, subcommands, builtins. */

#define TAGS_MAX 64 /* tags that share one paragraph; pages have up to 20 */

/* The longest paragraph that may be a tag. */
#define TERM_LINE_MAX 72

struct harvest {
    const struct blocks *b;
    struct buf *out;
    const char *heading; /* of the section that is read */
    const char *name, *section;
    bool named; /* the N row is written */
};

/* The paragraph that explains the tag at i: the next text with a larger indent,
 * or any next text behind a heading or a colon. Tags in a row share one. NULL
 * when there is none. */
static const char *
explanation_of(const struct harvest *h, size_t i)
{
    const struct page_block *tag = &h->b->v[i];
    const char *text = blocks_text(h->b, i);
    size_t n = strlen(text);
    bool colon = tag->kind == BLOCK_SUBSECTION ||
                 (tag->kind == BLOCK_TEXT && n > 0 && text[n - 1] == ':');

    for (size_t k = i + 1; k < h->b->n && k <= i + TAGS_MAX; k++) {
        const struct page_block *next = &h->b->v[k];

        if (next->kind == BLOCK_TEXT)
            return next->indent + colon > tag->indent ? blocks_text(h->b, k)
                                                      : NULL;
        if (next->kind != BLOCK_TAG || next->indent != tag->indent)
            return NULL;
    }
    return NULL;
}

static void
add_printable(struct buf *out, const char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s >= 0x20)
            buf_ch(out, *s);
}

static void
add_option_row(struct harvest *h, const struct spelling *s, size_t n,
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
    add_printable(h->out, arg);
    buf_ch(h->out, '\t');
    harvest_meaning(text ? text : "", arg, h->out);
    buf_ch(h->out, '\n');
}

static const char *
option_word_end(const char *p)
{
    while (isalnum((unsigned char)*p) || *p == '-' || *p == '_')
        p++;
    return p;
}

/* Adds a tag without a dash: a subcommand, an option letter, "if=FILE". It may
 * name several: "remove, purge". */
static void
add_tagged_term(struct harvest *h, const char *tag, const char *text)
{
    const char *p = tag + strspn(tag, "\001\002"), *end = option_word_end(p);
    CLEANUP_BUF struct buf names = buf_of(1024);

    if (end == p || end - p >= SPELLING_NAME_SIZE || !text)
        return;
    end += *end == '=';
    buf_add(&names, p, (size_t)(end - p));
    for (p = end + strspn(end, "\001\002"); strncmp(p, ", ", 2) == 0;) {
        const char *from = p + 2 + strspn(p + 2, "\001\002");

        end = option_word_end(from);
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
        add_printable(h->out, p);
    while (h->out->len > 0 && h->out->p[h->out->len - 1] == ' ')
        buf_cut(h->out, h->out->len - 1);
    buf_ch(h->out, '\t');
    harvest_sentence(text, h->out);
    buf_ch(h->out, '\n');
}

/* Whether bare words under that heading may be part of a command line. */
static bool
has_terms(const char *heading)
{
    static const char *const without[] = {
        "NAME",    "SYNOPSIS", "ENVIRONMENT", "EXAMPLE",   "EXIT",
        "FILES",   "SEE",      "DIAGNOST",    "AUTHOR",    "BUGS",
        "HISTORY", "NOTES",    "RETURN",      "STANDARDS", "COPYRIGHT",
    };

    for (size_t i = 0; i < ARRAY_SIZE(without); i++)
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
        add_option_row(h, s, n, explanation_of(h, i));
    else if (has_terms(h->heading))
        add_tagged_term(h, tag, explanation_of(h, i));
}

/* Reads a line with an option, a gap and its meaning. */
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
    add_option_row(h, s, n, tag.p);
    return true;
}

/* Whether each of at most four lines names options and nothing else: "-a", then
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

/* Reads options from a paragraph: one above its explanation, one in its own
 * first line, or one per line. */
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
            add_tagged_term(h, text, explanation_of(h, i));
        return;
    }
    if (is_list(text) && explanation_of(h, i)) {
        for (const char *p = text; *p; p++)
            buf_str(&first, *p == '\n' ? ", " : (char[]){*p, '\0'});
        n = spelling_read(first.p, true, s);
        add_option_row(h, s, n, explanation_of(h, i));
        return;
    }
    nl = strchr(text, '\n');
    buf_add(&first, text, nl ? (size_t)(nl - text) : strnlen(text, 512));
    n = spelling_read(first.p, true, s);
    if (n > 0 && nl && nl[1] && nl[1 + strspn(nl + 1, " \t\001")] != '-')
        add_option_row(h, s, n, nl + 1);
    else
        for (const char *p = text; p; p = strchr(p, '\n')) {
            p += strspn(p, "\n \t");
            harvest_line(h, p, strcspn(p, "\n"));
        }
}

/* Whether the list "a, b" has the name. */
static bool
is_in_comma_list(const char *list, size_t n, const char *name)
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
add_page_name(struct harvest *h, const char *name, size_t n,
              const char *summary)
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

/* Reads the NAME section: "tar - an archiving utility", "a, b - what both are".
 * The name that was asked for is used when it is in the list: the page of awk
 * may be that of mawk. */
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
    if (text >= dash || is_in_comma_list(text, (size_t)(dash - text), h->name))
        n = 0;
    else
        n = strcspn(text, " ,\001\002\t\n");
    add_page_name(h, n ? text : h->name, n ? n : strlen(h->name), dash + skip);
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

/* In SHELL BUILTIN COMMANDS of bash(1) each tag at the left margin is a
 * builtin; the blocks with a larger indent belong to it. */
static void
add_builtin(struct harvest *h, size_t i)
{
    const char *text = blocks_text(h->b, i), *meaning = explanation_of(h, i);
    size_t n;

    text += strspn(text, " \001\002");
    n = strcspn(text, " \001\002");
    if (!meaning || n == 0)
        return;
    buf_str(h->out, "B\t");
    buf_add(h->out, text, n);
    buf_ch(h->out, '\t');
    add_printable(h->out, text);
    buf_ch(h->out, '\t');
    harvest_sentence(meaning, h->out);
    buf_ch(h->out, '\n');
}

static void
harvest_block(struct harvest *h, size_t i, bool builtins)
{
    const struct page_block *block = &h->b->v[i];
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
    add_page_name(&h, name, strlen(name), "");
    buf_str(out, rest.p);
}

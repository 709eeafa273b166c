/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff_text.c - resolves the escapes in a line of a manual page. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "offline/manual/roff_state.h"

/* The special characters of groff_char(7) that manual pages use. Dashes, quotes
 * and signs that a person would type become ASCII, so that options are found as
 * they are typed. */
static const struct {
    char name[4];
    uint32_t cp;
} chars[] = {
    {"-", '-'},     {"hy", '-'},    {"mi", '-'},    {"en", 0x2013},
    {"em", 0x2014}, {"aq", '\''},   {"cq", 0x2019}, {"oq", 0x2018},
    {"lq", 0x201c}, {"rq", 0x201d}, {"dq", '"'},    {"Bq", 0x201e},
    {"bq", 0x201a}, {"Fo", 0xab},   {"Fc", 0xbb},   {"fo", 0x2039},
    {"fc", 0x203a}, {"ga", '`'},    {"aa", 0xb4},   {"ha", '^'},
    {"a^", '^'},    {"ti", '~'},    {"a~", '~'},    {"rs", '\\'},
    {"sl", '/'},    {"ba", '|'},    {"br", '|'},    {"bv", '|'},
    {"or", '|'},    {"ul", '_'},    {"ru", '_'},    {"at", '@'},
    {"sh", '#'},    {"Do", '$'},    {"lB", '['},    {"rB", ']'},
    {"lC", '{'},    {"rC", '}'},    {"la", '<'},    {"ra", '>'},
    {"bu", 0x2022}, {"ci", 0x25cb}, {"sq", 0x25a1}, {"co", 0xa9},
    {"rg", 0xae},   {"tm", 0x2122}, {"de", 0xb0},   {"sc", 0xa7},
    {"ps", 0xb6},   {"dg", 0x2020}, {"dd", 0x2021}, {"ct", 0xa2},
    {"Po", 0xa3},   {"Ye", 0xa5},   {"Eu", 0x20ac}, {"eu", 0x20ac},
    {"<-", 0x2190}, {"->", 0x2192}, {"<>", 0x2194}, {"ua", 0x2191},
    {"da", 0x2193}, {"<=", 0x2264}, {">=", 0x2265}, {"!=", 0x2260},
    {"==", 0x2261}, {"=~", 0x2245}, {"+-", 0xb1},   {"mu", 0xd7},
    {"di", 0xf7},   {"pl", '+'},    {"eq", '='},    {"if", 0x221e},
    {"12", 0xbd},   {"14", 0xbc},   {"34", 0xbe},   {"S1", 0xb9},
    {"S2", 0xb2},   {"S3", 0xb3},   {"mc", 0xb5},   {"*m", 0x3bc},
    {"*a", 0x3b1},  {"*b", 0x3b2},  {"*p", 0x3c0},  {"*W", 0x3a9},
    {"'e", 0xe9},   {"'a", 0xe1},   {"'i", 0xed},   {"'o", 0xf3},
    {"'u", 0xfa},   {"'E", 0xc9},   {"'A", 0xc1},   {"'O", 0xd3},
    {"`e", 0xe8},   {"`a", 0xe0},   {"`u", 0xf9},   {"^e", 0xea},
    {"^a", 0xe2},   {"^o", 0xf4},   {"^i", 0xee},   {":a", 0xe4},
    {":o", 0xf6},   {":u", 0xfc},   {":e", 0xeb},   {":i", 0xef},
    {":A", 0xc4},   {":O", 0xd6},   {":U", 0xdc},   {"ss", 0xdf},
    {"oa", 0xe5},   {"oA", 0xc5},   {"/o", 0xf8},   {"/O", 0xd8},
    {"/l", 0x142},  {"ae", 0xe6},   {"AE", 0xc6},   {",c", 0xe7},
    {",C", 0xc7},   {"~n", 0xf1},   {"~N", 0xd1},   {"~a", 0xe3},
    {"~o", 0xf5},   {"vs", 0x161},  {"vz", 0x17e},  {"OK", 0x2713},
    {"ff", 0xfb00}, {"fi", 0xfb01}, {"fl", 0xfb02}, {"-D", 0xd0},
    {"r!", 0xa1},   {"r?", 0xbf},   {"nb", 0x2284}, {"es", 0x2205},
};

/* The code point of \[u20AC], or the first one of \[u0041_0301]. */
static uint32_t
char_by_number(const char *name, size_t n)
{
    uint32_t cp = 0;
    size_t i = 1;

    for (; i < n && i < 8; i++) {
        const char *digits = "0123456789ABCDEF";
        const char *d = name[i] ? strchr(digits, name[i]) : NULL;

        if (!d)
            break;
        cp = cp * 16 + (uint32_t)(d - digits);
    }
    return i >= 5 ? cp : 0;
}

/* The code point of \(xx, \[xxx] or \[uXXXX], 0 when the name is unknown. */
static uint32_t
find_char(const char *name, size_t n)
{
    if (n >= 5 && name[0] == 'u')
        return char_by_number(name, n);
    for (size_t i = 0; i < ARRAY_SIZE(chars); i++)
        if (strlen(chars[i].name) == n && memcmp(chars[i].name, name, n) == 0)
            return chars[i].cp;
    return 0;
}

#define STRINGS_DEPTH 4

/* The most characters and escapes of one line, with its strings. */
#define STEPS_MAX (4 * ROFF_LINE_MAX)

struct escape_reader {
    struct roff *r;
    struct buf *out;
    bool italic, before; /* the current font, and the one \fP returns to */
    unsigned depth, steps;
};

static void
set_font(struct escape_reader *pl, bool italic)
{
    if (italic != pl->italic)
        buf_ch(pl->out, italic ? ROFF_ARG_ON : ROFF_ARG_OFF);
    pl->italic = italic;
}

static void
take_font(struct escape_reader *pl, const char **p)
{
    const char *name;
    size_t n;
    bool was = pl->italic;

    roff_take_name(p, &name, &n);
    if (n == 0 || (n == 1 && *name == 'P'))
        set_font(pl, pl->before);
    else /* I, BI, CI, 2 and 4 are italic */
        set_font(pl, memchr(name, 'I', n) || *name == '2' || *name == '4');
    pl->before = was;
}

/* Skips an argument between two equal bytes, as in \h'...'. */
static void
skip_delimited(const char **p)
{
    char quote = **p;
    const char *end = quote ? strchr(*p + 1, quote) : NULL;

    if (quote)
        *p = end ? end + 1 : *p + strlen(*p);
}

static void
skip_size(const char **p)
{
    const char *name, *s = *p;
    size_t n;

    if (*s == '\'') {
        skip_delimited(p);
        return;
    }
    s += *s == '+' || *s == '-';
    if (*s >= '1' && *s <= '3' && s[1] >= '0' && s[1] <= '9') {
        *p = s + 2; /* \s12: two digits when the first is 1, 2 or 3 */
        return;
    }
    roff_take_name(&s, &name, &n);
    *p = s;
}

static void
take_named_char(struct escape_reader *pl, const char *name, size_t n)
{
    uint32_t cp = find_char(name, n);

    if (cp)
        utf8_encode(pl->out, cp);
}

static void plain(struct escape_reader *pl, const char *s);

static void
take_string_escape(struct escape_reader *pl, const char **p)
{
    const char *name;
    size_t n;

    roff_take_name(p, &name, &n);
    if (pl->depth >= STRINGS_DEPTH)
        return;
    pl->depth++;
    plain(pl, roff_string(pl->r, name, n));
    pl->depth--;
}

/* Handles an escape with an argument. Returns false when c is none. */
static bool
take_with_argument(struct escape_reader *pl, char c, const char **p)
{
    const char *name;
    size_t n;

    if (c == 'f') {
        take_font(pl, p);
    } else if (c == '(' || c == '[') {
        (*p)--;
        roff_take_name(p, &name, &n);
        take_named_char(pl, name, n);
    } else if (c == 'C') {
        name = *p + 1;
        skip_delimited(p);
        if (*p > name)
            take_named_char(pl, name, (size_t)(*p - name - 1));
    } else if (c == '*') {
        take_string_escape(pl, p);
    } else if (c == 'n') {
        *p += **p == '+' || **p == '-';
        roff_take_name(p, &name, &n);
        buf_ch(pl->out, '0');
    } else if (c == 's') {
        skip_size(p);
    } else if (strchr("hvwlLDoNbxXZRBAHS", c)) {
        skip_delimited(p);
    } else if (strchr("mMFgkYV$O", c)) {
        roff_take_name(p, &name, &n);
    } else {
        return false;
    }
    return true;
}

/* Handles the escape behind the backslash at (*p)[-1]. Returns false when it
 * ends the line. */
static bool
take_escape(struct escape_reader *pl, const char **p)
{
    char c = **p;

    if (!c || c == '"' || c == '#')
        return false;
    if ((unsigned char)c < 0x20 || (unsigned char)c > 0x7e)
        return true; /* is read as text */
    (*p)++;
    if (take_with_argument(pl, c, p))
        return true;
    if (c == ' ' || c == '~' || c == '0' || c == 't') {
        buf_ch(pl->out, ' ');
    } else if (c == '\\' && **p == '-') {
        /* \\-: arguments are read twice, so that this is an escaped dash */
    } else if (c == 'e' || c == '\\') {
        buf_ch(pl->out, '\\');
    } else if (c == 'c') {
        buf_ch(pl->out, ROFF_JOIN);
        return false;
    } else if (!strchr("|^,/&)%:!?{}durpaz", c)) {
        buf_ch(pl->out, c);
    }
    return true;
}

/* Appends one character. A byte that is not UTF-8 is Latin-1. */
static void
take_text_char(struct escape_reader *pl, const char **p)
{
    unsigned char c = (unsigned char)**p;
    uint32_t cp = c;
    size_t n = 1;

    if (c >= 0x80) {
        n = utf8_decode(*p, strnlen(*p, 4), &cp);
        if (n == 0)
            n = 1, cp = c;
    }
    if (cp == '\t' || (cp >= 0x20 && (cp < 0x7f || cp > 0x9f)))
        utf8_encode(pl->out, cp);
    *p += n;
}

static void
plain(struct escape_reader *pl, const char *s)
{
    while (*s && pl->steps++ < STEPS_MAX) {
        if (*s != '\\') {
            take_text_char(pl, &s);
            continue;
        }
        s++;
        if (!take_escape(pl, &s))
            return;
    }
}

bool
roff_plain(struct roff *r, const char *raw, bool italic, struct buf *out)
{
    struct escape_reader pl = {.r = r, .out = out, .italic = italic};

    plain(&pl, raw);
    r->work += pl.steps;
    return pl.italic;
}

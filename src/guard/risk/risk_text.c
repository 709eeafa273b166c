/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_text.c - strings, comments and patterns in code of other languages. */
#include "guard/risk/risk_text.h"
#include "guard/risk/risk_memory.h"

#include <string.h>

bool
risk_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

const char *
risk_string(struct risk_state *st, const char *quotes, const char **at)
{
    const char *s = *at, *end;
    char quote, *out, *to;

    while (*s && strchr("brfuBRFU", *s) && s < *at + 2)
        s++;
    if (!*s || !strchr(quotes, *s))
        return NULL;
    quote = *s++;
    for (end = s; *end && *end != quote; end++)
        end += *end == '\\' && end[1];
    if (!*end)
        return NULL;
    out = to = risk_alloc(st, (size_t)(end - s) + 1);
    if (!out)
        return NULL;
    for (; s < end; s++) {
        if (*s == '\\' && strchr("xuU01234567", s[1]))
            return NULL;
        if (*s == '\\')
            s++;
        *to++ = *s;
    }
    *at = end + 1;
    return out;
}

struct blanking {
    const struct code_language *language;
    char *text;
    char before; /* the last byte that is no blank */
};

static size_t
string_end(const char *s, size_t i)
{
    char quote = s[i];
    size_t j = i + 1;

    while (s[j] && s[j] != quote)
        j += s[j] == '\\' && s[j + 1] ? 2 : 1;
    return s[j] ? j : i;
}

static size_t
line_end(const char *s, size_t i)
{
    return i + strcspn(s + i, "\n");
}

static bool
begins_comment(const struct blanking *b, size_t i)
{
    char c = b->text[i];

    if (!strchr(b->language->comments, c))
        return false;
    if (c == '#')
        return b->before != '$' && b->before != '{';
    return b->text[i + 1] == c;
}

/* `if /x/`: after such a word a value begins too. */
static bool
follows_word(const struct blanking *b, size_t i)
{
    static const char *const words[] = {"if",     "unless", "and",  "or",
                                        "not",    "split",  "grep", "when",
                                        "return", "while",  NULL};

    while (i > 0 && b->text[i - 1] == ' ')
        i--;
    for (const char *const *w = words; *w; w++) {
        size_t n = strlen(*w);

        if (i >= n && strncmp(b->text + i - n, *w, n) == 0)
            return true;
    }
    return false;
}

/* A slash where a value would begin, and another on the same line. */
static size_t
pattern_end(const struct blanking *b, size_t i)
{
    const char *s = b->text;
    size_t j = i + 1;

    if (!b->language->patterns || s[i] != '/' ||
        (b->before && !strchr("(,{;!&|~=}\n", b->before) &&
         !follows_word(b, i)))
        return i;
    while (s[j] && s[j] != '/' && s[j] != '\n')
        j += s[j] == '\\' && s[j + 1] ? 2 : 1;
    return s[j] == '/' ? j : i;
}

/* In "#{…}" and "@{[…]}" code runs inside a string. */
static bool
holds_code(const struct blanking *b, size_t from, size_t to)
{
    const char *s = b->text;

    for (size_t i = from; i + 1 < to; i++)
        if ((s[i] == '#' && s[i + 1] == '{') ||
            (s[i] == '@' && s[i + 1] == '{') ||
            (s[from] == '`' && s[i] == '$' && s[i + 1] == '{'))
            return true;
    return false;
}

static size_t
blank_from(struct blanking *b, size_t i)
{
    size_t end = i;

    if (strchr(b->language->quotes, b->text[i])) {
        end = string_end(b->text, i);
        if (end > i && holds_code(b, i, end)) {
            b->before = b->text[end];
            return end;
        }
        if (end > i + 1)
            memset(b->text + i + 1, ' ', end - i - 1);
    } else if (begins_comment(b, i)) {
        end = line_end(b->text, i);
        memset(b->text + i, ' ', end - i);
        return end > i ? end - 1 : i;
    } else {
        end = pattern_end(b, i);
        if (end > i)
            memset(b->text + i, ' ', end - i + 1);
    }
    if (b->text[end] != ' ' && b->text[end] != '\t')
        b->before = b->text[end];
    else if (end > i)
        b->before = ')';
    return end;
}

const char *
risk_blank(struct risk_state *st, const struct code_language *l,
           const char *text)
{
    size_t n = strlen(text);
    struct blanking b = {.language = l, .text = risk_alloc(st, n + 1)};

    if (!b.text)
        return "";
    memcpy(b.text, text, n);
    for (size_t i = 0; i < n; i++)
        i = blank_from(&b, i);
    return b.text;
}

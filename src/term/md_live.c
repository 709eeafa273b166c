/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_live.c - how much of an unfinished block of markdown can be shown. */
#include "term/md_live.h"

#include <stdbool.h>
#include <string.h>

#include "base/ascii.h"

/* The first and last lead bytes of UTF-8 of scripts without blanks between
 * words: U+3000 to U+9FFF. A line may break behind any of their characters. */
#define CJK_FIRST 0xE3
#define CJK_LAST  0xE9

struct md_live {
    const char *p;
    size_t n;
    size_t at;
    size_t safe;             /* all before it can be shown */
    bool words;              /* something that is no mark came */
    size_t open_emphasis[3]; /* for each of emphasis_marks */
};

static const char emphasis_marks[] = "*_~";

static bool
is_md_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool
is_letter_of_word(char c)
{
    return ascii_is_word(c) || (unsigned char)c >= 0x80;
}

static size_t
run_at(const struct md_live *l, size_t at)
{
    size_t i = at;

    while (i < l->n && l->p[i] == l->p[at])
        i++;
    return i - at;
}

/* Goes behind a code span. False: its end has not come. */
static bool
skip_code(struct md_live *l)
{
    size_t run = run_at(l, l->at), i = l->at + run;

    while (i < l->n) {
        size_t other = l->p[i] == '`' ? run_at(l, i) : 0;

        if (other == run && i + run < l->n) {
            l->at = i + run;
            return true;
        }
        i += other > 0 ? other : 1;
    }
    return false;
}

/* Goes behind what ends with `end`. False: that has not come. */
static bool
skip_to(struct md_live *l, char end)
{
    const char *found = memchr(l->p + l->at, end, l->n - l->at);

    if (!found)
        return false;
    l->at = (size_t)(found - l->p) + 1;
    return true;
}

/* A link: [text](address) or [text][name]. Brackets of anything else are
 * text. */
static bool
skip_link(struct md_live *l)
{
    char next;

    if (!skip_to(l, ']') || l->at >= l->n)
        return false;
    next = l->p[l->at];
    return next == '(' ? skip_to(l, ')') : next == '[' ? skip_to(l, ']') : true;
}

/* "<" before a blank or a digit is text. */
static bool
skip_autolink(struct md_live *l)
{
    char next = l->at + 1 < l->n ? l->p[l->at + 1] : '<';

    if (is_md_blank(next) || ascii_is_digit(next) || next == '=') {
        l->at++;
        return true;
    }
    return skip_to(l, '>');
}

/* Opens or closes emphasis, unless the mark stands alone, or within a name. */
static bool
skip_emphasis(struct md_live *l)
{
    size_t run = run_at(l, l->at), end = l->at + run;
    char before = l->at > 0 ? l->p[l->at - 1] : ' ';
    size_t *open =
        &l->open_emphasis[strchr(emphasis_marks, l->p[l->at]) - emphasis_marks];

    if (end >= l->n)
        return false;
    if (*open > 0 && !is_md_blank(before))
        *open = *open > run ? *open - run : 0;
    else if (!is_md_blank(l->p[end]) &&
             !(l->p[l->at] == '_' && is_letter_of_word(before)))
        *open += run;
    l->at = end;
    return true;
}

static bool
skip_mark(struct md_live *l)
{
    switch (l->p[l->at]) {
    case '`':
        return skip_code(l);
    case '[':
        return skip_link(l);
    case '<':
        return skip_autolink(l);
    case '|': /* of a table, whose columns need all of its rows */
        return false;
    case '\\':
        l->at += 2;
        return l->at < l->n;
    default:
        return skip_emphasis(l);
    }
}

static bool
is_emphasized(const struct md_live *l)
{
    return l->open_emphasis[0] + l->open_emphasis[1] + l->open_emphasis[2] > 0;
}

/* Whether a line may break behind the character before l->at. */
static bool
is_behind_cjk(const struct md_live *l)
{
    unsigned char lead = l->at >= 3 ? (unsigned char)l->p[l->at - 3] : 0;

    return lead >= CJK_FIRST && lead <= CJK_LAST;
}

size_t
md_live_length(const char *p, size_t n)
{
    struct md_live l = {.p = p, .n = n};

    while (l.at < n) {
        bool mark = strchr("`[<|\\*_~", p[l.at]) && p[l.at] != '\0';
        size_t before = l.at;

        if (l.words && !is_emphasized(&l) &&
            (is_md_blank(p[l.at]) || is_behind_cjk(&l)))
            l.safe = l.at;
        l.words |= is_letter_of_word(p[l.at]);
        if (mark && !skip_mark(&l))
            break;
        l.words |= p[before] == '`';
        if (!mark)
            l.at++;
    }
    return l.safe;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repair_slots.c - takes values out of messages. */
#include "offline/repair/repair_slots.h"

#include <string.h>

#include "base/shell_quote.h"
#include "base/str.h"

#define LINES_MAX 200 /* with the literal part of a pattern: more are noise */

const char *
repair_slots_get(const struct repair_slots *s, const char *name, size_t n)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strlen(s->v[i].name) == n && memcmp(s->v[i].name, name, n) == 0)
            return s->v[i].value;
    }
    return NULL;
}

bool
repair_slots_set(struct repair_slots *s, const char *name, size_t n,
                 const char *value, size_t len)
{
    const char *same = repair_slots_get(s, name, n);

    if (same)
        return strlen(same) == len && memcmp(same, value, len) == 0;
    if (s->n == REPAIR_SLOTS_MAX || n >= REPAIR_NAME_MAX || len == 0 ||
        len >= REPAIR_VALUE_MAX)
        return false;
    memcpy(s->v[s->n].value, value, len);
    s->v[s->n].value[len] = '\0';
    if (shell_quote_has_control(s->v[s->n].value))
        return false;
    memcpy(s->v[s->n].name, name, n);
    s->v[s->n].name[n] = '\0';
    s->n++;
    return true;
}

/* Takes a slot's value at text[0..n), which ends where `next` begins. Returns
 * its length, or -1. */
static long
take_value(struct repair_slots *s, const char *slot, size_t slot_n,
           const char *text, size_t n, const char *next)
{
    size_t len = n;

    if (n == 0 || *text == ' ')
        return -1; /* a value begins with its word */
    if (*next && strcmp(next, "$") != 0) {
        const char *end = memchr(text, *next,
                                 n < REPAIR_VALUE_MAX ? n : REPAIR_VALUE_MAX);

        if (!end)
            return -1;
        len = (size_t)(end - text);
    }
    return repair_slots_set(s, slot, slot_n, text, len) ? (long)len : -1;
}

/* Whether the pattern fits at text[0..n), the rest of a line. */
static bool
match_here(struct repair_slots *s, const char *p, const char *text, size_t n)
{
    while (*p) {
        const char *end = *p == '{' ? strchr(p, '}') : NULL;
        long len = 1;

        if (p[0] == '$' && !p[1])
            return n == 0;
        if (end)
            len = take_value(s, p + 1, (size_t)(end - p) - 1, text, n, end + 1);
        else if (n == 0 || *p != *text)
            return false;
        if (len < 0)
            return false;
        p = end ? end + 1 : p + 1;
        text += len;
        n -= (size_t)len;
    }
    return true;
}

static bool
match_line(struct repair_slots *s, const char *pattern, const char *line,
           size_t n)
{
    bool at_begin = pattern[0] == '^';

    for (size_t i = 0; i < n; i++) {
        size_t before = s->n;

        if (match_here(s, pattern + at_begin, line + i, n - i))
            return true;
        s->n = before;
        if (at_begin)
            return false;
    }
    return false;
}

/* The longest part of a pattern outside its slots, which a line must have. */
static void
find_literal(const char *pattern, const char **literal, size_t *n)
{
    *n = 0;
    *literal = pattern;
    pattern += pattern[0] == '^';
    while (*pattern) {
        size_t len = strcspn(pattern, "{$");
        const char *end;

        if (len > *n) {
            *literal = pattern;
            *n = len;
        }
        pattern += len;
        end = *pattern == '{' ? strchr(pattern, '}') : NULL;
        if (end)
            pattern = end + 1;
        else if (*pattern)
            pattern++;
    }
}

static size_t
pair_of(const char *p)
{
    return (size_t)(unsigned char)p[0] << 8 | (unsigned char)p[1];
}

void
repair_pairs_read(struct repair_pairs *p, const char *text)
{
    memset(p->seen, 0, sizeof(p->seen));
    for (; text[0] && text[1]; text++)
        p->seen[pair_of(text) / 8] |= (unsigned char)(1u << pair_of(text) % 8);
}

static bool
may_have(const struct repair_pairs *p, const char *literal, size_t n)
{
    for (size_t i = 0; p && i + 1 < n; i++) {
        size_t pair = pair_of(literal + i);

        if (!(p->seen[pair / 8] & 1u << pair % 8))
            return false;
    }
    return true;
}

bool
repair_slots_match(struct repair_slots *s, const char *pattern,
                   const char *text, const struct repair_pairs *pairs)
{
    const char *literal, *at = text, *end = text + strlen(text);
    size_t n, left = LINES_MAX;

    find_literal(pattern, &literal, &n);
    if (!may_have(pairs, literal, n))
        return false;
    while (left-- > 0 && at < end &&
           (at = memmem(at, (size_t)(end - at), literal, n))) {
        const char *begin = at, *stop = strchrnul(at, '\n');

        while (begin > text && begin[-1] != '\n')
            begin--;
        if (match_line(s, pattern, begin, (size_t)(stop - begin)))
            return true;
        at = stop + (*stop == '\n');
    }
    return false;
}

/* The bytes of the escape sequence at p, which begins with ESC. */
static size_t
escape_bytes(const char *p)
{
    size_t n = 2;

    if (p[1] == '[') {
        n += strspn(p + n, "0123456789;:?<=>!\"'$ ");
        return n + (p[n] != '\0');
    }
    if (p[1] == ']') {
        n += strcspn(p + n, "\007\033");
        return n + (p[n] == '\007') + 2 * (p[n] == '\033' && p[n + 1] == '\\');
    }
    return p[1] ? 2 : 1;
}

void
repair_slots_plain(struct buf *out, const char *text)
{
    static const struct {
        const char *from, *to;
    } quotes[] = {
        {"\u2018", "'"}, {"\u2019", "'"}, {"\u201c", "\""}, {"\u201d", "\""}};

    while (*text) {
        size_t plain = strcspn(text, "\033\r\xe2"), i = 0;

        buf_add(out, text, plain);
        text += plain;
        if (*text == '\033') {
            text += escape_bytes(text);
        } else if (*text == '\r') {
            text++;
        } else if (*text) {
            while (i < ARRAY_SIZE(quotes) && !str_begins(text, quotes[i].from))
                i++;
            if (i < ARRAY_SIZE(quotes))
                buf_str(out, quotes[i].to);
            else
                buf_ch(out, *text);
            text += i < ARRAY_SIZE(quotes) ? 3 : 1;
        }
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* width.c - how many columns text takes, and fitting it into some. */
#include "term/width.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "term/width_table.h"

#define IS_IN(table, cp)                                                       \
    utf8_is_in(table, sizeof(table) / sizeof((table)[0]), cp)

/* 0, 1 or 2. */
static int
columns_of(uint32_t cp)
{
    if (cp < 0x300)
        return 1;
    if (IS_IN(zero, cp))
        return 0;
    return IS_IN(wide, cp) ? 2 : 1;
}

/* Length of the SGR sequence at p, 0 when there is none. */
static size_t
sgr_length(const char *p, size_t n)
{
    size_t i = 2;

    if (n < 3 || p[0] != '\033' || p[1] != '[')
        return 0;
    while (i < n &&
           (p[i] == ';' || p[i] == ':' || (p[i] >= '0' && p[i] <= '9')))
        i++;
    return i < n && p[i] == 'm' ? i + 1 : 0;
}

size_t
width_unit(const char *p, size_t n, size_t *columns)
{
    size_t len = sgr_length(p, n);
    uint32_t cp;

    *columns = 0;
    if (len > 0)
        return len;
    *columns = 1;
    len = utf8_decode(p, n, &cp);
    if (len == 0)
        return 1;
    *columns = (size_t)columns_of(cp);
    return len;
}

#define VS16       0xFE0F
#define JOINER     0x200D
#define EMOJI_FROM 0x203C /* the first sign that is one; letters are below */

static bool
is_half_flag(uint32_t cp)
{
    return cp >= 0x1F1E6 && cp <= 0x1F1FF;
}

static bool
is_skin(uint32_t cp)
{
    return cp >= 0x1F3FB && cp <= 0x1F3FF;
}

/* A sign of several characters, while it is read. */
struct sign {
    const char *p;
    size_t n, at; /* bytes there are, and read */
    unsigned joins;
    size_t columns, last; /* of all, and of its last part that counts */
};

static size_t
peek(const struct sign *s, size_t at, uint32_t *cp)
{
    return at < s->n ? utf8_decode(s->p + at, s->n - at, cp) : 0;
}

/* What a joiner joins to the sign. */
static bool
take_joined(struct sign *s, size_t len)
{
    uint32_t cp;
    size_t next = peek(s, s->at + len, &cp);

    if (next == 0 || cp < EMOJI_FROM || columns_of(cp) == 0)
        return false;
    s->last = s->joins & WIDTH_ZWJ ? 2 : (size_t)columns_of(cp);
    s->columns += s->joins & WIDTH_ZWJ ? 0 : s->last;
    s->at += len + next;
    return true;
}

/* The next character, where it belongs to the sign. */
static bool
take_part(struct sign *s)
{
    uint32_t cp;
    size_t len = peek(s, s->at, &cp);

    if (len == 0)
        return false;
    if (cp == JOINER)
        return take_joined(s, len);
    if (cp == VS16 && s->joins & WIDTH_VS16 && s->last == 1) {
        s->columns++;
        s->last = 2;
    } else if (is_skin(cp) && !(s->joins & WIDTH_SKIN)) {
        s->columns += (size_t)columns_of(cp);
    } else if (cp != VS16 && !is_skin(cp)) {
        return false;
    }
    s->at += len;
    return true;
}

size_t
width_unit_as(const char *p, size_t n, unsigned joins, size_t *columns)
{
    struct sign s = {.p = p, .n = n, .joins = joins};
    uint32_t cp, second;
    size_t len = utf8_decode(p, n, &cp);

    s.at = width_unit(p, n, &s.columns);
    s.last = s.columns;
    if (len > 0 && is_half_flag(cp)) {
        len = peek(&s, s.at, &second);
        if (len > 0 && is_half_flag(second)) {
            s.at += len;
            s.columns = joins & WIDTH_FLAGS ? 4 : 2;
        }
    } else if (len > 0 && cp >= EMOJI_FROM && s.columns > 0) {
        while (take_part(&s))
            continue;
    }
    *columns = s.columns;
    return s.at;
}

size_t
width_text_as(const char *p, size_t n, unsigned joins)
{
    size_t sum = 0;

    while (n > 0 && *p != '\n') {
        size_t columns;
        size_t len = width_unit_as(p, n, joins, &columns);

        sum += columns;
        p += len;
        n -= len;
    }
    return sum;
}

size_t
width_text(const char *p, size_t n)
{
    return width_text_as(p, n, 0);
}

size_t
width_str(const char *s)
{
    return width_text(s, strlen(s));
}

/* Bytes of p that fit into `columns`, with what combines with the last. */
static size_t
fit(const char *p, size_t n, size_t columns)
{
    size_t at = 0;

    while (at < n && p[at] != '\n') {
        size_t width;
        size_t len = width_unit(p + at, n - at, &width);

        if (width > columns)
            break;
        columns -= width;
        at += len;
    }
    return at;
}

int
width_truncate(struct buf *out, const char *p, size_t n, size_t columns,
               const char *ellipsis)
{
    size_t tail = width_str(ellipsis);
    size_t at = fit(p, n, columns);

    if (at == n || p[at] == '\n')
        return buf_add(out, p, at);
    if (tail > columns)
        ellipsis = "";
    at = fit(p, n, tail > columns ? columns : columns - tail);
    buf_add(out, p, at);
    buf_str(out, ellipsis);
    while (at < n && p[at] != '\n') {
        size_t width;
        size_t len = width_unit(p + at, n - at, &width);

        if (sgr_length(p + at, n - at) > 0)
            buf_add(out, p + at, len);
        at += len;
    }
    return out->bad ? -1 : 0;
}

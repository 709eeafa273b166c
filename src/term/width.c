/* SPDX-License-Identifier: GPL-3.0-or-later */
/* width.c - measures text in columns, truncates it and wraps it. */
#include "term/width.h"

#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "term/width_table.h"

#define IS_IN(table, cp) utf8_is_in(table, ARRAY_SIZE(table), cp)

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
    while (i < n && (p[i] == ';' || p[i] == ':' || ascii_is_digit(p[i])))
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
#define EMOJI_FROM 0x203C /* the first emoji; letters are below */

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

/* An emoji of several characters, while it is read. */
struct emoji_sequence {
    const char *p;
    size_t n, at; /* bytes available, and bytes read */
    unsigned joins;
    size_t columns,
        last; /* of the whole, and of its last part that has a width */
};

static size_t
decode_at(const struct emoji_sequence *s, size_t at, uint32_t *cp)
{
    return at < s->n ? utf8_decode(s->p + at, s->n - at, cp) : 0;
}

/* Reads the character behind a joiner. */
static bool
take_joined(struct emoji_sequence *s, size_t len)
{
    uint32_t cp;
    size_t next = decode_at(s, s->at + len, &cp);

    if (next == 0 || cp < EMOJI_FROM || columns_of(cp) == 0)
        return false;
    s->last = s->joins & WIDTH_ZWJ ? 2 : (size_t)columns_of(cp);
    s->columns += s->joins & WIDTH_ZWJ ? 0 : s->last;
    s->at += len + next;
    return true;
}

/* Reads the next character, if it belongs to the emoji. */
static bool
take_part(struct emoji_sequence *s)
{
    uint32_t cp;
    size_t len = decode_at(s, s->at, &cp);

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

/* The next unit, with emoji of several characters as one, by the WIDTH_ flags.
 */
static size_t
joined_unit(const char *p, size_t n, unsigned joins, size_t *columns)
{
    struct emoji_sequence s = {.p = p, .n = n, .joins = joins};
    uint32_t cp, second;
    size_t len = utf8_decode(p, n, &cp);

    s.at = width_unit(p, n, &s.columns);
    s.last = s.columns;
    if (len > 0 && is_half_flag(cp)) {
        len = decode_at(&s, s.at, &second);
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
        size_t len = joined_unit(p, n, joins, &columns);

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
bytes_that_fit(const char *p, size_t n, size_t columns)
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
    size_t at = bytes_that_fit(p, n, columns);

    if (at == n || p[at] == '\n')
        return buf_add(out, p, at);
    if (tail > columns)
        ellipsis = "";
    at = bytes_that_fit(p, n, tail > columns ? columns : columns - tail);
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

/* Breaking text at blanks into lines of a width. */

struct wrapped_line {
    const struct width_wrap *w;
    struct buf *out;
    size_t at;     /* columns taken */
    size_t blanks; /* blanks to write before the next word */
    bool begun;    /* a word stands on this line */
    bool fresh;    /* the indent is still to be written */
};

static void
begin_wrapped_line(struct wrapped_line *l)
{
    buf_ch(l->out, '\n');
    l->at = l->w->indent + (l->w->prefix ? width_str(l->w->prefix) : 0);
    l->blanks = 0;
    l->begun = false;
    l->fresh = true;
}

static void
put_owed_blanks(struct wrapped_line *l)
{
    if (l->fresh) {
        for (size_t i = 0; i < l->w->indent; i++)
            buf_ch(l->out, ' ');
        buf_str(l->out, l->w->prefix ? l->w->prefix : "");
    }
    l->fresh = false;
    for (; l->blanks > 0; l->blanks--) {
        buf_ch(l->out, ' ');
        l->at++;
    }
}

static void
put_wrapped_word(struct wrapped_line *l, const char *word, size_t n,
                 size_t columns)
{
    if (l->begun && l->at + l->blanks + columns > l->w->columns)
        begin_wrapped_line(l);
    put_owed_blanks(l);
    buf_add(l->out, word, n);
    l->at += columns;
    l->begun = true;
}

/* The unit at p that is not split: a wide character alone, else everything up
 * to a blank, a newline or a wide character. */
static size_t
next_unsplit(const struct width_wrap *w, const char *p, size_t n,
             size_t *columns)
{
    bool has_wide = false;
    size_t at = 0;

    *columns = 0;
    while (at < n && p[at] != ' ' && p[at] != '\n') {
        size_t width;
        size_t len = joined_unit(p + at, n - at, w->joins, &width);

        if (*columns > 0 && (width >= 2 || (has_wide && width > 0)))
            break;
        has_wide |= width >= 2;
        *columns += width;
        at += len;
    }
    return at;
}

int
width_wrap(struct buf *out, const char *p, size_t n, const struct width_wrap *w)
{
    struct wrapped_line l = {.w = w, .out = out, .at = w->start};

    while (n > 0) {
        size_t columns, len = 1;

        if (*p == '\n')
            begin_wrapped_line(&l);
        else if (*p == ' ')
            l.blanks++;
        else if ((len = next_unsplit(w, p, n, &columns)) > 0 && columns > 0)
            put_wrapped_word(&l, p, len, columns);
        else
            buf_add(out, p, len); /* an SGR sequence alone takes no column */
        p += len;
        n -= len;
    }
    return out->bad ? -1 : 0;
}

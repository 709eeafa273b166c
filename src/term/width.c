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

size_t
width_text(const char *p, size_t n)
{
    size_t sum = 0;

    while (n > 0 && *p != '\n') {
        size_t columns;
        size_t len = width_unit(p, n, &columns);

        sum += columns;
        p += len;
        n -= len;
    }
    return sum;
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

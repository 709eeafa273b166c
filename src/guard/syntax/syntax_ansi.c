/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syntax_ansi.c - the escapes of bash's $'…'. */
#include "guard/syntax/syntax_ansi.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static int
digit_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* Up to max digits of a base at s[*i]; moves *i behind them. */
static unsigned long
take_number(const char *s, size_t n, size_t *i, int base, int max)
{
    unsigned long v = 0;

    while (max-- > 0 && *i < n && digit_value(s[*i]) < base)
        v = v * base + digit_value(s[(*i)++]);
    return v;
}

/* A number as text: a byte, or a character's UTF-8. */
static size_t
put_number(unsigned long v, bool is_char, char *out)
{
    struct buf b;
    size_t len;

    if (!is_char || v < 0x80) {
        *out = (char)v;
        return 1;
    }
    buf_init(&b, 8);
    utf8_encode(&b, v > 0x10ffff ? UTF8_REPLACEMENT : (unsigned)v);
    len = b.len;
    memcpy(out, b.p, len);
    buf_done(&b);
    return len;
}

/* The escape whose letter is s[*i]; moves *i behind it. */
static size_t
take_escape(const char *s, size_t n, size_t *i, char *out)
{
    static const char from[] = "abeEfnrtv\\'\"?", to[] = "\a\b\033\033\f\n\r\t"
                                                         "\v\\'\"?";
    char c = s[(*i)++];
    const char *plain = c ? strchr(from, c) : NULL;
    size_t start = *i;
    unsigned long v;

    if (plain) {
        *out = to[plain - from];
        return 1;
    }
    if (c >= '0' && c <= '7') {
        --*i;
        return put_number(take_number(s, n, i, 8, 3) & 0xff, false, out);
    }
    if (c == 'c' && *i < n) {
        *out = (char)(s[(*i)++] & 0x1f);
        return 1;
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        v = take_number(s, n, i, 16, c == 'x' ? 2 : c == 'u' ? 4 : 8);
        if (*i > start)
            return put_number(v, c != 'x', out);
    }
    out[0] = '\\';
    out[1] = c;
    return 2;
}

size_t
syntax_ansi_decode(const char *s, size_t n, char *out)
{
    size_t len = 0, i = 0;

    while (i < n) {
        size_t was = len;

        if (s[i] != '\\' || i + 1 == n) {
            out[len++] = s[i++];
        } else {
            i++;
            len += take_escape(s, n, &i, out + len);
        }
        if (out[was] == '\0')
            return was;
    }
    return len;
}

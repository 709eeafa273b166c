/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_text.c - makes plain text of what a program wrote. */
#include "ui/plain_text.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

#define ESC '\033'
#define BEL '\a'
#define CAN '\030'

/* Whether a byte is one of a text; no text has a NUL. */
static bool
is_one_of(const char *bytes, char c)
{
    return c && strchr(bytes, c);
}

/* Bytes of the escape sequence at p, as terminals read it: what can be no part
 * of it ends it, and is shown. */
static size_t
escape_length(const char *p, size_t n)
{
    size_t i = 2;

    if (n < 2)
        return n;
    if (p[1] == '[') { /* CSI: up to its final byte */
        while (i < n && p[i] >= ' ' && p[i] < '@')
            i++;
        return i < n && p[i] >= '@' && p[i] <= '~' ? i + 1 : i;
    }
    if (!is_one_of("]PX^_", p[1]))
        return is_one_of(" ()*+-./#%", p[1]) && n > 2 ? 3 : 2;
    for (; i < n; i++) { /* OSC and its like: up to BEL, ESC \ or CAN */
        if (p[i] == BEL || p[i] == CAN)
            return i + 1;
        if (p[i] == ESC)
            return i + 1 < n && p[i + 1] == '\\' ? i + 2 : i;
    }
    return n;
}

/* A carriage return: what the line has so far is written anew. One before a
 * newline only ends it. */
static void
begin_line_anew(struct buf *out, const char *behind, size_t n)
{
    size_t i = 0;

    while (i < n && behind[i] == '\r')
        i++;
    if (i == n || behind[i] == '\n')
        return;
    while (out->len > 0 && out->p[out->len - 1] != '\n')
        buf_cut(out, out->len - 1);
}

static void
put_shown(struct buf *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)p[i];

        if (c == ESC) {
            i += escape_length(p + i, n - i);
            continue;
        }
        i++;
        if (c == '\r')
            begin_line_anew(out, p + i, n - i);
        else if (c == '\b' && out->len > 0 && out->p[out->len - 1] != '\n')
            buf_cut(out, utf8_boundary(out->p, out->len, out->len - 1));
        else if (c == '\n' || c == '\t' || (c >= ' ' && c != 0x7f))
            buf_ch(out, (char)c);
    }
}

void
plain_text_put(struct buf *out, const char *p, size_t n)
{
    CLEANUP_BUF struct buf valid = buf_of(3 * n + 1);
    CLEANUP_BUF struct buf text = buf_of(3 * n + 1);
    size_t from = 0, end, room = out->max - out->len;
    const char *nl;

    utf8_repair(&valid, p, n);
    put_shown(&text, valid.p, valid.len);
    end = text.len;
    while (end > 0 && strchr("\n \t", text.p[end - 1]))
        end--;
    while (from < end && text.p[from] == '\n')
        from++;
    if (end - from > room) {
        from = utf8_boundary(text.p, end, end - room);
        from += end - from > room; /* it splits no character, upwards */
        while (from < end && ((unsigned char)text.p[from] & 0xc0) == 0x80)
            from++;
        nl = memchr(text.p + from, '\n', end - from);
        from = nl ? (size_t)(nl - text.p) + 1 : from;
    }
    buf_add(out, text.p + from, end - from);
}

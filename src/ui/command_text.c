/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command_text.c - writes a command so that every byte is visible and no part
 * of it can pass for a line of ours. */
#include "ui/command_text.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define TEXT_MAX  (4u << 20) /* bytes: 16 KiB and more, all of it escapes */
#define CONTINUED 4 /* columns by which the rest of a line is indented */
#define ROOM_MIN  8 /* columns for a command on any terminal */

/* Length of the first character of an escaped text, or of the escape sequence
 * that styles it. */
static size_t
character_bytes(const char *p, size_t n)
{
    uint32_t cp;
    size_t len = utf8_decode(p, n, &cp);

    if (*p == '\x1b') /* our own style: escape_str leaves no other */
        len = strcspn(p, "m") + 1;
    return len == 0 || len > n ? 1 : len;
}

/* Columns from this one to the right edge, at least ROOM_MIN. */
static size_t
columns_from(const struct term *t, size_t column)
{
    size_t columns = (size_t)t->columns;

    return columns > column + ROOM_MIN ? columns - column : ROOM_MIN;
}

/* Bytes of an escaped text that go on a line of `room` columns: up to the last
 * blank, or, where a word is longer than the line, all that fits. A line that
 * is cut at a blank leaves a column free; a reader of a full line reads on. */
static size_t
fitting_bytes(const char *p, size_t n, size_t room)
{
    size_t at = 0, used = 0, blank = 0;

    while (at < n) {
        size_t len = character_bytes(p + at, n - at);
        size_t wide = p[at] == '\x1b' ? 0 : width_text(p + at, len);

        if (used + wide > room)
            return blank ? blank : at ? at : len;
        used += wide;
        at += len;
        if (p[at - 1] == ' ' && used < room)
            blank = at;
    }
    return n;
}

void
command_text_put_line(struct buf *out, const struct term *t, const char *p,
                      size_t n, size_t column)
{
    size_t indent = 0, room = columns_from(t, column);

    do {
        size_t len = t->tty ? fitting_bytes(p, n, room) : n;

        buf_printf(out, "%*s%s", (int)indent, "", style_on(t, STYLE_COMMAND));
        buf_add(out, p, len);
        buf_printf(out, "%s\n", style_off(t, STYLE_COMMAND));
        p += len;
        n -= len;
        indent = column + CONTINUED;
        room = columns_from(t, indent);
    } while (n > 0);
}

void
command_text_put(struct buf *out, const struct term *t, const char *command,
                 size_t column)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    const char *line, *next;

    escape_str(&text, t, command, 0);
    for (line = text.p; line; line = next) {
        const char *nl = strchr(line, '\n');

        next = nl ? nl + 1 : NULL;
        if (line != text.p)
            buf_printf(out, "%*s", (int)column, "");
        command_text_put_line(out, t, line,
                              nl ? (size_t)(nl - line) : strlen(line), column);
    }
}

bool
command_text_fits(const struct term *t, const char *command, size_t column)
{
    size_t room = columns_from(t, column);

    for (const char *line = command; *line; line += *line == '\n') {
        size_t n = strcspn(line, "\n");

        if (width_text(line, n) > room)
            return false;
        line += n;
    }
    return true;
}

void
command_text_put_paragraph(struct buf *out, const struct term *t,
                           const char *words)
{
    CLEANUP_BUF struct buf flat = buf_of(TEXT_MAX);

    for (const char *p = words; *p; p++)
        buf_ch(&flat, strchr("\r\n\t", *p) ? ' ' : *p);
    escape_str(out, t, flat.p, ESCAPE_PROSE);
}

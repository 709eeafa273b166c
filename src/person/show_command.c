/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_command.c - a command as a person reads it before saying yes. */
#include "person/show_command.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "term/escape.h"
#include "term/style.h"
#include "term/width.h"

#define TEXT_MAX  (4u << 20) /* 16 KiB and more, all of it escapes */
#define CONTINUED 4          /* further in: the rest of a line */
#define ROOM_MIN  8          /* columns for it, however narrow it is */

/* Bytes of the first character of an escaped text, a sequence that styles it
 * included. */
static size_t
one_character(const char *p, size_t n)
{
    uint32_t cp;
    size_t len = utf8_decode(p, n, &cp);

    if (*p == '\x1b') /* ours: escape_str leaves no other */
        len = strcspn(p, "m") + 1;
    return len == 0 || len > n ? 1 : len;
}

/* Columns of the terminal from this one on; few are better than none. */
static size_t
room_behind(const struct term *t, size_t column)
{
    size_t columns = (size_t)t->columns;

    return columns > column + ROOM_MIN ? columns - column : ROOM_MIN;
}

/* Bytes of an escaped text that go on a line of so many columns: up to its
 * last blank, or, where a word is longer than the line, all that fits. A line
 * that ends at a blank is not full: who reads a full one reads on. */
static size_t
fit(const char *p, size_t n, size_t room)
{
    size_t at = 0, used = 0, blank = 0;

    while (at < n) {
        size_t len = one_character(p + at, n - at);
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
show_command_line(struct buf *out, const struct term *t, const char *p,
                  size_t n, size_t column)
{
    size_t indent = 0, room = room_behind(t, column);

    do {
        size_t len = t->tty ? fit(p, n, room) : n;

        buf_printf(out, "%*s%s", (int)indent, "", style_on(t, STYLE_COMMAND));
        buf_add(out, p, len);
        buf_printf(out, "%s\n", style_off(t, STYLE_COMMAND));
        p += len;
        n -= len;
        indent = column + CONTINUED;
        room = room_behind(t, indent);
    } while (n > 0);
}

void
show_command(struct buf *out, const struct term *t, const char *command,
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
        show_command_line(out, t, line, nl ? (size_t)(nl - line) : strlen(line),
                          column);
    }
}

bool
show_command_fits(const struct term *t, const char *command, size_t column)
{
    size_t room = room_behind(t, column);

    for (const char *line = command; *line; line += *line == '\n') {
        size_t n = strcspn(line, "\n");

        if (width_text(line, n) > room)
            return false;
        line += n;
    }
    return true;
}

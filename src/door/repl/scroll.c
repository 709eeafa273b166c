/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scroll.c - lines of text with a cursor in them. */
#include "door/repl/scroll.h"

#include <string.h>

/* The cursor moves only within the last bytes, and a line longer than this is
 * as if wrapped: so an edit in the middle never moves more than this. */
#define REACH 4096

/* Blanks that a jump to the right may leave: a wide terminal's line. */
#define COLUMNS 1024

/* Room for n more bytes: forgets the oldest half when there is none. */
static bool
make_room(struct scroll *sc, size_t n)
{
    size_t old = sc->text.len - sc->text.len / 2;

    if (sc->text.len + n > sc->text.max) {
        buf_drop(&sc->text, old);
        sc->row = sc->row > old ? sc->row - old : 0;
        sc->at = sc->at > old ? sc->at - old : 0;
    }
    return buf_room(&sc->text, n) == 0;
}

static size_t
line_end(const struct scroll *sc)
{
    const char *nl = memchr(sc->text.p + sc->at, '\n', sc->text.len - sc->at);

    return nl ? (size_t)(nl - sc->text.p) : sc->text.len;
}

static bool
continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void
step_right(struct scroll *sc, size_t end)
{
    do
        sc->at++;
    while (sc->at < end && continues(sc->text.p[sc->at]));
}

void
scroll_return(struct scroll *sc)
{
    sc->at = sc->row;
}

void
scroll_left(struct scroll *sc)
{
    if (sc->at == sc->row)
        return;
    do
        sc->at--;
    while (sc->at > sc->row && continues(sc->text.p[sc->at]));
}

static void
delete_bytes(struct scroll *sc, size_t from, size_t n)
{
    memmove(sc->text.p + from, sc->text.p + from + n,
            sc->text.len - from - n + 1);
    sc->text.len -= n;
}

static void
insert(struct scroll *sc, const char *p, size_t n)
{
    if (!make_room(sc, n))
        return;
    memmove(sc->text.p + sc->at + n, sc->text.p + sc->at,
            sc->text.len - sc->at + 1);
    memcpy(sc->text.p + sc->at, p, n);
    sc->at += n;
    sc->text.len += n;
}

/* Puts one byte at the cursor, over the character there. The later bytes of a
 * character are only inserted: its first one made the place. */
void
scroll_put(struct scroll *sc, char c)
{
    size_t end = line_end(sc), was = sc->at;

    if (sc->at - sc->row > REACH)
        sc->row = sc->at;
    if (!continues(c) && sc->at < end) {
        step_right(sc, end);
        delete_bytes(sc, was, sc->at - was);
        sc->at = was;
    }
    insert(sc, &c, 1);
}

void
scroll_new_line(struct scroll *sc)
{
    sc->at = line_end(sc);
    if (sc->at == sc->text.len)
        insert(sc, "\n", 1);
    else
        sc->at++;
    sc->row = sc->at;
}

void
scroll_up(struct scroll *sc, int lines)
{
    size_t least = sc->text.len > REACH ? sc->text.len - REACH : 0;

    for (; lines > 0 && sc->row > least; lines--) {
        const char *nl = memrchr(sc->text.p, '\n', sc->row - 1);

        sc->row = nl ? (size_t)(nl - sc->text.p) + 1 : 0;
    }
    while (sc->row < least ||
           (sc->row < sc->text.len && continues(sc->text.p[sc->row])))
        sc->row++;
    sc->at = sc->row;
}

void
scroll_down(struct scroll *sc, int lines)
{
    for (; lines > 0 && line_end(sc) < sc->text.len; lines--)
        sc->row = sc->at = line_end(sc) + 1;
}

/* To a column from the line's start; blanks where there is no text yet. */
void
scroll_to_column(struct scroll *sc, int column)
{
    char blanks[COLUMNS];
    size_t end;

    sc->at = sc->row;
    for (end = line_end(sc); column > 0 && sc->at < end; column--)
        step_right(sc, end);
    if (column > 0 && column <= COLUMNS) {
        memset(blanks, ' ', (size_t)column);
        insert(sc, blanks, (size_t)column);
    }
}

int
scroll_column(const struct scroll *sc)
{
    int n = 0;

    for (size_t i = sc->row; i < sc->at; i++)
        n += !continues(sc->text.p[i]);
    return n;
}

void
scroll_delete_chars(struct scroll *sc, int n)
{
    size_t end = line_end(sc), from = sc->at;

    for (; n > 0 && sc->at < end; n--)
        step_right(sc, end);
    delete_bytes(sc, from, sc->at - from);
    sc->at = from;
}

void
scroll_erase_line(struct scroll *sc, int how)
{
    if (how != 0)
        sc->at = sc->row;
    if (how != 1)
        delete_bytes(sc, sc->at, line_end(sc) - sc->at);
}

void
scroll_erase_all(struct scroll *sc)
{
    buf_clear(&sc->text);
    sc->row = sc->at = 0;
}

void
scroll_erase_below(struct scroll *sc)
{
    buf_cut(&sc->text, sc->at);
}

size_t
scroll_append(struct scroll *sc, const char *p, size_t n)
{
    size_t i, nl = 0;
    char *to;

    if (sc->at != sc->text.len)
        return 0;
    n = n < SCROLL_MAX / 2 ? n : SCROLL_MAX / 2;
    if (!make_room(sc, n))
        return n;
    to = sc->text.p + sc->text.len;
    for (i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];

        if (c == '\r' && i + 1 < n && p[i + 1] == '\n')
            continue;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            break;
        *to++ = (char)c;
        if (c == '\n')
            nl = (size_t)(to - sc->text.p);
    }
    *to = '\0';
    sc->at = sc->text.len = (size_t)(to - sc->text.p);
    sc->row = nl ? nl : sc->row;
    if (sc->at - sc->row > REACH)
        sc->row = sc->at;
    return i;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.c - lines of text with a cursor in them. */
#include "door/repl/page.h"

#include <string.h>

/* The cursor moves only within the last bytes, and a line longer than this is
 * as if wrapped: so an edit in the middle never moves more than this. */
#define REACH 4096

/* Blanks that a jump to the right may leave: a wide terminal's line. */
#define COLUMNS 1024

/* Room for n more bytes: forgets the oldest half when there is none. */
static bool
make_room(struct page *pg, size_t n)
{
    size_t old = pg->text.len - pg->text.len / 2;

    if (pg->text.len + n > pg->text.max) {
        buf_drop(&pg->text, old);
        pg->row = pg->row > old ? pg->row - old : 0;
        pg->at = pg->at > old ? pg->at - old : 0;
    }
    return buf_room(&pg->text, n) == 0;
}

static size_t
line_end(const struct page *pg)
{
    const char *nl = memchr(pg->text.p + pg->at, '\n', pg->text.len - pg->at);

    return nl ? (size_t)(nl - pg->text.p) : pg->text.len;
}

static bool
continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static void
step_right(struct page *pg, size_t end)
{
    do
        pg->at++;
    while (pg->at < end && continues(pg->text.p[pg->at]));
}

void
page_return(struct page *pg)
{
    pg->at = pg->row;
}

void
page_left(struct page *pg)
{
    if (pg->at == pg->row)
        return;
    do
        pg->at--;
    while (pg->at > pg->row && continues(pg->text.p[pg->at]));
}

static void
delete_bytes(struct page *pg, size_t from, size_t n)
{
    memmove(pg->text.p + from, pg->text.p + from + n,
            pg->text.len - from - n + 1);
    pg->text.len -= n;
}

static void
insert(struct page *pg, const char *p, size_t n)
{
    if (!make_room(pg, n))
        return;
    memmove(pg->text.p + pg->at + n, pg->text.p + pg->at,
            pg->text.len - pg->at + 1);
    memcpy(pg->text.p + pg->at, p, n);
    pg->at += n;
    pg->text.len += n;
}

/* Puts one byte at the cursor, over the character there. The later bytes of a
 * character are only inserted: its first one made the place. */
void
page_put(struct page *pg, char c)
{
    size_t end = line_end(pg), was = pg->at;

    if (pg->at - pg->row > REACH)
        pg->row = pg->at;
    if (!continues(c) && pg->at < end) {
        step_right(pg, end);
        delete_bytes(pg, was, pg->at - was);
        pg->at = was;
    }
    insert(pg, &c, 1);
}

void
page_new_line(struct page *pg)
{
    pg->at = line_end(pg);
    if (pg->at == pg->text.len)
        insert(pg, "\n", 1);
    else
        pg->at++;
    pg->row = pg->at;
}

void
page_up(struct page *pg, int lines)
{
    size_t least = pg->text.len > REACH ? pg->text.len - REACH : 0;

    for (; lines > 0 && pg->row > least; lines--) {
        const char *nl = memrchr(pg->text.p, '\n', pg->row - 1);

        pg->row = nl ? (size_t)(nl - pg->text.p) + 1 : 0;
    }
    while (pg->row < least ||
           (pg->row < pg->text.len && continues(pg->text.p[pg->row])))
        pg->row++;
    pg->at = pg->row;
}

void
page_down(struct page *pg, int lines)
{
    for (; lines > 0 && line_end(pg) < pg->text.len; lines--)
        pg->row = pg->at = line_end(pg) + 1;
}

/* To a column from the line's start; blanks where there is no text yet. */
void
page_to_column(struct page *pg, int column)
{
    char blanks[COLUMNS];
    size_t end;

    pg->at = pg->row;
    for (end = line_end(pg); column > 0 && pg->at < end; column--)
        step_right(pg, end);
    if (column > 0 && column <= COLUMNS) {
        memset(blanks, ' ', (size_t)column);
        insert(pg, blanks, (size_t)column);
    }
}

int
page_column(const struct page *pg)
{
    int n = 0;

    for (size_t i = pg->row; i < pg->at; i++)
        n += !continues(pg->text.p[i]);
    return n;
}

void
page_delete_chars(struct page *pg, int n)
{
    size_t end = line_end(pg), from = pg->at;

    for (; n > 0 && pg->at < end; n--)
        step_right(pg, end);
    delete_bytes(pg, from, pg->at - from);
    pg->at = from;
}

void
page_erase_line(struct page *pg, int how)
{
    if (how != 0)
        pg->at = pg->row;
    if (how != 1)
        delete_bytes(pg, pg->at, line_end(pg) - pg->at);
}

void
page_erase_all(struct page *pg)
{
    buf_clear(&pg->text);
    pg->row = pg->at = 0;
}

void
page_erase_below(struct page *pg)
{
    buf_cut(&pg->text, pg->at);
}

size_t
page_append(struct page *pg, const char *p, size_t n)
{
    size_t i, nl = 0;
    char *to;

    if (pg->at != pg->text.len)
        return 0;
    n = n < PAGE_MAX / 2 ? n : PAGE_MAX / 2;
    if (!make_room(pg, n))
        return n;
    to = pg->text.p + pg->text.len;
    for (i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];

        if (c == '\r' && i + 1 < n && p[i + 1] == '\n')
            continue;
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            break;
        *to++ = (char)c;
        if (c == '\n')
            nl = (size_t)(to - pg->text.p);
    }
    *to = '\0';
    pg->at = pg->text.len = (size_t)(to - pg->text.p);
    pg->row = nl ? nl : pg->row;
    if (pg->at - pg->row > REACH)
        pg->row = pg->at;
    return i;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overprint.c - makes lines of what a command writes over itself. */
#include "term/overprint.h"

#include "base/utf8.h"

void
overprint_init(struct overprint *o)
{
    o->n = 0;
    o->full = o->returned = o->written = o->ended = false;
}

static void
begin_last_state(struct overprint *o)
{
    o->n = 0;
    o->full = false;
}

/* Begins a line for the last state, unless the first one was empty. */
static void
put_last_state(struct overprint *o, struct buf *out)
{
    if (o->n == 0)
        return;
    if (o->written)
        buf_ch(out, '\n');
    buf_add(out, o->last, o->n);
    o->written = true;
    begin_last_state(o);
}

/* Of a state that is too long the beginning is kept, of whole characters. */
static void
keep_state_char(struct overprint *o, char c)
{
    bool begins = ((unsigned char)c & 0xc0) != 0x80;

    if (begins && o->n + UTF8_MAX > sizeof(o->last))
        o->full = true;
    if (!o->full && o->n < sizeof(o->last))
        o->last[o->n++] = c;
}

/* The state is kept behind a carriage return until something is written over
 * it: a newline that follows only ends the line. */
static void
add_overprint_char(struct overprint *o, char c, struct buf *out)
{
    if (o->ended && c != '\n' && c != '\r')
        begin_last_state(o);
    o->ended = c == '\r';
    if (c == '\n') {
        put_last_state(o, out);
        buf_ch(out, '\n');
        o->returned = o->written = false;
    } else if (c == '\r') {
        o->returned = true;
    } else if (c == '\b') {
        ;
    } else if (!o->returned) {
        buf_ch(out, c);
        o->written = true;
    } else {
        keep_state_char(o, c);
    }
}

void
overprint_add(struct overprint *o, const char *p, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++)
        add_overprint_char(o, p[i], out);
}

void
overprint_end(struct overprint *o, struct buf *out)
{
    put_last_state(o, out);
    o->returned = o->ended = false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c - cuts and mends what goes into a response. */
#include "plugins/lib/text.h"

#include <stdarg.h>

#include "base/utf8.h"

#define NOTE_ROOM 4096 /* what we say beside it is a few lines */

bool
text_fit(struct buf *out, const struct buf *raw, const struct request *r)
{
    size_t max = (r->stream ? REPLY_TAIL_MAX : REPLY_TEXT_MAX) - NOTE_ROOM;

    utf8_repair(out, raw->p, raw->len);
    if (out->len <= max)
        return raw->len == raw->max; /* it was full: more was dropped */
    if (r->stream)
        buf_drop(out, utf8_boundary(out->p, out->len, out->len - max));
    else
        buf_cut(out, utf8_boundary(out->p, out->len, max));
    return true;
}

void
text_note(struct buf *out, const char *fmt, ...)
{
    va_list ap;

    if (out->len > 0 && out->p[out->len - 1] != '\n')
        buf_ch(out, '\n');
    va_start(ap, fmt);
    buf_vprintf(out, fmt, ap);
    va_end(ap);
    buf_ch(out, '\n');
}

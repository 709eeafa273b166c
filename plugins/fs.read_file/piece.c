/* SPDX-License-Identifier: GPL-3.0-or-later */
/* piece.c - a part of a file, as text can show it. */
#include "plugins/fs.read_file/piece.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"

#define SCAN_BYTES 65536

/* pread(2), again where a signal came between. */
static ssize_t
read_at(int fd, char *bytes, size_t n, int64_t at, struct err *e)
{
    ssize_t got;

    do
        got = pread(fd, bytes, n, at);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        err_sys(e, "read");
    return got;
}

/* Where a line begins; the end of the file when it has fewer. */
static int
find_line(int fd, const struct piece_wanted *want, int64_t *offset,
          struct err *e)
{
    int64_t left = want->line - 1, at = 0;
    char bytes[SCAN_BYTES];

    while (left > 0) {
        const char *p = bytes, *end;
        ssize_t n = read_at(fd, bytes, sizeof(bytes), at, e);

        if (n < 0)
            return -1;
        if (n == 0)
            break;
        if (want->until_ms >= 0 && clock_ms() > want->until_ms)
            return err_set(e, ERR_TIMEOUT, "line %lld is beyond the end",
                           (long long)want->line);
        for (end = bytes + n; p < end && left > 0; left--) {
            const char *nl = memchr(p, '\n', (size_t)(end - p));

            if (!nl)
                break;
            p = nl + 1;
        }
        at += left > 0 ? n : p - bytes;
    }
    *offset = at;
    return 0;
}

/* Reads one byte more than may be shown, to know whether there is more. */
static int
fill(int fd, size_t max, struct piece *out, struct err *e)
{
    struct buf *b = &out->text;

    if (buf_room(b, max + 1) < 0)
        return buf_ok(b, "the text", e);
    while (b->len <= max) {
        ssize_t n = read_at(fd, b->p + b->len, max + 1 - b->len,
                            out->offset + (int64_t)b->len, e);

        if (n < 0)
            return -1;
        if (n == 0)
            break;
        b->len += (size_t)n;
    }
    b->p[b->len] = '\0';
    out->more = b->len > max;
    buf_cut(b, max);
    return 0;
}

static void
cut_lines(struct piece *out, int64_t lines)
{
    struct buf *b = &out->text;
    char *p = b->p;

    for (; lines > 0; lines--) {
        p = memchr(p, '\n', b->len - (size_t)(p - b->p));
        if (!p)
            return;
        p++;
    }
    if (p < b->p + b->len) {
        out->more = true;
        buf_cut(b, (size_t)(p - b->p));
    }
}

/* A bad byte becomes three: where the whole does not fit then, less of the
 * file comes back. */
static int
mend(struct buf *text, struct piece *out, struct err *e)
{
    size_t n = text->len;

    for (;;) {
        CLEANUP_BUF struct buf mended = buf_of(3 * REPLY_TEXT_MAX);

        utf8_repair(&mended, text->p, n);
        if (buf_ok(&mended, "the text", e) < 0)
            return -1;
        if (mended.len <= REPLY_TEXT_MAX) {
            out->more = out->more || n < text->len;
            out->bytes = (int64_t)n;
            buf_done(text);
            *text = mended;
            mended = buf_of(0);
            return 0;
        }
        n = n * REPLY_TEXT_MAX / mended.len;
        n -= utf8_incomplete_tail(text->p, n);
    }
}

int
piece_read(int fd, const struct piece_wanted *want, struct piece *out,
           struct err *e)
{
    struct buf *b = &out->text;

    *out = (struct piece){.offset = want->offset};
    buf_init(b, PIECE_BYTES_MAX + 1);
    if (want->line > 0 && find_line(fd, want, &out->offset, e) < 0)
        return -1;
    if (fill(fd, (size_t)want->max_bytes, out, e) < 0)
        return -1;
    if (want->lines > 0)
        cut_lines(out, want->lines);
    if (out->more)
        buf_cut(b, b->len - utf8_incomplete_tail(b->p, b->len));
    out->bytes = (int64_t)b->len;
    return utf8_valid(b->p, b->len) ? 0 : mend(b, out, e);
}

void
piece_done(struct piece *p)
{
    buf_done(&p->text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* piece.c - a part of a file, as a text: its own, or base64. */
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

/* Moves the offset behind a character that begins before it, as far as that is
 * in the range. */
static int
skip_part(int fd, int64_t max_bytes, struct piece *out, struct err *e)
{
    size_t before = out->offset < UTF8_MAX - 1 ? (size_t)out->offset
                                               : UTF8_MAX - 1;
    char bytes[2 * UTF8_MAX];
    ssize_t n = read_at(fd, bytes, before + UTF8_MAX - 1,
                        out->offset - (int64_t)before, e);
    uint32_t cp;

    if (n < 0)
        return -1;
    for (size_t at = 0; at < before && at < (size_t)n; at++) {
        size_t end = at + utf8_decode(bytes + at, (size_t)n - at, &cp);
        int64_t rest = (int64_t)end - (int64_t)before;

        if (rest > 0) {
            out->offset += rest < max_bytes ? rest : max_bytes;
            return 0;
        }
    }
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

/* The text of bytes that need not be one. */
static int
encode(struct piece *out, struct err *e)
{
    struct buf *b = &out->text;
    CLEANUP_BUF struct buf text = buf_of(REPLY_TEXT_MAX);

    base64_encode(&text, b->p, b->len);
    if (buf_ok(&text, "the text", e) < 0)
        return -1;
    buf_done(b);
    *b = text;
    text = buf_of(0);
    return 0;
}

/* Where the piece begins, and how much of the file it may be. */
static int
find_range(int fd, const struct piece_wanted *want, struct piece *out,
           size_t *max, struct err *e)
{
    int64_t most = want->max_bytes;

    out->offset = want->offset;
    if (want->line > 0 && find_line(fd, want, &out->offset, e) < 0)
        return -1;
    if (want->base64 && most > PIECE_BASE64_MAX)
        most = PIECE_BASE64_MAX;
    if (!want->base64 && want->line == 0 && want->offset > 0 &&
        skip_part(fd, most, out, e) < 0)
        return -1;
    if (want->line == 0)
        most -= out->offset - want->offset;
    *max = (size_t)most;
    return 0;
}

int
piece_read(int fd, const struct piece_wanted *want, struct piece *out,
           struct err *e)
{
    struct buf *b = &out->text;
    size_t max;

    *out = (struct piece){0};
    buf_init(b, PIECE_BYTES_MAX + 1);
    if (find_range(fd, want, out, &max, e) < 0 || fill(fd, max, out, e) < 0)
        return -1;
    if (want->lines > 0)
        cut_lines(out, want->lines);
    if (out->more && !want->base64)
        buf_cut(b, b->len - utf8_incomplete_tail(b->p, b->len));
    out->bytes = (int64_t)b->len;
    if (want->base64)
        return encode(out, e);
    return utf8_valid(b->p, b->len) ? 0 : mend(b, out, e);
}

void
piece_done(struct piece *p)
{
    buf_done(&p->text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linebuf.c - splits a byte stream from a peer into lines. */
#include "base/linebuf.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

#define READ_BYTES 65536 /* one pipe's worth */

struct linebuf {
    struct buf held;
    size_t start;   /* first byte not yet handed out */
    size_t scanned; /* no newline before this */
    bool skipping;  /* what comes belongs to a line that was dropped */
};

struct linebuf *
linebuf_new(size_t max, struct err *e)
{
    struct linebuf *lb = calloc(1, sizeof(*lb));

    if (!lb) {
        err_sys(e, "line buffer");
        return NULL;
    }
    buf_init(&lb->held, max + READ_BYTES);
    return lb;
}

void
linebuf_free(struct linebuf *lb)
{
    if (!lb)
        return;
    buf_done(&lb->held);
    free(lb);
}

/* Moves what is not handed out to the front and makes room for n more. */
static int
make_line_room(struct linebuf *lb, size_t n, struct err *e)
{
    size_t max = lb->held.max - READ_BYTES;

    if (lb->start > 0) {
        buf_drop(&lb->held, lb->start);
        lb->scanned -= lb->start;
        lb->start = 0;
    }
    if (lb->held.len > max)
        return err_set(e, ERR_PEER, "a line is longer than %zu bytes", max);
    if (buf_room(&lb->held, n) < 0)
        return buf_ok(&lb->held, "a line", e);
    return 0;
}

/* Drops what is there of a line that is too long, its newline at last. */
static void
drop_skipped(struct linebuf *lb)
{
    const char *end;

    if (!lb->skipping)
        return;
    end = memchr(lb->held.p, '\n', lb->held.len);
    if (end)
        buf_drop(&lb->held, (size_t)(end - lb->held.p) + 1);
    else
        buf_clear(&lb->held);
    lb->skipping = !end;
    lb->start = lb->scanned = 0;
}

void
linebuf_skip(struct linebuf *lb)
{
    buf_drop(&lb->held, lb->start); /* lines handed out before it */
    lb->skipping = true;
    drop_skipped(lb);
}

long
linebuf_read(struct linebuf *lb, int fd, struct err *e)
{
    ssize_t n;

    if (make_line_room(lb, READ_BYTES, e) < 0)
        return -1;
    do
        n = read(fd, lb->held.p + lb->held.len, READ_BYTES);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return err_sys(e, "read");
    lb->held.len += (size_t)n;
    lb->held.p[lb->held.len] = '\0';
    drop_skipped(lb);
    return n;
}

int
linebuf_add(struct linebuf *lb, const void *bytes, size_t n, struct err *e)
{
    if (make_line_room(lb, n, e) < 0)
        return -1;
    buf_add(&lb->held, bytes, n);
    drop_skipped(lb);
    return 0;
}

const char *
linebuf_next(struct linebuf *lb, size_t *len)
{
    char *line = lb->held.p + lb->start;
    char *end = memchr(lb->held.p + lb->scanned, '\n',
                       lb->held.len - lb->scanned);

    if (!end) {
        lb->scanned = lb->held.len;
        return NULL;
    }
    lb->start = lb->scanned = (size_t)(end - lb->held.p) + 1;
    if (end > line && end[-1] == '\r')
        end--;
    *end = '\0';
    *len = (size_t)(end - line);
    return line;
}

const char *
linebuf_rest(struct linebuf *lb, size_t *len)
{
    char *line = lb->held.p + lb->start;

    *len = lb->held.len - lb->start;
    if (*len == 0)
        return NULL;
    lb->start = lb->scanned = lb->held.len;
    return line;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_spool.c - keeps what a command writes to one stream, by its offset. */
#include "server/guest/guest_spool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"

void
guest_spool_init(struct guest_spool *s, const char *dir, uint64_t max,
                 bool keeps_last)
{
    *s = (struct guest_spool){
        .file = -1, .dir = dir, .max = max, .keeps_last = keeps_last};
    buf_init(&s->memory, GUEST_SPOOL_MEMORY);
}

void
guest_spool_done(struct guest_spool *s)
{
    if (!s)
        return;
    buf_done(&s->memory);
    fd_close_p(&s->file);
    s->file = -1;
}

/* A directory that can hold no file without a name leaves memory that the
 * system can move to its swap space. */
static int
open_spool_file(const char *dir, struct err *e)
{
    int fd = open(dir, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0)
        fd = memfd_create("output", MFD_CLOEXEC);
    return fd < 0 ? err_sys(e, "a file for the output") : fd;
}

/* Writes bytes at the place in the ring of an offset of the stream. */
static int
write_ring(const struct guest_spool *s, uint64_t offset, const char *bytes,
           size_t n, struct err *e)
{
    while (n > 0) {
        uint64_t at = offset % s->max;
        size_t part = n < s->max - at ? n : (size_t)(s->max - at);
        ssize_t done = pwrite(s->file, bytes, part, (off_t)at);

        if (done < 0 && errno != EINTR)
            return err_sys(e, "keeping output");
        if (done <= 0)
            continue;
        bytes += done;
        offset += (uint64_t)done;
        n -= (size_t)done;
    }
    return 0;
}

static int
move_to_file(struct guest_spool *s, struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_spool_file(s->dir, e);

    if (fd < 0)
        return -1;
    s->file = TAKE_FD(fd);
    if (write_ring(s, 0, s->memory.p, s->memory.len, e) < 0)
        return -1;
    buf_done(&s->memory);
    return 0;
}

int
guest_spool_add(struct guest_spool *s, const char *bytes, size_t n,
                struct err *e)
{
    uint64_t at = s->total;
    size_t kept = n;

    s->total += n;
    if (!s->keeps_last)
        kept = at >= s->max ? 0 : n < s->max - at ? n : (size_t)(s->max - at);
    else if (n > s->max) {
        at += n - s->max;
        bytes += n - s->max;
        kept = (size_t)s->max;
    }
    if (kept == 0)
        return 0;
    if (s->file < 0 && s->total <= GUEST_SPOOL_MEMORY) {
        buf_add(&s->memory, bytes, kept);
        return buf_ok(&s->memory, "output", e);
    }
    if (s->file < 0 && move_to_file(s, e) < 0)
        return -1;
    return write_ring(s, at, bytes, kept, e);
}

uint64_t
guest_spool_first(const struct guest_spool *s)
{
    return s->keeps_last && s->total > s->max ? s->total - s->max : 0;
}

uint64_t
guest_spool_end(const struct guest_spool *s)
{
    return !s->keeps_last && s->total > s->max ? s->max : s->total;
}

ssize_t
guest_spool_read(const struct guest_spool *s, uint64_t from, char *bytes,
                 size_t n, struct err *e)
{
    uint64_t left = guest_spool_end(s) - from, at = from % s->max;
    ssize_t got;

    if (n > left)
        n = (size_t)left;
    if (s->file < 0) {
        memcpy(bytes, s->memory.p + from, n);
        return (ssize_t)n;
    }
    if (n > s->max - at)
        n = (size_t)(s->max - at);
    do
        got = pread(s->file, bytes, n, (off_t)at);
    while (got < 0 && errno == EINTR);
    return got < 0 ? err_sys(e, "reading what was kept") : got;
}

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
    int fd = !dir ? -1
                  : open(dir, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);

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

/* Moves what is kept to a file: of the directory, or, where that has no space,
 * in memory. */
static int
move_to_file(struct guest_spool *s, const char *dir, struct err *e)
{
    CLEANUP(fd_close_p) int fd = open_spool_file(dir, e);
    struct guest_spool moved = {.file = fd, .max = s->max};
    char bytes[16384];

    if (fd < 0)
        return -1;
    for (uint64_t at = guest_spool_first(s); at < guest_spool_end(s);) {
        ssize_t n = guest_spool_read(s, at, bytes, sizeof(bytes), e);

        if (n <= 0 || write_ring(&moved, at, bytes, (size_t)n, e) < 0)
            return -1;
        at += (uint64_t)n;
    }
    fd_close_p(&s->file);
    s->file = TAKE_FD(fd);
    buf_done(&s->memory);
    return 0;
}

/* Writes to the file, whichever can take it. */
static int
keep_in_file(struct guest_spool *s, uint64_t at, const char *bytes, size_t n,
             struct err *e)
{
    if (s->file < 0 && move_to_file(s, s->dir, NULL) < 0 &&
        move_to_file(s, NULL, e) < 0)
        return -1;
    if (write_ring(s, at, bytes, n, NULL) == 0)
        return 0;
    return move_to_file(s, NULL, e) < 0 ? -1 : write_ring(s, at, bytes, n, e);
}

int
guest_spool_add(struct guest_spool *s, const char *bytes, size_t n,
                struct err *e)
{
    uint64_t at = s->total;
    size_t kept = n;
    int rc = 0;

    if (s->lost)
        return 0;
    if (!s->keeps_last)
        kept = at >= s->max ? 0 : n < s->max - at ? n : (size_t)(s->max - at);
    else if (n > s->max) {
        at += n - s->max;
        bytes += n - s->max;
        kept = (size_t)s->max;
    }
    if (s->file < 0 && s->total + n <= GUEST_SPOOL_MEMORY) {
        buf_add(&s->memory, bytes, kept);
        rc = buf_ok(&s->memory, "output", e);
    } else if (kept > 0)
        rc = keep_in_file(s, at, bytes, kept, e);
    s->lost = rc < 0;
    s->total += s->lost ? 0 : n;
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_spool.h - keeps what a command writes to one stream, by its offset.
 *
 * The first GUEST_SPOOL_MEMORY bytes stay in memory; where there are more, all
 * are in a file without a name. Offsets count the bytes of the stream from its
 * start. */
#ifndef SERVER_GUEST_GUEST_SPOOL_H
#define SERVER_GUEST_GUEST_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

/* Bytes: what most commands print. With a NUL they fill 64 KiB. */
#define GUEST_SPOOL_MEMORY ((64u << 10) - 1)

struct guest_spool {
    struct buf memory; /* all of it, while it is that little */
    int file;          /* else a ring of max bytes; -1: none */
    const char *dir;   /* where it is made; borrowed */
    uint64_t max;
    uint64_t total; /* bytes of the stream so far */
    bool keeps_last;
    bool lost; /* there was no space: what comes is not kept, nor counted */
};

/* Keeps at most max bytes: the last ones, or the first. A file is made in dir,
 * which is borrowed. */
void guest_spool_init(struct guest_spool *s, const char *dir, uint64_t max,
                      bool keeps_last);
void guest_spool_done(struct guest_spool *s); /* accepts NULL */

/* Adds n bytes of the stream. Where there is space neither on the disk nor in
 * memory, that is an error once; the stream ends with it. */
int guest_spool_add(struct guest_spool *s, const char *bytes, size_t n,
                    struct err *e);

/* The offset of the first byte that is kept, and of the one behind the last. */
uint64_t guest_spool_first(const struct guest_spool *s);
uint64_t guest_spool_end(const struct guest_spool *s);

/* Copies at most n of the bytes from an offset on that is kept. Returns how
 * many: 0 at the end; -1 with e. */
ssize_t guest_spool_read(const struct guest_spool *s, uint64_t from,
                         char *bytes, size_t n, struct err *e);

#endif

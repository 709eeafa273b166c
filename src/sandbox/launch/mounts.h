/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mounts.h - the view of the files that a confined child gets.
 *
 * Runs in the child, in its user and mount namespace, before it gives up its
 * capabilities there. Everything is read-only, nosuid and nodev first; then
 * places are hidden and put back (binds.h), and what is protected below the
 * writable ones becomes read-only again (protect.h). */
#ifndef SANDBOX_MOUNTS_H
#define SANDBOX_MOUNTS_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "sandbox/launch/binds.h"
#include "sandbox/launch/protect.h"

/* What a file that hides another shows of that: git, which compares, says then
 * that it is unchanged. */
struct mounts_shape {
    bool own; /* false: a file is like the other hidden ones */
    mode_t executable;
    off_t size;
    struct timespec changed;
};

struct mounts {
    int trees[BINDS_MAX]; /* one for each of the binds, not yet in place */
    struct mounts_shape shapes[BINDS_MAX]; /* of the same */
    uint64_t room_bytes;                   /* in the private places, together */
    int room; /* a file system of that size for them; -1: none is
                 there yet. Borrowed, and set by the caller */
};

/* Takes what will be put back, as it is now. Needs no mapped ids. */
int mounts_take(struct mounts *m, const struct sandbox_spec *s,
                const struct binds *b, struct err *e);

/* Makes the view, but for what is the kernel's (mounts_own.h), and what is
 * protected. */
int mounts_place(struct mounts *m, const struct binds *b, struct err *e);

/* Makes read-only what is kept of each writable place, last of all. */
int mounts_protect(const struct protect *kept, size_t n_kept, struct err *e);

/* Goes where the child shall be, by its path. It is an error when that is not
 * to be seen, unless it may be anywhere: then it is the root. */
int mounts_enter(const char *cwd, bool anywhere, struct err *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mounts.h - mounts the view of the files that a confined child gets.
 *
 * Runs in the child, in its user and mount namespace, before it drops its
 * capabilities there. First everything becomes read-only, nosuid and nodev;
 * then places are hidden and put back (binds.h); last, what is protected below
 * the writable places becomes read-only again (protect.h). Every failure is
 * ERR_SANDBOX with the path. */
#ifndef SANDBOX_LAUNCH_MOUNTS_H
#define SANDBOX_LAUNCH_MOUNTS_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "sandbox/launch/binds.h"
#include "sandbox/protect/protect.h"

/* What a file that hides another one shows of it, so that git, which compares
 * these, says that the hidden file is unchanged. */
struct mounts_shape {
    bool own; /* false: the file is like the other hidden ones */
    mode_t executable;
    off_t size;
    struct timespec changed;
};

struct mounts {
    int trees[BINDS_MAX]; /* a detached mount for each of the binds */
    struct mounts_shape shapes[BINDS_MAX]; /* for each of the binds */
    uint64_t room_bytes; /* size of all private directories together */
    int room;            /* a tmpfs of that size for them; -1: none yet.
                            Borrowed, set by the caller */
};

/* Opens what will be put back as detached mounts. Needs no mapped ids. */
int mounts_open(struct mounts *m, const struct sandbox_spec *s,
                const struct binds *b, struct err *e);

/* Builds the view, except for the kernel's own file systems (kernel_mounts.h)
 * and for what is protected. */
int mounts_attach(struct mounts *m, const struct binds *b, struct err *e);

/* Makes the protected paths of each writable place read-only. Comes last. */
int mounts_protect(const struct protect *kept, size_t n_kept, struct err *e);

/* Changes to the child's working directory by its path. A directory that the
 * view does not show is an error; with `anywhere` the child starts in "/"
 * instead. */
int mounts_chdir(const char *cwd, bool anywhere, struct err *e);

#endif

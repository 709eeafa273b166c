/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel_mounts.h - mounts devices, terminals and /proc for a child.
 *
 * These are the same for every step. So a preforked child (prefork.h) opens
 * them before it is needed, as detached mounts, and attaches them later. */
#ifndef SANDBOX_LAUNCH_KERNEL_MOUNTS_H
#define SANDBOX_LAUNCH_KERNEL_MOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define KERNEL_MOUNTS_DEVICES 6 /* as many as are PATH_IS_SAFE_DEVICE */

struct kernel_mounts {
    int devices[KERNEL_MOUNTS_DEVICES]; /* -1: there is none */
    int terminals;                      /* a new /dev/pts; -1: there is none */
    int proc;            /* a new /proc; -1: the machine's stays */
    int room;            /* a tmpfs for private directories; -1: none */
    uint64_t room_bytes; /* its size */
    unsigned pids;       /* the limit of the pid namespace; 0: no limit */
};

/* Opens devices, terminals and, with own_pids, a /proc of the child's own pid
 * namespace. Comes before the view is built. */
int kernel_mounts_open(struct kernel_mounts *o, bool own_pids, unsigned pids,
                       struct err *e);

/* Opens a tmpfs of this size for private directories, before it is known
 * whether that size will be needed. On failure there is none, and one is made
 * later. */
void kernel_mounts_open_tmpfs(struct kernel_mounts *o, uint64_t bytes);

/* Attaches them when the view is built, and closes them. pids: as for
 * kernel_mounts_open, which may not have known it yet. */
int kernel_mounts_attach(struct kernel_mounts *o, unsigned pids, struct err *e);

#endif

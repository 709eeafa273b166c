/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mounts_own.h - what of a view is the kernel's: devices, terminals, processes.
 *
 * It is the same for each step, so a child that waits has it before it is
 * needed (ready.h): taken, and not yet in its place. */
#ifndef SANDBOX_MOUNTS_OWN_H
#define SANDBOX_MOUNTS_OWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define MOUNTS_DEVICES 6

struct mounts_own {
    int devices[MOUNTS_DEVICES]; /* -1: there is none */
    int terminals;               /* a new /dev/pts; -1: there is none */
    int proc;                    /* a new /proc; -1: the machine's stays */
    int room;                    /* for private places; -1: there is none */
    uint64_t room_bytes;         /* that it holds */
    unsigned pids; /* that the namespace may hold; 0: as many as there are
                      numbers */
};

/* own_pids: the child is in a pid namespace of its own, which a new /proc
 * shows. Comes before the view is made. */
int mounts_own_take(struct mounts_own *o, bool own_pids, unsigned pids,
                    struct err *e);

/* A file system in memory, for private places, if it is not known yet how they
 * will be. What cannot be made is made later. */
void mounts_own_room(struct mounts_own *o, uint64_t bytes);

/* When the view is made. pids as for mounts_own_take, which may not have known
 * it yet. */
int mounts_own_place(struct mounts_own *o, unsigned pids, struct err *e);

#endif

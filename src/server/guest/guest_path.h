/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_path.h - opens what a peer's paths name, within the root if there is
 * one.
 *
 * Without a root a path means what it means to any program of this machine.
 * With one it is below it: an absolute path that leads there, or a relative
 * one; links and ".." that leave it are refused by the kernel (openat2(2)).
 * Functions that return a descriptor return -1 with "PATH: REASON". They may
 * wait for a disk, and are for a thread beside the loop (guest_job.h). */
#ifndef SERVER_GUEST_GUEST_PATH_H
#define SERVER_GUEST_GUEST_PATH_H

#include <sys/types.h>

#include "base/err.h"
#include "server/guest/guest_shared.h"

/* Opens a path of n bytes. O_CLOEXEC is added to flags, and O_NONBLOCK, so that
 * nobody waits for a FIFO. */
int guest_path_open(const struct guest_shared *sh, const char *path, size_t n,
                    int flags, mode_t mode, struct err *e);

/* Opens the directory that holds what the path names, as O_PATH; with `make`
 * what is missing of it is made. name, of NAME_MAX + 1 bytes, becomes the last
 * part. */
int guest_path_open_parent(const struct guest_shared *sh, const char *path,
                           size_t n, bool make, char *name, struct err *e);

#endif

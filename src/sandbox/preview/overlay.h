/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlay.h - the copy-on-write view of a directory: what is written in it
 * lands elsewhere, and the directory stays as it is.
 *
 * The view is an overlayfs of the kernel: `lower` is the directory, `upper`
 * takes what changes, `work` is the kernel's own. Mounted with userxattr, so
 * that a user namespace of a normal user can do it (Linux 5.11). What upper
 * then means is read by changes.h. The first write to a file copies the whole
 * of it: 146 ms for 200 MiB, measured. */
#ifndef SANDBOX_OVERLAY_H
#define SANDBOX_OVERLAY_H

#include "base/err.h"

/* For the launcher, in its user and mount namespace, before it has put
 * anything else in place: the directories are found by their paths, as the
 * kernel wants them of this namespace, and through /proc/self/fd, so that no
 * character of a path means anything. Makes preview/upper and preview/work
 * when they are not there.
 *
 * Returns a descriptor of the mount, nosuid and nodev, for move_mount(2).
 * ERR_SANDBOX names what is in the way: a filesystem below the directory that
 * the namespace may not uncover, an upper directory on a filesystem that
 * cannot be one, a kernel without overlayfs. */
int overlay_open(const char *workspace, const char *preview, struct err *e);

/* Whether a directory's filesystem can take what a view writes: not another
 * overlayfs, and none that lacks what overlayfs needs. 0, or -1 with
 * ERR_UNSUPPORTED and the reason. */
int overlay_can_hold(const char *dir, struct err *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mount_calls.h - the calls that mount by descriptors (Linux 5.2 and 5.12),
 * where the C library has no functions for them. */
#ifndef SANDBOX_MOUNT_CALLS_H
#define SANDBOX_MOUNT_CALLS_H

#include <sys/mount.h>

#ifndef HAVE_MOUNT_SETATTR
#include <linux/mount.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int
mount_setattr(int dir, const char *path, unsigned flags,
              struct mount_attr *attr, size_t size)
{
    return (int)syscall(SYS_mount_setattr, dir, path, flags, attr, size);
}

static inline int
open_tree(int dir, const char *path, unsigned flags)
{
    return (int)syscall(SYS_open_tree, dir, path, flags);
}

static inline int
move_mount(int from_dir, const char *from, int to_dir, const char *to,
           unsigned flags)
{
    return (int)syscall(SYS_move_mount, from_dir, from, to_dir, to, flags);
}

static inline int
fsopen(const char *type, unsigned flags)
{
    return (int)syscall(SYS_fsopen, type, flags);
}

static inline int
fsconfig(int fs, unsigned command, const char *key, const void *value, int aux)
{
    return (int)syscall(SYS_fsconfig, fs, command, key, value, aux);
}

static inline int
fsmount(int fs, unsigned flags, unsigned attributes)
{
    return (int)syscall(SYS_fsmount, fs, flags, attributes);
}
#endif

#endif

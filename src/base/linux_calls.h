/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linux_calls.h - calls of Linux that a C library may have no function for.
 *
 * musl and an older glibc have none for some of them. The kernel's arguments
 * are those that glibc documents. */
#ifndef BASE_LINUX_CALLS_H
#define BASE_LINUX_CALLS_H

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef HAVE_PIDFD_OPEN
#include <sys/pidfd.h>
#else
static inline int
pidfd_open(pid_t pid, unsigned flags)
{
    return (int)syscall(SYS_pidfd_open, pid, flags);
}
#endif

#ifndef HAVE_CLOSE_RANGE
static inline int
close_range(unsigned first, unsigned last, int flags)
{
    return (int)syscall(SYS_close_range, first, last, flags);
}
#endif

#ifndef HAVE_RENAMEAT2
#include <linux/fs.h>
static inline int
renameat2(int from_dir, const char *from, int to_dir, const char *to,
          unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}
#endif

#ifndef HAVE_STATX
#include <linux/stat.h>
static inline int
statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
    return (int)syscall(SYS_statx, dir, path, flags, mask, st);
}
#endif

#endif

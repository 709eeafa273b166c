/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linux_calls.h - calls of Linux that a C library may have no function for.
 *
 * musl and an older glibc have none for some of them. The names are our own, so
 * that they clash with none of a library's, be it that of the target or that of
 * the machine that builds. Arguments and results are those of the manual: -1
 * and errno on failure. */
#ifndef BASE_LINUX_CALLS_H
#define BASE_LINUX_CALLS_H

#include <linux/time_types.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#include <linux/fs.h>
#endif
#ifndef STATX_TYPE
#include <linux/stat.h>
#endif

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441 /* as on every machine but alpha */
#endif

/* Without a mask of signals. */
static inline int
linux_epoll_pwait2(int epoll, struct epoll_event *events, int n,
                   const struct __kernel_timespec *limit)
{
    return (int)syscall(SYS_epoll_pwait2, epoll, events, n, limit, NULL, 0);
}

static inline int
linux_pidfd_open(pid_t pid, unsigned flags)
{
    return (int)syscall(SYS_pidfd_open, pid, flags);
}

static inline int
linux_close_range(unsigned first, unsigned last, int flags)
{
    return (int)syscall(SYS_close_range, first, last, flags);
}

static inline int
linux_renameat2(int from_dir, const char *from, int to_dir, const char *to,
                unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

static inline int
linux_statx(int dir, const char *path, int flags, unsigned mask,
            struct statx *st)
{
    return (int)syscall(SYS_statx, dir, path, flags, mask, st);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - constants and system calls that Debian 12's headers do not have.
 *
 * The numbers and bits are those of linux/landlock.h, linux/mount.h and
 * linux/seccomp.h of Linux 6.18; they are the same on every architecture. */
#ifndef SANDBOX_KERNEL_H
#define SANDBOX_KERNEL_H

#include <stdint.h>
#include <sys/mount.h>

#define LL_FS_TRUNCATE  (1ULL << 14) /* ABI 3, Linux 6.2 */
#define LL_FS_IOCTL_DEV (1ULL << 15) /* ABI 5, Linux 6.10 */
#define LL_NET_TCP      3ULL         /* ABI 4, Linux 6.7: bind, connect */
#define LL_SCOPES       3ULL         /* ABI 6, Linux 6.12: abstract, signal */

#define LL_NET_CONNECT   2ULL /* of LL_NET_TCP */
#define LL_RULE_NET_PORT 2

#define LL_ABI_REFER    2
#define LL_ABI_TRUNCATE 3
#define LL_ABI_NET      4
#define LL_ABI_IOCTL    5
#define LL_ABI_SCOPED   6

/* The argument of landlock_create_ruleset(2). An older kernel is given only
 * the first part, which it knows. */
struct ll_ruleset {
    uint64_t fs, net, scoped;
};

/* The argument of landlock_add_rule(2) for LL_RULE_NET_PORT. */
struct ll_net_port {
    uint64_t allowed, port;
};

/* The system calls that mount by descriptors (Linux 5.2 and 5.12), for C
 * libraries without functions for them. */

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

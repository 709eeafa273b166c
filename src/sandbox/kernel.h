/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - what Debian 12's headers do not name yet, and short names.
 *
 * Numbers and bits are those of linux/landlock.h, linux/mount.h and
 * linux/seccomp.h of Linux 6.18; they are the same on every architecture. */
#ifndef SANDBOX_KERNEL_H
#define SANDBOX_KERNEL_H

#include <stdint.h>

#define LL_FS_TRUNCATE  (1ULL << 14) /* ABI 3, Linux 6.2 */
#define LL_FS_IOCTL_DEV (1ULL << 15) /* ABI 5, Linux 6.10 */
#define LL_NET_TCP      3ULL         /* ABI 4, Linux 6.7: bind, connect */
#define LL_SCOPES       3ULL         /* ABI 6, Linux 6.12: abstract, signal */

#define LL_ABI_REFER    2
#define LL_ABI_TRUNCATE 3
#define LL_ABI_NET      4
#define LL_ABI_IOCTL    5
#define LL_ABI_SCOPED   6

/* The kernel takes the first part of it that it knows. */
struct ll_ruleset {
    uint64_t fs, net, scoped;
};

#endif

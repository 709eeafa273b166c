/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disks.h - the file systems that hold something, from mountinfo.
 *
 * Left out are those of the kernel's own (proc, cgroup, tmpfs …), images that
 * cannot be written (snaps), and a device's second mount. A file system whose
 * server may not answer is told, but not asked how full it is; neither is
 * what is mounted below one. */
#ifndef PLUGINS_SYSINFO_DISKS_H
#define PLUGINS_SYSINFO_DISKS_H

#include "base/err.h"
#include "plugins/lib/span.h"

#define DISKS_MAX 256 /* more mounts than a person reads */

struct disk {
    char *source, *mount_point, *type; /* owned */
    char device[24];                   /* "major:minor" */
    bool network;                      /* a server is asked for it */
    bool whole;                        /* not a directory of it bound here */
    bool read_only;
    bool measured; /* the sizes are known */
    uint64_t size_bytes, used_bytes, available_bytes;
};

struct disks {
    struct disk rows[DISKS_MAX];
    size_t n;
};

/* Adds what a text in the form of /proc/self/mountinfo tells; d begins zeroed,
 * and needs disks_done. ERR_NOMEM. */
int disks_parse(struct span text, struct disks *d, struct err *e);
void disks_done(struct disks *d);

/* Asks how full each is, where that cannot hang; root stands for "/". */
void disks_measure(int root, struct disks *d);

#endif

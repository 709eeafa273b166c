/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disks_part.c - how full the file systems are, and telling it. */
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/size.h"
#include "plugins/lib/machine.h"
#include "plugins/sysinfo/disks.h"
#include "plugins/sysinfo/part.h"

#define MOUNTS_MAX  (4u << 20) /* a host of containers has some 10,000 */
#define DISKS_LINES 6          /* for a model: what matters is mounted first */

static bool
is_below(const char *path, const char *dir)
{
    const char *rest = path_behind(path, dir);

    return rest && *rest;
}

/* The way to it may lead through a server that does not answer. */
static bool
is_reached(const struct disks *d, const struct disk *one)
{
    if (one->network)
        return false;
    for (size_t i = 0; i < d->n; i++) {
        if (d->rows[i].network &&
            is_below(one->mount_point, d->rows[i].mount_point))
            return false;
    }
    return true;
}

static void
measure(int root, struct disk *d)
{
    const char *path = d->mount_point + strspn(d->mount_point, "/");
    /* O_PATH wakes no automounter; a file bound from elsewhere is no disk */
    CLEANUP(fd_close_p)
    int fd = openat(root, *path ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct statvfs s;

    if (fd < 0 || fstatvfs(fd, &s) < 0)
        return;
    d->measured = true;
    d->size_bytes = (uint64_t)s.f_blocks * s.f_frsize;
    d->used_bytes = (uint64_t)(s.f_blocks - s.f_bfree) * s.f_frsize;
    d->available_bytes = (uint64_t)s.f_bavail * s.f_frsize;
}

void
disks_measure(int root, struct disks *d)
{
    for (size_t i = 0; i < d->n; i++) {
        if (is_reached(d, &d->rows[i]))
            measure(root, &d->rows[i]);
    }
}

/* Of what users may fill: some is kept for root. */
static unsigned
percent_used(const struct disk *d)
{
    double all = (double)d->used_bytes + (double)d->available_bytes;

    return all > 0 ? (unsigned)((double)d->used_bytes * 100 / all + 0.5) : 0;
}

static void
tell(struct buf *text, const struct disk *d)
{
    char size[SIZE_TEXT], left[SIZE_TEXT];

    buf_printf(text, "disk %s: %s (%s)", d->mount_point, d->source, d->type);
    if (d->measured)
        buf_printf(text, ", %s, %s available (%u%% used)",
                   size_text(d->size_bytes, size),
                   size_text(d->available_bytes, left), percent_used(d));
    else if (d->network)
        buf_str(text, ", by network, not asked");
    buf_str(text, d->read_only ? ", read-only\n" : "\n");
}

static void
put(struct json_writer *w, const struct disk *d)
{
    json_open_object(w);
    json_member_str(w, "source", d->source);
    json_member_str(w, "mount_point", d->mount_point);
    json_member_str(w, "type", d->type);
    json_member_bool(w, "network", d->network);
    json_member_bool(w, "read_only", d->read_only);
    if (d->measured) {
        json_member_int(w, "size_bytes", (int64_t)d->size_bytes);
        json_member_int(w, "used_bytes", (int64_t)d->used_bytes);
        json_member_int(w, "available_bytes", (int64_t)d->available_bytes);
    }
    json_close_object(w);
}

void
part_disks(int root, struct buf *text, struct json_writer *w)
{
    CLEANUP_BUF struct buf mounts = buf_of(MOUNTS_MAX);
    CLEANUP(disks_done) struct disks d = {.n = 0};
    size_t told = 0;

    (void)machine_read_all(root, "proc/self/mountinfo", &mounts, NULL);
    (void)disks_parse((struct span){mounts.p, mounts.len}, &d, NULL);
    disks_measure(root, &d);
    json_open_array(w);
    for (size_t i = 0; i < d.n; i++) {
        const struct disk *one = &d.rows[i];

        if (!one->measured && !one->network && !one->whole)
            continue;
        if (told++ < DISKS_LINES)
            tell(text, one);
        put(w, one);
    }
    if (told > DISKS_LINES)
        buf_printf(text, "disks: %zu more\n", told - DISKS_LINES);
    json_close_array(w);
}

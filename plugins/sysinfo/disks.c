/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disks.c - which mounts are file systems that hold something. */
#include "plugins/sysinfo/disks.h"

#include <stdlib.h>
#include <string.h>

/* Those without a device that hold something all the same. */
static const char *const deviceless[] = {"btrfs",   "zfs",      "bcachefs",
                                         "overlay", "virtiofs", NULL};
static const char *const images[] = {"squashfs", "erofs",  "iso9660",
                                     "udf",      "cramfs", NULL};
/* A program or another machine answers for these, or does not. */
static const char *const served[] = {
    "nfs",    "nfs4", "cifs",  "smb3",      "smbfs",  "9p",    "ceph",  "afs",
    "lustre", "gpfs", "ocfs2", "glusterfs", "beegfs", "davfs", "ncpfs", NULL};

static bool
is_one_of(const char *const *list, struct span s)
{
    for (; *list; list++) {
        if (span_is(s, *list))
            return true;
    }
    return false;
}

static bool
is_served(struct span type)
{
    /* fuse.portal and the like show what is elsewhere */
    return is_one_of(served, type) || span_begins(type, "fuse.sshfs") ||
           span_begins(type, "fuse.rclone") || span_begins(type, "fuse.s3fs") ||
           span_begins(type, "fuse.gluster") || span_begins(type, "fuse.ceph");
}

/* A path as mountinfo has it: a blank is \040, and so on. */
static char *
unescape(struct span s)
{
    char *out = malloc(s.n + 1);
    size_t n = 0;

    for (size_t i = 0; out && i < s.n; i++) {
        uint64_t c = 0;

        if (s.p[i] == '\\' && s.n - i > 3 &&
            span_number((struct span){s.p + i + 1, 3}, 8, &c) && c > 0 &&
            c < 256) {
            out[n++] = (char)c;
            i += 3;
        } else {
            out[n++] = s.p[i];
        }
    }
    if (out)
        out[n] = '\0';
    return out;
}

static void
disk_done(struct disk *d)
{
    free(d->source);
    free(d->mount_point);
    free(d->type);
    *d = (struct disk){0};
}

void
disks_done(struct disks *d)
{
    while (d->n > 0)
        disk_done(&d->rows[--d->n]);
}

static void
drop(struct disks *d, size_t i)
{
    disk_done(&d->rows[i]);
    memmove(&d->rows[i], &d->rows[i + 1], (--d->n - i) * sizeof(d->rows[0]));
}

/* Whatever was mounted there before is not seen any more. */
static void
uncover(struct disks *d, const char *mount_point)
{
    for (size_t i = d->n; i-- > 0;) {
        if (strcmp(d->rows[i].mount_point, mount_point) == 0)
            drop(d, i);
    }
}

/* Btrfs has a number of its own for each subvolume: the source tells. */
static bool
same_device(const struct disk *a, const struct disk *b)
{
    if (strcmp(a->device, b->device) == 0)
        return true;
    return strncmp(a->device, "0:", 2) == 0 && a->source[0] == '/' &&
           strcmp(a->source, b->source) == 0;
}

static bool
is_better(const struct disk *a, const struct disk *b)
{
    if (a->whole != b->whole)
        return a->whole;
    return strlen(a->mount_point) < strlen(b->mount_point);
}

static void
add(struct disks *d, struct disk *one)
{
    for (size_t i = 0; i < d->n; i++) {
        struct disk *old = &d->rows[i];

        if (!same_device(one, old))
            continue;
        if (is_better(one, old)) {
            disk_done(old);
            *old = *one;
        } else {
            disk_done(one);
        }
        return;
    }
    if (d->n == DISKS_MAX)
        disk_done(one);
    else
        d->rows[d->n++] = *one;
}

/* One line: ID PARENT MAJ:MIN ROOT POINT OPTIONS [TAGS] - TYPE SOURCE SUPER */
struct fields {
    struct span device, root, point, options, type, source;
};

static bool
split(struct span line, struct fields *f)
{
    struct span word;

    if (!span_word(&line, &word) || !span_word(&line, &word) ||
        !span_word(&line, &f->device) || !span_word(&line, &f->root) ||
        !span_word(&line, &f->point) || !span_word(&line, &f->options))
        return false;
    do {
        if (!span_word(&line, &word))
            return false;
    } while (!span_is(word, "-"));
    return span_word(&line, &f->type) && span_word(&line, &f->source);
}

static bool
holds_something(const struct fields *f)
{
    bool top = span_is(f->point, "/");

    if (is_one_of(images, f->type))
        return top;
    if (is_served(f->type))
        return true;
    return !span_begins(f->device, "0:") || is_one_of(deviceless, f->type);
}

static int
take(struct disks *d, const struct fields *f, struct err *e)
{
    struct disk one = {.network = is_served(f->type),
                       .whole = span_is(f->root, "/") ||
                                span_begins(f->root, "/@"),
                       .read_only = span_begins(f->options, "ro")};

    span_copy(f->device, one.device, sizeof(one.device));
    one.source = unescape(f->source);
    one.mount_point = unescape(f->point);
    one.type = strndup(f->type.p, f->type.n);
    if (!one.source || !one.mount_point || !one.type) {
        disk_done(&one);
        return err_sys(e, "mounts");
    }
    add(d, &one);
    return 0;
}

int
disks_parse(struct span text, struct disks *d, struct err *e)
{
    struct span line;

    while (span_line(&text, &line)) {
        struct fields f;
        char *point;

        if (!split(line, &f))
            continue;
        point = unescape(f.point);
        if (!point)
            return err_sys(e, "mounts");
        uncover(d, point);
        free(point);
        if (holds_something(&f) && take(d, &f, e) < 0)
            return -1;
    }
    return 0;
}

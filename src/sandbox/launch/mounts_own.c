/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mounts_own.c - what of a view is the kernel's: devices, terminals, processes.
 */
#include "sandbox/launch/mounts_own.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/launch/limits.h"
#include "sandbox/layer.h"
#include "sandbox/mount_calls.h"

#define MOUNTS "mounts"      /* the layer's name */
#define FRESH  "fresh /proc" /* another */

/* Device nodes mean something where they are safe: not those of disks,
 * cameras, keyboards. */
static const char *const devices[MOUNTS_DEVICES] = {
    "/dev/null",   "/dev/zero",    "/dev/full",
    "/dev/random", "/dev/urandom", "/dev/tty",
};

static int
put_tree(int tree, const char *path)
{
    return move_mount(tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH);
}

/* A file that is a mount of its own, and its own only; -1 with errno. */
static int
take_file(const char *path, uint64_t set, uint64_t clear)
{
    struct mount_attr attr = {
        .attr_set = set, .attr_clr = clear, .propagation = MS_PRIVATE};
    CLEANUP(fd_close_p)
    int tree = open_tree(AT_FDCWD, path,
                         OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC |
                             AT_SYMLINK_NOFOLLOW);

    if (tree < 0 ||
        mount_setattr(tree, "", AT_EMPTY_PATH, &attr, sizeof(attr)) < 0)
        return -1;
    return TAKE_FD(tree);
}

/* A file system that nobody else has, given its options in pairs. */
static int
make(const char *type, const char *const (*options)[2], unsigned attributes)
{
    CLEANUP(fd_close_p) int fs = fsopen(type, FSOPEN_CLOEXEC);

    for (; fs >= 0 && options && (*options)[0]; options++) {
        if (fsconfig(fs,
                     (*options)[1] ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG,
                     (*options)[0], (*options)[1], 0) < 0)
            return -1;
    }
    if (fs < 0 || fsconfig(fs, FSCONFIG_SET_STRING, "source", type, 0) < 0 ||
        fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
        return -1;
    return fsmount(fs, FSMOUNT_CLOEXEC, attributes);
}

static int
take_devices(struct mounts_own *o, struct err *e)
{
    for (size_t i = 0; i < MOUNTS_DEVICES; i++) {
        o->devices[i] = take_file(devices[i],
                                  MOUNT_ATTR_NOSUID | MOUNT_ATTR_RDONLY, 0);
        if (o->devices[i] < 0 && errno != ENOENT && errno != ENOTDIR)
            return layer_missing_at(e, MOUNTS, devices[i]);
    }
    return 0;
}

/* Other terminals of the same person are neither read nor written to: those
 * that are made inside are of a file system of their own, and so is the node
 * that makes them. */
static int
take_terminals(struct mounts_own *o, struct err *e)
{
    static const char *const options[][2] = {
        {"newinstance", NULL}, {"ptmxmode", "0666"}, {"mode", "0620"}, {0}};

    o->terminals = make("devpts", options,
                        MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
    if (o->terminals < 0 && errno != ENODEV)
        return layer_missing_at(e, MOUNTS, "/dev/pts");
    return 0;
}

static int
take_proc(struct mounts_own *o, struct err *e)
{
    o->proc = make("proc", NULL,
                   MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    return o->proc < 0 || limits_pids(o->proc, o->pids) < 0
               ? layer_missing(e, FRESH)
               : 0;
}

int
mounts_own_take(struct mounts_own *o, bool own_pids, unsigned pids,
                struct err *e)
{
    *o = (struct mounts_own){.proc = -1, .room = -1, .pids = pids};
    if (take_devices(o, e) < 0 || take_terminals(o, e) < 0)
        return -1;
    return own_pids ? take_proc(o, e) : 0;
}

void
mounts_own_room(struct mounts_own *o, uint64_t bytes)
{
    char size[24];
    const char *const options[][2] = {{"mode", "0755"}, {"size", size}, {0}};

    snprintf(size, sizeof(size), "%" PRIu64, bytes);
    o->room = make("tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    o->room_bytes = bytes;
}

/* The root file system's nodes are dead by now; these few are wanted. */
static int
place_devices(const struct mounts_own *o, struct err *e)
{
    for (size_t i = 0; i < MOUNTS_DEVICES; i++) {
        if (o->devices[i] >= 0 && put_tree(o->devices[i], devices[i]) < 0)
            return layer_missing_at(e, MOUNTS, devices[i]);
    }
    return 0;
}

static int
place_terminals(const struct mounts_own *o, struct err *e)
{
    CLEANUP(fd_close_p) int tree = -1;
    struct stat st;

    if (o->terminals < 0)
        return 0;
    if (put_tree(o->terminals, "/dev/pts") < 0)
        return errno == ENOENT ? 0 : layer_missing_at(e, MOUNTS, "/dev/pts");
    if (lstat("/dev/ptmx", &st) < 0 || !S_ISCHR(st.st_mode))
        return 0; /* a link to what was just mounted */
    tree = take_file("/dev/pts/ptmx", 0, 0);
    if (tree < 0 || put_tree(tree, "/dev/ptmx") < 0)
        return layer_missing_at(e, MOUNTS, "/dev/ptmx");
    return 0;
}

/* Read-only at the end: root's own /proc/sys would be the machine's. */
static int
place_proc(const struct mounts_own *o, unsigned pids, struct err *e)
{
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};

    if (o->proc < 0)
        return 0;
    if ((pids != o->pids && limits_pids(o->proc, pids) < 0) ||
        mount_setattr(o->proc, "", AT_EMPTY_PATH, &attr, sizeof(attr)) < 0 ||
        put_tree(o->proc, "/proc") < 0)
        return layer_missing(e, FRESH);
    return 0;
}

int
mounts_own_place(struct mounts_own *o, unsigned pids, struct err *e)
{
    int rc = place_devices(o, e) < 0 || place_terminals(o, e) < 0 ||
                     place_proc(o, pids, e) < 0
                 ? -1
                 : 0;

    for (size_t i = 0; i < MOUNTS_DEVICES; i++)
        fd_close_p(&o->devices[i]);
    fd_close_p(&o->terminals);
    fd_close_p(&o->proc);
    fd_close_p(&o->room);
    return rc;
}

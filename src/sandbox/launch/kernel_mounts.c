/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel_mounts.c - mounts devices, terminals and /proc for a child. */
#include "sandbox/launch/kernel_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "guard/path/path_table.h"
#include "sandbox/kernel.h"
#include "sandbox/launch/limits.h"
#include "sandbox/spec.h"

#define FRESH "fresh /proc" /* another layer's name */

static int
attach_detached(int tree, const char *path)
{
    return move_mount(tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH);
}

/* Opens a file as a detached, private mount; -1 with errno. */
static int
clone_file(const char *path, uint64_t set, uint64_t clear)
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

/* Makes a new file system with these options, which are pairs of name and
 * value. */
static int
make_filesystem(const char *type, const char *const (*options)[2],
                unsigned attributes)
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
open_devices(struct kernel_mounts *o, struct err *e)
{
    const char *device;
    size_t at = 0;

    for (int *tree = o->devices; (device = path_next(PATH_IS_SAFE_DEVICE, &at));
         tree++) {
        if (tree == o->devices + ARRAY_SIZE(o->devices))
            return err_set(e, ERR_SANDBOX, "more devices than room for them");
        *tree = clone_file(device, MOUNT_ATTR_NOSUID | MOUNT_ATTR_RDONLY, 0);
        if (*tree < 0 && errno != ENOENT && errno != ENOTDIR)
            return sandbox_layer_missing_at(e, SANDBOX_LAYER_MOUNTS, device);
    }
    return 0;
}

/* The person's other terminals can be neither read nor written: terminals that
 * are made in the sandbox lie in a devpts of their own, and so does
 * /dev/ptmx. */
static int
open_terminals(struct kernel_mounts *o, struct err *e)
{
    static const char *const options[][2] = {
        {"newinstance", NULL}, {"ptmxmode", "0666"}, {"mode", "0620"}, {0}};

    o->terminals = make_filesystem("devpts", options,
                                   MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
    if (o->terminals < 0 && errno != ENODEV)
        return sandbox_layer_missing_at(e, SANDBOX_LAYER_MOUNTS, "/dev/pts");
    return 0;
}

static int
open_proc(struct kernel_mounts *o, struct err *e)
{
    o->proc = make_filesystem(
        "proc", NULL, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    return o->proc < 0 || limits_set_pid_max(o->proc, o->pids) < 0
               ? sandbox_layer_missing(e, FRESH)
               : 0;
}

int
kernel_mounts_open(struct kernel_mounts *o, bool own_pids, unsigned pids,
                   struct err *e)
{
    *o = (struct kernel_mounts){
        .proc = -1, .room = -1, .terminals = -1, .pids = pids};
    for (size_t i = 0; i < ARRAY_SIZE(o->devices); i++)
        o->devices[i] = -1;
    if (open_devices(o, e) < 0 || open_terminals(o, e) < 0)
        return -1;
    return own_pids ? open_proc(o, e) : 0;
}

void
kernel_mounts_open_tmpfs(struct kernel_mounts *o, uint64_t bytes)
{
    char size[24];
    const char *const options[][2] = {{"mode", "0755"}, {"size", size}, {0}};

    snprintf(size, sizeof(size), "%" PRIu64, bytes);
    o->room = make_filesystem("tmpfs", options,
                              MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    o->room_bytes = bytes;
}

/* By now the view is mounted nodev; these few devices are put back. */
static int
attach_devices(const struct kernel_mounts *o, struct err *e)
{
    const int *tree = o->devices;
    const char *device;
    size_t at = 0;

    for (; (device = path_next(PATH_IS_SAFE_DEVICE, &at)); tree++)
        if (*tree >= 0 && attach_detached(*tree, device) < 0)
            return sandbox_layer_missing_at(e, SANDBOX_LAYER_MOUNTS, device);
    return 0;
}

static int
attach_terminals(const struct kernel_mounts *o, struct err *e)
{
    CLEANUP(fd_close_p) int tree = -1;
    struct stat st;

    if (o->terminals < 0)
        return 0;
    if (attach_detached(o->terminals, "/dev/pts") < 0)
        return errno == ENOENT ? 0
                               : sandbox_layer_missing_at(
                                     e, SANDBOX_LAYER_MOUNTS, "/dev/pts");
    if (lstat("/dev/ptmx", &st) < 0 || !S_ISCHR(st.st_mode))
        return 0; /* a link to the node in the new /dev/pts */
    tree = clone_file("/dev/pts/ptmx", 0, 0);
    if (tree < 0 || attach_detached(tree, "/dev/ptmx") < 0)
        return sandbox_layer_missing_at(e, SANDBOX_LAYER_MOUNTS, "/dev/ptmx");
    return 0;
}

/* Makes /proc read-only last: root could change the machine's settings in
 * /proc/sys. */
static int
attach_proc(const struct kernel_mounts *o, unsigned pids, struct err *e)
{
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};

    if (o->proc < 0)
        return 0;
    if ((pids != o->pids && limits_set_pid_max(o->proc, pids) < 0) ||
        mount_setattr(o->proc, "", AT_EMPTY_PATH, &attr, sizeof(attr)) < 0 ||
        attach_detached(o->proc, "/proc") < 0)
        return sandbox_layer_missing(e, FRESH);
    return 0;
}

int
kernel_mounts_attach(struct kernel_mounts *o, unsigned pids, struct err *e)
{
    int rc = attach_devices(o, e) < 0 || attach_terminals(o, e) < 0 ||
                     attach_proc(o, pids, e) < 0
                 ? -1
                 : 0;

    for (size_t i = 0; i < KERNEL_MOUNTS_DEVICES; i++)
        fd_close_p(&o->devices[i]);
    fd_close_p(&o->terminals);
    fd_close_p(&o->proc);
    fd_close_p(&o->room);
    return rc;
}

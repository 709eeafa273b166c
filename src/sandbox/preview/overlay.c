/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlay.c - mounts the copy-on-write view of a directory. */
#include "sandbox/preview/overlay.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "sandbox/kernel.h"

#define LOG_MAX 160 /* bytes of the kernel's reason; err.text has 256 */

/* Filesystems that overlayfs refuses as upper, or on which it cannot record a
 * deletion. linux/magic.h lacks those given by number. */
struct poor_row {
    unsigned long magic;
    const char *name;
};
static const struct poor_row poor_rows[] = {
    {OVERLAYFS_SUPER_MAGIC, "overlayfs, as in a container"},
    {NFS_SUPER_MAGIC, "NFS"},
    {MSDOS_SUPER_MAGIC, "FAT"},
    {0x2011BAB0ul, "exFAT"},
    {0x5346544eul, "NTFS"},
    {0x7366746eul, "NTFS"},
    {CIFS_SUPER_MAGIC, "CIFS"},
    {SMB2_SUPER_MAGIC, "SMB"},
    {V9FS_MAGIC, "9p"},
    {FUSE_SUPER_MAGIC, "FUSE"},
    {RAMFS_MAGIC, "ramfs"},
    {ECRYPTFS_SUPER_MAGIC, "ecryptfs"},
};

int
overlay_can_hold(const char *dir, struct err *e)
{
    struct statfs fs;

    if (statfs(dir, &fs) < 0)
        return err_sys(e, "%s", dir);
    for (size_t i = 0; i < ARRAY_SIZE(poor_rows); i++) {
        if ((unsigned long)fs.f_type == poor_rows[i].magic)
            return err_set(
                e, ERR_UNSUPPORTED,
                "%s is on %s, which does not support a copy-on-write view", dir,
                poor_rows[i].name);
    }
    return 0;
}

/* Opens a directory of the view and makes a path to it that needs no
 * escaping. */
static int
open_view_dir(const char *dir, const char *below, bool make, int *fd,
              struct err *e)
{
    CLEANUP(fd_close_p)
    int top = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (top < 0) {
        err_sys(e, "overlay: %s", dir);
        goto refused;
    }
    if (make && mkdirat(top, below, 0700) < 0 && errno != EEXIST) {
        err_sys(e, "overlay: %s/%s", dir, below);
        goto refused;
    }
    *fd = openat(top, below, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*fd >= 0)
        return 0;
    err_sys(e, "overlay: %s/%s", dir, below);
refused:
    if (e)
        e->code = ERR_SANDBOX;
    return -1;
}

/* Reads the kernel's message about the mount, if there is one: "e overlay:
 * ...". */
static void
read_mount_message(int fs, char *text, size_t size)
{
    ssize_t n = read(fs, text, size - 1);

    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static int
set_dir(int fs, const char *key, int fd)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return fsconfig(fs, FSCONFIG_SET_STRING, key, path, 0);
}

/* Explains why the kernel refused: most often for one of two reasons. */
static int
explain_refusal(int fs, const char *workspace, const char *preview, int sys,
                struct err *e)
{
    char log[LOG_MAX];
    struct err why = {0};

    read_mount_message(fs, log, sizeof(log));
    if (overlay_can_hold(preview, &why) < 0)
        return err_set(e, ERR_SANDBOX,
                       "overlay: %s; set XDG_STATE_HOME to another place",
                       why.text);
    if (sys == EINVAL && (!log[0] || strstr(log, "lower")))
        return err_set(e, ERR_SANDBOX,
                       "overlay: %s: other filesystems are mounted below it, "
                       "and a copy-on-write view cannot include them",
                       workspace);
    return err_set(e, ERR_SANDBOX, "overlay: %s",
                   log[0] ? log : err_system(sys));
}

int
overlay_open(const char *workspace, const char *preview, struct err *e)
{
    CLEANUP(fd_close_p) int lower = -1;
    CLEANUP(fd_close_p) int upper = -1;
    CLEANUP(fd_close_p) int work = -1;
    CLEANUP(fd_close_p) int fs = -1;
    int mount;

    if (open_view_dir(workspace, ".", false, &lower, e) < 0 ||
        open_view_dir(preview, "upper", true, &upper, e) < 0 ||
        open_view_dir(preview, "work", true, &work, e) < 0)
        return -1;
    fs = fsopen("overlay", FSOPEN_CLOEXEC);
    if (fs < 0)
        return err_set(e, ERR_SANDBOX, "overlay: %s",
                       errno == ENODEV ? "not supported by this kernel"
                                       : err_system(errno));
    if (set_dir(fs, "lowerdir", lower) < 0 ||
        set_dir(fs, "upperdir", upper) < 0 ||
        set_dir(fs, "workdir", work) < 0 ||
        fsconfig(fs, FSCONFIG_SET_FLAG, "userxattr", NULL, 0) < 0 ||
        fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
        return explain_refusal(fs, workspace, preview, errno, e);
    mount = fsmount(fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    if (mount < 0)
        return explain_refusal(fs, workspace, preview, errno, e);
    return mount;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_file.c - reads a configuration file that only its owner may write. */
#include "config/config_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/owner.h"

static int
check_config_owner(int fd, const char *path, enum config_file_owner owner,
                   struct err *e)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return err_sys(e, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_CONFIG, "%s is not a regular file", path);
    if (owner == CONFIG_FILE_ROOT &&
        owner_check_fd(fd, OWNER_ROOTS, path, e) < 0)
        return -1;
    return owner_check_file(fd, path, e);
}

/* Opens the file: *fd stays -1 when there is none. */
static int
open_file(const char *path, enum config_file_owner owner, int *fd,
          struct err *e)
{
    struct stat st;

    /* non-blocking: a FIFO must not block every command */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (*fd >= 0)
        return check_config_owner(*fd, path, owner, e);
    if (errno != ENOENT && errno != ENOTDIR)
        return err_sys(e, "%s", path);
    if (lstat(path, &st) == 0)
        return err_set(e, ERR_CONFIG, "%s is a dangling symbolic link", path);
    return 0;
}

static int
read_owned_file(const char *path, enum config_file_owner owner, struct buf *out,
                bool *there, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    if (open_file(path, owner, &fd, e) < 0)
        return -1;
    *there = fd >= 0;
    if (fd >= 0 && file_read_fd(fd, out, e) < 0)
        return err_wrap(e, "%s", path);
    return 0;
}

int
config_file_read(const char *path, enum config_file_owner owner,
                 struct buf *out, bool *there, struct err *e)
{
    if (read_owned_file(path, owner, out, there, e) == 0)
        return 0;
    if (e)
        e->code = ERR_CONFIG;
    return -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_path.c - opens what a peer's paths name, within the root if there is
 * one. */
#include "server/guest/guest_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RENAMES_MAX 100

/* The path below the root; NULL with EXDEV: it is elsewhere. */
static const char *
below_root(const struct guest_shared *sh, const char *path)
{
    size_t n = strlen(sh->root);

    if (path[0] != '/')
        return path;
    if (strcmp(sh->root, "/") == 0)
        n = 0;
    if (strncmp(path, sh->root, n) != 0 || (path[n] && path[n] != '/')) {
        errno = EXDEV;
        return NULL;
    }
    path += n + strspn(path + n, "/");
    return path[0] ? path : ".";
}

static int
open_in_root(const struct guest_shared *sh, const char *path, int flags,
             mode_t mode)
{
    struct open_how how = {.flags = (uint64_t)(unsigned)flags,
                           .mode = flags & O_CREAT ? mode : 0,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    const char *below = below_root(sh, path);
    int fd = -1;

    /* EAGAIN, as openat2(2) has it: something was renamed meanwhile */
    for (int i = 0; below && i < RENAMES_MAX; i++) {
        fd = (int)syscall(SYS_openat2, sh->root_fd, below, &how, sizeof(how));
        if (fd >= 0 || errno != EAGAIN)
            return fd;
    }
    return fd;
}

static int
open_path(const struct guest_shared *sh, const char *path, int flags,
          mode_t mode)
{
    flags |= O_CLOEXEC;
    if (!(flags & O_PATH)) /* which goes with few other flags */
        flags |= O_NONBLOCK | O_NOCTTY;
    return sh->root ? open_in_root(sh, path, flags, mode)
                    : openat(seat_fd(sh->seat), path, flags | O_CLOEXEC, mode);
}

static int
path_fault(struct err *e, const char *path)
{
    if (errno == EXDEV)
        return err_set(e, ERR_PERMISSION, "%.200s: outside the root", path);
    return err_sys(e, "%.200s", path);
}

static int
check_guest_path(const char *path, size_t n, struct err *e)
{
    if (strlen(path) != n)
        return err_set(e, ERR_IO, "nul byte found in path");
    if (n >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return err_sys(e, "%.80s...", path);
    }
    return 0;
}

int
guest_path_open(const struct guest_shared *sh, const char *path, size_t n,
                int flags, mode_t mode, struct err *e)
{
    int fd = check_guest_path(path, n, e) < 0
                 ? -2
                 : open_path(sh, path, flags, mode);

    return fd == -1 ? path_fault(e, path) : fd < 0 ? -1 : fd;
}

/* Makes the directories of a path that are missing. Returns 0, or errno of the
 * last that could not be made. */
static int
make_parents(const struct guest_shared *sh, const char *dir)
{
    char part[PATH_MAX];
    size_t n = strlen(dir);
    int sys = 0;

    for (size_t i = 1; i <= n; i++) {
        const char *slash;
        int at, made;

        if ((i < n && dir[i] != '/') || dir[i - 1] == '/')
            continue;
        memcpy(part, dir, i);
        part[i] = '\0';
        slash = strrchr(part, '/');
        at = -1;
        if (!sh->root)
            made = mkdirat(seat_fd(sh->seat), part, 0777);
        else if (slash) {
            part[slash - part] = '\0';
            at = open_path(sh, slash == part ? "/" : part, O_PATH | O_DIRECTORY,
                           0);
            made = at < 0 ? -1 : mkdirat(at, slash + 1, 0777);
        } else
            made = mkdirat(sh->root_fd, part, 0777);
        sys = made == 0 || errno == EEXIST ? 0 : errno;
        fd_close_p(&at);
    }
    return sys;
}

/* Splits a path into its directory and its last part. */
static int
split_path(const char *path, char *dir, char *name)
{
    size_t n = strlen(path), at;

    while (n > 1 && path[n - 1] == '/')
        n--;
    for (at = n; at > 0 && path[at - 1] != '/';)
        at--;
    if (n == at || n - at > NAME_MAX) {
        errno = n == 0 ? ENOENT : n == at ? EISDIR : ENAMETOOLONG;
        return -1;
    }
    memcpy(name, path + at, n - at);
    name[n - at] = '\0';
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        errno = EISDIR;
        return -1;
    }
    memcpy(dir, path, at);
    dir[at] = '\0';
    if (at == 0)
        memcpy(dir, ".", 2);
    return 0;
}

int
guest_path_open_parent(const struct guest_shared *sh, const char *path,
                       size_t n, bool make, char *name, struct err *e)
{
    char dir[PATH_MAX];
    int fd, sys;

    if (check_guest_path(path, n, e) < 0)
        return -1;
    if (split_path(path, dir, name) < 0)
        return path_fault(e, path);
    fd = open_path(sh, dir, O_PATH | O_DIRECTORY, 0);
    if (fd < 0 && errno == ENOENT && make) {
        sys = make_parents(sh, dir);
        fd = open_path(sh, dir, O_PATH | O_DIRECTORY, 0);
        if (fd < 0 && sys != 0)
            errno = sys;
    }
    return fd < 0 ? path_fault(e, path) : fd;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.c - whole files, bounded and atomic. */
#include "base/file.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/linux_calls.h"
#include "base/path.h"

#define READ_BYTES 16384
#define SYNC_STACK 16384 /* for three system calls */

int
file_read_fd(int fd, struct buf *out, struct err *e)
{
    for (;;) {
        char bytes[READ_BYTES];
        ssize_t n = read(fd, bytes, sizeof(bytes));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(e, "read");
        if (n == 0)
            return 0;
        buf_add(out, bytes, (size_t)n);
        if (buf_ok(out, "the file", e) < 0)
            return -1;
    }
}

int
file_read(const char *path, struct buf *out, struct err *e)
{
    CLEANUP(fd_close_p) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

    if (fd < 0)
        return err_sys(e, "%s", path);
    if (file_read_fd(fd, out, e) < 0)
        return err_wrap(e, "%s", path);
    return 0;
}

int
file_read_regular(const char *path, struct buf *out, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_PARSE, "%s is not a regular file", path);
    return file_read_fd(fd, out, e);
}

/* The directory part of path, "." when it has none. The caller frees it. */
static char *
dir_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A rename is only safe on disk once the directory that holds it is. */
static int
sync_dir(const char *dir, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0 || fsync(fd) < 0)
        return err_sys(e, "%s", dir);
    return 0;
}

static int
fill_and_sync(int fd, const void *bytes, size_t n, mode_t mode, struct err *e)
{
    if (fchmod(fd, mode) < 0)
        return err_sys(e, "mode");
    if (fd_write_all(fd, bytes, n, -1, e) < 0)
        return -1;
    if (fsync(fd) < 0)
        return err_sys(e, "fsync");
    return 0;
}

int
file_write(const char *path, const void *bytes, size_t n, mode_t mode,
           struct err *e)
{
    CLEANUP(free_p) char *dir = dir_of(path);
    CLEANUP(free_p) char *temp = dir ? path_join(dir, ".agentsh-XXXXXX") : NULL;
    CLEANUP(fd_close_p) int fd = -1;

    if (!temp)
        return err_set(e, ERR_NOMEM, "%s: out of memory", path);
    fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0)
        return err_sys(e, "%s", path); /* nobody named the temporary one */
    if (fill_and_sync(fd, bytes, n, mode, e) < 0) {
        unlink(temp);
        return err_wrap(e, "%s", path);
    }
    if (rename(temp, path) < 0) {
        err_sys(e, "%s", path);
        unlink(temp);
        return -1;
    }
    return sync_dir(dir, e);
}

/* A link that leads nowhere makes its target here. */
static int
write_into(const char *path, const void *bytes, size_t n, mode_t mode,
           struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, mode);

    if (fd < 0)
        return err_sys(e, "%s", path);
    if (fd_write_all(fd, bytes, n, -1, e) < 0)
        return err_wrap(e, "%s", path);
    return 0;
}

int
file_save(const char *path, const void *bytes, size_t n, mode_t mode,
          struct err *e)
{
    CLEANUP(free_p) char *target = NULL;
    struct stat st;

    if (lstat(path, &st) < 0)
        return file_write(path, bytes, n, mode, e);
    if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
        return write_into(path, bytes, n, mode, e);
    target = realpath(path, NULL);
    if (!target)
        return err_sys(e, "%s", path);
    return file_write(target, bytes, n, mode, e);
}

/* A disk that hangs holds the child, not us; SIGKILL ends it, later. */
static int
sync_alone(void *arg)
{
    int fd = (int)(intptr_t)arg;

    if (fd > 0)
        (void)linux_close_range(0, (unsigned)fd - 1, 0);
    (void)linux_close_range((unsigned)fd + 1, ~0u, 0);
    (void)fsync(fd);
    _exit(0);
}

/* A copy of all that we have in memory would cost more than what it does: the
 * child is in ours, on a stack of its own. It takes its memory with it only
 * when both are gone, so that our end does not wait for that either. */
void
file_sync_soon(int fd)
{
    char *stack = mmap(NULL, SYNC_STACK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (stack != MAP_FAILED)
        (void)clone(sync_alone, stack + SYNC_STACK, CLONE_VM | SIGCHLD,
                    (void *)(intptr_t)fd);
}

/* A home directory that is not there is nobody's to make: who has none may
 * have been given a name that says so, and root could make it. */
static int
make_dir(const char *path, mode_t mode, struct err *e)
{
    const char *home = path_home();

    if (home && path_is_below(home, path) && access(path, F_OK) < 0 &&
        errno == ENOENT)
        return err_set(e, ERR_CONFIG,
                       "the home directory %s is not there, and is not made",
                       home);
    if (mkdir(path, mode) < 0 && errno != EEXIST)
        return err_sys(e, "%s", path);
    return 0;
}

int
file_make_dirs(const char *path, mode_t mode, struct err *e)
{
    CLEANUP(free_p) char *p = strdup(path);

    if (!p)
        return err_set(e, ERR_NOMEM, "%s: out of memory", path);
    for (char *s = p + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = '\0';
        if (make_dir(p, mode, e) < 0)
            return -1;
        *s = '/';
    }
    return make_dir(p, mode, e);
}

int
file_lock_dir(const char *path, int timeout_ms, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(e, "%s", path);
    if (fd_lock(fd, timeout_ms, e) < 0)
        return err_wrap(e, "%s", path);
    return TAKE_FD(fd);
}

int
file_private_dir(const char *path, struct err *e)
{
    struct stat st;

    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return err_sys(e, "%s", path);
    if (lstat(path, &st) < 0)
        return err_sys(e, "%s", path);
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
        (st.st_mode & 077) != 0)
        return err_set(e, ERR_PERMISSION,
                       "%s: not a directory of your own with mode 0700", path);
    return 0;
}

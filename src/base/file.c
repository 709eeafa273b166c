/* SPDX-License-Identifier: GPL-3.0-or-later */
/* file.c - reads and writes whole files: reads are bounded, writes atomic. */
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

#define READ_BYTES 16384
#define SYNC_STACK 16384 /* enough for three system calls */

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

/* A file of root's may be readable by a group, as Debian's ssl-cert, or as the
 * mask of a list by which systemd shows a credential to its service. */
int
file_open_private(const char *path, bool *seen, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    bool others;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%.100s", path);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_USAGE, "%s is not a regular file", path);
    others = (st.st_mode & (st.st_uid == 0 ? 0004 : 0044)) != 0;
    if ((st.st_uid != 0 && st.st_uid != geteuid()) || (st.st_mode & 0022) ||
        (others && !seen))
        return err_set(e, ERR_USAGE,
                       "%.100s is open to others. To do: chmod 600 it, and own "
                       "it",
                       path);
    if (seen)
        *seen = others;
    return TAKE_FD(fd);
}

int
file_read_private(const char *path, struct buf *out, struct err *e)
{
    CLEANUP(fd_close_p) int fd = file_open_private(path, NULL, e);

    return fd < 0 ? -1 : file_read_fd(fd, out, e);
}

/* The directory part of path, "." when it has none. The caller frees it. */
static char *
directory_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A template for mkostemp(3) in dir; the caller frees it. */
static char *
temp_name_in(const char *dir)
{
    char *out;

    return asprintf(&out, "%s/.agentsh-XXXXXX", dir) < 0 ? NULL : out;
}

/* A rename is on the disk only once the directory is synced. */
static int
sync_directory(const char *dir, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0 || fsync(fd) < 0)
        return err_sys(e, "%s", dir);
    return 0;
}

static int
fill_file(int fd, const void *bytes, size_t n, mode_t mode, bool sync,
          struct err *e)
{
    if (fchmod(fd, mode) < 0)
        return err_sys(e, "mode");
    if (fd_write_all(fd, bytes, n, -1, e) < 0)
        return -1;
    if (sync && fsync(fd) < 0)
        return err_sys(e, "fsync");
    return 0;
}

static int
write_and_rename(const char *path, const void *bytes, size_t n, mode_t mode,
                 bool sync, struct err *e)
{
    CLEANUP(free_p) char *dir = directory_part(path);
    CLEANUP(free_p) char *temp = dir ? temp_name_in(dir) : NULL;
    CLEANUP(fd_close_p) int fd = -1;

    if (!temp)
        return err_set(e, ERR_NOMEM, "%s: out of memory", path);
    fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0)
        return err_sys(e, "%s", path); /* the user knows no temporary file */
    if (fill_file(fd, bytes, n, mode, sync, e) < 0) {
        unlink(temp);
        return err_wrap(e, "%s", path);
    }
    if (rename(temp, path) < 0) {
        err_sys(e, "%s", path);
        unlink(temp);
        return -1;
    }
    return sync ? sync_directory(dir, e) : 0;
}

int
file_write(const char *path, const void *bytes, size_t n, mode_t mode,
           struct err *e)
{
    return write_and_rename(path, bytes, n, mode, true, e);
}

int
file_write_cache(const char *path, const void *bytes, size_t n, mode_t mode,
                 struct err *e)
{
    return write_and_rename(path, bytes, n, mode, false, e);
}

/* Where path is a dangling symbolic link, this creates its target. */
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

/* A disk that hangs blocks this child, not its parent; SIGKILL ends it later.
 */
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

/* The child shares our memory (CLONE_VM), on a stack of its own, since a copy
 * would cost more than the sync. The memory is freed when both processes have
 * ended, so our exit does not wait for that either. */
void
file_sync_in_background(int fd)
{
    char *stack = mmap(NULL, SYNC_STACK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

    if (stack != MAP_FAILED)
        (void)clone(sync_alone, stack + SYNC_STACK, CLONE_VM | SIGCHLD,
                    (void *)(intptr_t)fd);
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

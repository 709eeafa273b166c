/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_write.c - replaces the contents of a file at once. */
#include "server/guest/guest_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

#define TRIES    20    /* while others replace the file, too */
#define WRITE_MS 10000 /* for a FIFO's reader, or a device */

/* Writes to what the path names. */
static int
write_in_place(const struct guest_shared *sh, const char *path, size_t n,
               const char *bytes, size_t size, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = guest_path_open(sh, path, n, O_WRONLY | O_CREAT | O_TRUNC, 0666,
                             e);

    if (fd < 0)
        return -1;
    if (fd_write_all(fd, bytes, size, WRITE_MS, e) < 0)
        return err_wrap(e, "%.200s", path);
    return 0;
}

static int
make_temp_name(char *out, size_t size)
{
    unsigned char random[8];

    if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return -1;
    snprintf(out, size, ".agentsh-%02x%02x%02x%02x%02x%02x%02x%02x", random[0],
             random[1], random[2], random[3], random[4], random[5], random[6],
             random[7]);
    return 0;
}

/* Returns 0; 1 when the directory takes no new file; -1 with e. */
static int
replace_in(int dir, const char *name, const struct stat *old, const char *bytes,
           size_t size, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;
    char temp[64];

    if (make_temp_name(temp, sizeof(temp)) < 0)
        return err_sys(e, "random bytes");
    fd = openat(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return 1;
    /* as far as the agent may: a file of another owner stays that owner's */
    if ((old && (fchown(fd, old->st_uid, old->st_gid) < 0 ||
                 fchmod(fd, old->st_mode & 07777) < 0))) {
        (void)unlinkat(dir, temp, 0);
        return 1;
    }
    if (fd_write_all(fd, bytes, size, -1, e) < 0) {
        (void)unlinkat(dir, temp, 0);
        return err_wrap(e, "%s", name);
    }
    if (renameat(dir, temp, dir, name) < 0) {
        (void)unlinkat(dir, temp, 0);
        return errno == EISDIR ? err_sys(e, "%s", name) : 1;
    }
    return 0;
}

/* Where the file really is, that a descriptor stands for. -1: nowhere, or
 * another one is there already. */
static int
find_real_path(int fd, const struct stat *st, char real[PATH_MAX])
{
    struct stat there;
    char link[64];
    ssize_t n;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    n = readlink(link, real, PATH_MAX - 1);
    real[n < 0 ? 0 : n] = '\0';
    return n > 0 && real[0] == '/' && lstat(real, &there) == 0 &&
                   there.st_dev == st->st_dev && there.st_ino == st->st_ino
               ? 0
               : -1;
}

/* Opens the directory to write in. Returns 0, 1 for a file that is written in
 * place, or 2 for one that was replaced meanwhile; *exists says whether *st is
 * of an old one. */
static int
find_target(const struct guest_shared *sh, const char *path, size_t n, int *dir,
            char *name, struct stat *st, bool *exists, struct err *e)
{
    struct err why = {0};
    CLEANUP(fd_close_p) int fd = guest_path_open(sh, path, n, O_PATH, 0, &why);
    char real[PATH_MAX];

    *exists = fd >= 0;
    if (fd < 0 && why.sys == ENOENT && n > 0 && path[n - 1] == '/') {
        errno = EISDIR; /* it is no file's name */
        return err_sys(e, "%.200s", path);
    }
    if (fd < 0 && why.sys != ENOENT) {
        *e = why;
        return -1;
    }
    if (fd >= 0) {
        if (fstat(fd, st) < 0)
            return err_sys(e, "%.200s", path);
        if (S_ISDIR(st->st_mode)) {
            errno = EISDIR;
            return err_sys(e, "%.200s", path);
        }
        if (!S_ISREG(st->st_mode))
            return 1;
        if (find_real_path(fd, st, real) < 0)
            return 2;
        path = real;
        n = strlen(real);
    }
    *dir = guest_path_open_parent(sh, path, n, true, name, e);
    if (*dir < 0)
        return -1;
    /* a link that leads nowhere is followed by the system alone */
    return !*exists && fstatat(*dir, name, st, AT_SYMLINK_NOFOLLOW) == 0;
}

int
guest_write_file(const struct guest_shared *sh, const char *path, size_t n,
                 const char *bytes, size_t size, struct err *e)
{
    CLEANUP(fd_close_p) int dir = -1;
    char name[NAME_MAX + 1];
    struct stat st;
    bool exists;
    int how = 2;

    for (int i = 0; i < TRIES && how == 2; i++)
        how = find_target(sh, path, n, &dir, name, &st, &exists, e);
    if (how == 0)
        how = replace_in(dir, name, exists ? &st : NULL, bytes, size, e);
    return how <= 0 ? how : write_in_place(sh, path, n, bytes, size, e);
}

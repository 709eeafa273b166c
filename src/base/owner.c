/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owner.c - who may write what we go by. */
#include "base/owner.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

bool
owner_is_ours(const struct stat *st)
{
    if (st->st_uid != geteuid() && st->st_uid != 0)
        return false;
    if (st->st_mode & S_IWGRP && st->st_gid != 0 && st->st_gid != st->st_uid)
        return false;
    return !(st->st_mode & S_IWOTH);
}

/* Why it is not ours, and what mends that. */
static int
refuse(const char *path, const struct stat *st, struct err *e)
{
    unsigned us = (unsigned)geteuid(), mode = (unsigned)st->st_mode & 07777;

    if (st->st_uid != us && st->st_uid != 0)
        return err_set(e, ERR_PERMISSION,
                       "%.120s belongs to another user (owner %u, mode %04o), "
                       "who may write it. To do: chown %u it, or use a home "
                       "of your own (sudo -H)",
                       path, (unsigned)st->st_uid, mode, us);
    return err_set(e, ERR_PERMISSION,
                   "%.120s may be written by others (owner %u, mode %04o). To "
                   "do: chmod go-w %.60s",
                   path, (unsigned)st->st_uid, mode, path);
}

/* Who owns / can put anything in the place of anything. In a name space of
 * users that root is not in, that is how root is called. */
static bool
owns_all(const struct stat *st)
{
    struct stat top;

    return lstat("/", &top) == 0 && top.st_uid == st->st_uid;
}

/* One directory of the way down. */
static int
check_one(const char *dir, struct err *e)
{
    struct stat st;
    bool roots;

    if (lstat(dir[0] ? dir : "/", &st) < 0)
        return err_sys(e, "%s", dir);
    roots = st.st_uid == 0 || owns_all(&st);
    if (S_ISLNK(st.st_mode)) /* its mode says nothing */
        return roots || st.st_uid == geteuid() ? 0 : refuse(dir, &st, e);
    if (owner_is_ours(&st) || (roots && st.st_mode & S_ISVTX) ||
        (roots && !(st.st_mode & (S_IWGRP | S_IWOTH))))
        return 0;
    return refuse(dir[0] ? dir : "/", &st, e);
}

int
owner_check_above(const char *path, struct err *e)
{
    char above[PATH_MAX];
    size_t n = strlen(path);

    if (n >= sizeof(above))
        return err_set(e, ERR_INVALID, "%.100s…: too long", path);
    memcpy(above, path, n + 1);
    for (char *slash = above; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (check_one(above, e) < 0)
            return -1;
        *slash = '/';
    }
    return 0;
}

int
owner_check_file(int fd, const char *path, struct err *e)
{
    char self[sizeof("/proc/self/fd/") + 12], real[PATH_MAX];
    struct stat st;
    ssize_t n;

    if (fstat(fd, &st) < 0)
        return err_sys(e, "%s", path);
    if (!owner_is_ours(&st))
        return refuse(path, &st, e);
    snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
    n = readlink(self, real, sizeof(real) - 1);
    if (n <= 0 || real[0] != '/')
        return err_set(e, ERR_PERMISSION, "%.150s: where it is cannot be known",
                       path);
    real[n] = '\0';
    if (path[0] == '/' && owner_check_above(path, e) < 0)
        return -1;
    return owner_check_above(real, e);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backup.c - what stood at a place, kept beside it. */
#include "plugins/lib/backup.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/linux_calls.h"
#include "base/path.h"
#include "plugins/lib/attributes.h"

#define CLASHES_MAX 1000 /* backups of one file in one second */
#define NAME_BYTES  8192 /* of a path and its suffix */

/* One way to keep what is at p under `name`. 0, or -1 and errno. */
typedef int backup_way(const struct place *p, const char *name);

static int
by_link(const struct place *p, const char *name)
{
    return linkat(p->dir, p->name, p->dir, name, 0);
}

static int
by_rename(const struct place *p, const char *name)
{
    return linux_renameat2(p->dir, p->name, p->dir, name, RENAME_NOREPLACE);
}

/* For file systems whose rename cannot refuse to replace. */
static int
by_link_and_unlink(const struct place *p, const char *name)
{
    int sys;

    if (by_link(p, name) < 0)
        return -1;
    if (unlinkat(p->dir, p->name, 0) == 0)
        return 0;
    sys = errno;
    (void)unlinkat(p->dir, name, 0); /* it is no backup of what stays */
    errno = sys;
    return -1;
}

/* An empty file, for a copy. */
static int
by_creation(const struct place *p, const char *name)
{
    int fd = openat(p->dir, name,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (fd < 0)
        return -1;
    return close(fd);
}

/* "/dir/x.aishell-20260102030405.bak", and "-N" for the clash N > 0. */
static char *
name_of(const struct place *p, const char *when, int clash)
{
    CLEANUP_BUF struct buf name = buf_of(NAME_BYTES);

    buf_printf(&name, "%s.aishell-%s.bak", p->real, when);
    if (clash > 0)
        buf_printf(&name, "-%d", clash);
    return buf_take(&name);
}

/* Keeps it under the first name that is free; else errno says why too. */
static int
keep(const struct place *p, backup_way *way, char **path, struct err *e)
{
    time_t now = time(NULL);
    struct tm utc;
    char when[32];

    strftime(when, sizeof(when), "%Y%m%d%H%M%S", gmtime_r(&now, &utc));
    for (int clash = 0; clash < CLASHES_MAX; clash++) {
        CLEANUP(free_p) char *name = name_of(p, when, clash);

        if (!name)
            return err_set(e, ERR_NOMEM, "%s: backup: out of memory", p->shown);
        if (way(p, path_base(name)) == 0) {
            *path = TAKE_PTR(name);
            return 0;
        }
        if (errno != EEXIST)
            break;
    }
    return err_sys(e, "%s: backup", p->shown);
}

static int
copy_into(const struct place *p, int fd, const struct stat *st,
          const char *name, struct err *e)
{
    CLEANUP(fd_close_p)
    int to = openat(p->dir, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

    if (to < 0)
        return err_sys(e, "%s: backup", p->shown);
    if (attributes_copy(fd, st, to, e) < 0)
        return err_wrap(e, "%s: backup", p->shown);
    return 0;
}

static int
keep_copy(const struct place *p, int fd, const struct stat *st, char **path,
          struct err *e)
{
    CLEANUP(free_p) char *made = NULL;

    if (fd < 0)
        return err_set(e, ERR_PERMISSION, "%s: backup: cannot be read",
                       p->shown);
    if (keep(p, by_creation, &made, e) < 0)
        return -1;
    if (copy_into(p, fd, st, path_base(made), e) < 0) {
        backup_drop(p, made);
        return -1;
    }
    *path = TAKE_PTR(made);
    return 0;
}

/* Whether the name that was made is the file that was looked at. */
static bool
is_same(const struct place *p, const char *path, const struct stat *st)
{
    struct stat made;

    return fstatat(p->dir, path_base(path), &made, AT_SYMLINK_NOFOLLOW) == 0 &&
           made.st_ino == st->st_ino && made.st_dev == st->st_dev;
}

/* A second name is refused for another's file, and unknown to FAT. */
static bool
may_copy(int sys)
{
    return sys == EPERM || sys == EOPNOTSUPP || sys == EMLINK || sys == ENOSYS;
}

int
backup_keep(const struct place *p, int fd, const struct stat *st, char **path,
            struct err *e)
{
    CLEANUP(free_p) char *made = NULL;

    if (st->st_nlink > 1)
        return keep_copy(p, fd, st, path, e);
    if (keep(p, by_link, &made, e) < 0)
        return may_copy(errno) ? keep_copy(p, fd, st, path, e) : -1;
    if (!is_same(p, made, st)) {
        backup_drop(p, made);
        return err_set(e, ERR_IO, "%s: changed in the meantime", p->shown);
    }
    *path = TAKE_PTR(made);
    return 0;
}

int
backup_move(const struct place *p, char **path, struct err *e)
{
    if (keep(p, by_rename, path, e) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    return keep(p, by_link_and_unlink, path, e);
}

void
backup_drop(const struct place *p, const char *path)
{
    (void)unlinkat(p->dir, path_base(path), 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replace.c - new bytes for a file, all of them or none. */
#include "plugins/lib/replace.h"

#include <fcntl.h>

#include "base/fd.h"
#include "plugins/lib/attributes.h"
#include "plugins/lib/backup.h"
#include "plugins/lib/temp.h"

#define NEW_MODE 0644

/* Everything that may find the disk full, before anything is changed. */
static int
fill(struct temp *t, const struct replace_want *want, int old,
     const struct stat *st, struct err *e)
{
    if (fd_write_all(t->fd, want->bytes, want->n, -1, e) < 0)
        return -1;
    if (st && attributes_give(old, st, t->fd, e) < 0)
        return -1;
    if (want->mode != REPLACE_KEEP_MODE &&
        fchmod(t->fd, (mode_t)want->mode) < 0)
        return err_sys(e, "mode");
    if (fsync(t->fd) < 0)
        return err_sys(e, "fsync");
    return 0;
}

static bool
is_unchanged(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int
check_seen(const struct place *p, const struct replace_want *want,
           struct err *e)
{
    struct stat now;

    if (!want->seen)
        return 0;
    if (place_stat(p, &now, e) < 0)
        return -1;
    if (!is_unchanged(want->seen, &now))
        return err_set(e, ERR_IO, "%s: changed in the meantime", p->shown);
    return 0;
}

int
replace_sync(const struct place *p, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = openat(p->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0 && errno == EACCES)
        return 0; /* may be written and not read */
    if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
        return err_sys(e, "%s: the directory", p->shown);
    return 0;
}

static int
replace_new(const struct place *p, const struct replace_want *want,
            struct err *e)
{
    CLEANUP(temp_done) struct temp t = {.fd = -1};
    bool plain = want->mode == REPLACE_KEEP_MODE;

    if (temp_open(&t, p, plain ? NEW_MODE : 0600, e) < 0)
        return -1;
    if (fill(&t, want, -1, NULL, e) < 0)
        return err_wrap(e, "%s", p->shown);
    return temp_settle(&t, p, want->exclusive ? TEMP_EXCLUSIVE : TEMP_NEW, e);
}

static int
replace_old(const struct place *p, const struct replace_want *want,
            const struct stat *st, int old, struct replaced *out, struct err *e)
{
    CLEANUP(temp_done) struct temp t = {.fd = -1};

    if (temp_open(&t, p, 0600, e) < 0)
        return -1;
    if (fill(&t, want, old, st, e) < 0)
        return err_wrap(e, "%s", p->shown);
    if (check_seen(p, want, e) < 0)
        return -1;
    if (want->backup && backup_keep(p, old, st, &out->backup_path, e) < 0)
        return -1;
    if (temp_settle(&t, p, TEMP_OVER, e) == 0)
        return 0;
    if (out->backup_path)
        backup_drop(p, out->backup_path);
    return -1;
}

/* The file that is there, for what is to be kept of it; -1 without an error
 * where it may be written and not read. */
static int
open_old(const struct place *p, struct stat *st, int *fd, struct err *e)
{
    if (place_check_file(p, st, e) < 0)
        return -1;
    if (faccessat(p->dir, p->name, W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(e, "%s", p->shown);
    errno = 0;
    *fd = place_open_file(p, st, e);
    return *fd < 0 && errno != EACCES ? -1 : 0;
}

int
replace_file(const struct place *p, const struct replace_want *want,
             struct replaced *out, struct err *e)
{
    CLEANUP(replaced_done) struct replaced r = {0};
    CLEANUP(fd_close_p) int old = -1;
    struct stat st;
    int rc;

    r.created = fstatat(p->dir, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0;
    if (r.created && errno != ENOENT)
        return err_sys(e, "%s", p->shown);
    if (!r.created && want->exclusive) {
        errno = EEXIST;
        return err_sys(e, "%s", p->shown);
    }
    if (!r.created && open_old(p, &st, &old, e) < 0)
        return -1;
    rc = r.created ? replace_new(p, want, e)
                   : replace_old(p, want, &st, old, &r, e);
    if (rc < 0 || replace_sync(p, e) < 0)
        return -1;
    r.others = r.created ? 0 : (int64_t)st.st_nlink - 1;
    *out = r;
    r = (struct replaced){0};
    return 0;
}

void
replaced_done(struct replaced *r)
{
    free(r->backup_path);
    *r = (struct replaced){0};
}

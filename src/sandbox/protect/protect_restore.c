/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protect_restore.c - copies protected files before a command and puts them
 * back, where nothing can be bound. */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "sandbox/protect/protect_internal.h"

/* Hooks and configurations are small; a larger file is not copied, and is set
 * aside if it was changed. */
#define FILE_MAX  (1u << 20)
#define TOTAL_MAX (16u << 20)
#define LEVELS    16 /* levels of directories in one that is kept as a whole */

struct protect_copy {
    char *path; /* below the root */
    struct stat st;
    struct buf bytes; /* of a file, or a link's target */
    bool pin;         /* only its path matters */
    bool blind;       /* it has no bytes: only a change is noticed */
};

struct taking {
    struct protect *p;
    size_t bytes;
};

static int copy_protected_path(struct taking *t, const char *path, bool pin,
                               int level, struct err *e);

static struct protect_copy *
new_copy(struct protect *p, const char *path, struct err *e)
{
    struct protect_copy *copies = protect_grow(p->copies, p->n_copies,
                                               sizeof(*copies), e);
    char *name = copies ? strdup(path) : NULL;

    if (copies)
        p->copies = copies;
    if (!name)
        return NULL;
    copies[p->n_copies] = (struct protect_copy){.path = name,
                                                .bytes = buf_of(FILE_MAX)};
    return &copies[p->n_copies++];
}

/* Reads a file; -1: not all of it could be read. */
static int
read_bytes(const struct protect *p, const char *path, const struct stat *st,
           struct buf *out)
{
    bool link = S_ISLNK(st->st_mode);
    CLEANUP(fd_close_p)
    int fd = protect_reopen(p, path, link ? O_PATH : O_RDONLY | O_NONBLOCK);
    char target[PATH_MAX];
    ssize_t n;

    if (fd < 0)
        return -1;
    if (!link)
        return file_read_fd(fd, out, NULL);
    n = readlinkat(fd, "", target, sizeof(target));
    if (n < 0 || n == sizeof(target))
        return -1;
    buf_add(out, target, (size_t)n);
    return out->bad ? -1 : 0;
}

struct inner {
    struct taking *t;
    int level;
};

/* Calls visit for each name in a directory below the root; -1: a call failed,
 * or the directory cannot be listed. */
static int
each_entry(const struct protect *p, const char *path,
           int (*visit)(void *arg, const char *path, const char *name),
           void *arg)
{
    int fd = protect_reopen(p, path, O_RDONLY | O_DIRECTORY);
    CLEANUP(dir_close_p) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;

    if (!dir) {
        fd_close_p(&fd);
        return -1;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            visit(arg, path, entry->d_name) < 0)
            return -1;
    }
    return 0;
}

static int
copy_inner_entry(void *arg, const char *path, const char *name)
{
    const struct inner *i = arg;
    CLEANUP(free_p) char *below = protect_join(path, name, NULL);

    return below ? copy_protected_path(i->t, below, false, i->level + 1, NULL)
                 : -1;
}

/* Copies a file. For one that cannot be read, or is too large, only its ctime
 * is kept, which tells whether it was changed. A directory that cannot be
 * listed is closed to the command as well. */
static int
copy_for_restore(struct taking *t, struct protect_copy *c)
{
    if (S_ISREG(c->st.st_mode) || S_ISLNK(c->st.st_mode))
        c->blind = t->bytes > TOTAL_MAX ||
                   read_bytes(t->p, c->path, &c->st, &c->bytes) < 0;
    else
        c->blind = true;
    t->bytes += c->bytes.len;
    return 0;
}

static int
copy_protected_path(struct taking *t, const char *path, bool pin, int level,
                    struct err *e)
{
    CLEANUP(fd_close_p) int fd = protect_reopen(t->p, path, O_PATH);
    CLEANUP(fd_close_p) int list = -1;
    struct protect_copy *c = fd < 0 ? NULL : new_copy(t->p, path, e);
    struct inner inner = {t, level};

    if (!c || fstat(fd, &c->st) < 0)
        return -1;
    c->pin = pin;
    if (pin)
        return 0;
    if (S_ISDIR(c->st.st_mode))
        list = protect_reopen(t->p, path, O_RDONLY | O_DIRECTORY);
    if (list < 0)
        return copy_for_restore(t, c);
    return level < LEVELS ? each_entry(t->p, path, copy_inner_entry, &inner)
                          : -1;
}

static bool
is_lent(const struct protect *p, const char *path)
{
    for (size_t i = 0; i < p->n_placeholders; i++)
        if (strcmp(p->placeholders[i].path, path) == 0)
            return true;
    return false;
}

void
protect_copy(struct protect *p)
{
    struct taking t = {.p = p};

    p->loose = true;
    p->copied = p->dir >= 0;
    for (size_t i = 0; i < p->n_paths && p->copied; i++) {
        const struct protect_path *at = &p->paths[i];

        if (!is_lent(p, at->path))
            p->copied = copy_protected_path(&t, at->path, at->writable, 0,
                                            NULL) == 0;
    }
}

void
protect_copies_done(struct protect *p)
{
    for (size_t i = 0; i < p->n_copies; i++) {
        free(p->copies[i].path);
        buf_done(&p->copies[i].bytes);
    }
    free(p->copies);
    p->copies = NULL;
    p->n_copies = 0;
}

static bool
is_same_file(const struct protect *p, const struct protect_copy *c,
             const struct stat *now)
{
    CLEANUP_BUF struct buf bytes = buf_of(FILE_MAX);

    if (now->st_ino != c->st.st_ino || now->st_dev != c->st.st_dev ||
        now->st_nlink > c->st.st_nlink || now->st_size != c->st.st_size)
        return false;
    return read_bytes(p, c->path, now, &bytes) == 0 &&
           bytes.len == c->bytes.len &&
           (bytes.len == 0 || memcmp(bytes.p, c->bytes.p, bytes.len) == 0);
}

/* Returns whether an entry is as it was. A directory only has to be the same
 * one; its entries are compared later. */
static bool
is_as_copied(const struct protect *p, const struct protect_copy *c,
             const struct stat *now)
{
    if (now->st_mode != c->st.st_mode || now->st_uid != c->st.st_uid ||
        now->st_gid != c->st.st_gid)
        return false;
    if (S_ISDIR(now->st_mode))
        return now->st_ino == c->st.st_ino && now->st_dev == c->st.st_dev;
    return is_same_file(p, c, now);
}

/* Creates an entry again from its copy. */
static int
make_again(int dir, const char *name, const struct protect_copy *c)
{
    CLEANUP(fd_close_p) int fd = -1;
    const char *bytes = c->bytes.p ? c->bytes.p : "";

    if (S_ISLNK(c->st.st_mode))
        return symlinkat(bytes, dir, name);
    if (S_ISDIR(c->st.st_mode)) {
        if (mkdirat(dir, name, 0700) < 0)
            return -1;
        fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    } else {
        fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0 && fd_write_all(fd, bytes, c->bytes.len, -1, NULL) < 0)
            return -1;
    }
    if (fd < 0)
        return -1;
    if (c->st.st_uid != geteuid() || c->st.st_gid != getegid())
        (void)!fchown(fd, c->st.st_uid,
                      c->st.st_gid); /* as far as we are allowed to */
    return fchmod(fd, c->st.st_mode & 07777);
}

/* Puts an entry back. 0: it is as it was before. */
static int
restore_entry(const struct protect_scan *s, const struct protect_copy *c)
{
    const char *slash = strrchr(c->path, '/');
    const char *name = slash ? slash + 1 : c->path;
    CLEANUP(free_p)
    char *above = strndup(c->path, slash ? (size_t)(slash - c->path) : 0);
    CLEANUP(fd_close_p)
    int dir = above ? protect_reopen(s->p, above, O_RDONLY | O_DIRECTORY) : -1;
    struct protect_place at = {.fd = dir, .path = above};
    struct stat now;

    if (dir < 0)
        return -1;
    if (fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) == 0) {
        if (is_as_copied(s->p, c, &now))
            return 0;
        protect_set_aside(s, &at, name);
    }
    if (make_again(dir, name, c) < 0)
        return -1;
    protect_report(s, PROTECT_BACK, c->path);
    return 0;
}

static bool
has_copy(const struct protect *p, const char *path)
{
    for (size_t i = 0; i < p->n_copies; i++)
        if (strcmp(p->copies[i].path, path) == 0)
            return true;
    return is_lent(p, path);
}

/* Sets aside new entries of a directory that is kept as a whole. */
static int
drop_new(void *arg, const char *path, const char *name)
{
    const struct protect_scan *s = arg;
    CLEANUP(free_p) char *below = protect_join(path, name, NULL);
    CLEANUP(fd_close_p) int fd = -1;
    struct protect_place at = {.path = path};

    if (!below || has_copy(s->p, below) || protect_is_aside(s->p, name))
        return 0;
    at.fd = fd = protect_reopen(s->p, path, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return -1;
    protect_set_aside(s, &at, name);
    return 0;
}

/* Returns whether an entry that cannot be put back is unchanged and in its
 * place. */
static bool
is_still_there(const struct protect *p, const struct protect_copy *c)
{
    CLEANUP(fd_close_p) int fd = protect_reopen(p, c->path, O_PATH);
    struct stat now;

    if (fd < 0 || fstat(fd, &now) < 0 || now.st_ino != c->st.st_ino ||
        now.st_dev != c->st.st_dev)
        return false;
    return c->pin || clock_is_same(&now.st_ctim, &c->st.st_ctim);
}

static bool
is_only_watched(const struct protect_copy *c)
{
    return c->pin || c->blind;
}

void
protect_restore(const struct protect_scan *s)
{
    struct protect *p = s->p;
    bool all = p->copied;
    size_t i;

    /* a directory was moved, and something else is at its path now */
    for (i = 0; i < p->n_copies && all; i++)
        all = !is_only_watched(&p->copies[i]) ||
              is_still_there(p, &p->copies[i]);
    for (i = 0; i < p->n_copies && all; i++)
        all = is_only_watched(&p->copies[i]) ||
              restore_entry(s, &p->copies[i]) == 0;
    for (i = 0; i < p->n_copies && all; i++) {
        const struct protect_copy *c = &p->copies[i];

        if (!is_only_watched(c) && S_ISDIR(c->st.st_mode))
            all = each_entry(p, c->path, drop_new, (void *)(uintptr_t)s) == 0;
    }
    p->loose = !all;
}

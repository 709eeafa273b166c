/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beneath.c - accesses files below a directory that others may be changing. */
#include "sandbox/preview/beneath.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/cleanup.h"

static int
open_resolved(int root, const char *path, int flags, uint64_t resolve)
{
    struct open_how how = {
        .flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | resolve,
    };

    if (!(flags & O_PATH)) /* O_PATH can be combined with few other flags */
        how.flags |= O_NONBLOCK | O_NOCTTY;
    return (int)syscall(SYS_openat2, root, path[0] ? path : ".", &how,
                        sizeof(how));
}

int
beneath_open(int root, const char *path, int flags)
{
    return open_resolved(root, path, flags, RESOLVE_NO_SYMLINKS);
}

/* EAGAIN: something was renamed meanwhile, so that the kernel cannot tell
 * whether a ".." stays below (openat2(2)). */
#define FOLLOW_TRIES 16

int
beneath_follow(int root, const char *path, int flags)
{
    int fd = -1;

    for (int i = 0; i < FOLLOW_TRIES; i++) {
        fd = open_resolved(root, path, flags, 0);
        if (fd >= 0 || errno != EAGAIN)
            break;
    }
    return fd;
}

int
beneath_parent(int root, const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    char dir[PATH_MAX];
    size_t n = slash ? (size_t)(slash - path) : 0;

    if (n >= sizeof(dir)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(dir, path, n);
    dir[n] = '\0';
    *name = slash ? slash + 1 : path;
    return beneath_open(root, dir, O_PATH | O_DIRECTORY);
}

int
beneath_stat(int root, const char *path, struct stat *st)
{
    const char *name;
    CLEANUP(fd_close_p) int dir = beneath_parent(root, path, &name);

    if (dir < 0)
        return -1;
    return fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW);
}

int
beneath_paths_add(struct beneath_paths *p, const char *dir, const char *name,
                  struct err *e)
{
    bool top = !dir[0] || strcmp(dir, ".") == 0;
    char *path = NULL;

    if (p->n == p->room) {
        size_t room = p->room ? 2 * p->room : 16;
        char **v = reallocarray(p->v, room, sizeof(*v));

        if (!v)
            return err_nomem(e);
        p->v = v;
        p->room = room;
    }
    if (asprintf(&path, "%s%s%s", top ? "" : dir, top ? "" : "/", name) < 0)
        return err_nomem(e);
    p->v[p->n++] = path;
    return 0;
}

void
beneath_paths_done(struct beneath_paths *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->v[i]);
    free(p->v);
    *p = (struct beneath_paths){0};
}

/* A walk: the directories that are still to be read. */
struct beneath_walk {
    int root;
    bool force;
    beneath_cb *cb;
    void *arg;
    struct beneath_paths dirs;
    int *tags; /* one for each directory */
    size_t tags_room;
};

static void
beneath_walk_done(struct beneath_walk *w)
{
    beneath_paths_done(&w->dirs);
    free(w->tags);
}

static int
walk_push(struct beneath_walk *w, const char *dir, const char *name, int tag,
          struct err *e)
{
    if (w->dirs.n == w->tags_room) {
        size_t room = w->tags_room ? 2 * w->tags_room : 16;
        int *tags = reallocarray(w->tags, room, sizeof(*tags));

        if (!tags)
            return err_nomem(e);
        w->tags = tags;
        w->tags_room = room;
    }
    if (beneath_paths_add(&w->dirs, dir, name, e) < 0)
        return -1;
    w->tags[w->dirs.n - 1] = tag;
    return 0;
}

/* Gives a directory's owner all rights to it. If a link has replaced it, the
 * target is not touched. */
static int
add_owner_rights(int root, const char *path)
{
    CLEANUP(fd_close_p) int fd = beneath_open(root, path, O_PATH | O_DIRECTORY);
    char self[32];
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return -1;
    if ((st.st_mode & 0700) == 0700)
        return 0;
    snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
    return chmod(self, (st.st_mode & 07777) | 0700);
}

static DIR *
open_walked_dir(const struct beneath_walk *w, const char *path)
{
    CLEANUP(fd_close_p) int fd = -1;
    DIR *d;

    if (w->force)
        (void)add_owner_rights(w->root,
                               path); /* if it failed, opening fails next */
    fd = beneath_open(w->root, path, O_RDONLY | O_DIRECTORY);
    d = fd < 0 ? NULL : fdopendir(fd);
    if (d)
        fd = -1;
    return d;
}

/* Visits one entry of a directory. */
static int
visit_beneath_entry(struct beneath_walk *w, DIR *d, const char *dir,
                    const char *name, int tag, struct err *e)
{
    CLEANUP(beneath_paths_done) struct beneath_paths path = {0};
    struct beneath_entry x = {.dir = dirfd(d), .name = name, .tag = tag};
    int inside;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return 0;
    if (beneath_paths_add(&path, dir, name, e) < 0)
        return -1;
    x.path = path.v[0];
    if (fstatat(x.dir, name, &x.st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : err_sys(e, "%s", x.path);
    inside = w->cb(w->arg, &x, e);
    if (inside == -1)
        return -1;
    if (S_ISDIR(x.st.st_mode) && inside != BENEATH_SKIP)
        return walk_push(w, dir, name, inside, e);
    return 0;
}

static int
read_dir(struct beneath_walk *w, const char *path, int tag, struct err *e)
{
    CLEANUP(dir_close_p) DIR *d = open_walked_dir(w, path);
    const struct dirent *entry;

    if (!d)
        return err_sys(e, "%s", path);
    for (;;) {
        errno = 0;
        entry = readdir(d);
        if (!entry)
            return errno ? err_sys(e, "%s", path) : 0;
        if (visit_beneath_entry(w, d, path, entry->d_name, tag, e) < 0)
            return -1;
    }
}

int
beneath_walk(int root, const char *path, bool force, int tag, beneath_cb *cb,
             void *arg, struct err *e)
{
    CLEANUP(beneath_walk_done)
    struct beneath_walk w = {
        .root = root, .force = force, .cb = cb, .arg = arg};

    if (walk_push(&w, "", path, tag, e) < 0)
        return -1;
    while (w.dirs.n > 0) {
        CLEANUP(free_p) char *dir = w.dirs.v[--w.dirs.n];

        if (read_dir(&w, dir, w.tags[w.dirs.n], e) < 0)
            return -1;
    }
    return 0;
}

/* Removes files during the walk; directories are collected, and removed after
 * it. */
static int
remove_entry(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct beneath_paths *dirs = arg;

    if (S_ISDIR(x->st.st_mode))
        return beneath_paths_add(dirs, "", x->path, e);
    if (unlinkat(x->dir, x->name, 0) < 0 && errno != ENOENT)
        return err_sys(e, "%s", x->path);
    return 0;
}

static int
remove_one(int root, const char *path, int flags, struct err *e)
{
    const char *name;
    CLEANUP(fd_close_p) int dir = beneath_parent(root, path, &name);

    if (dir < 0 || unlinkat(dir, name, flags) < 0)
        return errno == ENOENT ? 0 : err_sys(e, "%s", path);
    return 0;
}

int
beneath_remove(int root, const char *path, struct err *e)
{
    CLEANUP(beneath_paths_done) struct beneath_paths dirs = {0};
    struct stat st;

    if (beneath_stat(root, path, &st) < 0)
        return errno == ENOENT ? 0 : err_sys(e, "%s", path);
    if (!S_ISDIR(st.st_mode))
        return remove_one(root, path, 0, e);
    if (beneath_walk(root, path, true, 0, remove_entry, &dirs, e) < 0)
        return -1;
    while (dirs.n > 0) {
        CLEANUP(free_p) char *dir = dirs.v[--dirs.n];

        if (remove_one(root, dir, AT_REMOVEDIR, e) < 0)
            return -1;
    }
    return remove_one(root, path, AT_REMOVEDIR, e);
}

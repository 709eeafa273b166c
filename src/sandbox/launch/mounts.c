/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mounts.c - mounts the view of the files that a confined child gets. */
#include "sandbox/launch/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "sandbox/kernel.h"
#include "sandbox/launch/limits.h"
#include "sandbox/preview/overlay.h"
#include "sandbox/spec.h"

#define QUIET (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
#define FIXED (QUIET | MOUNT_ATTR_RDONLY)
/* Bytes of the name of a directory in the private tmpfs. */
#define NAME_SIZE 24

static int
set_flags(int tree, const char *path, unsigned flags, uint64_t set,
          uint64_t clear)
{
    struct mount_attr attr = {.attr_set = set, .attr_clr = clear};

    return mount_setattr(tree, path, flags, &attr, sizeof(attr));
}

/* Clones what is mounted at path as a detached mount; -1 with errno. */
static int
clone_tree(int at, const char *path, unsigned flags)
{
    return open_tree(at, path,
                     OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE |
                         AT_SYMLINK_NOFOLLOW | flags);
}

static int
attach_tree_at(int tree, int at, const char *path)
{
    unsigned flags = MOVE_MOUNT_F_EMPTY_PATH;

    return move_mount(tree, "", at, path,
                      *path ? flags : flags | MOVE_MOUNT_T_EMPTY_PATH);
}

/* Opens the copy of the workspace, which is mounted over the workspace. */
static int
clone_copy(const char *preview, struct err *e)
{
    CLEANUP(fd_close_p)
    int top = open(preview, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    CLEANUP(fd_close_p)
    int tree = top < 0 ? -1 : clone_tree(top, "upper", 0);

    if (tree < 0 ||
        set_flags(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, QUIET, 0) < 0)
        return sandbox_layer_missing_at(e, SANDBOX_LAYER_MOUNTS, preview);
    return TAKE_FD(tree);
}

static int
clone_bind(const struct sandbox_spec *s, const struct bind *b, struct err *e)
{
    uint64_t flags = b->kind == BIND_READ ? FIXED : QUIET;
    CLEANUP(fd_close_p) int at = binds_open_real(b->real);
    CLEANUP(fd_close_p) int tree = -1;

    if (at < 0)
        return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS, b->real);
    if (b->kind == BIND_COPY && s->copied)
        return clone_copy(s->preview, e);
    if (b->kind == BIND_COPY)
        return overlay_open(b->real, s->preview, e);
    tree = clone_tree(at, "", AT_EMPTY_PATH);
    if (tree < 0 ||
        set_flags(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, flags, 0) < 0)
        return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS, b->real);
    return TAKE_FD(tree);
}

/* Notes the shape of a secret file in the workspace, which git compares. */
static void
note_shape(struct mounts_shape *out, const struct sandbox_spec *s,
           const struct bind *b)
{
    struct stat st;

    *out = (struct mounts_shape){0};
    if (b->kind != BIND_SECRET || b->directory || !s->workspace ||
        !path_is_below(b->real, s->workspace) || lstat(b->real, &st) < 0)
        return;
    *out = (struct mounts_shape){.own = true,
                                 .executable = st.st_mode & 0111,
                                 .size = st.st_size,
                                 .changed = st.st_mtim};
}

int
mounts_open(struct mounts *m, const struct sandbox_spec *s,
            const struct binds *b, struct err *e)
{
    m->room_bytes = limits_tmpfs_bytes(s);
    m->room = -1;
    for (size_t i = 0; i < b->n; i++) {
        m->trees[i] = -1;
        note_shape(&m->shapes[i], s, &b->at[i]);
        if (b->at[i].kind < BIND_READ)
            continue;
        m->trees[i] = clone_bind(s, &b->at[i], e);
        if (m->trees[i] < 0)
            return -1;
    }
    return 0;
}

/* Returns how large a file we may create: ulimit -f may be lower than the size
 * of an existing file, and SIGXFSZ would end this process. */
static off_t
allowed_size(off_t size)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_FSIZE, &files) < 0 ||
        files.rlim_cur == RLIM_INFINITY || (rlim_t)size <= files.rlim_cur)
        return size;
    return (off_t)files.rlim_cur;
}

/* Creates the file that stands in for a hidden one; -1 with errno. It is not
 * empty, so that readers are told that it is hidden. */
static int
make_file(int root, const struct bind *b, const struct mounts_shape *like,
          const char *name)
{
    mode_t mode = b->kind == BIND_SECRET ? like->executable : 0444;
    const struct timespec times[2] = {like->changed, like->changed};
    CLEANUP(fd_close_p)
    int fd = openat(root, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

    if (fd < 0 || !like->own)
        return fd < 0 ? -1 : 0;
    return ftruncate(fd, allowed_size(like->size)) < 0 ? -1
                                                       : futimens(fd, times);
}

/* Creates the directory or file that stands in for a hidden one; -1 with errno.
 * A listing of the directory says that it is hidden, too. */
static int
make_hidden(int root, const struct bind *b, const struct mounts_shape *like,
            const char *name)
{
    mode_t mode = b->kind == BIND_EMPTY    ? 01777
                  : b->kind == BIND_SECRET ? 0111
                                           : 0755;

    return b->directory ? mkdirat(root, name, mode)
                        : make_file(root, b, like, name);
}

static int
mount_room(const struct mounts *m, const char *where)
{
    char options[64];

    if (m->room >= 0)
        return attach_tree_at(m->room, AT_FDCWD, where);
    snprintf(options, sizeof(options), "mode=0755,size=%" PRIu64,
             m->room_bytes);
    return mount("tmpfs", where, "tmpfs", MS_NOSUID | MS_NODEV, options);
}

/* The names of what stands in for files and for directories. */
static const char *const alike[] = {"file", "directory"};

/* Returns whether one empty directory, or one file, can stand in for this entry
 * and all others like it. */
static bool
is_hidden_alike(const struct bind *b, const struct mounts_shape *like)
{
    return b->kind == BIND_SECRET && !(b->directory && b->holds) && !like->own;
}

/* Creates a directory or file for each hidden place that needs its own. The
 * first hidden place holds all of them until its own is mounted on top; it
 * becomes our working directory, so that binding one of them is a single call.
 * What is bound from a read-only mount is read-only. */
static int
make_private(const char *where, const struct binds *b, struct mounts *m,
             struct err *e)
{
    CLEANUP(fd_close_p) int root = -1;

    if (mount_room(m, where) < 0)
        return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS, where);
    root = open(where, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0 || fchdir(root) < 0)
        return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS, where);
    for (size_t i = 0; i < b->n; i++) {
        char name[NAME_SIZE];

        snprintf(name, sizeof(name), "%zu", i);
        if (m->trees[i] >= 0 || is_hidden_alike(&b->at[i], &m->shapes[i]))
            continue;
        if (make_hidden(root, &b->at[i], &m->shapes[i], name) < 0)
            return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS,
                                           b->at[i].real);
        if (b->at[i].kind != BIND_EMPTY &&
            (m->trees[i] = clone_tree(root, name, 0)) < 0)
            return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS,
                                           b->at[i].real);
    }
    for (int directory = 0; directory <= 1; directory++) {
        struct bind one = {.kind = BIND_SECRET, .directory = directory};
        struct mounts_shape none = {0};

        if (make_hidden(root, &one, &none, alike[directory]) < 0)
            return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS, where);
    }
    if (set_flags(root, "", AT_EMPTY_PATH, FIXED, 0) < 0)
        return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS, where);
    return 0;
}

static int
attach_hidden(const struct binds *b, struct mounts *m, struct err *e)
{
    for (size_t i = 0; i < b->n; i++) {
        if (m->trees[i] < 0 && b->at[i].directory)
            return make_private(b->at[i].real, b, m, e);
    }
    return 0;
}

/* Creates a mount point in a hidden place, to show something there again. */
static int
make_mount_point(const char *path, bool directory)
{
    char parent[PATH_MAX];
    size_t n = strlen(path);

    if (access(path, F_OK) == 0)
        return 0;
    if (n >= sizeof(parent))
        return -1;
    memcpy(parent, path, n + 1);
    for (char *p = parent + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        if (mkdir(parent, 0755) < 0 && errno != EEXIST && errno != EROFS)
            return -1;
        *p = '/';
    }
    return directory ? mkdir(path, 0755) : mknod(path, S_IFREG | 0444, 0);
}

/* Creates the link by which the workspace is reached, below a hidden place. */
static void
make_link(const struct bind *b)
{
    if (strcmp(b->given, b->real) == 0 || access(b->given, F_OK) == 0 ||
        make_mount_point(b->given, true) < 0 || rmdir(b->given) < 0)
        return;
    (void)!symlink(b->real, b->given);
}

static int
attach_private(size_t i, const struct bind *b)
{
    char name[NAME_SIZE];

    if (b->kind != BIND_EMPTY)
        return mount(alike[b->directory], b->real, NULL, MS_BIND, NULL);
    snprintf(name, sizeof(name), "%zu", i);
    if (mount(name, b->real, NULL, MS_BIND, NULL) < 0)
        return -1;
    return set_flags(AT_FDCWD, b->real, 0, 0, MOUNT_ATTR_RDONLY);
}

static int
attach_bind(int tree, size_t i, const struct bind *b)
{
    return tree < 0 ? attach_private(i, b)
                    : attach_tree_at(tree, AT_FDCWD, b->real);
}

/* Mounts one entry of the list. Most mount points exist already. */
static int
attach_one(int tree, size_t i, const struct bind *b)
{
    if (attach_bind(tree, i, b) == 0)
        return 0;
    if (errno != ENOENT || make_mount_point(b->real, b->directory) < 0)
        return -1;
    return attach_bind(tree, i, b);
}

static int
attach_all_binds(const struct binds *b, const struct mounts *m, struct err *e)
{
    for (size_t i = 0; i < b->n; i++) {
        if (attach_one(m->trees[i], i, &b->at[i]) < 0)
            return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS,
                                           b->at[i].real);
    }
    for (size_t i = 0; i < b->n; i++)
        make_link(&b->at[i]);
    return 0;
}

/* Makes the hidden places read-only, when everything in them is mounted. */
static int
close_hidden(const struct binds *b, const struct mounts *m, struct err *e)
{
    for (size_t i = 0; i < b->n; i++) {
        enum bind_kind kind = b->at[i].kind;

        if ((kind == BIND_HOME || kind == BIND_SECRET) &&
            !is_hidden_alike(&b->at[i], &m->shapes[i]) &&
            set_flags(m->trees[i], "", AT_EMPTY_PATH, FIXED, 0) < 0)
            return sandbox_layer_closed_at(e, SANDBOX_LAYER_MOUNTS,
                                           b->at[i].real);
    }
    return 0;
}

/* Another command may be running in the same directory, so no part of the path
 * may be a link. */
static int
protect_path(int root, const struct protect_path *p)
{
    struct open_how how = {
        .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
    };
    CLEANUP(fd_close_p)
    int at = (int)syscall(SYS_openat2, root, p->path, &how, sizeof(how));
    CLEANUP(fd_close_p) int tree = -1;
    uint64_t flags = p->writable ? QUIET : FIXED;

    if (at < 0)
        return -1;
    tree = clone_tree(at, "", AT_EMPTY_PATH);
    if (tree < 0 ||
        set_flags(tree, "", AT_EMPTY_PATH | AT_RECURSIVE, flags, 0) < 0)
        return -1;
    return attach_tree_at(tree, at, "");
}

int
mounts_protect(const struct protect *kept, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        CLEANUP(fd_close_p) int root = binds_open_real(kept[i].root);

        for (size_t j = 0; j < kept[i].n_paths; j++) {
            if (protect_path(root, &kept[i].paths[j]) < 0)
                return sandbox_layer_missing_at(e, "protected path",
                                                kept[i].paths[j].path);
        }
    }
    return 0;
}

/* Makes the whole view read-only and private: what is mounted outside later
 * does not appear in it. */
static int
close_root(struct err *e)
{
    struct mount_attr attr = {.attr_set = FIXED, .propagation = MS_PRIVATE};

    if (mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &attr, sizeof(attr)) < 0)
        return sandbox_layer_missing(e, SANDBOX_LAYER_MOUNTS);
    return 0;
}

int
mounts_attach(struct mounts *m, const struct binds *b, struct err *e)
{
    mode_t mask = umask(0);

    if (close_root(e) < 0 || attach_hidden(b, m, e) < 0 ||
        attach_all_binds(b, m, e) < 0 || close_hidden(b, m, e) < 0)
        return -1;
    umask(mask);
    return 0;
}

int
mounts_chdir(const char *cwd, bool anywhere, struct err *e)
{
    if (chdir(cwd) == 0 || (anywhere && chdir("/") == 0))
        return 0;
    if (errno == ENOENT)
        return err_set(e, ERR_SANDBOX,
                       "sandbox: working directory: %.150s is hidden; start "
                       "the command in the workspace",
                       cwd);
    return sandbox_layer_missing_at(e, "working directory", cwd);
}

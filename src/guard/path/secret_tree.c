/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_tree.c - which files of a workspace have names of secrets. */
#include "guard/path/secret_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/path.h"
#include "base/secret_file.h"
#include "guard/path/git_place.h"
#include "guard/path/path_table.h"
#include "guard/path/secret_memory.h"

#define DEPTH_MAX     64
#define DIRS_WORTH    32 /* fewer are looked at as fast as remembered */
#define ENTRIES_BYTES 16384
#define NAMES_MAX     (64u << 20) /* of the directories in one directory */
#define PACKAGES      "node_modules"

/* Not in every linux/magic.h. */
#define MAGIC_BCACHEFS 0xca451a4e
#define MAGIC_ZFS      0x2fc12fc1

/* One look. */
struct walk {
    struct secret_tree *t;
    const char *dir;
    const char *const *opened;
    int root;
    dev_t dev;
    bool remembers; /* times of change can be relied on */
    bool changed;   /* there is something new to remember */
    size_t dirs;
    struct timespec now;
    struct buf made;
    char path[PATH_MAX]; /* of the directory, below the root */
    size_t len;
    struct err *e;
};

/* What is known of a directory by the names above it. */
struct standing {
    unsigned depth;
    bool all;      /* all that is in it is secret */
    bool data;     /* files of data are */
    bool packages; /* nothing below it is looked into */
};

static int
too_much(const struct walk *w, const char *what, unsigned n)
{
    return err_set(w->e, ERR_DENIED,
                   "%.100s has more than %u %s: cannot hide all secrets in it",
                   w->dir, n, what);
}

static bool
is_open(const struct walk *w, const char *path)
{
    for (const char *const *p = w->opened; p && *p; p++)
        if (path_is_below(path, *p))
            return true;
    return false;
}

/* Takes the path. */
static int
add_path(struct walk *w, char *path)
{
    if (!path)
        return err_nomem(w->e);
    if (is_open(w, path)) {
        free(path);
        return 0;
    }
    if (w->t->n == SECRET_TREE_MAX) {
        free(path);
        return too_much(w, "files with names of secrets", SECRET_TREE_MAX);
    }
    w->t->paths[w->t->n++] = path;
    return 0;
}

/* Below the root: the path of a name in the directory that is looked at. */
static char *
path_here(const struct walk *w, const char *name)
{
    CLEANUP(free_p)
    char *dir = w->len ? path_join(w->dir, w->path) : strdup(w->dir);

    if (!dir || !name[0])
        return TAKE_PTR(dir);
    return path_join(dir, name);
}

/* What a link leads to is closed where it is somebody's file: a link that is
 * called so closes no directory, and no program. */
static int
add_target(struct walk *w, const char *name)
{
    CLEANUP(free_p) char *path = path_here(w, name);
    char *real = path && !is_open(w, path) ? realpath(path, NULL) : NULL;
    struct stat st;

    if (real && stat(real, &st) == 0 && S_ISREG(st.st_mode) &&
        !path_is(real, PATH_IS_SYSTEM | PATH_IS_PROGRAMS))
        return add_path(w, real);
    free(real);
    return path ? 0 : err_nomem(w->e);
}

static int
add_item(struct walk *w, enum memory_kind kind, const char *name)
{
    memory_add(&w->made, kind, name);
    return kind == MEMORY_LINK ? add_target(w, name)
                               : add_path(w, path_here(w, name));
}

static int visit(struct walk *w, const char *name, struct memory_span old,
                 struct standing s);

static struct standing
standing_of(const struct standing *above, const char *name)
{
    return (struct standing){
        .depth = above->depth + 1,
        .all = above->all || secret_file_is_directory(name),
        .data = above->data || secret_file_is_for_data(name),
        .packages = strcmp(name, PACKAGES) == 0,
    };
}

/* As it was: its directories need not be. */
static int
visit_known(struct walk *w, struct memory_span items, const struct standing *s)
{
    struct memory_item item;

    while (memory_next(&items, &item)) {
        int rc = item.kind == MEMORY_DIRECTORY
                     ? visit(w, item.name, item.node, standing_of(s, item.name))
                     : add_item(w, item.kind, item.name);

        if (rc < 0)
            return -1;
    }
    return 0;
}

static unsigned char
type_of(int dir, const struct dirent64 *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    return fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0
               ? DT_UNKNOWN
               : IFTODT(st.st_mode);
}

/* An entry of a directory that is listed. Names of directories are added to
 * `below`. */
static int
list_entry(struct walk *w, int dir, const struct dirent64 *entry,
           const struct standing *s, struct buf *below)
{
    const char *name = entry->d_name;
    unsigned char type;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return 0;
    type = type_of(dir, entry);
    if (type == DT_DIR) {
        if (strcmp(name, GIT_DIR) != 0 && !s->packages)
            buf_add(below, name, strlen(name) + 1);
        return 0;
    }
    if (!s->all && !secret_file_is_file(name, s->data))
        return 0;
    return add_item(w, type == DT_LNK ? MEMORY_LINK : MEMORY_FILE, name);
}

static int
list(struct walk *w, int dir, const struct standing *s, struct buf *below)
{
    alignas(struct dirent64) char entries[ENTRIES_BYTES];
    const struct dirent64 *entry;
    unsigned marks = 0;
    ssize_t n;

    while ((n = getdents64(dir, (void *)entries, sizeof(entries))) > 0) {
        for (ssize_t i = 0; i < n; i += entry->d_reclen) {
            entry = (const struct dirent64 *)(const void *)(entries + i);
            marks |= git_place_mark(entry->d_name);
            if (list_entry(w, dir, entry, s, below) < 0)
                return -1;
        }
    }
    if (n < 0)
        return err_sys(w->e, "%.100s/%.200s", w->dir, w->path);
    if (git_place_is_repository(marks))
        buf_clear(below);
    return buf_ok(below, "names of directories", w->e);
}

static int
compare_names(const void *a, const void *b)
{
    return strcmp(((const struct memory_item *)a)->name,
                  ((const struct memory_item *)b)->name);
}

/* The directories that a node had, by their names, which the caller frees:
 * a directory may hold so many that to search them in turn for each takes
 * longer than to look at all of them anew. NULL: none. */
static struct memory_item *
sort_old(const struct memory_span *old, size_t *n)
{
    struct memory_span items, rest;
    struct memory_item item, *all;

    *n = 0;
    if (!memory_old_items(old, &items))
        return NULL;
    for (rest = items; memory_next(&rest, &item);)
        *n += item.kind == MEMORY_DIRECTORY;
    all = *n ? calloc(*n, sizeof(*all)) : NULL;
    *n = 0;
    while (all && memory_next(&items, &item))
        if (item.kind == MEMORY_DIRECTORY)
            all[(*n)++] = item;
    if (all)
        qsort(all, *n, sizeof(*all), compare_names);
    return all;
}

static int
visit_all(struct walk *w, const struct buf *below, struct memory_span old,
          const struct standing *s)
{
    size_t n;
    CLEANUP(free_p) struct memory_item *known = sort_old(&old, &n);

    for (const char *name = below->p; name < below->p + below->len;
         name += strlen(name) + 1) {
        const struct memory_item key = {.name = name}, *was = NULL;

        if (known)
            was = bsearch(&key, known, n, sizeof(key), compare_names);
        if (visit(w, name, was ? was->node : (struct memory_span){0},
                  standing_of(s, name)) < 0)
            return -1;
    }
    return 0;
}

/* Why no directory is found where one was: it is gone, or another thing. */
static bool
is_absence(int sys)
{
    return sys == ENOENT || sys == ENOTDIR || sys == ELOOP;
}

/* Who may enter it and not list it may open a file in it whose name he knows.
 */
static int
visit_anew(struct walk *w, struct memory_span old, const struct standing *s)
{
    CLEANUP_BUF struct buf below = buf_of(NAMES_MAX);
    int dir = openat(w->root, w->len ? w->path : ".",
                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int rc;

    w->changed = true;
    if (dir < 0 && errno == EACCES)
        return add_item(w, MEMORY_SHUT, "");
    if (dir < 0)
        return is_absence(errno)
                   ? 0
                   : err_sys(w->e, "%.100s/%.200s", w->dir, w->path);
    rc = list(w, dir, s, &below);
    close(dir);
    return rc < 0 ? -1 : visit_all(w, &below, old, s);
}

/* Goes one name down. */
static int
enter(struct walk *w, const char *name)
{
    size_t n = strlen(name);

    if (w->len + n + 2 > sizeof(w->path))
        return too_much(w, "bytes in a path", PATH_MAX);
    if (w->len)
        w->path[w->len++] = '/';
    memcpy(w->path + w->len, name, n + 1);
    w->len += n;
    return 0;
}

static int
look_at(struct walk *w, const char *name, struct memory_span old,
        const struct standing *s)
{
    struct memory_span items;
    struct stat st;
    size_t node;
    int rc;

    rc = fstatat(w->root, w->path, &st, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
    if (rc < 0 && !is_absence(errno) && errno != EACCES)
        return err_sys(w->e, "%.100s/%.200s", w->dir, w->path);
    if (rc < 0 || !S_ISDIR(st.st_mode)) {
        w->changed = true; /* it is gone, or nobody enters what it lies in */
        return 0;
    }
    if (++w->dirs > SECRET_TREE_DIRS_MAX)
        return too_much(w, "directories", SECRET_TREE_DIRS_MAX);
    if (s->depth > 0)
        memory_add(&w->made, MEMORY_DIRECTORY, NULL);
    node = memory_begin(&w->made, name, &st, &w->now);
    if (w->remembers && st.st_dev == w->dev && memory_items(&old, &st, &items))
        rc = visit_known(w, items, s);
    else
        rc = visit_anew(w, old, s);
    memory_end(&w->made, node);
    return rc;
}

static int
visit(struct walk *w, const char *name, struct memory_span old,
      struct standing s)
{
    size_t len = w->len;
    int rc;

    if (s.depth > DEPTH_MAX)
        return too_much(w, "levels of directories", DEPTH_MAX);
    if (s.depth > 0 && enter(w, name) < 0)
        return -1;
    rc = look_at(w, name, old, &s);
    w->len = len;
    w->path[len] = '\0';
    return rc;
}

/* File systems whose times of change are the kernel's of this machine. */
static bool
keeps_times(int fd)
{
    static const uint64_t kinds[] = {
        EXT4_SUPER_MAGIC,      XFS_SUPER_MAGIC,  BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
        OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, MAGIC_BCACHEFS,    MAGIC_ZFS};
    struct statfs fs;

    for (size_t i = 0;
         fstatfs(fd, &fs) == 0 && i < sizeof(kinds) / sizeof(*kinds); i++)
        if ((uint64_t)(unsigned)fs.f_type == kinds[i])
            return true;
    return false;
}

static int
find(struct walk *w)
{
    CLEANUP_BUF struct buf bytes = buf_of(SECRET_MEMORY_MAX + PATH_MAX);
    struct memory_span old = {0};
    struct stat st;

    if (fstat(w->root, &st) < 0 ||
        clock_gettime(CLOCK_REALTIME_COARSE, &w->now) < 0)
        return err_sys(w->e, "%.200s", w->dir);
    w->dev = st.st_dev;
    if ((w->remembers = keeps_times(w->root)))
        secret_memory_read(w->dir, &bytes, &old);
    if (visit(w, "", old, (struct standing){0}) < 0)
        return -1;
    if (w->remembers && w->changed && w->dirs >= DIRS_WORTH)
        secret_memory_write(w->dir, &w->made);
    return 0;
}

int
secret_tree_find(struct secret_tree *t, const char *root,
                 const char *const *opened, struct err *e)
{
    struct walk w = {.t = t, .dir = root, .opened = opened, .e = e};
    int rc;

    if (t->known)
        return 0;
    secret_tree_done(t);
    w.root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (w.root < 0)
        return err_sys(e, "%.200s", root);
    buf_init(&w.made, SECRET_MEMORY_MAX);
    rc = find(&w);
    buf_done(&w.made);
    close(w.root);
    t->known = rc == 0;
    return rc;
}

void
secret_tree_forget(struct secret_tree *t)
{
    t->known = false;
}

void
secret_tree_done(struct secret_tree *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n; i++)
        free(t->paths[i]);
    *t = (struct secret_tree){0};
}

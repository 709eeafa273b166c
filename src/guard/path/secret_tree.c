/* SPDX-License-Identifier: GPL-3.0-or-later */
/* secret_tree.c - finds the files of a workspace that have secrets' names. */
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
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/array.h"
#include "base/path.h"
#include "base/secret_file.h"
#include "base/worker.h"
#include "guard/path/git_trusted.h"
#include "guard/path/path_table.h"
#include "guard/path/secret_cache.h"

#define DEPTH_MAX     64
#define DIRS_WORTH    32 /* fewer are scanned as fast as read from the cache */
#define ENTRIES_BYTES 16384
#define NAMES_MAX     (64u << 20) /* bytes of one directory's names */

/* Older versions of linux/magic.h lack these. */
#define MAGIC_BCACHEFS 0xca451a4e
#define MAGIC_ZFS      0x2fc12fc1

/* The state of one scan. */
struct tree_walk {
    struct secret_tree *t;
    const char *dir;
    const char *const *opened;
    const struct seat *seat;
    int root;
    dev_t dev;
    bool cached;  /* ctimes are reliable: the cache can be used */
    bool changed; /* the cache must be stored again */
    size_t dirs;
    struct timespec now;
    struct buf made;
    char path[PATH_MAX]; /* the current directory, relative to the root */
    size_t len;
    struct err *e;
};

/* What the names above a directory say about it. */
struct directory_state {
    unsigned depth;
    bool all;      /* everything in it is secret */
    bool data;     /* files of data in it are secret */
    bool packages; /* its subdirectories are skipped */
};

static int
set_too_large(const struct tree_walk *w, const char *what, unsigned n)
{
    return err_set(w->e, ERR_DENIED,
                   "%.100s has more than %u %s: cannot hide all secrets in it",
                   w->dir, n, what);
}

static bool
is_left_open(const struct tree_walk *w, const char *path)
{
    for (const char *const *p = w->opened; p && *p; p++)
        if (path_is_below(path, *p))
            return true;
    return false;
}

/* Adds the path and takes its ownership. */
static int
add_secret(struct tree_walk *w, char *path)
{
    if (!path)
        return err_nomem(w->e);
    if (is_left_open(w, path)) {
        free(path);
        return 0;
    }
    if (w->t->n == SECRET_TREE_MAX) {
        free(path);
        return set_too_large(w, "files with names of secrets", SECRET_TREE_MAX);
    }
    w->t->paths[w->t->n++] = path;
    return 0;
}

/* The absolute path of a name in the current directory; the caller frees it. */
static char *
path_here(const struct tree_walk *w, const char *name)
{
    CLEANUP(free_p)
    char *dir = w->len ? path_join(w->dir, w->path) : strdup(w->dir);

    if (!dir || !name[0])
        return TAKE_PTR(dir);
    return path_join(dir, name);
}

/* Adds the target of a link with a secret's name, if it is a file of a user.
 * Such a link hides no directory and no program. */
static int
add_link_target(struct tree_walk *w, const char *name)
{
    CLEANUP(free_p) char *path = path_here(w, name);
    char *real = path && !is_left_open(w, path) ? realpath(path, NULL) : NULL;
    struct stat st;

    if (real && stat(real, &st) == 0 && S_ISREG(st.st_mode) &&
        !path_is(real, PATH_IS_SYSTEM | PATH_IS_PROGRAMS))
        return add_secret(w, real);
    free(real);
    return path ? 0 : err_nomem(w->e);
}

static int
add_item(struct tree_walk *w, enum secret_cache_kind kind, const char *name)
{
    secret_cache_add(&w->made, kind, name);
    return kind == SECRET_CACHE_LINK ? add_link_target(w, name)
                                     : add_secret(w, path_here(w, name));
}

static int visit_secret_dir(struct tree_walk *w, const char *name,
                            struct secret_cache_span old,
                            struct directory_state s);

static struct directory_state
state_below(const struct directory_state *above, const char *name)
{
    return (struct directory_state){
        .depth = above->depth + 1,
        .all = above->all || secret_file_is_directory(name),
        .data = above->data || secret_file_is_for_data(name),
        .packages = strcmp(name, PATH_PACKAGES) == 0,
    };
}

/* The directory is unchanged; its subdirectories may not be. */
static int
visit_cached(struct tree_walk *w, struct secret_cache_span items,
             const struct directory_state *s)
{
    struct secret_cache_item item;

    while (secret_cache_next(&items, &item)) {
        int rc = item.kind == SECRET_CACHE_DIRECTORY
                     ? visit_secret_dir(w, item.name, item.node,
                                        state_below(s, item.name))
                     : add_item(w, item.kind, item.name);

        if (rc < 0)
            return -1;
    }
    return 0;
}

static unsigned char
entry_type(int dir, const struct dirent64 *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type;
    return fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0
               ? DT_UNKNOWN
               : IFTODT(st.st_mode);
}

/* Handles one entry of a directory. The names of subdirectories are added to
 * `below`. */
static int
list_tree_entry(struct tree_walk *w, int dir, const struct dirent64 *entry,
                const struct directory_state *s, struct buf *below)
{
    const char *name = entry->d_name;
    unsigned char type;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return 0;
    type = entry_type(dir, entry);
    if (type == DT_DIR) {
        if (strcmp(name, GIT_DIR) != 0 && !s->packages)
            buf_add(below, name, strlen(name) + 1);
        return 0;
    }
    if (!s->all && !secret_file_is_file(name, s->data))
        return 0;
    return add_item(w, type == DT_LNK ? SECRET_CACHE_LINK : SECRET_CACHE_FILE,
                    name);
}

static int
list_directory(struct tree_walk *w, int dir, const struct directory_state *s,
               struct buf *below)
{
    alignas(struct dirent64) char entries[ENTRIES_BYTES];
    const struct dirent64 *entry;
    unsigned marks = 0;
    ssize_t n;

    while ((n = getdents64(dir, (void *)entries, sizeof(entries))) > 0) {
        for (ssize_t i = 0; i < n; i += entry->d_reclen) {
            entry = (const struct dirent64 *)(const void *)(entries + i);
            marks |= git_trusted_entry(entry->d_name);
            if (list_tree_entry(w, dir, entry, s, below) < 0)
                return -1;
        }
    }
    if (n < 0)
        return err_sys(w->e, "%.100s/%.200s", w->dir, w->path);
    if (git_trusted_is_repository(marks))
        buf_clear(below);
    return buf_ok(below, "names of directories", w->e);
}

static int
compare_items(const void *a, const void *b)
{
    return strcmp(((const struct secret_cache_item *)a)->name,
                  ((const struct secret_cache_item *)b)->name);
}

/* The subdirectories of a cached node, sorted by name; the caller frees them. A
 * linear search for each of very many would take longer than scanning them
 * again. NULL: none. */
static struct secret_cache_item *
sorted_old_directories(const struct secret_cache_span *old, size_t *n)
{
    struct secret_cache_span items, rest;
    struct secret_cache_item item, *all;

    *n = 0;
    if (!secret_cache_old_items(old, &items))
        return NULL;
    for (rest = items; secret_cache_next(&rest, &item);)
        *n += item.kind == SECRET_CACHE_DIRECTORY;
    all = *n ? calloc(*n, sizeof(*all)) : NULL;
    *n = 0;
    while (all && secret_cache_next(&items, &item))
        if (item.kind == SECRET_CACHE_DIRECTORY)
            all[(*n)++] = item;
    if (all)
        qsort(all, *n, sizeof(*all), compare_items);
    return all;
}

static int
visit_subdirectories(struct tree_walk *w, const struct buf *below,
                     struct secret_cache_span old,
                     const struct directory_state *s)
{
    size_t n;
    CLEANUP(free_p)
    struct secret_cache_item *known = sorted_old_directories(&old, &n);

    for (const char *name = below->p; name < below->p + below->len;
         name += strlen(name) + 1) {
        const struct secret_cache_item key = {.name = name}, *was = NULL;

        if (known)
            was = bsearch(&key, known, n, sizeof(key), compare_items);
        if (visit_secret_dir(w, name,
                             was ? was->node : (struct secret_cache_span){0},
                             state_below(s, name)) < 0)
            return -1;
    }
    return 0;
}

/* The directory was removed or replaced. */
static bool
is_directory_gone(int sys)
{
    return sys == ENOENT || sys == ENOTDIR || sys == ELOOP;
}

/* A user who may enter a directory but not list it can open files in it whose
 * names are known. */
static int
visit_listed(struct tree_walk *w, struct secret_cache_span old,
             const struct directory_state *s)
{
    CLEANUP_BUF struct buf below = buf_of(NAMES_MAX);
    int dir = openat(w->root, w->len ? w->path : ".",
                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int rc;

    w->changed = true;
    if (dir < 0 && errno == EACCES)
        return add_item(w, SECRET_CACHE_UNREADABLE, "");
    if (dir < 0)
        return is_directory_gone(errno)
                   ? 0
                   : err_sys(w->e, "%.100s/%.200s", w->dir, w->path);
    rc = list_directory(w, dir, s, &below);
    close(dir);
    return rc < 0 ? -1 : visit_subdirectories(w, &below, old, s);
}

/* Moves one level down. */
static int
push_name(struct tree_walk *w, const char *name)
{
    size_t n = strlen(name);

    if (w->len + n + 2 > sizeof(w->path))
        return set_too_large(w, "bytes in a path", PATH_MAX);
    if (w->len)
        w->path[w->len++] = '/';
    memcpy(w->path + w->len, name, n + 1);
    w->len += n;
    return 0;
}

static int
scan_directory(struct tree_walk *w, const char *name,
               struct secret_cache_span old, const struct directory_state *s)
{
    struct secret_cache_span items;
    struct stat st;
    size_t node;
    int rc;

    rc = fstatat(w->root, w->path, &st, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
    if (rc < 0 && !is_directory_gone(errno) && errno != EACCES)
        return err_sys(w->e, "%.100s/%.200s", w->dir, w->path);
    if (rc < 0 || !S_ISDIR(st.st_mode)) {
        w->changed = true; /* it was removed, or cannot be reached */
        return 0;
    }
    if (worker_is_unwanted(w->t->unwanted))
        return err_set(w->e, ERR_INTERRUPTED, "cancelled");
    if (++w->dirs > SECRET_TREE_DIRS_MAX)
        return set_too_large(w, "directories", SECRET_TREE_DIRS_MAX);
    if (s->depth > 0)
        secret_cache_add(&w->made, SECRET_CACHE_DIRECTORY, NULL);
    node = secret_cache_begin(&w->made, name, &st, &w->now);
    if (w->cached && st.st_dev == w->dev &&
        secret_cache_items(&old, &st, &items))
        rc = visit_cached(w, items, s);
    else
        rc = visit_listed(w, old, s);
    secret_cache_end(&w->made, node);
    return rc;
}

static int
visit_secret_dir(struct tree_walk *w, const char *name,
                 struct secret_cache_span old, struct directory_state s)
{
    size_t len = w->len;
    int rc;

    if (s.depth > DEPTH_MAX)
        return set_too_large(w, "levels of directories", DEPTH_MAX);
    if (s.depth > 0 && push_name(w, name) < 0)
        return -1;
    rc = scan_directory(w, name, old, &s);
    w->len = len;
    w->path[len] = '\0';
    return rc;
}

/* File systems whose ctime is set by this machine's kernel. */
static bool
has_reliable_ctime(int fd)
{
    static const uint64_t kinds[] = {
        EXT4_SUPER_MAGIC,      XFS_SUPER_MAGIC,  BTRFS_SUPER_MAGIC, TMPFS_MAGIC,
        OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, MAGIC_BCACHEFS,    MAGIC_ZFS};
    struct statfs fs;

    for (size_t i = 0; fstatfs(fd, &fs) == 0 && i < ARRAY_SIZE(kinds); i++)
        if ((uint64_t)(unsigned)fs.f_type == kinds[i])
            return true;
    return false;
}

static int
search_tree(struct tree_walk *w)
{
    CLEANUP_BUF struct buf bytes = buf_of(SECRET_CACHE_MAX + PATH_MAX);
    struct secret_cache_span old = {0};
    struct stat st;

    if (fstat(w->root, &st) < 0 ||
        clock_gettime(CLOCK_REALTIME_COARSE, &w->now) < 0)
        return err_sys(w->e, "%.200s", w->dir);
    w->dev = st.st_dev;
    if ((w->cached = w->seat && has_reliable_ctime(w->root)))
        secret_cache_read(w->seat, w->dir, &bytes, &old);
    if (visit_secret_dir(w, "", old, (struct directory_state){0}) < 0)
        return -1;
    if (w->cached && w->changed && w->dirs >= DIRS_WORTH)
        secret_cache_write(w->seat, w->dir, &w->made);
    return 0;
}

int
secret_tree_find(struct secret_tree *t, const char *root,
                 const char *const *opened, const struct seat *s, struct err *e)
{
    struct tree_walk w = {
        .t = t, .dir = root, .opened = opened, .seat = s, .e = e};
    int rc;

    if (t->known)
        return 0;
    secret_tree_done(t);
    w.root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (w.root < 0)
        return err_sys(e, "%.200s", root);
    buf_init(&w.made, SECRET_CACHE_MAX);
    rc = search_tree(&w);
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
    *t = (struct secret_tree){.unwanted = t->unwanted};
}

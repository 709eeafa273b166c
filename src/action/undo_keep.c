/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_keep.c - lists what is at and below some paths, and keeps its bytes. */
#include "action/undo_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "action/undo_attributes.h"
#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/size.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/copy_file.h"

#define HERE_MAX    65536       /* bytes of a file in the list itself */
#define HERE_ALL    (32u << 20) /* of all of them */
#define HASHED_MAX  (16u << 20) /* bytes of a file; of larger ones the times */
#define HASHED_ALL  (64u << 20) /* of a step */
#define BLOCK_BYTES 512u
#define MOVED_NAME  "moved.tmp"

int
undo_targets_add(struct undo_targets *t, const char *path, enum undo_how how,
                 struct err *e)
{
    if (t->n == t->room) {
        size_t room = t->room ? 2 * t->room : 8;
        struct undo_target *v = reallocarray(t->v, room, sizeof(*v));

        if (!v)
            return err_nomem(e);
        t->v = v;
        t->room = room;
    }
    t->v[t->n] = (struct undo_target){.path = strdup(path), .how = how};
    if (!t->v[t->n].path)
        return err_nomem(e);
    t->n++;
    return 0;
}

void
undo_targets_done(struct undo_targets *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->v[i].path);
    free(t->v);
    *t = (struct undo_targets){0};
}

/* Counts what is kept against the budget. */
static int
take_room(struct undo_keeping *k, uint64_t bytes, struct err *e)
{
    if (bytes > k->room)
        return err_set(e, ERR_NOMEM,
                       "it is more than [record] undo_mb allows to keep");
    k->room -= bytes;
    k->used += bytes;
    return 0;
}

static uint64_t
bytes_on_disk(const struct stat *st)
{
    uint64_t blocks = (uint64_t)st->st_blocks * BLOCK_BYTES;

    /* a small file may need none */
    return blocks < (uint64_t)st->st_size ? blocks : (uint64_t)st->st_size;
}

/* Gives the file another name in the store. False: that cannot be done, or it
 * is another file by now. */
static bool
keep_by_link(struct undo_keeping *k, const struct undo_entry *x,
             const char *number)
{
    const char *name;
    struct stat st;
    CLEANUP(fd_close_p)
    int dir = beneath_parent(k->root, x->path + 1, &name);

    if (dir < 0 || linkat(dir, name, k->into, number, 0) < 0)
        return false;
    if (fstatat(k->into, number, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        undo_stat_is_alike(&x->st, &st))
        return true;
    (void)unlinkat(k->into, number, 0);
    return false;
}

static int
keep_here(struct undo_entry *x, int from, struct err *e)
{
    size_t size = (size_t)x->st.st_size, got = 0;

    if (!(x->bytes = malloc(size + 1)))
        return err_nomem(e);
    while (got < size) {
        ssize_t n = read(from, x->bytes + got, size - got);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(e, "%s", x->path);
        if (n == 0)
            break;
        got += (size_t)n;
    }
    x->bytes_n = got;
    x->kept = UNDO_KEPT_HERE;
    return 0;
}

static int
keep_by_copy(const struct undo_keeping *k, struct undo_entry *x, int from,
             const char *number, struct err *e)
{
    CLEANUP(fd_close_p)
    int to = openat(k->into, number,
                    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (to < 0)
        return err_sys(e, "the originals");
    if (!copy_file_clone(from, to) &&
        copy_file_bytes(from, to, x->st.st_size, NULL, NULL, e) < 0)
        return err_wrap(e, "%s", x->path);
    if (fdatasync(to) < 0)
        return err_sys(e, "the originals");
    x->kept = UNDO_KEPT_FILE;
    return 0;
}

/* Keeps the bytes of a regular file, or whatever else only goes away. fd may be
 * of the kind O_PATH. */
static int
keep_entry_bytes(struct undo_keeping *k, struct undo_entry *x, struct err *e)
{
    bool regular = S_ISREG(x->st.st_mode);
    char number[32];
    struct stat now;
    CLEANUP(fd_close_p) int from = -1;

    if (take_room(k, regular ? bytes_on_disk(&x->st) : 0, e) < 0)
        return -1;
    snprintf(number, sizeof(number), "%zu", k->list.n - 1);
    if (!k->check && k->how == UNDO_GOES && x->st.st_nlink == 1 &&
        keep_by_link(k, x, number)) {
        x->kept = UNDO_KEPT_FILE;
        return 0;
    }
    if (!regular)
        return 0;
    from = beneath_open(k->root, x->path + 1, O_RDONLY | O_NOATIME);
    if (from < 0 && errno == EPERM) /* of somebody else */
        from = beneath_open(k->root, x->path + 1, O_RDONLY);
    if (from < 0 && k->check && k->how == UNDO_GOES && x->st.st_nlink == 1)
        return 0;
    if (from < 0)
        return err_set(e, ERR_PERMISSION, "%s cannot be read", x->path);
    if (k->check)
        return 0;
    if (fstat(from, &now) < 0 || !undo_stat_is_alike(&x->st, &now))
        return err_set(e, ERR_IO, "%s is being changed", x->path);
    x->st = now;
    return x->st.st_size <= HERE_MAX && k->used <= HERE_ALL
               ? keep_here(x, from, e)
               : keep_by_copy(k, x, from, number, e);
}

static int
keep_attributes(struct undo_keeping *k, struct undo_entry *x, struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(UNDO_ATTRIBUTES_MAX);
    CLEANUP(fd_close_p)
    int fd = beneath_open(k->root, x->path + 1, O_PATH | O_NOFOLLOW);

    if (fd < 0)
        return err_sys(e, "%s", x->path);
    if (undo_attributes_read(fd, &text, e) < 0)
        return err_wrap(e, "%s", x->path);
    if (take_room(k, text.len, e) < 0)
        return -1;
    x->attributes_n = text.len;
    x->attributes = text.len ? buf_take(&text) : NULL;
    return 0;
}

/* Nothing is kept, nor is it tried: what is there is listed. */
static bool
lists_only(const struct undo_keeping *k)
{
    return k->into < 0 && !k->check;
}

static int
list_one(struct undo_keeping *k, const char *path, const struct stat *st,
         struct err *e)
{
    struct undo_entry *x;

    if (k->list.n == UNDO_ENTRIES_MAX)
        return err_set(e, ERR_NOMEM, "it is more than %d files",
                       UNDO_ENTRIES_MAX);
    if (!(x = undo_list_add(&k->list, k->root, path, st, e)))
        return -1;
    if (lists_only(k) || st->st_mode == 0)
        return 0;
    if ((S_ISREG(st->st_mode) || S_ISDIR(st->st_mode)) &&
        keep_attributes(k, x, e) < 0)
        return -1;
    if (S_ISDIR(st->st_mode) || S_ISLNK(st->st_mode) || k->how == UNDO_ALONE)
        return 0;
    return keep_entry_bytes(k, x, e);
}

/* A directory that a step has closed, or somebody else's. */
static bool
is_closed_dir(const struct beneath_entry *x)
{
    return S_ISDIR(x->st.st_mode) &&
           faccessat(x->dir, x->name, R_OK | X_OK, AT_EACCESS) < 0;
}

static int
on_kept_entry(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct undo_keeping *k = arg;
    CLEANUP(free_p) char *path = path_join("/", x->path);

    if (!path)
        return err_nomem(e);
    if (!(k->some_alone && undo_list_find(&k->list, path)) &&
        list_one(k, path, &x->st, e) < 0)
        return -1;
    return lists_only(k) && is_closed_dir(x) ? BENEATH_SKIP : 0;
}

/* Adds the directory that holds a path, whose times change with it. */
static int
add_parent(struct undo_keeping *k, const char *path, struct err *e)
{
    CLEANUP(free_p) char *dir = strdup(path);
    char *slash = dir ? strrchr(dir, '/') : NULL;
    struct stat st;

    if (!dir)
        return err_nomem(e);
    if (!slash || slash == dir)
        return 0;
    *slash = '\0';
    if (undo_list_find(&k->list, dir) ||
        beneath_stat(k->root, dir + 1, &st) < 0)
        return 0;
    k->some_alone = true;
    return list_one(k, dir, &st, e);
}

static bool
lies_in(const char *path, const char *dir)
{
    size_t n = strlen(dir);

    return strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static bool
is_closed_path(const struct undo_keeping *k, const char *path)
{
    CLEANUP(fd_close_p)
    int fd = beneath_open(k->root, path + 1, O_RDONLY | O_DIRECTORY);

    return fd < 0 && errno == EACCES;
}

/* Whether errno says so: a directory of the path may have become a file or,
 * which matters where something is kept, a link. */
static bool
is_nothing_there(const struct undo_keeping *k)
{
    return errno == ENOENT || errno == ENOTDIR ||
           (errno == ELOOP && lists_only(k));
}

static int
keep_path(struct undo_keeping *k, const struct undo_target *t, struct err *e)
{
    static const struct stat absent;
    struct stat st;

    if (k->own && (lies_in(k->own, t->path) || lies_in(t->path, k->own)) &&
        t->how != UNDO_ALONE)
        return err_set(e, ERR_INVALID,
                       "the originals themselves are kept in %s", t->path);
    k->how = t->how;
    if (t->how != UNDO_ALONE && add_parent(k, t->path, e) < 0)
        return -1;
    if (undo_list_find(&k->list, t->path) && t->how == UNDO_ALONE)
        return 0;
    if (beneath_stat(k->root, t->path + 1, &st) < 0) {
        if (!is_nothing_there(k))
            return err_sys(e, "%s", t->path);
        return undo_list_find(&k->list, t->path)
                   ? 0
                   : list_one(k, t->path, &absent, e);
    }
    if (!undo_list_find(&k->list, t->path) && list_one(k, t->path, &st, e) < 0)
        return -1;
    k->some_alone |= t->how == UNDO_ALONE;
    if (t->how == UNDO_ALONE || !S_ISDIR(st.st_mode) ||
        (lists_only(k) && is_closed_path(k, t->path)))
        return 0;
    return beneath_walk(k->root, t->path + 1, false, 0, on_kept_entry, k, e);
}

int
undo_keep_targets(struct undo_keeping *k, const struct undo_targets *t,
                  struct err *e)
{
    for (size_t i = 0; i < t->n; i++) {
        if (keep_path(k, &t->v[i], e) < 0)
            return -1;
        k->some_alone |= t->n > 1; /* one path may lie in another */
    }
    return 0;
}

/* Looks for other names of the files of a list. */
struct twin_search {
    struct undo_keeping *keeping;
    size_t n; /* entries of the list that are looked for */
    struct undo_targets *targets;
    size_t seen;
};

static int
on_possible_twin(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct twin_search *s = arg;
    const struct undo_list *l = &s->keeping->list;
    CLEANUP(free_p) char *path = NULL;

    if (S_ISDIR(x->st.st_mode))
        return ++s->seen > UNDO_ENTRIES_MAX || is_closed_dir(x) ? BENEATH_SKIP
                                                                : 0;
    if (++s->seen > UNDO_ENTRIES_MAX || !S_ISREG(x->st.st_mode) ||
        x->st.st_nlink < 2)
        return 0;
    if (!(path = path_join("/", x->path)))
        return err_nomem(e);
    if (undo_list_find(l, path)) /* before the search, which is long */
        return 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct undo_target t = {.path = path, .how = UNDO_CHANGES};

        if (l->v[i].st.st_ino != x->st.st_ino ||
            l->v[i].st.st_dev != x->st.st_dev)
            continue;
        if (undo_targets_add(s->targets, path, UNDO_CHANGES, e) < 0)
            return -1;
        return keep_path(s->keeping, &t, e);
    }
    return 0;
}

int
undo_keep_twins(struct undo_keeping *k, struct undo_targets *t, const char *top,
                struct err *e)
{
    struct twin_search s = {.keeping = k, .n = k->list.n, .targets = t};
    bool some = false;
    char real[PATH_MAX];

    for (size_t i = 0; i < k->list.n; i++)
        some |= S_ISREG(k->list.v[i].st.st_mode) &&
                k->list.v[i].st.st_nlink > 1;
    if (!some || !top || !realpath(top, real) || !real[1])
        return 0;
    return beneath_walk(k->root, real + 1, false, 0, on_possible_twin, &s, e);
}

void
undo_keep_hash_file(int root, const char *path, uint64_t *left,
                    char hex[SHA256_HEX_SIZE])
{
    CLEANUP_BUF struct buf b = buf_of(HASHED_MAX + 1);
    CLEANUP(fd_close_p) int fd = beneath_open(root, path + 1, O_RDONLY);
    struct stat st;

    hex[0] = '\0';
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        (uint64_t)st.st_size > *left || st.st_size > (off_t)HASHED_MAX ||
        file_read_fd(fd, &b, NULL) < 0)
        return;
    *left -= (uint64_t)st.st_size;
    sha256_hex(b.p ? b.p : "", b.len, hex);
}

void
undo_keep_hash(int root, const struct undo_list *before,
               struct undo_list *after)
{
    uint64_t left = HASHED_ALL;

    for (size_t i = 0; i < after->n; i++) {
        struct undo_entry *x = &after->v[i];
        const struct undo_entry *was;

        if (!S_ISREG(x->st.st_mode))
            continue;
        was = undo_list_find(before, x->path);
        if (!was || !undo_entry_is_same(was, &x->st))
            undo_keep_hash_file(root, x->path, &left, x->hash);
    }
}

/* Puts a copy in the place of a file that has another name. */
static void
copy_moved(int into, const char *number, const struct stat *st)
{
    CLEANUP(fd_close_p)
    int from = openat(into, number, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    CLEANUP(fd_close_p)
    int to = openat(into, MOVED_NAME,
                    O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (from >= 0 && to >= 0 &&
        (copy_file_clone(from, to) ||
         copy_file_bytes(from, to, st->st_size, NULL, NULL, NULL) == 0) &&
        fdatasync(to) == 0)
        (void)renameat(into, MOVED_NAME, into, number);
    (void)unlinkat(into, MOVED_NAME, 0);
}

void
undo_keep_settle(int root, int into, const struct undo_list *before)
{
    for (size_t i = 0; i < before->n; i++) {
        const struct undo_entry *x = &before->v[i];
        char number[32];
        struct stat kept, now;

        snprintf(number, sizeof(number), "%zu", i);
        if (x->kept != UNDO_KEPT_FILE ||
            fstatat(into, number, &kept, AT_SYMLINK_NOFOLLOW) < 0 ||
            kept.st_ino != x->st.st_ino || kept.st_dev != x->st.st_dev)
            continue;
        if (beneath_stat(root, x->path + 1, &now) == 0 &&
            now.st_ino == kept.st_ino && now.st_dev == kept.st_dev)
            (void)unlinkat(into, number, 0);
        else if (kept.st_nlink > 1 && S_ISREG(kept.st_mode))
            copy_moved(into, number, &kept);
    }
}

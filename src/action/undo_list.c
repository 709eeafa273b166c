/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_list.c - a list of files as they are at one moment. */
#include "action/undo_list.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "sandbox/preview/beneath.h"

#define LIST_BYTES_MAX (128u << 20)
#define LIST_TMP       "list.tmp"
#define LIST_FORMAT    "2"
#define SLOTS_FIRST    64

/* An entry: these figures, a NUL, the path, a NUL, the target, a NUL, the hash,
 * a NUL, then the attributes and the bytes, as long as the last figures say. A
 * root: "root", a NUL, the path, a NUL. */
#define FIGURES                                                                \
    "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64     \
    " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64    \
    " %" PRId64 " %" PRIu64 " %d %zu %zu"
#define SCANS                                                                  \
    "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64     \
    " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64    \
    " %" SCNd64 " %" SCNu64 " %d %zu %zu"
#define N_SCANS 17

void
undo_list_done(struct undo_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        free(l->v[i].path);
        free(l->v[i].target);
        free(l->v[i].attributes);
        free(l->v[i].bytes);
    }
    for (size_t i = 0; i < l->n_roots; i++)
        free(l->roots[i]);
    free(l->roots);
    free(l->v);
    free(l->slots);
    *l = (struct undo_list){0};
}

int
undo_list_add_root(struct undo_list *l, const char *path, struct err *e)
{
    char **roots = reallocarray(l->roots, l->n_roots + 1, sizeof(*roots));

    if (!roots)
        return err_nomem(e);
    l->roots = roots;
    if (!(roots[l->n_roots] = strdup(path)))
        return err_nomem(e);
    l->n_roots++;
    return 0;
}

/* FNV-1a. */
static size_t
hash_path(const char *path)
{
    uint64_t h = 14695981039346656037u;

    for (; *path; path++)
        h = (h ^ (unsigned char)*path) * 1099511628211u;
    return (size_t)h;
}

/* The slot of a path, or the free one where it would be. */
static size_t
find_path_slot(const struct undo_list *l, const char *path)
{
    size_t i = hash_path(path) & (l->n_slots - 1);

    while (l->slots[i] && strcmp(l->v[l->slots[i] - 1].path, path) != 0)
        i = (i + 1) & (l->n_slots - 1);
    return i;
}

static int
need_slots(struct undo_list *l, struct err *e)
{
    size_t n = l->n_slots ? 2 * l->n_slots : SLOTS_FIRST;

    if (2 * (l->n + 1) < l->n_slots)
        return 0;
    free(l->slots);
    if (!(l->slots = calloc(n, sizeof(*l->slots)))) {
        l->n_slots = 0;
        return err_nomem(e);
    }
    l->n_slots = n;
    for (size_t i = 0; i < l->n; i++)
        l->slots[find_path_slot(l, l->v[i].path)] = i + 1;
    return 0;
}

static int
append_entry(struct undo_list *l, const char *path, const char *target,
             const struct stat *st, struct err *e)
{
    struct undo_entry x = {.st = *st};

    if (l->n == l->room) {
        size_t room = l->room ? 2 * l->room : 16;
        struct undo_entry *v = reallocarray(l->v, room, sizeof(*v));

        if (!v)
            return err_nomem(e);
        l->v = v;
        l->room = room;
    }
    if (need_slots(l, e) < 0)
        return -1;
    x.path = strdup(path);
    x.target = strdup(target);
    if (!x.path || !x.target) {
        free(x.path);
        free(x.target);
        return err_nomem(e);
    }
    l->slots[find_path_slot(l, path)] = l->n + 1;
    l->v[l->n++] = x;
    return 0;
}

struct undo_entry *
undo_list_add(struct undo_list *l, int root, const char *path,
              const struct stat *st, struct err *e)
{
    char target[PATH_MAX] = "";
    const char *name;
    CLEANUP(fd_close_p) int dir = -1;
    ssize_t n;

    if (S_ISLNK(st->st_mode)) {
        dir = beneath_parent(root, path + 1, &name);
        n = dir < 0 ? -1 : readlinkat(dir, name, target, sizeof(target) - 1);
        if (n < 0) {
            err_sys(e, "%s", path);
            return NULL;
        }
        target[n] = '\0';
    }
    return append_entry(l, path, target, st, e) < 0 ? NULL : &l->v[l->n - 1];
}

const struct undo_entry *
undo_list_find(const struct undo_list *l, const char *path)
{
    size_t number = l->n_slots ? l->slots[find_path_slot(l, path)] : 0;

    return number ? &l->v[number - 1] : NULL;
}

bool
undo_stat_is_alike(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
           a->st_mode == b->st_mode && a->st_uid == b->st_uid &&
           a->st_gid == b->st_gid && a->st_size == b->st_size &&
           clock_is_same(&a->st_mtim, &b->st_mtim);
}

bool
undo_entry_is_same(const struct undo_entry *x, const struct stat *now)
{
    const struct stat *st = &x->st;

    if (st->st_mode == 0 || now->st_mode == 0 || S_ISDIR(st->st_mode))
        return (st->st_mode & S_IFMT) == (now->st_mode & S_IFMT);
    return undo_stat_is_alike(st, now) &&
           clock_is_same(&st->st_ctim, &now->st_ctim);
}

static void
put_entry(struct buf *b, const struct undo_entry *x)
{
    const struct stat *s = &x->st;

    buf_printf(b, FIGURES, (uint64_t)s->st_mode, (uint64_t)s->st_uid,
               (uint64_t)s->st_gid, (uint64_t)s->st_ino, (uint64_t)s->st_dev,
               (uint64_t)s->st_nlink, (int64_t)s->st_size,
               (int64_t)s->st_mtim.tv_sec, (int64_t)s->st_mtim.tv_nsec,
               (int64_t)s->st_ctim.tv_sec, (int64_t)s->st_ctim.tv_nsec,
               (int64_t)s->st_atim.tv_sec, (int64_t)s->st_atim.tv_nsec,
               (uint64_t)s->st_rdev, (int)x->kept, x->attributes_n, x->bytes_n);
    buf_ch(b, '\0');
    buf_add(b, x->path, strlen(x->path) + 1);
    buf_add(b, x->target, strlen(x->target) + 1);
    buf_add(b, x->hash, strlen(x->hash) + 1);
    buf_add(b, x->attributes, x->attributes_n);
    buf_add(b, x->bytes, x->bytes_n);
}

int
undo_list_write(const struct undo_list *l, int dir, const char *name, bool sync,
                struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(LIST_BYTES_MAX);
    CLEANUP(fd_close_p) int fd = -1;

    buf_add(&b, LIST_FORMAT, sizeof(LIST_FORMAT));
    for (size_t i = 0; i < l->n_roots; i++) {
        buf_add(&b, "root", sizeof("root"));
        buf_add(&b, l->roots[i], strlen(l->roots[i]) + 1);
    }
    for (size_t i = 0; i < l->n; i++)
        put_entry(&b, &l->v[i]);
    buf_add(&b, "end", sizeof("end"));
    if (buf_ok(&b, "the list of originals", e) < 0)
        return -1;
    (void)unlinkat(dir, LIST_TMP, 0);
    fd = openat(dir, LIST_TMP,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_sys(e, "the list of originals");
    if (fd_write_all(fd, b.p, b.len, -1, e) == 0) {
        if ((!sync || fdatasync(fd) == 0) &&
            renameat(dir, LIST_TMP, dir, name) == 0)
            return 0;
        err_sys(e, "the list of originals");
    }
    (void)unlinkat(dir, LIST_TMP, 0); /* a full disk needs the room */
    return -1;
}

static bool
read_figures(const char *text, struct undo_entry *x)
{
    uint64_t mode, uid, gid, ino, dev, links, rdev;
    int64_t size, t[6];
    int kept;

    if (sscanf(text, SCANS, &mode, &uid, &gid, &ino, &dev, &links, &size, &t[0],
               &t[1], &t[2], &t[3], &t[4], &t[5], &rdev, &kept,
               &x->attributes_n, &x->bytes_n) != N_SCANS ||
        kept < 0 || kept >= UNDO_KEPT_N)
        return false;
    x->kept = (enum undo_kept)kept;
    x->st = (struct stat){.st_mode = (mode_t)mode,
                          .st_uid = (uid_t)uid,
                          .st_gid = (gid_t)gid,
                          .st_ino = ino,
                          .st_dev = dev,
                          .st_rdev = rdev,
                          .st_nlink = links,
                          .st_size = size,
                          .st_mtim = {t[0], t[1]},
                          .st_ctim = {t[2], t[3]},
                          .st_atim = {t[4], t[5]}};
    return true;
}

/* The text that begins at *at, which is set behind it; NULL: none. */
static const char *
next_text(const struct buf *b, size_t *at)
{
    const char *p = b->p + *at;
    size_t n = *at < b->len ? strnlen(p, b->len - *at) : 0;

    if (*at >= b->len || *at + n >= b->len)
        return NULL;
    *at += n + 1;
    return p;
}

/* A copy of n bytes at *at, which is set behind them; NULL: they are not there,
 * or there is no memory. */
static char *
next_bytes(const struct buf *b, size_t *at, size_t n)
{
    char *copy = n <= b->len - *at ? malloc(n + 1) : NULL;

    if (!copy)
        return NULL;
    memcpy(copy, b->p + *at, n);
    copy[n] = '\0';
    *at += n;
    return copy;
}

static int
read_entry(struct undo_list *l, const struct buf *b, const char *figures,
           size_t *at)
{
    const char *path = next_text(b, at);
    const char *target = path ? next_text(b, at) : NULL;
    const char *hash = target ? next_text(b, at) : NULL;
    struct undo_entry x = {0}, *last;

    if (!hash || path[0] != '/' || strlen(hash) >= sizeof(x.hash) ||
        !read_figures(figures, &x) ||
        append_entry(l, path, target, &x.st, NULL) < 0)
        return -1;
    last = &l->v[l->n - 1];
    last->kept = x.kept;
    memcpy(last->hash, hash, strlen(hash) + 1);
    if (!(last->attributes = next_bytes(b, at, x.attributes_n)))
        return -1;
    last->attributes_n = x.attributes_n;
    if (!(last->bytes = next_bytes(b, at, x.bytes_n)))
        return -1;
    last->bytes_n = x.bytes_n;
    return 0;
}

int
undo_list_read(struct undo_list *l, int dir, const char *name, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(LIST_BYTES_MAX);
    CLEANUP(fd_close_p)
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const char *text, *path;
    size_t at = 0;

    if (fd < 0)
        return err_sys(e, "the list of originals");
    if (file_read_fd(fd, &b, e) < 0)
        return -1;
    text = next_text(&b, &at);
    if (!text || strcmp(text, LIST_FORMAT) != 0)
        return err_set(e, ERR_PARSE, "%s is no list of originals", name);
    while ((text = next_text(&b, &at)) && strcmp(text, "end") != 0) {
        if (strcmp(text, "root") == 0) {
            if (!(path = next_text(&b, &at)))
                return err_set(e, ERR_PARSE, "%s is damaged", name);
            if (undo_list_add_root(l, path, e) < 0)
                return -1;
        } else if (read_entry(l, &b, text, &at) < 0) {
            return err_set(e, ERR_PARSE, "%s is damaged", name);
        }
    }
    return text ? 0 : err_set(e, ERR_PARSE, "%s is not complete", name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes_same.c - whether two files are the same, and what was renamed. */
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes_in.h"

#define READ_BYTES 65536
#define PAIR_BYTES (64u << 20) /* read in all to be sure of renames */

/* Reads until size bytes or the end; the number of bytes, or -1. */
static ssize_t
read_full(int fd, char *bytes, size_t size)
{
    size_t have = 0;

    while (have < size) {
        ssize_t n = read(fd, bytes + have, size - have);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        have += (size_t)n;
    }
    return (ssize_t)have;
}

int
changes_same_bytes(int one, const char *one_path, int two, const char *two_path,
                   struct err *e)
{
    CLEANUP(fd_close_p) int a = beneath_open(one, one_path, O_RDONLY);
    CLEANUP(fd_close_p) int b = beneath_open(two, two_path, O_RDONLY);
    char left[READ_BYTES], right[READ_BYTES];

    if (a < 0 || b < 0)
        return 0;
    for (;;) {
        ssize_t n = read_full(a, left, sizeof(left));
        ssize_t m = read_full(b, right, sizeof(right));

        if (n < 0 || m < 0)
            return err_sys(e, "%s", two_path);
        if (n != m || memcmp(left, right, (size_t)n) != 0)
            return 0;
        if (n == 0)
            return 1;
    }
}

int
changes_same_link(int dir, const char *path, const char *target, struct err *e)
{
    const char *name;
    CLEANUP(fd_close_p) int parent = beneath_parent(dir, path, &name);
    char there[PATH_MAX];
    ssize_t n = -1;

    if (parent >= 0)
        n = readlinkat(parent, name, there, sizeof(there));
    if (n < 0)
        return err_sys(e, "%s", path);
    return (size_t)n == strlen(target) && memcmp(there, target, (size_t)n) == 0;
}

/* What is deleted, and what could be the same thing elsewhere. */
struct pairing {
    const struct changes_spec *spec;
    struct changes *list;
    size_t *gone; /* indices of deletions, sorted by time */
    size_t n_gone;
    uint64_t left; /* bytes that may still be read */
};

static int
compare_times(const struct timespec *a, const struct timespec *b)
{
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    if (a->tv_nsec != b->tv_nsec)
        return a->tv_nsec < b->tv_nsec ? -1 : 1;
    return 0;
}

static int
compare_gone(const void *a, const void *b, void *arg)
{
    const struct changes *c = arg;

    return compare_times(&c->v[*(const size_t *)a].before.st_mtim,
                         &c->v[*(const size_t *)b].before.st_mtim);
}

/* The first deletion whose time is not before that of the file. */
static size_t
find_time(const struct pairing *p, const struct timespec *time)
{
    size_t from = 0, to = p->n_gone;

    while (from < to) {
        size_t mid = from + (to - from) / 2;

        if (compare_times(&p->list->v[p->gone[mid]].before.st_mtim, time) < 0)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

/* Same bytes, as far as there are bytes left to look at. */
static int
is_same(struct pairing *p, const struct change *from, const struct change *to,
        struct err *e)
{
    uint64_t size = (uint64_t)to->after.st_size;

    if (from->pair != CHANGE_NO_PAIR || size > p->left ||
        from->before.st_size != to->after.st_size ||
        (from->before.st_mode & S_IFMT) != (to->after.st_mode & S_IFMT))
        return 0;
    p->left -= size;
    if (to->target)
        return changes_same_link(p->spec->lower, from->path, to->target, e);
    return changes_same_bytes(p->spec->lower, from->path, p->spec->upper,
                              to->path, e);
}

static int
pair_one(struct pairing *p, size_t at, struct err *e)
{
    struct change *to = &p->list->v[at];
    const struct timespec *time = &to->after.st_mtim;

    for (size_t i = find_time(p, time); i < p->n_gone; i++) {
        struct change *from = &p->list->v[p->gone[i]];
        int same;

        if (compare_times(&from->before.st_mtim, time) != 0)
            return 0;
        same = is_same(p, from, to, e);
        if (same < 0)
            return -1;
        if (same == 0)
            continue;
        from->pair = at;
        to->pair = p->gone[i];
        return 0;
    }
    return 0;
}

/* A file that was copied up and is now where none was came from somewhere:
 * with nothing moved away, its original was removed by somebody else. */
static void
mark_vanished(struct changes *c)
{
    bool moved = false;

    for (size_t i = 0; i < c->n; i++)
        moved |= c->v[i].kind == CHANGE_DELETED ||
                 (c->v[i].kind == CHANGE_CHANGED && !c->v[i].copied);
    for (size_t i = 0; i < c->n && !moved; i++)
        c->v[i].meanwhile |= c->v[i].kind == CHANGE_ADDED && c->v[i].copied;
}

int
changes_pair(const struct changes_spec *spec, struct changes *c, struct err *e)
{
    CLEANUP(free_p) size_t *gone = calloc(c->n + 1, sizeof(*gone));
    struct pairing p = {spec, c, gone, 0, PAIR_BYTES};

    if (!gone)
        return err_nomem(e);
    mark_vanished(c);
    for (size_t i = 0; i < c->n; i++) {
        if (c->v[i].kind == CHANGE_DELETED && !S_ISDIR(c->v[i].before.st_mode))
            gone[p.n_gone++] = i;
    }
    qsort_r(gone, p.n_gone, sizeof(*gone), compare_gone, c);
    for (size_t i = 0; i < c->n && p.n_gone > 0; i++) {
        if (c->v[i].kind == CHANGE_ADDED && c->v[i].after.st_size > 0 &&
            !S_ISDIR(c->v[i].after.st_mode) && pair_one(&p, i, e) < 0)
            return -1;
    }
    return 0;
}

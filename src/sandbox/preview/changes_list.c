/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes_list.c - compares, sorts and counts the entries of a list of
 * changes. */
#include "sandbox/preview/changes_list.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/git_trusted.h"
#include "sandbox/preview/beneath.h"

void
changes_done(struct changes *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n; i++) {
        free(c->v[i].path);
        free(c->v[i].target);
    }
    free(c->v);
    *c = (struct changes){0};
}

#define TICK_PAUSES 500 /* 100 ms: ten ticks of the slowest kernel */

static bool
is_earlier(const struct timespec *a, const struct timespec *b)
{
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec;
    return a->tv_nsec < b->tv_nsec;
}

int
changes_begin(struct timespec *since, struct err *e)
{
    static const struct timespec pause = {.tv_nsec = 200 * 1000};
    struct timespec now, ticked;

    if (clock_gettime(CLOCK_REALTIME, &now) < 0)
        return err_sys(e, "clock");
    for (int i = 0; i < TICK_PAUSES; i++) {
        (void)nanosleep(&pause, NULL);
        if (clock_gettime(CLOCK_REALTIME_COARSE, &ticked) < 0)
            return err_sys(e, "clock");
        if (is_earlier(&ticked, &now))
            continue;
        *since = now;
        return 0;
    }
    return err_set(e, ERR_TIMEOUT, "the clock has stopped");
}

static int
sort_rank(char c)
{
    return c == '/' ? 1 : c == '\0' ? 0 : (unsigned char)c + 2;
}

int
changes_compare_paths(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return sort_rank(*a) - sort_rank(*b);
}

static int
compare_changes(const void *a, const void *b)
{
    return changes_compare_paths(((const struct change *)a)->path,
                                 ((const struct change *)b)->path);
}

void
changes_sort(struct changes *c)
{
    if (c->n > 1)
        qsort(c->v, c->n, sizeof(*c->v), compare_changes);
}

const struct change *
changes_find(const struct changes *c, const char *path)
{
    size_t from = 0, to = c->n;

    while (from < to) {
        size_t mid = from + (to - from) / 2;
        int order = changes_compare_paths(path, c->v[mid].path);

        if (order == 0)
            return &c->v[mid];
        if (order < 0)
            to = mid;
        else
            from = mid + 1;
    }
    return NULL;
}

void
changes_count(struct changes *c)
{
    c->barred = c->meanwhile = 0;
    c->write_bytes = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct change *x = &c->v[i];

        c->barred += x->bar != CHANGE_FREE;
        c->meanwhile += x->meanwhile;
        if (S_ISREG(x->after.st_mode) && x->bar == CHANGE_FREE &&
            x->kind != CHANGE_ATTRIBUTES)
            c->write_bytes += (uint64_t)x->after.st_blocks * 512;
    }
}

/* Returns whether a part of a path, of n bytes, is this name. Case is ignored,
 * as some filesystems do. */
static bool
is_component(const char *part, size_t n, const char *name)
{
    return strlen(name) == n && strncasecmp(part, name, n) == 0;
}

enum change_bar
changes_bar_of(const char *path)
{
    if (git_trusted_holds(path))
        return CHANGE_PROTECTED;
    while (*path) {
        size_t n = strcspn(path, "/");

        if (is_component(path, n, ".agentsh"))
            return CHANGE_PROTECTED;
        path += n;
        path += *path == '/';
    }
    return CHANGE_FREE;
}

bool
changes_link_leaves(const char *path, const char *target, const char *place)
{
    long depth = 0;

    if (target[0] == '/') {
        target = path_behind(target, place);
        if (!target)
            return true;
    } else {
        for (const char *p = path; *p; p++)
            depth += *p == '/';
    }
    while (*target) {
        size_t len = strcspn(target, "/");

        if (len == 2 && memcmp(target, "..", 2) == 0)
            depth--;
        else if (len > 0 && !(len == 1 && *target == '.'))
            depth++;
        if (depth < 0)
            return true;
        target += len;
        target += *target == '/';
    }
    return false;
}

/* Originals: whether they changed meanwhile, and what is lost with them. */

/* entries counted below what was deleted: about a second */
#define BELOW_MAX 1000000

bool
changes_is_meanwhile(const struct changes_spec *spec, const struct stat *st)
{
    const struct timespec *since = &spec->since;

    if (st->st_ctim.tv_sec != since->tv_sec)
        return st->st_ctim.tv_sec > since->tv_sec;
    return st->st_ctim.tv_nsec >= since->tv_nsec;
}

/* Counts an entry of a directory that was deleted. */
struct below {
    const struct changes_spec *spec;
    struct change *c;
};

static int
count_deleted(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct below *b = arg;

    if (++b->c->files > BELOW_MAX)
        return err_set(e, ERR_NOMEM, "more than %d files are deleted",
                       BELOW_MAX);
    if (changes_bar_of(x->path) != CHANGE_FREE)
        b->c->bar = CHANGE_PROTECTED;
    if (S_ISDIR(x->st.st_mode))
        return 0;
    b->c->bytes += (uint64_t)x->st.st_size;
    b->c->meanwhile |= changes_is_meanwhile(b->spec, &x->st);
    return 0;
}

int
changes_inspect_original(const struct changes_spec *spec, const char *path,
                         struct change *c, struct err *e)
{
    struct below b = {spec, c};

    if (!S_ISDIR(c->before.st_mode)) {
        c->files = 1;
        c->bytes = (uint64_t)c->before.st_size;
        c->meanwhile = changes_is_meanwhile(spec, &c->before);
        return 0;
    }
    if (beneath_walk(spec->lower, path, false, 0, count_deleted, &b, e) < 0)
        return -1;
    c->files++; /* the entry itself */
    return 0;
}

#define READ_BYTES 65536
#define PAIR_BYTES (64u << 20) /* bytes read in total to recognize renames */

/* Reads until size bytes or the end of the file; returns the number of bytes,
 * or -1. */
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

/* The deletions that may be halves of a rename. */
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

/* Returns the first deletion whose time is not before that of the file. */
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

/* Returns whether the bytes are the same; false once too many were read. */
static int
has_same_bytes(struct pairing *p, const struct change *from,
               const struct change *to, struct err *e)
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
        same = has_same_bytes(p, from, to, e);
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

/* A file that was copied up and has no original at its path was moved there. If
 * no deletion matches it, somebody else removed its original. */
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
changes_find_renames(const struct changes_spec *spec, struct changes *c,
                     struct err *e)
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

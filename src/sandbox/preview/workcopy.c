/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workcopy.c - makes the copy of a directory that a run works in. */
#include "sandbox/preview/workcopy.h"

#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/size.h"
#include "sandbox/preview/apply_in.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes.h"

#define LIST_MAX   (64u << 20)
#define GROUPS_MAX 256

/* A file with several names: where its first copy is. */
struct twin {
    dev_t dev;
    ino_t ino;
    char *path;
};

struct maker {
    const struct workcopy_spec *s;
    uid_t self; /* as whom the run would meet the directory */
    gid_t groups[GROUPS_MAX];
    int n_groups;
    char dir[PATH_MAX]; /* whose copy is open */
    int to_dir;
    uint64_t bytes_left;
    size_t files, left_out;
    void *twins; /* a tree of search.h */
    struct beneath_paths dirs;
};

static int
compare_twins(const void *a, const void *b)
{
    const struct twin *x = a, *y = b;

    if (x->dev != y->dev)
        return x->dev < y->dev ? -1 : 1;
    return x->ino == y->ino ? 0 : x->ino < y->ino ? -1 : 1;
}

static void
free_twin(void *twin)
{
    free(((struct twin *)twin)->path);
    free(twin);
}

static void
maker_done(struct maker *m)
{
    tdestroy(m->twins, free_twin);
    beneath_paths_done(&m->dirs);
    if (m->to_dir >= 0)
        close(m->to_dir);
}

/* The copy of the directory that holds an entry; -1 with errno. */
static int
dir_of(struct maker *m, const struct beneath_entry *x)
{
    size_t n = strlen(x->path) - strlen(x->name);

    n -= n > 0; /* the slash */
    if (m->to_dir >= 0 && strlen(m->dir) == n &&
        memcmp(m->dir, x->path, n) == 0)
        return m->to_dir;
    if (n >= sizeof(m->dir)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd_close_p(&m->to_dir);
    memcpy(m->dir, x->path, n);
    m->dir[n] = '\0';
    m->to_dir = beneath_open(m->s->to, m->dir, O_PATH | O_DIRECTORY);
    return m->to_dir;
}

static bool
is_in_group(const struct maker *m, gid_t gid)
{
    for (int i = 0; i < m->n_groups; i++)
        if (m->groups[i] == gid)
            return true;
    return gid == getegid();
}

/* The copy is ours, and gives us no more than the original does. */
static mode_t
mode_for(const struct maker *m, const struct stat *st)
{
    mode_t mode = st->st_mode & (S_ISDIR(st->st_mode) ? 01777 : 0777);
    mode_t bits = is_in_group(m, st->st_gid) ? mode >> 3 & 7 : mode & 7;

    return st->st_uid == m->self ? mode : (mode & 01077) | bits << 6;
}

static int
leave_out(struct maker *m)
{
    m->left_out++;
    return BENEATH_SKIP;
}

/* What could not be read at all is none of the run's affair. */
static bool
is_closed(int sys)
{
    return sys == EACCES || sys == EPERM || sys == ENOENT || sys == ELOOP;
}

static int
copy_dir(struct maker *m, const struct beneath_entry *x, int to, struct err *e)
{
    if (faccessat(x->dir, x->name, R_OK | X_OK, AT_EACCESS) < 0)
        return leave_out(m);
    if (mkdirat(to, x->name, 0700) < 0)
        return err_sys(e, "%s", x->path);
    return beneath_paths_add(&m->dirs, "", x->path, e);
}

static int
copy_link(struct maker *m, const struct beneath_entry *x, int to, struct err *e)
{
    struct timespec times[2] = {x->st.st_atim, x->st.st_mtim};
    char target[PATH_MAX];
    ssize_t n = readlinkat(x->dir, x->name, target, sizeof(target) - 1);

    if (n < 0 && is_closed(errno))
        return leave_out(m);
    if (n < 0)
        return err_sys(e, "%s", x->path);
    target[n] = '\0';
    if (symlinkat(target, to, x->name) < 0 ||
        utimensat(to, x->name, times, AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(e, "%s", x->path);
    return 0;
}

/* 1: another name of the same file is there, and this one too now. */
static int
link_twin(struct maker *m, const struct beneath_entry *x, int to, struct err *e)
{
    struct twin key = {.dev = x->st.st_dev, .ino = x->st.st_ino};
    struct twin *const *found = tfind(&key, &m->twins, compare_twins);
    struct twin *new;
    const char *name;
    CLEANUP(fd_close_p) int dir = -1;

    if (found) {
        dir = beneath_parent(m->s->to, (*found)->path, &name);
        if (dir < 0 || linkat(dir, name, to, x->name, 0) < 0)
            return err_sys(e, "%s", x->path);
        return 1;
    }
    new = calloc(1, sizeof(*new));
    if (new) {
        *new = (struct twin){key.dev, key.ino, strdup(x->path)};
        if (new->path && tsearch(new, &m->twins, compare_twins))
            return 0;
        free_twin(new);
    }
    return err_set(e, ERR_NOMEM, "out of memory");
}

static int
too_large(const struct maker *m, struct err *e)
{
    char size[SIZE_TEXT];

    return err_set(e, ERR_SANDBOX,
                   "the workspace is too large to be copied for a preview: "
                   "more than %s; choose a smaller one",
                   size_text(m->s->bytes_max, size));
}

static int
copy_bytes(struct maker *m, int from, int to, const struct stat *st,
           struct err *e)
{
    uint64_t bytes = (uint64_t)st->st_blocks * 512;

    if (apply_clone(from, to))
        return 0;
    if (bytes > m->bytes_left)
        return too_large(m, e);
    m->bytes_left -= bytes;
    return apply_copy_bytes(from, to, st->st_size, e);
}

static int
copy_contents(struct maker *m, const struct beneath_entry *x, int from,
              const struct stat *st, int to, struct err *e)
{
    CLEANUP(fd_close_p)
    int file = openat(to, x->name,
                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      0600);
    struct timespec times[2] = {st->st_atim, st->st_mtim};

    if (file < 0)
        return err_sys(e, "%s", x->path);
    if (copy_bytes(m, from, file, st, e) < 0 ||
        apply_copy_xattrs(from, file, true, e) < 0)
        return e && e->code == ERR_SANDBOX ? -1 : err_wrap(e, "%s", x->path);
    if (fchmod(file, mode_for(m, st)) < 0 || futimens(file, times) < 0)
        return err_sys(e, "%s", x->path);
    return 0;
}

static int
copy_file(struct maker *m, const struct beneath_entry *x, int to, struct err *e)
{
    CLEANUP(fd_close_p)
    int from = openat(x->dir, x->name,
                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    int twin = 0;

    if (from < 0)
        return is_closed(errno) ? leave_out(m) : err_sys(e, "%s", x->path);
    if (fstat(from, &st) < 0 || !S_ISREG(st.st_mode)) /* it was, just now */
        return leave_out(m);
    if (x->st.st_nlink > 1 && (twin = link_twin(m, x, to, e)) != 0)
        return twin < 0 ? -1 : 0;
    return copy_contents(m, x, from, &st, to, e);
}

static int
copy_entry(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct maker *m = arg;
    int to = dir_of(m, x);

    if (m->s->goes_on && !m->s->goes_on(m->s->arg))
        return err_set(e, ERR_INTERRUPTED, "interrupted");
    if (++m->files > WORKCOPY_FILES_MAX)
        return err_set(e, ERR_SANDBOX,
                       "the workspace is too large to be copied for a preview: "
                       "more than %d files; choose a smaller one",
                       WORKCOPY_FILES_MAX);
    if (to < 0)
        return err_sys(e, "%s", x->path);
    if (S_ISDIR(x->st.st_mode))
        return copy_dir(m, x, to, e);
    if (S_ISLNK(x->st.st_mode))
        return copy_link(m, x, to, e);
    return S_ISREG(x->st.st_mode) ? copy_file(m, x, to, e) : leave_out(m);
}

/* A directory gets its mode and time when everything is in it. */
static int
finish_dir(const struct maker *m, const char *path, struct err *e)
{
    CLEANUP(fd_close_p)
    int from = beneath_open(m->s->from, path, O_RDONLY | O_DIRECTORY);
    CLEANUP(fd_close_p)
    int to = beneath_open(m->s->to, path, O_RDONLY | O_DIRECTORY);
    struct timespec times[2];
    struct stat st;

    if (from < 0) /* somebody has just removed it */
        return 0;
    if (to < 0 || fstat(from, &st) < 0)
        return err_sys(e, "%s", path);
    times[0] = st.st_atim;
    times[1] = st.st_mtim;
    if (apply_copy_xattrs(from, to, true, e) < 0)
        return err_wrap(e, "%s", path);
    if (fchmod(to, mode_for(m, &st)) < 0 || futimens(to, times) < 0)
        return err_sys(e, "%s", path);
    return 0;
}

static void
put_entry(struct buf *out, const char *path, const struct stat *st)
{
    buf_printf(out, "%ju %jd %ld %o %u %u ", (uintmax_t)st->st_ino,
               (intmax_t)st->st_ctim.tv_sec, st->st_ctim.tv_nsec,
               (unsigned)st->st_mode, (unsigned)st->st_uid,
               (unsigned)st->st_gid);
    buf_add(out, path, strlen(path) + 1);
}

static int
note_entry(void *arg, const struct beneath_entry *x, struct err *e)
{
    (void)e;
    put_entry(arg, x->path, &x->st);
    return 0;
}

/* What the copy is, now that nothing of it changes any more. */
static int
write_list(const struct maker *m, int list, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(LIST_MAX);
    struct stat st;

    if (fstat(m->s->to, &st) < 0)
        return err_sys(e, "the copy");
    put_entry(&b, ".", &st);
    if (beneath_walk(m->s->to, ".", false, 0, note_entry, &b, e) < 0 ||
        buf_ok(&b, "the list of what was copied", e) < 0)
        return -1;
    return fd_write_all(list, b.p, b.len, -1, e);
}

/* Root without namespaces, and with no capability, meets the directory as its
 * owner does. */
static int
maker_init(struct maker *m, struct err *e)
{
    struct stat top;

    if (fstat(m->s->from, &top) < 0)
        return err_sys(e, "the workspace");
    m->self = geteuid() == 0 ? top.st_uid : geteuid();
    m->n_groups = getgroups(GROUPS_MAX, m->groups);
    return beneath_paths_add(&m->dirs, "", ".", e);
}

int
workcopy_make(const struct workcopy_spec *s, int list, size_t *left_out,
              struct err *e)
{
    CLEANUP(maker_done)
    struct maker m = {.s = s, .to_dir = -1, .bytes_left = s->bytes_max};
    struct timespec listed;

    if (maker_init(&m, e) < 0 ||
        beneath_walk(s->from, ".", false, 0, copy_entry, &m, e) < 0)
        return -1;
    while (m.dirs.n > 0) {
        CLEANUP(free_p) char *dir = m.dirs.v[--m.dirs.n];

        if (finish_dir(&m, dir, e) < 0)
            return -1;
    }
    /* nothing that the run changes may have the time of what is listed */
    if (write_list(&m, list, e) < 0 || changes_begin(&listed, e) < 0)
        return -1;
    *left_out = m.left_out;
    return 0;
}

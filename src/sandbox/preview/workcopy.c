/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workcopy.c - copies a directory for a command to work in. */
#include "sandbox/preview/workcopy.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/linux_calls.h"
#include "base/size.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/copy_file.h"

#define TRIES    3    /* tries to copy a file that keeps changing */
#define CLOCK_MS 2000 /* milliseconds for the filesystem's clock to advance */

/* A file with several names: the path of its first copy. */
struct hard_link {
    dev_t dev;
    ino_t ino;
    struct timespec changed;
    char *path;
};

struct maker {
    const struct workcopy_spec *s;
    dev_t dev;          /* the device of the directory, … */
    uint64_t mount;     /* … and its mount; 0: unknown */
    char dir[PATH_MAX]; /* the directory whose copy is open */
    int to_dir;
    uint64_t bound, bytes_left;
    uint64_t read_left; /* in memory: bytes that changes_read will have to read,
                           with holes */
    int64_t deadline_ms;
    size_t files;
    bool place_failed;      /* the error does not come from the workspace */
    void *hard_links;       /* a tree of tsearch(3) */
    struct timespec latest; /* ctime in the list */
    struct beneath_paths dirs;
};

/* Reports why an exact copy of the workspace is not possible. */
enum refusal {
    REFUSE_UNREADABLE,
    REFUSE_FIFO,
    REFUSE_SOCKET,
    REFUSE_DEVICE,
    REFUSE_MOUNT,
    REFUSE_TOP_OWNER,
    REFUSE_OWNER,
    REFUSE_GROUP,
    REFUSE_ATTRIBUTES,
    REFUSE_BUSY,
};

static int
refuse_copy(enum refusal why, const char *path, struct err *e)
{
    static const char *const texts[] = {
        [REFUSE_UNREADABLE] =
            "cannot be read; make it readable, or move it elsewhere",
        [REFUSE_FIFO] = "is a FIFO; move it elsewhere",
        [REFUSE_SOCKET] = "is a socket; move it elsewhere",
        [REFUSE_DEVICE] = "is a device; move it elsewhere",
        [REFUSE_MOUNT] = "is on another filesystem; unmount it, or choose "
                         "another workspace",
        [REFUSE_TOP_OWNER] = "belongs to another user; preview as that user",
        [REFUSE_OWNER] = "belongs to another user; change its owner, or move "
                         "it elsewhere",
        [REFUSE_GROUP] = "belongs to a group that you are not in; change its "
                         "group",
        [REFUSE_ATTRIBUTES] = "has more attributes than can be copied; remove "
                              "some, or move it elsewhere",
        [REFUSE_BUSY] = "is changed while it is copied; end what changes it",
    };

    return err_set(e, ERR_SANDBOX, "cannot preview on a copy: %.120s %s",
                   strcmp(path, ".") == 0 ? "the workspace" : path, texts[why]);
}

/* Reports an error of the place; another place may work. */
static int
fail_place(struct maker *m, const char *path, struct err *e)
{
    m->place_failed = true;
    return err_sys(e, "%s: %s", m->s->place, path);
}

static int
compare_links(const void *a, const void *b)
{
    const struct hard_link *x = a, *y = b;

    if (x->dev != y->dev)
        return x->dev < y->dev ? -1 : 1;
    return x->ino == y->ino ? 0 : x->ino < y->ino ? -1 : 1;
}

static void
free_link(void *link)
{
    free(((struct hard_link *)link)->path);
    free(link);
}

static void
maker_done(struct maker *m)
{
    tdestroy(m->hard_links, free_link);
    beneath_paths_done(&m->dirs);
    if (m->to_dir >= 0)
        close(m->to_dir);
}

/* Opens the copy of the directory that holds an entry; -1 with errno. */
static int
open_copy_of_dir(struct maker *m, const struct beneath_entry *x)
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

/* Returns whether nobody has changed an entry between two stats. */
static bool
is_unchanged(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_mode == b->st_mode && a->st_size == b->st_size &&
           clock_is_same(&a->st_mtim, &b->st_mtim) &&
           clock_is_same(&a->st_ctim, &b->st_ctim);
}

/* Returns the id of the mount of an entry, which no rename changes; 0: unknown
 * (Linux before 5.8, or a C library without statx). */
static uint64_t
mount_of(int dir, const char *name)
{
#ifdef STATX_MNT_ID
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
    struct statx sx;

    flags |= name[0] ? 0 : AT_EMPTY_PATH;
    if (linux_statx(dir, name, flags, STATX_MNT_ID, &sx) == 0 &&
        sx.stx_mask & STATX_MNT_ID)
        return sx.stx_mnt_id;
#else
    (void)dir;
    (void)name;
#endif
    return 0;
}

/* Returns whether an entry lies on another filesystem. Mounts are compared,
 * since a file of an overlayfs may have a device number of its own. */
static bool
is_on_other_filesystem(const struct maker *m, const struct beneath_entry *x)
{
    uint64_t mount = mount_of(x->dir, x->name);

    if (m->mount && mount && m->mount != mount)
        return true;
    return x->st.st_dev != m->dev && (S_ISDIR(x->st.st_mode) || !mount);
}

/* Asks the caller whether the copying may go on. */
static int
ask_copy_goes_on(const struct maker *m, struct err *e)
{
    if (m->s->goes_on && !m->s->goes_on(m->s->arg))
        return err_set(e, ERR_INTERRUPTED, "interrupted");
    if (clock_ms() > m->deadline_ms)
        return err_set(e, ERR_SANDBOX,
                       "the workspace is too large to be copied for a preview: "
                       "it takes longer than %d seconds; choose a smaller one",
                       WORKCOPY_MS_MAX / 1000);
    return 0;
}

/* Refuses a workspace that is too large. mapped: by the bytes to be read in
 * memory, with holes, not by the free space. */
static int
refuse_size(struct maker *m, bool mapped, struct err *e)
{
    char size[SIZE_TEXT];

    if (!mapped && m->bound == WORKCOPY_BYTES_MAX)
        return err_set(e, ERR_SANDBOX,
                       "the workspace is too large to be copied for a preview: "
                       "more than %s; choose a smaller one",
                       size_text(m->bound, size));
    m->place_failed = true;
    if (mapped || (m->s->memory && m->bound == WORKCOPY_MEMORY_MAX))
        return err_set(e, ERR_IO,
                       "the workspace is more than %s, and %.150s is memory",
                       size_text(WORKCOPY_MEMORY_MAX, size), m->s->place);
    return err_set(e, ERR_IO,
                   "the copy of the workspace may fill half of what is free: "
                   "only %s is free in %.120s",
                   size_text(m->s->room_bytes, size), m->s->place);
}

static int
ask_slice(void *arg, size_t bytes, struct err *e)
{
    struct maker *m = arg;

    if (ask_copy_goes_on(m, e) < 0)
        return -1;
    if (bytes > m->bytes_left)
        return refuse_size(m, false, e);
    m->bytes_left -= bytes;
    return 0;
}

/* Sets group, mode and times, and checks them, since the filesystem may not be
 * able to store them. */
static int
copy_inode(struct maker *m, const char *path, const struct stat *st, int to,
           struct err *e)
{
    const struct timespec times[2] = {st->st_atim, st->st_mtim};
    struct stat now;

    if (fstat(to, &now) < 0)
        return fail_place(m, path, e);
    if (now.st_gid != st->st_gid && fchown(to, (uid_t)-1, st->st_gid) < 0)
        return refuse_copy(REFUSE_GROUP, path, e);
    if (fchmod(to, st->st_mode & 07777) < 0 || futimens(to, times) < 0 ||
        fstat(to, &now) < 0)
        return fail_place(m, path, e);
    if (now.st_mode == st->st_mode && now.st_uid == st->st_uid &&
        now.st_gid == st->st_gid && clock_is_same(&now.st_mtim, &st->st_mtim))
        return 0;
    m->place_failed = true;
    return err_set(e, ERR_UNSUPPORTED, "%.120s cannot hold mode and time of %s",
                   m->s->place, path);
}

static int
copy_attributes(struct maker *m, const char *path, int from, int to,
                struct err *e)
{
    int rc = copy_file_all_xattrs(from, to, e);

    if (rc > 0)
        return refuse_copy(REFUSE_ATTRIBUTES, path, e);
    m->place_failed |= rc < 0;
    return rc < 0 ? err_wrap(e, "%s: %s", m->s->place, path) : 0;
}

static int
copy_dir(struct maker *m, const struct beneath_entry *x, int to, struct err *e)
{
    if (faccessat(x->dir, x->name, R_OK | X_OK, AT_EACCESS) < 0)
        return refuse_copy(REFUSE_UNREADABLE, x->path, e);
    if (mkdirat(to, x->name, 0700) < 0)
        return fail_place(m, x->path, e);
    return beneath_paths_add(&m->dirs, "", x->path, e);
}

/* Copies a link. 1: it was changed meanwhile, as in the next two functions. */
static int
copy_link(struct maker *m, const struct beneath_entry *x, int to, struct err *e)
{
    const struct timespec times[2] = {x->st.st_atim, x->st.st_mtim};
    char target[PATH_MAX];
    ssize_t n = readlinkat(x->dir, x->name, target, sizeof(target) - 1);
    struct stat now;

    if (n < 0)
        return 1;
    target[n] = '\0';
    if (symlinkat(target, to, x->name) < 0 ||
        fstatat(to, x->name, &now, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_place(m, x->path, e);
    if (now.st_gid != x->st.st_gid &&
        fchownat(to, x->name, (uid_t)-1, x->st.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
        return refuse_copy(REFUSE_GROUP, x->path, e);
    if (utimensat(to, x->name, times, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_place(m, x->path, e);
    return 0;
}

/* Links a file whose other name was copied already. 2: there is none. */
static int
copy_hard_link(struct maker *m, const struct beneath_entry *x, int to,
               struct err *e)
{
    struct hard_link key = {.dev = x->st.st_dev, .ino = x->st.st_ino};
    struct hard_link *const *found = tfind(&key, &m->hard_links, compare_links);
    CLEANUP(fd_close_p) int dir = -1;
    const char *name;

    if (!found)
        return 2;
    if (!clock_is_same(&(*found)->changed, &x->st.st_ctim))
        return refuse_copy(REFUSE_BUSY, x->path, e);
    dir = beneath_parent(m->s->to, (*found)->path, &name);
    if (dir < 0 || linkat(dir, name, to, x->name, 0) < 0)
        return fail_place(m, x->path, e);
    return 0;
}

static int
note_hard_link(struct maker *m, const struct beneath_entry *x, struct err *e)
{
    struct hard_link *new = calloc(1, sizeof(*new));

    if (new) {
        *new = (struct hard_link){x->st.st_dev, x->st.st_ino, x->st.st_ctim,
                                  strdup(x->path)};
        if (new->path && tsearch(new, &m->hard_links, compare_links))
            return 0;
        free_link(new);
    }
    return err_nomem(e);
}

static int
copy_contents(struct maker *m, const struct beneath_entry *x, int from, int to,
              struct err *e)
{
    CLEANUP(fd_close_p)
    int file = openat(to, x->name,
                      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (file < 0)
        return fail_place(m, x->path, e);
    if (m->s->memory && (uint64_t)x->st.st_size > m->read_left)
        return refuse_size(m, true, e);
    m->read_left -= m->s->memory ? (uint64_t)x->st.st_size : 0;
    if (!copy_file_clone(from, file) &&
        copy_file_bytes(from, file, x->st.st_size, ask_slice, m, e) < 0) {
        if (e && e->code == ERR_SANDBOX)
            return -1;
        m->place_failed = true;
        return err_wrap(e, "%s", x->path);
    }
    if (copy_attributes(m, x->path, from, file, e) < 0)
        return -1;
    return copy_inode(m, x->path, &x->st, file, e);
}

static int
copy_file(struct maker *m, const struct beneath_entry *x, int to, struct err *e)
{
    CLEANUP(fd_close_p)
    int from = openat(x->dir, x->name,
                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    int rc = 2;

    if (from < 0 && (errno == ENOENT || errno == ELOOP || errno == ENXIO))
        return 1;
    if (from < 0)
        return refuse_copy(REFUSE_UNREADABLE, x->path, e);
    if (fstat(from, &st) < 0 || !is_unchanged(&st, &x->st))
        return 1;
    if (st.st_nlink > 1 && (rc = copy_hard_link(m, x, to, e)) != 2)
        return rc;
    if (copy_contents(m, x, from, to, e) < 0)
        return -1;
    if (fstat(from, &st) < 0 || !is_unchanged(&st, &x->st))
        return 1;
    return st.st_nlink > 1 ? note_hard_link(m, x, e) : 0;
}

/* Copies an entry, and again, a few times, if it changes meanwhile. */
static int
copy_until_same(struct maker *m, const struct beneath_entry *entry, int to,
                struct err *e)
{
    const uint64_t bytes_left = m->bytes_left, read_left = m->read_left;
    struct beneath_entry x = *entry;

    for (int i = 0; i < TRIES; i++) {
        struct stat now;
        int rc = S_ISLNK(x.st.st_mode) ? copy_link(m, &x, to, e)
                                       : copy_file(m, &x, to, e);
        bool there;

        if (rc < 0)
            return -1;
        there = fstatat(x.dir, x.name, &now, AT_SYMLINK_NOFOLLOW) == 0;
        if (there && rc == 0 && is_unchanged(&now, &x.st))
            return 0;
        if (unlinkat(to, x.name, 0) < 0 && errno != ENOENT)
            return fail_place(m, x.path, e);
        m->bytes_left = bytes_left;
        m->read_left = read_left;
        if (!there && errno == ENOENT)
            return 0; /* it is not in the copy either */
        if (!there || (now.st_mode & S_IFMT) != (x.st.st_mode & S_IFMT) ||
            now.st_uid != x.st.st_uid)
            break;
        x.st = now;
    }
    return refuse_copy(REFUSE_BUSY, x.path, e);
}

/* Refuses what cannot be copied at all. */
static int
check_copied_entry(const struct maker *m, const struct beneath_entry *x,
                   struct err *e)
{
    if (is_on_other_filesystem(m, x))
        return refuse_copy(REFUSE_MOUNT, x->path, e);
    if (x->st.st_uid != geteuid())
        return refuse_copy(REFUSE_OWNER, x->path, e);
    switch (x->st.st_mode & S_IFMT) {
    case S_IFDIR:
    case S_IFREG:
    case S_IFLNK:
        return 0;
    case S_IFIFO:
        return refuse_copy(REFUSE_FIFO, x->path, e);
    case S_IFSOCK:
        return refuse_copy(REFUSE_SOCKET, x->path, e);
    default:
        return refuse_copy(REFUSE_DEVICE, x->path, e);
    }
}

static int
copy_tree_entry(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct maker *m = arg;
    int to;

    if (ask_copy_goes_on(m, e) < 0 || check_copied_entry(m, x, e) < 0)
        return -1;
    if (++m->files > WORKCOPY_FILES_MAX)
        return err_set(e, ERR_SANDBOX,
                       "the workspace is too large to be copied for a preview: "
                       "more than %d files; choose a smaller one",
                       WORKCOPY_FILES_MAX);
    to = open_copy_of_dir(m, x);
    if (to < 0)
        return fail_place(m, x->path, e);
    return S_ISDIR(x->st.st_mode) ? copy_dir(m, x, to, e)
                                  : copy_until_same(m, x, to, e);
}

/* Sets mode and times of the directories when they are complete. */
static int
finish_dir(struct maker *m, const char *path, struct err *e)
{
    CLEANUP(fd_close_p)
    int from = beneath_open(m->s->from, path, O_RDONLY | O_DIRECTORY);
    CLEANUP(fd_close_p)
    int to = beneath_open(m->s->to, path, O_RDONLY | O_DIRECTORY);
    struct stat st;

    if (from < 0 || fstat(from, &st) < 0 || st.st_uid != geteuid())
        return refuse_copy(REFUSE_BUSY, path, e);
    if (to < 0)
        return fail_place(m, path, e);
    if (copy_attributes(m, path, from, to, e) < 0)
        return -1;
    return copy_inode(m, path, &st, to, e);
}

static void
write_entry(struct maker *m, struct buf *out, const char *path,
            const struct stat *st)
{
    if (st->st_ctim.tv_sec > m->latest.tv_sec ||
        (st->st_ctim.tv_sec == m->latest.tv_sec &&
         st->st_ctim.tv_nsec > m->latest.tv_nsec))
        m->latest = st->st_ctim;
    buf_printf(out, "%ju %jd %ld %o %u %u %jd %jd %ld ", (uintmax_t)st->st_ino,
               (intmax_t)st->st_ctim.tv_sec, st->st_ctim.tv_nsec,
               (unsigned)st->st_mode, (unsigned)st->st_uid,
               (unsigned)st->st_gid, (intmax_t)st->st_size,
               (intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
    buf_add(out, path, strlen(path) + 1);
}

struct listing {
    struct maker *maker;
    struct buf *out;
};

static int
list_copied_entry(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct listing *l = arg;

    write_entry(l->maker, l->out, x->path, &x->st);
    return ask_copy_goes_on(l->maker, e);
}

/* Writes the list, when the copy is complete. */
static int
write_list(struct maker *m, int list, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(WORKCOPY_LIST_MAX);
    struct listing l = {m, &b};
    struct stat st;

    m->place_failed = true;
    if (fstat(m->s->to, &st) < 0)
        return err_sys(e, "the copy");
    write_entry(m, &b, ".", &st);
    if (beneath_walk(m->s->to, ".", false, 0, list_copied_entry, &l, e) < 0 ||
        buf_ok(&b, "the list of what was copied", e) < 0)
        return -1;
    return fd_write_all(list, b.p, b.len, -1, e);
}

/* Waits until the filesystem, which may have a clock of its own, gives a file a
 * later time than any in the list, so that no change by the command can have a
 * listed time. */
static int
wait_for_tick(const struct maker *m, int list, struct err *e)
{
    static const struct timespec pause = {.tv_nsec = 200 * 1000};
    int64_t deadline_ms = clock_ms() + CLOCK_MS;
    struct stat st;

    do {
        if (futimens(list, NULL) < 0 || fstat(list, &st) < 0)
            return err_sys(e, "%s", m->s->place);
        if (st.st_ctim.tv_sec > m->latest.tv_sec ||
            (st.st_ctim.tv_sec == m->latest.tv_sec &&
             st.st_ctim.tv_nsec > m->latest.tv_nsec))
            return 0;
        (void)nanosleep(&pause, NULL);
    } while (clock_ms() < deadline_ms);
    return err_set(e, ERR_IO, "%.150s: the clock of the filesystem has stopped",
                   m->s->place);
}

static int
maker_init(struct maker *m, struct err *e)
{
    uint64_t half = m->s->room_bytes / 2;
    uint64_t most = m->s->memory ? WORKCOPY_MEMORY_MAX : WORKCOPY_BYTES_MAX;
    struct stat top;

    if (fstat(m->s->from, &top) < 0)
        return err_sys(e, "the workspace");
    if (top.st_uid != geteuid())
        return refuse_copy(REFUSE_TOP_OWNER, ".", e);
    if (faccessat(m->s->from, ".", R_OK | X_OK, AT_EACCESS) < 0)
        return refuse_copy(REFUSE_UNREADABLE, ".", e);
    m->dev = top.st_dev;
    m->mount = mount_of(m->s->from, "");
    m->bound = m->bytes_left = half < most ? half : most;
    m->read_left = WORKCOPY_MEMORY_MAX;
    m->deadline_ms = clock_ms() + WORKCOPY_MS_MAX;
    return beneath_paths_add(&m->dirs, "", ".", e);
}

static int
copy_all(struct maker *m, struct err *e)
{
    if (maker_init(m, e) < 0 ||
        beneath_walk(m->s->from, ".", false, 0, copy_tree_entry, m, e) < 0)
        return -1;
    while (m->dirs.n > 0) {
        CLEANUP(free_p) char *dir = m->dirs.v[--m->dirs.n];

        if (ask_copy_goes_on(m, e) < 0 || finish_dir(m, dir, e) < 0)
            return -1;
    }
    return 0;
}

int
workcopy_make(const struct workcopy_spec *s, int list, struct err *e)
{
    CLEANUP(maker_done) struct maker m = {.s = s, .to_dir = -1};
    struct err why = {0};

    if (copy_all(&m, &why) == 0 && write_list(&m, list, &why) == 0 &&
        wait_for_tick(&m, list, &why) == 0)
        return 0;
    /* the workspace has something that cannot be copied: no other place would
     * help */
    if (!m.place_failed && why.code != ERR_SANDBOX && why.code != ERR_NOMEM &&
        why.code != ERR_INTERRUPTED)
        return err_set(e, ERR_SANDBOX, "cannot preview on a copy: %.200s",
                       why.text);
    if (e)
        *e = why;
    return -1;
}

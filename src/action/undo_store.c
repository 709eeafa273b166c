/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_store.c - keeps the originals of what a step changes. */
#include "action/undo_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/owner.h"
#include "base/path.h"

#define LOCK_NAME    "lock"
#define STORE_DIR    "undo"
#define REASONS_NAME "reasons"
#define VIEW_NAME    "view"
#define REASON_MAX   1024
#define RUNS_KEPT    200
#define OPEN_PREFIX  ".open-" /* and a run: a step of it may be killed */
#define USED_NAME    ".used"  /* bytes of all stores, and how many they are */
#define USED_WAIT_MS 100      /* it is locked for less than one */
#define NAME_ROOM    300

struct undo_store {
    char *run;
    char *top, *dir;         /* of all stores; of this one */
    int at, lock;            /* the directory, and its lock */
    int root;                /* of all files */
    struct undo_list before; /* of the last step that was kept */
};

/* The path of the file that says that a step of the run may be killed; the
 * caller frees it. NULL: no memory. */
static char *
open_mark_path(const struct undo_store *u)
{
    char name[NAME_ROOM];

    snprintf(name, sizeof(name), OPEN_PREFIX "%s", u->run);
    return path_join(u->top, name);
}

/* Without the mark nobody would look for a step that was killed. */
static int
mark_open(const struct undo_store *u, struct err *e)
{
    CLEANUP(free_p) char *path = open_mark_path(u);
    CLEANUP(fd_close_p) int fd = -1;

    if (!path)
        return err_nomem(e);
    fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    return fd < 0 ? err_sys(e, "%s", path) : 0;
}

static void
mark_undo_over(const struct undo_store *u)
{
    CLEANUP(free_p) char *path = open_mark_path(u);

    if (path)
        (void)unlink(path);
}

void
undo_store_free(struct undo_store *u)
{
    if (!u)
        return;
    fd_close_p(&u->at);
    fd_close_p(&u->lock);
    fd_close_p(&u->root);
    undo_list_done(&u->before);
    free(u->top);
    free(u->run);
    free(u->dir);
    free(u);
}

const char *
undo_store_run(const struct undo_store *u)
{
    return u->run;
}

int
undo_store_dir(const struct undo_store *u)
{
    return u->at;
}

int
undo_store_root(const struct undo_store *u)
{
    return u->root;
}

/* Opens a directory that nobody else can write: what a store says is put in
 * its place without another look at it. */
static int
open_own_dir(int at, const char *name, const char *path, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(e, "%s", path);
    if (st.st_uid != geteuid())
        return err_set(e, ERR_PERMISSION,
                       "%s is another user's, so that its originals are not "
                       "used",
                       path);
    return owner_check_fd(fd, OWNER_OURS, path, e) < 0 ? -1 : TAKE_FD(fd);
}

static int
open_store_dirs(struct undo_store *u, bool make, struct err *e)
{
    CLEANUP(fd_close_p) int top = open_own_dir(AT_FDCWD, u->top, u->top, e);

    if (top < 0)
        return -1;
    if (make && mkdirat(top, u->run, 0700) < 0 && errno != EEXIST)
        return err_sys(e, "%s", u->dir);
    u->at = open_own_dir(top, u->run, u->dir, e);
    if (u->at < 0)
        return -1;
    u->root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    u->lock = openat(u->at, LOCK_NAME,
                     O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    return u->root < 0 || u->lock < 0 ? err_sys(e, "%s", u->dir) : 0;
}

static struct undo_store *
open_undo_store(const char *top, const char *run, bool make, struct err *e)
{
    CLEANUP(undo_store_free_p) struct undo_store *u = calloc(1, sizeof(*u));
    struct err why = {0};

    if (!u) {
        err_nomem(e);
        return NULL;
    }
    u->at = u->lock = u->root = -1;
    u->run = strdup(run);
    u->top = strdup(top);
    u->dir = path_join(top, run);
    if (!u->run || !u->top || !u->dir) {
        err_nomem(e);
        return NULL;
    }
    if (open_store_dirs(u, make, &why) < 0) {
        if (why.code == ERR_NOT_FOUND)
            err_set(e, ERR_NOT_FOUND, "no originals are kept of run %s", run);
        else if (e)
            *e = why;
        return NULL;
    }
    if (fd_lock(u->lock, 0, NULL) < 0) {
        err_set(e, ERR_PERMISSION, "run %s is not over", run);
        return NULL;
    }
    return TAKE_PTR(u);
}

struct undo_store *
undo_store_new(const struct seat *s, const char *run, struct err *e)
{
    CLEANUP(free_p) char *top = seat_place(s, PATH_STATE, STORE_DIR, e);

    if (!top || seat_make_dirs(s, top, 0700, e) < 0)
        return NULL;
    return open_undo_store(top, run, true, e);
}

static int
compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends the names that begin with prefix, without it; with none those that do
 * not begin with a dot. */
static int
list_stores(const struct seat *s, const char *prefix, struct beneath_paths *out,
            struct err *e)
{
    CLEANUP(free_p) char *top = seat_place(s, PATH_STATE, STORE_DIR, e);
    size_t skip = strlen(prefix);
    const struct dirent *x;
    DIR *dir;
    int rc = 0;

    if (!top)
        return -1;
    if (!(dir = opendir(top)))
        return errno == ENOENT ? 0 : err_sys(e, "%s", top);
    while (rc == 0 && (x = readdir(dir)))
        if (skip ? strncmp(x->d_name, prefix, skip) == 0 : x->d_name[0] != '.')
            rc = beneath_paths_add(out, "", x->d_name + skip, e);
    closedir(dir);
    if (out->n > 1)
        qsort(out->v, out->n, sizeof(*out->v), compare_texts);
    return rc;
}

static int
list_all_stores(const struct seat *s, struct beneath_paths *out, struct err *e)
{
    return list_stores(s, "", out, e);
}

int
undo_store_list_open(const struct seat *s, struct beneath_paths *out,
                     struct err *e)
{
    return list_stores(s, OPEN_PREFIX, out, e);
}

bool
undo_name_is_left(const char *run)
{
    size_t n = strlen(run), end = strlen(UNDO_LEFT);

    return n > end && strcmp(run + n - end, UNDO_LEFT) == 0;
}

struct undo_store *
undo_store_open(const struct seat *s, const char *run, struct err *e)
{
    CLEANUP(free_p) char *top = seat_place(s, PATH_STATE, STORE_DIR, e);
    CLEANUP(beneath_paths_done) struct beneath_paths runs = {0};

    if (!top)
        return NULL;
    if (!run && list_all_stores(s, &runs, e) < 0)
        return NULL;
    while (!run && runs.n > 0 && undo_name_is_left(runs.v[runs.n - 1]))
        free(runs.v[--runs.n]);
    if (!run && runs.n == 0) {
        err_set(e, ERR_NOT_FOUND, "no run has changed files that were kept");
        return NULL;
    }
    if (run && (strchr(run, '/') || run[0] == '.' || !run[0])) {
        err_set(e, ERR_USAGE, "no run has the name '%.60s'", run);
        return NULL;
    }
    return open_undo_store(top, run ? run : runs.v[runs.n - 1], false, e);
}

/* What the stores are known to use; less than 0: it is not known. */
struct undo_used {
    int64_t bytes, stores;
};

/* Opens the file that says it, locked: who changes it adds to what is there.
 * -1: it cannot be had in time. */
static int
lock_used(const char *top, struct undo_used *out)
{
    CLEANUP(free_p) char *path = path_join(top, USED_NAME);
    CLEANUP(fd_close_p) int fd = -1;
    char text[64] = "";

    *out = (struct undo_used){-1, -1};
    if (path)
        fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                  0600);
    if (fd < 0)
        return -1;
    if (fd_lock(fd, USED_WAIT_MS, NULL) < 0) {
        (void)unlink(path); /* so that it is counted anew, and not wrong */
        return -1;
    }
    if (pread(fd, text, sizeof(text) - 1, 0) <= 0 ||
        sscanf(text, "%" SCNd64 " %" SCNd64, &out->bytes, &out->stores) != 2)
        *out = (struct undo_used){-1, -1};
    return TAKE_FD(fd);
}

/* Writes it, unless it is not known, and gives the lock back. */
static void
write_used(int taken, const struct undo_used *used)
{
    CLEANUP(fd_close_p) int fd = taken;
    char text[64];
    int n = snprintf(text, sizeof(text), "%" PRId64 " %" PRId64 "\n",
                     used->bytes, used->stores);

    if (fd >= 0 && ftruncate(fd, 0) == 0 && used->bytes >= 0)
        (void)!pwrite(fd, text, (size_t)n, 0);
}

static struct undo_used
read_used(const char *top)
{
    struct undo_used used;
    int fd = lock_used(top, &used);

    fd_close_p(&fd);
    return used;
}

static void
add_used(const struct undo_store *u, size_t n, uint64_t bytes)
{
    struct undo_used used;
    CLEANUP(fd_close_p) int fd = lock_used(u->top, &used);

    if (used.bytes < 0)
        return;
    used.bytes += (int64_t)bytes;
    used.stores += n == 0;
    write_used(TAKE_FD(fd), &used);
}

/* After a count, which takes its time: what another process has added meanwhile
 * is in it or not, so that it is not known then. */
static void
replace_used(const char *top, const struct undo_used *before,
             const struct undo_used *counted)
{
    static const struct undo_used unknown = {-1, -1};
    struct undo_used now;
    int fd = lock_used(top, &now);
    bool same = now.bytes == before->bytes && now.stores == before->stores;

    write_used(fd, same ? counted : &unknown);
}

/* The directory of the bytes of step n; -1: there is none. */
static int
open_bytes(const struct undo_store *u, size_t n)
{
    char dir[32];

    snprintf(dir, sizeof(dir), "%zu.d", n);
    return openat(u->at, dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int
add_target_roots(struct undo_list *l, const struct undo_targets *t,
                 struct err *e)
{
    for (size_t i = 0; i < t->n; i++) {
        CLEANUP(free_p)
        char *alone = t->v[i].how == UNDO_ALONE ? path_join(t->v[i].path, "")
                                                : strdup(t->v[i].path);

        if (!alone)
            return err_nomem(e);
        if (undo_list_add_root(l, alone, e) < 0)
            return -1;
    }
    return 0;
}

int
undo_store_keep(struct undo_store *u, size_t n, struct undo_targets *t,
                const struct undo_wanted *w, struct err *e)
{
    char dir[32], name[32];
    struct undo_keeping k = {
        .root = u->root, .into = -1, .own = u->top, .room = w->budget_bytes};
    int rc = -1;

    snprintf(dir, sizeof(dir), "%zu.d", n);
    snprintf(name, sizeof(name), "%zu.before", n);
    if (beneath_remove(u->at, dir, e) < 0)
        return -1;
    if (mkdirat(u->at, dir, 0700) < 0 || (k.into = open_bytes(u, n)) < 0)
        return err_sys(e, "the originals");
    if (mark_open(u, e) == 0 && undo_keep_targets(&k, t, e) == 0 &&
        undo_keep_twins(&k, t, w->top, e) == 0) {
        rc = add_target_roots(&k.list, t, e);
    }
    if (rc == 0)
        rc = undo_list_write(&k.list, u->at, name, w->sync, e);
    fd_close_p(&k.into);
    undo_list_done(&u->before);
    u->before = k.list;
    if (rc < 0)
        (void)beneath_remove(u->at, dir, NULL);
    else
        add_used(u, n, k.used);
    return rc;
}

int
undo_store_check(const struct seat *s, const struct undo_targets *t,
                 uint64_t budget_bytes, struct err *e)
{
    CLEANUP(free_p) char *top = seat_place(s, PATH_STATE, STORE_DIR, e);
    CLEANUP(fd_close_p) int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct undo_keeping k = {.root = root,
                             .into = -1,
                             .own = top,
                             .room = budget_bytes,
                             .check = true};
    int rc;

    if (!top)
        return -1;
    rc = undo_keep_targets(&k, t, e);
    undo_list_done(&k.list);
    return rc;
}

int
undo_store_list_killed(struct undo_store *u, const struct undo_list *before,
                       struct undo_list *out, struct err *e)
{
    struct undo_keeping k = {.root = u->root, .into = -1};

    for (size_t i = 0; i < before->n_roots; i++) {
        CLEANUP(free_p) char *path = strdup(before->roots[i]);
        size_t n = path ? strlen(path) : 0;
        struct undo_target x = {.path = path};
        const struct undo_targets t = {.v = &x, .n = 1};

        if (!path) {
            undo_list_done(&k.list);
            return err_nomem(e);
        }
        if (n > 1 && path[n - 1] == '/') {
            x.how = UNDO_ALONE;
            path[n - 1] = '\0';
        }
        if (undo_keep_targets(&k, &t, e) < 0) {
            undo_list_done(&k.list);
            return -1;
        }
    }
    *out = k.list;
    return 0;
}

/* Notes all that is at the paths and below. */
static int
note_all(struct undo_store *u, size_t n, const struct undo_targets *t,
         struct err *e)
{
    struct undo_keeping k = {.root = u->root, .into = -1};
    CLEANUP(fd_close_p) int into = open_bytes(u, n);
    char name[32];
    int rc;

    snprintf(name, sizeof(name), "%zu.after", n);
    undo_keep_settle(u->root, into, &u->before);
    rc = undo_keep_targets(&k, t, e);
    if (rc == 0) {
        undo_keep_hash(u->root, &u->before, &k.list);
        rc = undo_list_write(&k.list, u->at, name, false, e);
    }
    undo_list_done(&k.list);
    return rc;
}

/* Notes the paths that were listed before the step, one by one, and nothing
 * that is new beside them. */
static int
note_known(struct undo_store *u, size_t n, const struct undo_list *before,
           struct err *e)
{
    static const struct stat absent;
    CLEANUP(fd_close_p) int into = open_bytes(u, n);
    CLEANUP(undo_list_done) struct undo_list l = {0};
    char name[32];

    snprintf(name, sizeof(name), "%zu.after", n);
    undo_keep_settle(u->root, into, before);
    for (size_t i = 0; i < before->n; i++) {
        struct stat st;

        if (beneath_stat(u->root, before->v[i].path + 1, &st) < 0)
            st = absent;
        if (!undo_list_add(&l, u->root, before->v[i].path, &st, e))
            return -1;
    }
    return undo_list_write(&l, u->at, name, false, e);
}

/* What is there could not be listed: the paths of before are, and the reason is
 * kept for the person. */
static int
note_less(struct undo_store *u, size_t n, const struct err *why, struct err *e)
{
    CLEANUP(undo_list_done) struct undo_list before = {0};
    char name[32];

    snprintf(name, sizeof(name), "%zu.before", n);
    if (undo_list_read(&before, u->at, name, e) < 0 ||
        note_known(u, n, &before, e) < 0)
        return -1;
    (void)undo_store_note_reason(u, "what a step made anew", why->text, NULL);
    return 0;
}

/* A list without contents, for which a full disk has room. */
static void
note_end_alone(const struct undo_store *u, size_t n)
{
    CLEANUP(fd_close_p) int fd = -1;
    char name[32];

    snprintf(name, sizeof(name), "%zu.after", n);
    fd = openat(u->at, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* A step that has ended must not look like one that was killed, which the next
 * start takes back: something is noted in any case. */
int
undo_store_note(struct undo_store *u, size_t n, const struct undo_targets *t,
                struct err *e)
{
    struct err why = {0};
    int rc = note_all(u, n, t, &why);

    if (rc < 0)
        rc = note_less(u, n, &why, e);
    if (rc < 0)
        note_end_alone(u, n);
    mark_undo_over(u);
    return rc;
}

int
undo_store_set_view(struct undo_store *u, const char *id, struct err *e)
{
    CLEANUP(fd_close_p) int fd = -1;

    if (!id)
        return unlinkat(u->at, VIEW_NAME, 0) < 0 && errno != ENOENT
                   ? err_sys(e, "the originals")
                   : 0;
    if (mark_open(u, e) < 0)
        return -1;
    fd = openat(u->at, VIEW_NAME,
                O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    return fd < 0 ? err_sys(e, "the originals")
                  : fd_write_all(fd, id, strlen(id), -1, e);
}

void
undo_store_view(const struct undo_store *u, char id[32])
{
    CLEANUP(fd_close_p)
    int fd = openat(u->at, VIEW_NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, id, 31);

    id[n > 0 ? n : 0] = '\0';
}

static bool
has_list(const struct undo_store *u, size_t n, const char *what)
{
    char name[32];

    snprintf(name, sizeof(name), "%zu.%s", n, what);
    return faccessat(u->at, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

size_t
undo_store_steps(const struct undo_store *u)
{
    size_t n = 0;

    while (n < UNDO_STEPS_MAX && has_list(u, n, "before"))
        n++;
    return n;
}

bool
undo_store_is_killed(struct undo_store *u)
{
    for (size_t n = undo_store_steps(u); n-- > 0;)
        if (!has_list(u, n, "after"))
            return true;
    return false;
}

void
undo_store_let_go(struct undo_store *u)
{
    for (size_t n = 0; n < UNDO_STEPS_MAX; n++) {
        CLEANUP(undo_list_done) struct undo_list before = {0};
        CLEANUP(fd_close_p) int into = open_bytes(u, n);
        char name[32];

        snprintf(name, sizeof(name), "%zu.before", n);
        if (into < 0)
            continue;
        if (undo_list_read(&before, u->at, name, NULL) == 0) {
            undo_keep_settle(u->root, into, &before);
        } else { /* killed while it was kept: the step was not started */
            snprintf(name, sizeof(name), "%zu.d", n);
            (void)beneath_remove(u->at, name, NULL);
        }
    }
    mark_undo_over(u);
}

int
undo_store_begin_undo(struct undo_store *u, struct err *e)
{
    return mark_open(u, e);
}

int
undo_store_note_reason(struct undo_store *u, const char *command,
                       const char *why, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(REASON_MAX);
    CLEANUP(fd_close_p)
    int fd = openat(u->at, REASONS_NAME,
                    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
                    0600);

    if (fd < 0)
        return err_sys(e, "the originals");
    buf_printf(&line, "%.200s: %s\n", command, why);
    for (size_t i = 0; i + 1 < line.len; i++)
        if (line.p[i] == '\n')
            line.p[i] = ' ';
    return fd_write_all(fd, line.p, line.len, -1, e);
}

int
undo_store_reasons(struct undo_store *u, struct buf *out, struct err *e)
{
    CLEANUP(fd_close_p)
    int fd = openat(u->at, REASONS_NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

    if (fd < 0)
        return errno == ENOENT ? 0 : err_sys(e, "the originals");
    return file_read_fd(fd, out, e);
}

/* Whether step n has a complete list of what was there after it. */
static bool
has_after(const struct undo_store *u, size_t n)
{
    CLEANUP(undo_list_done) struct undo_list l = {0};
    char name[32];

    snprintf(name, sizeof(name), "%zu.after", n);
    return undo_list_read(&l, u->at, name, NULL) == 0;
}

int
undo_store_settle(struct undo_store *u, struct err *e)
{
    for (size_t n = 0; n < UNDO_STEPS_MAX; n++) {
        CLEANUP(undo_list_done) struct undo_list before = {0};
        char name[32];

        snprintf(name, sizeof(name), "%zu.before", n);
        if (faccessat(u->at, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0 ||
            has_after(u, n))
            continue;
        if (undo_list_read(&before, u->at, name, e) < 0 ||
            note_known(u, n, &before, e) < 0)
            return -1;
    }
    mark_undo_over(u);
    return 0;
}

static int
on_sized_entry(void *arg, const struct beneath_entry *x, struct err *e)
{
    uint64_t *bytes = arg;

    (void)e;
    *bytes += (uint64_t)x->st.st_blocks * 512u;
    return 0;
}

void
undo_store_trim(const struct seat *s, uint64_t max_bytes)
{
    CLEANUP(free_p) char *top = seat_place(s, PATH_STATE, STORE_DIR, NULL);
    CLEANUP(beneath_paths_done) struct beneath_paths runs = {0};
    struct undo_used before, counted = {0};
    uint64_t used = 0;
    CLEANUP(fd_close_p)
    int at = top ? open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (at < 0)
        return;
    before = read_used(top);
    if (before.bytes >= 0 && (uint64_t)before.bytes <= max_bytes &&
        before.stores < RUNS_KEPT)
        return;
    if (list_all_stores(s, &runs, NULL) < 0)
        return;
    for (size_t i = runs.n; i-- > 0;) {
        CLEANUP(undo_store_free_p) struct undo_store *u = NULL;

        (void)beneath_walk(at, runs.v[i], false, 0, on_sized_entry, &used,
                           NULL);
        if ((used <= max_bytes && runs.n - i <= RUNS_KEPT * 3 / 4) ||
            i + 1 == runs.n) {
            counted.bytes = (int64_t)used;
            counted.stores++;
            continue;
        }
        u = open_undo_store(top, runs.v[i], false, NULL);
        if (u && !undo_store_is_killed(u))
            (void)beneath_remove(at, runs.v[i], NULL);
    }
    replace_used(top, &before, &counted);
}

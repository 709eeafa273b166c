/* SPDX-License-Identifier: GPL-3.0-or-later */
/* additions.c - keeps the files that a step was allowed to add, and drops
 * everything else. */
#include "sandbox/preview/additions.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "guard/path/git_config.h"
#include "guard/path/git_trusted.h"
#include "guard/path/path_table.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes.h"
#include "sandbox/preview/copy_file.h"
#include "sandbox/protect/protect.h"
#include "term/escape.h"

#define HOOKS "hooks"

static const char *
below_git_dir(const char *path)
{
    static const char mark[] = GIT_DIR "/";

    for (const char *p = path; (p = strstr(p, mark)) != NULL; p++)
        if (p == path || p[-1] == '/')
            return p + strlen(mark);
    return NULL;
}

/* Returns the bytes of a new file, which the caller frees; NULL: it is no
 * regular file, or too large. */
static char *
read_new(const struct changes_spec *spec, const struct change *c, size_t *n)
{
    CLEANUP(fd_close_p)
    int fd = beneath_open(spec->upper, c->path, O_RDONLY | O_NONBLOCK);
    CLEANUP(free_p) char *text = NULL;
    struct stat st;
    ssize_t got;

    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        st.st_size >= (off_t)GIT_CONFIG_MAX || !(text = malloc(GIT_CONFIG_MAX)))
        return NULL;
    got = read(fd, text, GIT_CONFIG_MAX);
    if (got != st.st_size)
        return NULL;
    *n = (size_t)got;
    return TAKE_PTR(text);
}

static bool
has_proper_ending(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n > m && strcmp(text + n - m, end) == 0;
}

static bool
is_git_data(const struct changes_spec *spec, const struct change *c)
{
    const char *name = below_git_dir(c->path);
    CLEANUP(free_p) char *text = NULL;
    size_t n = 0;

    if (!name)
        return false;
    if (strcmp(name, HOOKS) == 0)
        return S_ISDIR(c->after.st_mode);
    if (strncmp(name, HOOKS "/", strlen(HOOKS "/")) == 0)
        return S_ISREG(c->after.st_mode) &&
               has_proper_ending(name, GIT_SAMPLE_SUFFIX);
    if (strcmp(name, "config") != 0)
        return false;
    text = read_new(spec, c, &n);
    return text && git_config_is_data(text, n, 0);
}

static bool
is_git_lent(const struct changes_spec *spec, const struct change *c)
{
    const char *name = below_git_dir(c->path);
    CLEANUP(free_p) char *text = NULL;
    size_t n = 0;

    if (!name)
        return false;
    for (const struct git_trusted *row = git_trusted_paths(); row->name;
         row++) {
        if (row->missing != GIT_PLACEHOLDER || !row->text ||
            strcmp(row->name, name) != 0)
            continue;
        text = read_new(spec, c, &n);
        return text && n == strlen(row->text) &&
               memcmp(text, row->text, n) == 0;
    }
    return false;
}

#define PACKAGES PATH_PACKAGES "/"

/* Names that are listed in a sentence; the others are counted. */
#define DROPPED_SHOWN 3
#define NS_PER_S      1000000000
#define BLOCK         (64 << 10) /* bytes read at once */

struct additions {
    struct view *view;
    struct changes list;
};

/* The state of one additions_keep. */
struct additions_keep {
    const struct additions *a;
    const struct profile_addition *named;
    size_t n;
    struct buf *dropped;
    bool *made; /* for each entry of the list: we have added it */
    size_t n_dropped, n_kept;
    bool named_dropped;
    struct err err; /* the error of the last change that failed */
};

struct additions *
additions_open(const struct seat *s, const char *workspace, const char *command,
               struct err *e)
{
    CLEANUP(additions_close_p)
    struct additions *a = calloc(1, sizeof(*a));

    if (!a) {
        err_nomem(e);
        return NULL;
    }
    a->view = view_new_at_once(s, workspace, command, e);
    return a->view ? TAKE_PTR(a) : NULL;
}

void
additions_close(struct additions *a)
{
    if (!a)
        return;
    changes_done(&a->list);
    if (a->view)
        (void)view_remove(a->view, NULL);
    view_free(a->view);
    free(a);
}

const struct view *
additions_view(const struct additions *a)
{
    return a->view;
}

/* Returns what happened to an entry that is not kept, in a word. */
static const char *
what_happened(const struct change *c)
{
    switch (c->kind) {
    case CHANGE_ADDED:
        return "new";
    case CHANGE_DELETED:
        return "deleted";
    case CHANGE_ATTRIBUTES:
        return "its mode, owner or time";
    default:
        return "changed";
    }
}

static void
drop_path(struct additions_keep *k, const char *path, const char *what)
{
    if (k->n_dropped++ >= DROPPED_SHOWN)
        return;
    buf_str(k->dropped, k->n_dropped > 1 ? ", " : "");
    escape_str(k->dropped, NULL, path, ESCAPE_LINES);
    buf_printf(k->dropped, " (%s)", what);
}

static void
drop_change(struct additions_keep *k, const struct change *c)
{
    drop_path(k, c->path, what_happened(c));
}

/* Returns whether an entry was named, or is a directory above a named one. */
static bool
is_named_by_step(struct additions_keep *k, const struct change *c)
{
    const char *workspace = k->a->view->workspace;
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "%s/%s", workspace, c->path) >= PATH_MAX)
        return false;
    for (size_t i = 0; i < k->n; i++) {
        const struct profile_addition *named = &k->named[i];

        if (strcmp(path, named->path) == 0 ||
            (named->below && path_is_below(path, named->path)) ||
            (S_ISDIR(c->after.st_mode) && path_is_below(named->path, path)))
            return true;
    }
    return false;
}

static int
copy_new_file(const struct change *c, int from, int dir, const char *name,
              struct err *e)
{
    int to = openat(dir, name,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int rc;

    if (to < 0)
        return err_sys(e, "%s", c->path);
    rc = copy_file_as_own(from, to, c, e);
    close(to);
    if (rc < 0)
        (void)unlinkat(dir, name, 0);
    return rc < 0 ? err_wrap(e, "%s", c->path) : 0;
}

static int
keep_entry(struct additions_keep *k, const struct change *c)
{
    const struct changes_spec *spec = &k->a->view->spec;
    const char *name;
    CLEANUP(fd_close_p)
    int dir = beneath_parent(spec->lower, c->path, &name);
    CLEANUP(fd_close_p) int from = -1;

    if (dir < 0)
        return err_sys(&k->err, "%s", c->path);
    if (S_ISDIR(c->after.st_mode))
        return mkdirat(dir, name, 0700) < 0 ? err_sys(&k->err, "%s", c->path)
                                            : 0;
    if (c->target)
        return symlinkat(c->target, dir, name) < 0
                   ? err_sys(&k->err, "%s", c->path)
                   : 0;
    from = beneath_open(spec->upper, c->path, O_RDONLY);
    if (from < 0)
        return err_sys(&k->err, "%s", c->path);
    return copy_new_file(c, from, dir, name, &k->err);
}

/* Returns whether the first `size` bytes of two files are the same. */
static bool
same_beginning(int one, int two, off_t size)
{
    CLEANUP(free_p) char *a = malloc(BLOCK);
    CLEANUP(free_p) char *b = malloc(BLOCK);
    off_t at = 0;

    while (a && b && at < size) {
        size_t want = size - at < BLOCK ? (size_t)(size - at) : BLOCK;
        ssize_t n = pread(one, a, want, at), m;

        if (n <= 0)
            return false;
        m = pread(two, b, (size_t)n, at);
        if (m != n || memcmp(a, b, (size_t)n) != 0)
            return false;
        at += n;
    }
    return a && b;
}

static int
append_rest(int from, int to, off_t at, struct err *e)
{
    CLEANUP(free_p) char *block = malloc(BLOCK);
    ssize_t n;

    if (!block)
        return err_nomem(e);
    while ((n = pread(from, block, BLOCK, at)) > 0) {
        at += n;
        for (ssize_t done = 0, m; done < n; done += m) {
            m = write(to, block + done, (size_t)(n - done));
            if (m < 0)
                return err_sys(e, "write");
        }
    }
    return n < 0 ? err_sys(e, "read") : 0;
}

static bool
is_not_after(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec ||
           (a->tv_sec == b->tv_sec && a->tv_nsec <= b->tv_nsec);
}

/* Returns whether a file's time lies in the run, and was not chosen by the
 * step. A file system takes the time of the last tick of the clock, which may
 * be before the run began. */
static bool
was_touched(const struct additions_keep *k, const struct change *c)
{
    const struct timespec *since = &k->a->view->spec.since;
    struct timespec now, tick, at = c->after.st_mtim;

    if (clock_gettime(CLOCK_REALTIME, &now) < 0 ||
        clock_getres(CLOCK_REALTIME_COARSE, &tick) < 0 ||
        !is_not_after(&at, &now))
        return false;
    at.tv_nsec += tick.tv_nsec;
    if (at.tv_nsec >= NS_PER_S) {
        at.tv_sec++;
        at.tv_nsec -= NS_PER_S;
    }
    return is_not_after(since, &at);
}

/* Appends the new bytes to a file. *kept: its old bytes are the beginning of
 * the new ones. If no byte changed, the file gets the current time where
 * touch(1) gave it that; any other time was chosen by the step and is
 * dropped. */
static int
append_new_bytes(struct additions_keep *k, const struct change *c, bool *kept)
{
    const struct changes_spec *spec = &k->a->view->spec;
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                      {.tv_nsec = UTIME_NOW}};
    bool grows = c->after.st_size > c->before.st_size;
    CLEANUP(fd_close_p)
    int from = beneath_open(spec->upper, c->path, O_RDONLY);
    CLEANUP(fd_close_p)
    int old = beneath_open(spec->lower, c->path, O_RDONLY);
    CLEANUP(fd_close_p)
    int to = beneath_open(spec->lower, c->path, O_WRONLY | O_APPEND);
    struct stat st, now;

    *kept = false;
    if (!grows && !was_touched(k, c))
        return 0;
    if (from < 0 || old < 0 || to < 0 || fstat(old, &st) < 0 ||
        fstat(to, &now) < 0 || now.st_ino != st.st_ino ||
        now.st_dev != st.st_dev || st.st_size > c->after.st_size ||
        !same_beginning(old, from, st.st_size))
        return 0;
    *kept = true;
    if (append_rest(from, to, st.st_size, &k->err) < 0) {
        (void)!ftruncate(to, st.st_size); /* then nothing of it is kept */
        return err_wrap(&k->err, "%s", c->path);
    }
    if (!grows)
        (void)futimens(to, times);
    return 0;
}

static bool
is_addition(const struct change *c)
{
    return c->kind == CHANGE_ADDED && !c->leaves;
}

static bool
may_grow(const struct change *c)
{
    mode_t both = c->before.st_mode ^ c->after.st_mode;

    return S_ISREG(c->before.st_mode) && both == 0 &&
           c->before.st_uid == c->after.st_uid &&
           c->before.st_gid == c->after.st_gid &&
           (c->kind == CHANGE_CHANGED || c->kind == CHANGE_ATTRIBUTES);
}

/* Returns whether an entry could be part of a repository that is not searched
 * afterwards (protect.h): what git believes there would not be set aside. */
static bool
is_far(const char *path)
{
    bool packages = strncmp(path, PACKAGES, strlen(PACKAGES)) == 0 ||
                    strstr(path, "/" PACKAGES);
    size_t depth = 0;

    for (const char *p = path; *p; p++)
        depth += *p == '/';
    return packages || depth >= PROTECT_DEPTH;
}

static bool
is_unwatched(const char *path)
{
    const char *name = path_base(path);

    return is_far(path) &&
           (git_trusted_entry(name) || git_trusted_is_below(name));
}

/* Returns whether an entry lies in the directory of a new repository. */
static bool
is_in_new_repository(const struct additions_keep *k, const char *path)
{
    const char *below = below_git_dir(path);
    const struct change *git;
    CLEANUP(free_p) char *dir = NULL;

    if (!below || is_far(path))
        return false;
    dir = strndup(path, (size_t)(below - path) - 1);
    git = dir ? changes_find(&k->a->list, dir) : NULL;
    return git && k->made[git - k->a->list.v];
}

/* Returns whether an entry is a file `.git`, which names a repository: somebody
 * may have prepared one elsewhere. */
static bool
is_git_file(const struct change *c)
{
    return S_ISREG(c->after.st_mode) && strcmp(path_base(c->path), ".git") == 0;
}

/* Keeps an entry or drops it. */
static int
decide_entry(struct additions_keep *k, const struct change *c)
{
    bool named = is_named_by_step(k, c), kept = false;
    bool free = named && c->bar == CHANGE_FREE && !is_unwatched(c->path) &&
                !is_git_file(c);
    int rc = 0;

    if (named && c->bar == CHANGE_PROTECTED && is_addition(c) &&
        is_in_new_repository(k, c->path)) {
        if (is_git_lent(&k->a->view->spec, c))
            return 0;
        free = is_git_data(&k->a->view->spec, c);
    }
    if (free && is_addition(c)) {
        kept = true;
        rc = keep_entry(k, c);
        k->made[c - k->a->list.v] = rc == 0;
    } else if (free && may_grow(c)) {
        rc = append_new_bytes(k, c, &kept);
    }
    k->n_kept += kept;
    k->named_dropped |= named && !kept;
    if (!kept)
        drop_change(k, c);
    return rc;
}

/* Checks that the step did what it was allowed to do. */
static int
check_work(struct additions_keep *k, struct err *e)
{
    if (!k->named_dropped && (k->n_dropped == 0 || k->n_kept > 0))
        return 0;
    return err_set(
        e, ERR_DENIED,
        "it did more than add the files it names: needs your approval");
}

static int
close_dir(struct additions_keep *k, const struct change *c)
{
    CLEANUP(fd_close_p)
    int fd = beneath_open(k->a->view->spec.lower, c->path,
                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0 ||
        /* what it inherits from its directory stays */
        fchmod(fd, copy_file_mode(c) | (st.st_mode & S_ISGID)) < 0)
        return err_sys(&k->err, "%s", c->path);
    return 0;
}

/* Sets the mode of new directories when they are complete. */
static int
set_new_dir_modes(struct additions_keep *k)
{
    const struct changes *list = &k->a->list;

    for (size_t i = list->n; i-- > 0;) {
        const struct change *c = &list->v[i];

        if (S_ISDIR(c->after.st_mode) && k->made[i] && close_dir(k, c) < 0)
            return -1;
    }
    return 0;
}

/* Removes from the modes what the person's umask removes. */
static void
apply_umask(struct changes *list)
{
    mode_t mask = umask(0);

    (void)umask(mask);
    for (size_t i = 0; i < list->n; i++)
        if (is_addition(&list->v[i]))
            list->v[i].after.st_mode &= ~(mask & (S_IWGRP | S_IWOTH));
}

/* Called for each path that would make git run a program and was set aside. */
static void
on_set_aside(void *arg, const char *what, const char *root, const char *path)
{
    (void)root;
    if (strcmp(what, PROTECT_ASIDE) == 0)
        drop_path(arg, path, what);
}

/* Decides on all entries. The first failure is reported, and the others are
 * tried nevertheless. */
static int
decide_all(struct additions_keep *k, struct err *e)
{
    const struct changes *list = &k->a->list;
    struct err first = {0};

    for (size_t i = 0; i < list->n; i++)
        if (decide_entry(k, &list->v[i]) < 0 && first.code == ERR_NONE)
            first = k->err;
    if (set_new_dir_modes(k) < 0 && first.code == ERR_NONE)
        first = k->err;
    if (first.code == ERR_NONE)
        return 0;
    if (e)
        *e = first;
    return -1;
}

/* The same, with the check of new repositories that follows every step. */
static int
decide_guarded(struct additions_keep *k, struct err *e)
{
    const struct path_context where = path_context_of(k->a->view->seat);
    const struct git_person who = path_context_person(&where);
    struct protect guarded;
    int rc = protect_open(&guarded, k->a->view->workspace, &who, false, e);

    if (rc == 0)
        rc = decide_all(k, e);
    protect_close(&guarded, on_set_aside, k);
    return rc;
}

int
additions_keep(struct additions *a, const struct profile_addition *named,
               size_t n, struct buf *dropped, struct err *e)
{
    struct additions_keep k = {
        .a = a, .named = named, .n = n, .dropped = dropped};
    CLEANUP(free_p) bool *made = NULL;
    int rc;

    changes_done(&a->list);
    if (changes_read(&a->view->spec, &a->list, e) < 0)
        return -1;
    apply_umask(&a->list);
    k.made = made = calloc(a->list.n + 1, sizeof(*made));
    if (!made)
        return err_nomem(e);
    rc = decide_guarded(&k, e);
    if (k.n_dropped > DROPPED_SHOWN)
        buf_printf(dropped, " and %zu more", k.n_dropped - DROPPED_SHOWN);
    return rc < 0 ? -1 : check_work(&k, e);
}

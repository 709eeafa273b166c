/* SPDX-License-Identifier: GPL-3.0-or-later */
/* apply.c - makes a list of changes true in the directory itself. */
#include "sandbox/preview/apply.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

#include "base/cleanup.h"
#include "base/linux_calls.h"
#include "base/path.h"
#include "sandbox/launch/protect.h"
#include "sandbox/preview/apply_in.h"
#include "sandbox/preview/beneath.h"

#define STAGE_NAME  ".agentsh-keep-%.60s"
#define STAGE_MAX   80
#define FEW_ENTRIES 64 /* each to the disk by itself; more all at once */

/* A keep under way. */
struct keep {
    const struct apply_spec *s;
    struct apply_report *report;
    int place; /* s->view->lower, opened for syncing */
    int stage;
    char name[STAGE_MAX];
    bool few;
};

static const struct change *
entry(const struct keep *k, size_t i)
{
    return &k->s->list->v[i];
}

/* Whether an entry is put in place by a rename out of the staging directory. */
static bool
is_staged(const struct keep *k, size_t i)
{
    const struct change *c = entry(k, i);

    return k->report->state[i] == APPLY_WAITING &&
           (c->kind == CHANGE_ADDED || c->kind == CHANGE_CHANGED) &&
           !S_ISDIR(c->after.st_mode);
}

static int
ask(const struct keep *k, struct err *e)
{
    if (!k->s->goes_on ||
        k->s->goes_on(k->s->arg, k->report->done, k->s->list->n))
        return 0;
    return err_set(e, ERR_INTERRUPTED, "interrupted");
}

void
apply_report_done(struct apply_report *r)
{
    if (!r)
        return;
    free(r->state);
    *r = (struct apply_report){0};
}

int
apply_sweep(int place, const char *run, struct err *e)
{
    char name[STAGE_MAX];

    snprintf(name, sizeof(name), STAGE_NAME, run);
    return beneath_remove(place, name, e);
}

/* Where copies share their blocks nobody knows before how much is needed. */
static int
check_room(const struct keep *k, struct err *e)
{
    uint64_t wanted = k->s->list->write_bytes, room;
    struct statfs fs;

    if (fstatfs(k->place, &fs) < 0)
        return err_sys(e, "the workspace");
    room = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
    if (wanted <= room || (unsigned long)fs.f_type == BTRFS_SUPER_MAGIC ||
        (unsigned long)fs.f_type == XFS_SUPER_MAGIC)
        return 0;
    return err_set(e, ERR_IO,
                   "nothing was changed: %llu bytes are to be written and "
                   "%llu are free",
                   (unsigned long long)wanted, (unsigned long long)room);
}

static int
open_stage(struct keep *k, struct err *e)
{
    snprintf(k->name, sizeof(k->name), STAGE_NAME, k->s->run);
    if (beneath_remove(k->place, k->name, e) < 0)
        return -1;
    if (mkdirat(k->place, k->name, 0700) < 0)
        return err_sys(e, "%s in the workspace", k->name);
    k->stage = beneath_open(k->place, k->name, O_PATH | O_DIRECTORY);
    return k->stage < 0 ? err_sys(e, "%s", k->name) : 0;
}

static int
stage_link(const struct keep *k, const struct change *c, const char *name,
           struct err *e)
{
    struct timespec times[2] = {c->after.st_atim, c->after.st_mtim};

    if (symlinkat(c->target, k->stage, name) < 0)
        return err_sys(e, "%s", c->path);
    if ((c->after.st_uid != geteuid() || c->after.st_gid != getegid()) &&
        fchownat(k->stage, name, c->after.st_uid, c->after.st_gid,
                 AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(e, "%s: owner", c->path);
    if (utimensat(k->stage, name, times, AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(e, "%s: time", c->path);
    return 0;
}

static bool
is_same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Kept is what was shown, and nothing that came to be in its place since. */
static int
check_shown(int from, const struct change *c, struct err *e)
{
    struct stat st;

    if (fstat(from, &st) < 0)
        return err_sys(e, "%s", c->path);
    if (S_ISREG(st.st_mode) && st.st_dev == c->after.st_dev &&
        st.st_ino == c->after.st_ino && st.st_size == c->after.st_size &&
        is_same_time(&st.st_mtim, &c->after.st_mtim) &&
        is_same_time(&st.st_ctim, &c->after.st_ctim))
        return 0;
    return err_set(e, ERR_PERMISSION,
                   "%s: the preview was changed after it was shown", c->path);
}

static int
stage_file(const struct keep *k, const struct change *c, const char *name,
           struct err *e)
{
    CLEANUP(fd_close_p)
    int from = beneath_open(k->s->view->upper, c->path, O_RDONLY);
    CLEANUP(fd_close_p) int to = -1;

    if (from < 0)
        return err_sys(e, "%s", c->path);
    if (check_shown(from, c, e) < 0)
        return -1;
    to = openat(k->stage, name,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (to < 0)
        return err_sys(e, "%s", c->path);
    if (apply_copy(from, to, c, k->few, e) < 0)
        return err_wrap(e, "%s", c->path);
    return 0;
}

static int
stage_all(const struct keep *k, struct err *e)
{
    char name[STAGE_MAX];

    for (size_t i = 0; i < k->s->list->n; i++) {
        const struct change *c = entry(k, i);
        int rc;

        if (!is_staged(k, i))
            continue;
        if (ask(k, e) < 0)
            return -1;
        snprintf(name, sizeof(name), "%zu", i);
        rc = c->target ? stage_link(k, c, name, e) : stage_file(k, c, name, e);
        if (rc < 0)
            return -1;
    }
    if (!k->few && syncfs(k->place) < 0)
        return err_sys(e, "sync");
    return 0;
}

/* A directory that is to be written in and may not be, until its turn. */
static int
open_dirs(struct keep *k, struct err *e)
{
    for (size_t i = 0; i < k->s->list->n; i++) {
        struct change c = *entry(k, i);

        if (k->report->state[i] != APPLY_WAITING ||
            c.kind != CHANGE_ATTRIBUTES || !S_ISDIR(c.after.st_mode))
            continue;
        c.after.st_mode = c.before.st_mode | 0700;
        c.after.st_uid = c.before.st_uid;
        c.after.st_gid = c.before.st_gid;
        if (apply_attributes(k->place, &c, e) < 0)
            return -1;
    }
    return 0;
}

static int
put_dir(const struct change *c, int dir, const char *name, struct err *e)
{
    if (c->before.st_mode && unlinkat(dir, name, 0) < 0)
        return err_sys(e, "%s", c->path);
    /* its own mode comes when everything is in it */
    if (mkdirat(dir, name, 0700) < 0)
        return err_sys(e, "%s", c->path);
    return 0;
}

static int
put_file(const struct keep *k, size_t i, int dir, const char *name,
         struct err *e)
{
    const struct change *c = entry(k, i);
    unsigned flags = c->before.st_mode ? 0 : RENAME_NOREPLACE;
    char from[STAGE_MAX];
    int rc;

    if (S_ISDIR(c->before.st_mode) && beneath_remove(k->place, c->path, e) < 0)
        return -1;
    snprintf(from, sizeof(from), "%zu", i);
    rc = linux_renameat2(k->stage, from, dir, name, flags);
    if (rc < 0 && errno == EINVAL && flags) /* a filesystem without flags */
        rc = renameat(k->stage, from, dir, name);
    return rc < 0 ? err_sys(e, "%s", c->path) : 0;
}

/* A directory of ours that may not be written in: the run had to open it too,
 * and shut it again. Returns the mode to give it back, or 0. */
static mode_t
open_for_once(int dir)
{
    char self[32];
    struct stat st;

    if (faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) == 0 ||
        fstat(dir, &st) < 0)
        return 0;
    snprintf(self, sizeof(self), "/proc/self/fd/%d", dir);
    return chmod(self, (st.st_mode & 07777) | 0700) == 0 ? st.st_mode & 07777
                                                         : 0;
}

static void
shut_again(int dir, mode_t mode)
{
    char self[32];

    snprintf(self, sizeof(self), "/proc/self/fd/%d", dir);
    if (mode)
        (void)chmod(self, mode);
}

/* Directory entries reach the disk too. */
static void
sync_dir(const struct keep *k, int dir)
{
    CLEANUP(fd_close_p) int fd = -1;

    if (!k->few)
        return; /* all at once, later */
    fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        (void)fsync(fd);
}

static int
put_entry(const struct keep *k, size_t i, struct err *e)
{
    const struct change *c = entry(k, i);
    const char *name;
    CLEANUP(fd_close_p) int dir = -1;
    mode_t mode;
    int rc;

    if (c->kind == CHANGE_ATTRIBUTES)
        return S_ISDIR(c->after.st_mode) ? 0 : apply_attributes(k->place, c, e);
    dir = beneath_parent(k->place, c->path, &name);
    if (dir < 0)
        return err_sys(e, "%s", c->path);
    mode = open_for_once(dir);
    if (c->kind == CHANGE_DELETED)
        rc = beneath_remove(k->place, c->path, e);
    else if (S_ISDIR(c->after.st_mode))
        rc = put_dir(c, dir, name, e);
    else
        rc = put_file(k, i, dir, name, e);
    shut_again(dir, mode);
    if (rc == 0)
        sync_dir(k, dir);
    return rc;
}

static int
put_all(struct keep *k, bool deletions, struct err *e)
{
    size_t n = k->s->list->n;

    for (size_t j = 0; j < n; j++) {
        size_t i = deletions ? n - 1 - j : j;

        if (k->report->state[i] != APPLY_WAITING ||
            (entry(k, i)->kind == CHANGE_DELETED) != deletions)
            continue;
        if (ask(k, e) < 0 || put_entry(k, i, e) < 0)
            return -1;
        k->report->state[i] = APPLY_DONE;
        k->report->done++;
    }
    return 0;
}

/* Directories get the modes that they are to have, the inner ones first. */
static int
close_dirs(struct keep *k, struct err *e)
{
    for (size_t i = k->s->list->n; i-- > 0;) {
        const struct change *c = entry(k, i);

        if (k->report->state[i] == APPLY_DONE && S_ISDIR(c->after.st_mode) &&
            apply_attributes(k->place, c, e) < 0)
            return -1;
    }
    if (!k->few && syncfs(k->place) < 0)
        return err_sys(e, "sync");
    return 0;
}

static int
do_all(struct keep *k, struct err *e)
{
    if (check_room(k, e) < 0 || open_stage(k, e) < 0)
        return -1;
    if (stage_all(k, e) < 0)
        return err_wrap(e, "nothing was changed");
    if (open_dirs(k, e) < 0 || put_all(k, false, e) < 0 ||
        put_all(k, true, e) < 0 || close_dirs(k, e) < 0)
        return err_wrap(e, "%zu of %zu changes were made", k->report->done,
                        k->s->list->n);
    return 0;
}

static void
hear(void *arg, const char *what, const char *root, const char *path)
{
    const struct apply_spec *s = arg;

    (void)root;
    if (s->on_aside && strcmp(what, PROTECT_ASIDE) == 0)
        s->on_aside(s->arg, path);
}

/* What is new makes git run nothing, here as elsewhere. */
static int
do_guarded(struct keep *k, struct err *e)
{
    const char *home = path_home();
    char link[32], root[PATH_MAX];
    struct protect guarded;
    ssize_t n;
    int rc;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", k->place);
    n = readlink(link, root, sizeof(root) - 1);
    if (n <= 0)
        return err_sys(e, "the workspace");
    root[n] = '\0';
    rc = protect_open(&guarded, root, home, false, e);
    if (rc == 0)
        rc = do_all(k, e);
    protect_close(&guarded, hear, (void *)k->s);
    return rc;
}

int
apply_keep(const struct apply_spec *s, struct apply_report *out, struct err *e)
{
    CLEANUP(fd_close_p) int place = -1;
    struct keep k = {.s = s, .report = out, .stage = -1};
    int rc;

    if (apply_check(s, out, e) < 0)
        return -1;
    place = openat(s->view->lower, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place < 0)
        return err_sys(e, "the workspace");
    k.place = place;
    k.few = s->list->n <= FEW_ENTRIES;
    rc = do_guarded(&k, e);
    if (k.stage >= 0)
        close(k.stage);
    (void)apply_sweep(place, s->run, NULL);
    return rc;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* apply.c - checks the originals, then applies a list of changes to the
 * workspace. */
#include "sandbox/preview/apply.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/linux_calls.h"
#include "base/path.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes_list.h"
#include "sandbox/preview/copy_file.h"
#include "sandbox/protect/protect.h"

const char *
apply_state_text(enum apply_state s)
{
    static const char *const texts[APPLY_STATE_N] = {
        [APPLY_WAITING] = "not done",
        [APPLY_DONE] = "done",
        [APPLY_LEFT_OUT] = "left out",
        [APPLY_CHANGED] = "was changed in the meantime",
        [APPLY_GONE] = "was removed in the meantime",
        [APPLY_APPEARED] = "exists now",
        [APPLY_MOVED] = "its directory was removed, or is now a symbolic link",
        [APPLY_UNWRITABLE] = "its directory is not writable",
    };

    return texts[s];
}

/* Returns whether the directory that holds an entry is itself one of the
 * changes: then it exists and is writable when the entry is applied. */
static bool
has_listed_parent(const struct changes *list, const char *path)
{
    const char *slash = strrchr(path, '/');
    char dir[PATH_MAX] = ".";
    const struct change *parent;
    size_t n = slash ? (size_t)(slash - path) : 0;

    if (n >= sizeof(dir))
        return false;
    if (n > 0) {
        memcpy(dir, path, n);
        dir[n] = '\0';
    }
    parent = changes_find(list, dir);
    return parent && S_ISDIR(parent->after.st_mode);
}

static bool
is_same_original(const struct stat *a, const struct stat *b)
{
    if ((a->st_mode & S_IFMT) != (b->st_mode & S_IFMT) ||
        a->st_ino != b->st_ino || a->st_dev != b->st_dev)
        return false;
    return S_ISDIR(a->st_mode) || (a->st_size == b->st_size &&
                                   clock_is_same(&a->st_ctim, &b->st_ctim) &&
                                   clock_is_same(&a->st_mtim, &b->st_mtim));
}

/* Checks a directory that will be deleted: everything in it must be as it
 * was. */
static int
check_deleted_dir(const struct apply_spec *s, const struct change *c,
                  enum apply_state *state, struct err *e)
{
    struct change now = {.before = c->before};

    if (changes_inspect_original(s->view, c->path, &now, e) < 0)
        return -1;
    if (now.meanwhile || now.files != c->files || now.bytes != c->bytes ||
        now.bar != CHANGE_FREE)
        *state = APPLY_CHANGED;
    return 0;
}

static int
compare_original(const struct apply_spec *s, const struct change *c, int dir,
                 const char *name, enum apply_state *state, struct err *e)
{
    struct stat st;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        if (c->before.st_mode)
            *state = APPLY_GONE;
        return 0;
    }
    if (!c->before.st_mode)
        *state = APPLY_APPEARED;
    else if (!is_same_original(&c->before, &st))
        *state = APPLY_CHANGED;
    else if (S_ISDIR(st.st_mode) && c->kind != CHANGE_ATTRIBUTES)
        return check_deleted_dir(s, c, state, e);
    return 0;
}

/* Returns whether we can write in a directory, now or after changing its mode
 * as its owner. */
static bool
can_write_in(int dir)
{
    struct stat st;

    return faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) == 0 ||
           (fstat(dir, &st) == 0 && st.st_uid == geteuid());
}

static int
check_applied_entry(const struct apply_spec *s, const struct change *c,
                    enum apply_state *state, struct err *e)
{
    const char *name;
    CLEANUP(fd_close_p)
    int dir = beneath_parent(s->view->lower, c->path, &name);
    bool listed = has_listed_parent(s->list, c->path);

    *state = APPLY_WAITING;
    if (c->bar != CHANGE_FREE) {
        *state = APPLY_LEFT_OUT;
        return 0;
    }
    if (c->meanwhile) {
        *state = c->before.st_mode ? APPLY_CHANGED : APPLY_GONE;
        return 0;
    }
    if (dir < 0) {
        if (!listed)
            *state = APPLY_MOVED;
        return 0;
    }
    if (!listed && c->kind != CHANGE_ATTRIBUTES && !can_write_in(dir)) {
        *state = APPLY_UNWRITABLE;
        return 0;
    }
    return compare_original(s, c, dir, name, state, e);
}

static int
check_entries(const struct apply_spec *s, struct apply_report *out,
              struct err *e)
{
    size_t first = 0;

    free(out->state);
    *out = (struct apply_report){.state = calloc(s->list->n + 1, 1)};
    if (!out->state)
        return err_nomem(e);
    for (size_t i = 0; i < s->list->n; i++) {
        enum apply_state state;

        if (check_applied_entry(s, &s->list->v[i], &state, e) < 0)
            return -1;
        out->state[i] = (unsigned char)state;
        out->left_out += state == APPLY_LEFT_OUT;
        if (state > APPLY_LEFT_OUT && out->refused++ == 0)
            first = i;
    }
    if (out->refused == 0)
        return 0;
    return err_set(e, ERR_PERMISSION, "nothing was changed: %s %s",
                   s->list->v[first].path, apply_state_text(out->state[first]));
}

#define STAGE_NAME ".agentsh-keep-%.60s"
#define STAGE_MAX  80
/* Files that are synced one by one; with more, the filesystem is synced once.
 */
#define FEW_ENTRIES 64

/* The state of one apply_keep. */
struct apply_keep {
    const struct apply_spec *s;
    struct apply_report *report;
    int place; /* s->view->lower, opened for syncing */
    int stage;
    char name[STAGE_MAX];
    bool few;  /* synced one by one */
    bool sync; /* at all */
};

static const struct change *
entry_at(const struct apply_keep *k, size_t i)
{
    return &k->s->list->v[i];
}

/* Returns whether an entry is renamed into place from the staging directory. */
static bool
is_staged(const struct apply_keep *k, size_t i)
{
    const struct change *c = entry_at(k, i);

    return k->report->state[i] == APPLY_WAITING &&
           (c->kind == CHANGE_ADDED || c->kind == CHANGE_CHANGED) &&
           !S_ISDIR(c->after.st_mode);
}

static int
ask_apply_goes_on(const struct apply_keep *k, struct err *e)
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

/* Checks for free space, unless copies share their blocks, where nobody knows
 * beforehand how much is needed. */
static int
check_room(const struct apply_keep *k, struct err *e)
{
    uint64_t wanted = k->s->list->write_bytes, room;
    struct statfs fs;

    if (fstatfs(k->place, &fs) < 0)
        return err_sys(e, "the workspace");
    room = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
    if (wanted <= room || k->s->move ||
        (unsigned long)fs.f_type == BTRFS_SUPER_MAGIC ||
        (unsigned long)fs.f_type == XFS_SUPER_MAGIC)
        return 0;
    return err_set(e, ERR_IO,
                   "nothing was changed: %llu bytes are to be written and "
                   "%llu are free",
                   (unsigned long long)wanted, (unsigned long long)room);
}

static int
open_stage(struct apply_keep *k, struct err *e)
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
stage_link(const struct apply_keep *k, const struct change *c, const char *name,
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

/* Checks that a file is still the one that was listed, and shown to the
 * person. */
static int
check_shown(int from, const struct change *c, struct err *e)
{
    struct stat st;

    if (fstat(from, &st) < 0)
        return err_sys(e, "%s", c->path);
    if (S_ISREG(st.st_mode) && st.st_dev == c->after.st_dev &&
        st.st_ino == c->after.st_ino && st.st_size == c->after.st_size &&
        clock_is_same(&st.st_mtim, &c->after.st_mtim) &&
        clock_is_same(&st.st_ctim, &c->after.st_ctim))
        return 0;
    return err_set(e, ERR_PERMISSION,
                   "%s: the preview was changed after it was shown", c->path);
}

/* Moves a file out of the view, with the mode that it was to have. 1: it has to
 * be copied. */
static int
stage_by_move(const struct apply_keep *k, const struct change *c,
              const char *name, struct err *e)
{
    const char *base;
    struct stat st;
    CLEANUP(fd_close_p)
    int dir = beneath_parent(k->s->view->upper, c->path, &base);
    CLEANUP(fd_close_p) int fd = -1;

    if (dir < 0 || fstatat(dir, base, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(e, "%s", c->path);
    if (!S_ISREG(st.st_mode) || st.st_ino != c->after.st_ino)
        return err_set(e, ERR_PERMISSION, "%s: is not what was listed",
                       c->path);
    fd = openat(dir, base, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return err_sys(e, "%s", c->path);
    if (linux_renameat2(dir, base, k->stage, name, RENAME_NOREPLACE) < 0)
        return 1;
    if (copy_file_forget_view(fd, e) < 0)
        return -1;
    return (st.st_mode & 07777) != copy_file_mode(c) &&
                   fchmod(fd, copy_file_mode(c)) < 0
               ? err_sys(e, "%s", c->path)
               : 0;
}

static int
stage_file(const struct apply_keep *k, const struct change *c, const char *name,
           struct err *e)
{
    CLEANUP(fd_close_p) int from = -1;
    CLEANUP(fd_close_p) int to = -1;
    int rc = k->s->move ? stage_by_move(k, c, name, e) : 1;

    if (rc <= 0)
        return rc;
    from = beneath_open(k->s->view->upper, c->path, O_RDONLY);
    if (from < 0)
        return err_sys(e, "%s", c->path);
    if (check_shown(from, c, e) < 0)
        return -1;
    to = openat(k->stage, name,
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (to < 0)
        return err_sys(e, "%s", c->path);
    if (copy_file_all(from, to, c, k->few && k->sync, e) < 0)
        return err_wrap(e, "%s", c->path);
    return 0;
}

static int
stage_all(const struct apply_keep *k, struct err *e)
{
    char name[STAGE_MAX];

    for (size_t i = 0; i < k->s->list->n; i++) {
        const struct change *c = entry_at(k, i);
        int rc;

        if (!is_staged(k, i))
            continue;
        if (ask_apply_goes_on(k, e) < 0)
            return -1;
        snprintf(name, sizeof(name), "%zu", i);
        rc = c->target ? stage_link(k, c, name, e) : stage_file(k, c, name, e);
        if (rc < 0)
            return -1;
    }
    if (!k->few && k->sync && syncfs(k->place) < 0)
        return err_sys(e, "sync");
    return 0;
}

/* Makes directories writable that are to be written in, until their final mode
 * is set. */
static int
open_dirs(struct apply_keep *k, struct err *e)
{
    for (size_t i = 0; i < k->s->list->n; i++) {
        struct change c = *entry_at(k, i);

        if (k->report->state[i] != APPLY_WAITING ||
            c.kind != CHANGE_ATTRIBUTES || !S_ISDIR(c.after.st_mode))
            continue;
        c.after.st_mode = c.before.st_mode | 0700;
        c.after.st_uid = c.before.st_uid;
        c.after.st_gid = c.before.st_gid;
        if (copy_file_attributes(k->place, &c, e) < 0)
            return -1;
    }
    return 0;
}

static int
apply_directory_entry(const struct change *c, int dir, const char *name,
                      struct err *e)
{
    if (c->before.st_mode && unlinkat(dir, name, 0) < 0)
        return err_sys(e, "%s", c->path);
    /* its final mode is set when it is complete */
    if (mkdirat(dir, name, 0700) < 0)
        return err_sys(e, "%s", c->path);
    return 0;
}

static int
place_file(const struct apply_keep *k, size_t i, int dir, const char *name,
           struct err *e)
{
    const struct change *c = entry_at(k, i);
    unsigned flags = c->before.st_mode ? 0 : RENAME_NOREPLACE;
    char from[STAGE_MAX];
    int rc;

    if (S_ISDIR(c->before.st_mode) && beneath_remove(k->place, c->path, e) < 0)
        return -1;
    snprintf(from, sizeof(from), "%zu", i);
    rc = linux_renameat2(k->stage, from, dir, name, flags);
    if (rc < 0 && errno == EINVAL &&
        flags) /* a filesystem that has no RENAME_NOREPLACE */
        rc = renameat(k->stage, from, dir, name);
    return rc < 0 ? err_sys(e, "%s", c->path) : 0;
}

/* Makes a read-only directory of ours writable; the command had to do the same,
 * and restored the mode. Returns the mode to restore, or 0. */
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

/* Syncs a directory, so that its entries reach the disk too. */
static void
sync_applied_dir(const struct apply_keep *k, int dir)
{
    CLEANUP(fd_close_p) int fd = -1;

    if (!k->few || !k->sync)
        return; /* synced all at once, later */
    fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        (void)fsync(fd);
}

static int
place_entry(const struct apply_keep *k, size_t i, struct err *e)
{
    const struct change *c = entry_at(k, i);
    const char *name;
    CLEANUP(fd_close_p) int dir = -1;
    mode_t mode;
    int rc;

    if (c->kind == CHANGE_ATTRIBUTES)
        return S_ISDIR(c->after.st_mode) ? 0
                                         : copy_file_attributes(k->place, c, e);
    dir = beneath_parent(k->place, c->path, &name);
    if (dir < 0)
        return err_sys(e, "%s", c->path);
    mode = open_for_once(dir);
    if (c->kind == CHANGE_DELETED)
        rc = beneath_remove(k->place, c->path, e);
    else if (S_ISDIR(c->after.st_mode))
        rc = apply_directory_entry(c, dir, name, e);
    else
        rc = place_file(k, i, dir, name, e);
    shut_again(dir, mode);
    if (rc == 0)
        sync_applied_dir(k, dir);
    return rc;
}

static int
apply_all_entries(struct apply_keep *k, bool deletions, struct err *e)
{
    size_t n = k->s->list->n;

    for (size_t j = 0; j < n; j++) {
        size_t i = deletions ? n - 1 - j : j;

        if (k->report->state[i] != APPLY_WAITING ||
            (entry_at(k, i)->kind == CHANGE_DELETED) != deletions)
            continue;
        if (ask_apply_goes_on(k, e) < 0 || place_entry(k, i, e) < 0)
            return -1;
        k->report->state[i] = APPLY_DONE;
        k->report->done++;
    }
    return 0;
}

/* Sets the final modes of directories, inner ones first. */
static int
set_dir_modes(struct apply_keep *k, struct err *e)
{
    for (size_t i = k->s->list->n; i-- > 0;) {
        const struct change *c = entry_at(k, i);

        if (k->report->state[i] == APPLY_DONE && S_ISDIR(c->after.st_mode) &&
            copy_file_attributes(k->place, c, e) < 0)
            return -1;
    }
    if (!k->few && k->sync && syncfs(k->place) < 0)
        return err_sys(e, "sync");
    return 0;
}

static int
stage_and_place(struct apply_keep *k, struct err *e)
{
    if (check_room(k, e) < 0 || open_stage(k, e) < 0)
        return -1;
    if (stage_all(k, e) < 0)
        return err_wrap(e, "nothing was changed");
    if (open_dirs(k, e) < 0 || apply_all_entries(k, false, e) < 0 ||
        apply_all_entries(k, true, e) < 0 || set_dir_modes(k, e) < 0)
        return err_wrap(e, "%zu of %zu changes were made", k->report->done,
                        k->s->list->n);
    return 0;
}

static void
on_set_aside(void *arg, const char *what, const char *root, const char *path)
{
    const struct apply_spec *s = arg;

    (void)root;
    if (s->on_aside && strcmp(what, PROTECT_ASIDE) == 0)
        s->on_aside(s->arg, path);
}

/* Applies, with the check of new repositories that follows every command. */
static int
apply_protected(struct apply_keep *k, struct err *e)
{
    char link[32], root[PATH_MAX];
    struct protect guarded;
    ssize_t n;
    int rc;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", k->place);
    n = readlink(link, root, sizeof(root) - 1);
    if (n <= 0)
        return err_sys(e, "the workspace");
    root[n] = '\0';
    rc = protect_open(&guarded, root, k->s->who, false, e);
    if (rc == 0)
        rc = stage_and_place(k, e);
    protect_close(&guarded, on_set_aside, (void *)k->s);
    return rc;
}

int
apply_keep(const struct apply_spec *s, struct apply_report *out, struct err *e)
{
    CLEANUP(fd_close_p) int place = -1;
    struct apply_keep k = {.s = s, .report = out, .stage = -1};
    int rc;

    if (check_entries(s, out, e) < 0 || (s->keep && s->keep(s->arg, e) < 0))
        return -1;
    place = openat(s->view->lower, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place < 0)
        return err_sys(e, "the workspace");
    k.place = place;
    k.sync = !s->move;
    k.few = s->list->n <= FEW_ENTRIES;
    rc = apply_protected(&k, e);
    if (k.stage >= 0)
        close(k.stage);
    (void)apply_sweep(place, s->run, NULL);
    return rc;
}

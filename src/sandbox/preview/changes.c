/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.c - compares upper with the directory below it. */
#include "sandbox/preview/changes.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/path.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes_list.h"
#include "sandbox/preview/workcopy.h"

#define MODE_XATTR "user.agentsh.mode" /* the mode before make_readable */
#define XATTR_MAX  32

/* Reads an extended attribute; value becomes "" when there is none. */
static bool
get_xattr(const char *path, const char *name, char value[XATTR_MAX],
          bool follow)
{
    ssize_t n = follow ? getxattr(path, name, value, XATTR_MAX - 1)
                       : lgetxattr(path, name, value, XATTR_MAX - 1);

    value[n > 0 ? n : 0] = '\0';
    return n >= 0;
}

static void
name_entry(const struct beneath_entry *x, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "/proc/self/fd/%d/%s", x->dir, x->name);
}

static bool
is_opaque(const struct beneath_entry *x)
{
    char path[PATH_MAX], value[XATTR_MAX];

    name_entry(x, path);
    return get_xattr(path, "user.overlay.opaque", value, false) &&
           strcmp(value, "y") == 0;
}

static bool
is_copy(const struct beneath_entry *x)
{
    char path[PATH_MAX], value[XATTR_MAX];

    name_entry(x, path);
    return get_xattr(path, "user.overlay.origin", value, false);
}

/* Makes an entry readable for us and stores its mode in an attribute; or, if
 * that was done before, reads the mode from there. path is in upper, where
 * nobody else writes, so lstat's result still holds, except for the ctime. */
static void
make_readable(const char *path, struct stat *st)
{
    mode_t mode = st->st_mode & 07777;
    mode_t needed = S_ISDIR(st->st_mode) ? 0700 : 0400;
    char text[XATTR_MAX];
    struct stat now;

    if ((mode & needed) != needed) {
        snprintf(text, sizeof(text), "%o", (unsigned)mode);
        if (chmod(path, mode | 0700) == 0)
            (void)setxattr(path, MODE_XATTR, text, strlen(text), 0);
        if (stat(path, &now) == 0)
            st->st_ctim = now.st_ctim;
    } else if ((mode & 0700) ==
                   0700 && /* a mode set above has all three bits */
               get_xattr(path, MODE_XATTR, text, true)) {
        st->st_mode = (st->st_mode & (mode_t)S_IFMT) |
                      ((mode_t)strtoul(text, NULL, 8) & 07777);
    }
}

static void
open_entry(struct beneath_entry *x)
{
    char path[PATH_MAX];

    if (!S_ISDIR(x->st.st_mode) && !S_ISREG(x->st.st_mode))
        return;
    name_entry(x, path);
    make_readable(path, &x->st);
}

static void
open_upper_top(int upper, struct stat *st)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", upper);
    make_readable(path, st);
}

/* Tags of the walk: whether a directory of upper shows the entries of the one
 * below it. */
enum tag { MERGED, OPAQUE };

/* What became of an entry of a copy. */
enum fate { FATE_GONE, FATE_THERE, FATE_NO_DIRECTORY };

struct changes_reader {
    const struct changes_spec *spec;
    struct changes *out;
    char dir[PATH_MAX];   /* the directory whose lower side is open */
    int lower_dir;        /* -1: there is none, … */
    int lower_sys;        /* … and why */
    unsigned char *fates; /* of a copy: one for each entry of its list */
};

/* Opens the lower side of the directory that holds an entry. */
static int
lower_of(struct changes_reader *r, const struct beneath_entry *x)
{
    size_t n = strlen(x->path) - strlen(x->name);

    n -= n > 0; /* the slash */
    if (n >= sizeof(r->dir)) {
        r->lower_sys = ENAMETOOLONG;
        return -1;
    }
    if (strlen(r->dir) == n && memcmp(r->dir, x->path, n) == 0 &&
        r->lower_dir != -2)
        return r->lower_dir;
    if (r->lower_dir >= 0)
        close(r->lower_dir);
    memcpy(r->dir, x->path, n);
    r->dir[n] = '\0';
    r->lower_dir = beneath_open(r->spec->lower, r->dir, O_PATH | O_DIRECTORY);
    if (r->lower_dir < 0) {
        r->lower_sys = errno;
        r->lower_dir = -1;
    }
    return r->lower_dir;
}

/* Returns whether an errno means that a path does not exist: below a link in
 * place of a directory nothing exists. */
static bool
is_absent(int sys)
{
    return sys == ENOENT || sys == ENOTDIR || sys == ELOOP;
}

/* Fills in the original of an entry; st_mode 0: there is none. */
static int
stat_original(struct changes_reader *r, const struct beneath_entry *x,
              struct stat *before, struct err *e)
{
    int lower = lower_of(r, x);

    if (lower >= 0 && fstatat(lower, x->name, before, AT_SYMLINK_NOFOLLOW) == 0)
        return 0;
    *before = (struct stat){0};
    if (is_absent(lower < 0 ? r->lower_sys : errno))
        return 0;
    errno = lower < 0 ? r->lower_sys : errno;
    return err_sys(e, "%s", x->path);
}

static struct change *
grow_list(struct changes *c, struct err *e)
{
    if (c->n == CHANGES_MAX) {
        err_set(e, ERR_NOMEM, "more than %d changes", CHANGES_MAX);
        return NULL;
    }
    if (c->n == c->room) {
        size_t room = c->room ? 2 * c->room : 64;
        struct change *v = reallocarray(c->v, room, sizeof(*v));

        if (!v) {
            err_nomem(e);
            return NULL;
        }
        c->v = v;
        c->room = room;
    }
    return &c->v[c->n];
}

/* The copy held everything. So an original that it lacks was created by
 * somebody else, and a missing original was removed, also where no time shows
 * it, as in a directory that was moved. */
static void
compare_with_copied(const struct changes_reader *r, const char *path,
                    struct change *c)
{
    const struct workcopy *w = r->spec->copied;

    if (!w)
        return;
    if (workcopy_find(w, path))
        c->meanwhile |= !c->before.st_mode;
    else
        c->meanwhile |= c->before.st_mode &&
                        !changes_is_meanwhile(r->spec, &c->before);
}

/* Adds the entry to the list, which owns its target from then on. */
static int
add_change(struct changes_reader *r, const char *path, struct change *new,
           struct err *e)
{
    struct change *c = grow_list(r->out, e);

    new->path = c ? strdup(path) : NULL;
    if (!new->path) {
        free(new->target);
        return c ? err_nomem(e) : -1;
    }
    compare_with_copied(r, path, new);
    if (new->bar == CHANGE_FREE)
        new->bar = changes_bar_of(path);
    new->pair = CHANGE_NO_PAIR;
    *c = *new;
    r->out->n++;
    return 0;
}

static int
add_deleted(struct changes_reader *r, const char *path,
            const struct stat *before, struct err *e)
{
    struct change c = {.kind = CHANGE_DELETED, .before = *before};

    if (changes_inspect_original(r->spec, path, &c, e) < 0)
        return -1;
    return add_change(r, path, &c, e);
}

/* Adds deletions for an opaque directory: what it does not hold was deleted. */
struct changes_hidden {
    struct changes_reader *reader;
    int upper_dir;
};

static int
add_hidden(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct changes_hidden *h = arg;
    struct stat st;

    if (fstatat(h->upper_dir, x->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return BENEATH_SKIP;
    if (errno != ENOENT)
        return err_sys(e, "%s", x->path);
    return add_deleted(h->reader, x->path, &x->st, e) < 0 ? -1 : BENEATH_SKIP;
}

static int
add_all_hidden(struct changes_reader *r, const struct beneath_entry *x,
               struct err *e)
{
    CLEANUP(fd_close_p)
    int upper = openat(x->dir, x->name,
                       O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct changes_hidden h = {r, upper};

    if (upper < 0)
        return err_sys(e, "%s", x->path);
    return beneath_walk(r->spec->lower, x->path, false, 0, add_hidden, &h, e);
}

static bool
same_attributes(const struct stat *a, const struct stat *b)
{
    return (a->st_mode & 07777) == (b->st_mode & 07777) &&
           a->st_uid == b->st_uid && a->st_gid == b->st_gid;
}

static bool
same_time(const struct stat *a, const struct stat *b)
{
    return clock_is_same(&a->st_mtim, &b->st_mtim);
}

/* Handles a directory that exists on both sides: it changed if its mode or
 * owner did. */
static int
read_both_dirs(struct changes_reader *r, const struct beneath_entry *x,
               const struct stat *before, int tag, struct err *e)
{
    struct change c = {
        .kind = CHANGE_ATTRIBUTES, .before = *before, .after = x->st};

    if (!same_attributes(before, &x->st) && add_change(r, x->path, &c, e) < 0)
        return -1;
    if (tag == OPAQUE && add_all_hidden(r, x, e) < 0)
        return -1;
    return tag;
}

static int
read_dir_entry(struct changes_reader *r, const struct beneath_entry *x,
               const struct stat *before, struct err *e)
{
    struct change c = {.before = *before, .after = x->st};
    int tag = x->tag;

    if (S_ISDIR(before->st_mode)) {
        if (tag == MERGED && !r->spec->copied && is_opaque(x))
            tag = OPAQUE;
        return read_both_dirs(r, x, before, tag, e);
    }
    c.kind = before->st_mode ? CHANGE_CHANGED : CHANGE_ADDED;
    c.copied = !r->spec->copied && is_copy(x);
    if (before->st_mode &&
        changes_inspect_original(r->spec, x->path, &c, e) < 0)
        return -1;
    /* overlayfs never moves a directory, so the original was removed */
    c.meanwhile |= c.copied;
    return add_change(r, x->path, &c, e) < 0 ? -1 : tag;
}

/* Compares a file or link that exists on both sides; sets *kind, or finds it
 * unchanged. */
static int
compare_entry(const struct changes_reader *r, const struct beneath_entry *x,
              const struct change *c, bool *same, struct err *e)
{
    int rc = 1;

    if ((c->before.st_mode & S_IFMT) != (c->after.st_mode & S_IFMT) ||
        c->before.st_size != c->after.st_size) {
        *same = false;
        return 0;
    }
    if (S_ISREG(c->after.st_mode))
        rc = changes_same_bytes(r->spec->lower, x->path, r->spec->upper,
                                x->path, e);
    else if (c->target)
        rc = changes_same_link(r->spec->lower, x->path, c->target, e);
    *same = rc == 1;
    return rc < 0 ? -1 : 0;
}

static int
read_link(struct changes_reader *r, const struct beneath_entry *x,
          struct change *c, struct err *e)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(x->dir, x->name, target, sizeof(target) - 1);

    if (n < 0)
        return err_sys(e, "%s", x->path);
    target[n] = '\0';
    c->target = strdup(target);
    if (!c->target)
        return err_nomem(e);
    c->leaves = changes_link_leaves(x->path, target, r->spec->place);
    return 0;
}

/* Finds whether a file or link differs from its original, and in what. */
static int
classify_difference(struct changes_reader *r, const struct beneath_entry *x,
                    struct change *c, bool *differs, struct err *e)
{
    bool same;

    *differs = true;
    if (compare_entry(r, x, c, &same, e) < 0)
        return -1;
    if (same && same_attributes(&c->before, &c->after) &&
        same_time(&c->before, &c->after)) {
        *differs = false;
        return 0;
    }
    c->kind = same ? CHANGE_ATTRIBUTES : CHANGE_CHANGED;
    return changes_inspect_original(r->spec, x->path, c, e);
}

static int
read_file_entry(struct changes_reader *r, const struct beneath_entry *x,
                const struct stat *before, struct err *e)
{
    struct change c = {.kind = CHANGE_ADDED, .before = *before, .after = x->st};
    bool differs = true;

    if (S_ISLNK(x->st.st_mode) && read_link(r, x, &c, e) < 0)
        return -1;
    if (!S_ISREG(x->st.st_mode) && !S_ISLNK(x->st.st_mode))
        c.bar = CHANGE_SPECIAL;
    if (c.target && r->spec->dir && path_is_below(c.target, r->spec->dir))
        c.bar = CHANGE_TO_COPY;
    c.copied = !r->spec->copied && is_copy(x);
    if (before->st_mode && classify_difference(r, x, &c, &differs, e) < 0) {
        free(c.target);
        return -1;
    }
    if (differs)
        return add_change(r, x->path, &c, e);
    free(c.target);
    return 0;
}

static int
visit_changed(void *arg, const struct beneath_entry *entry, struct err *e)
{
    struct changes_reader *r = arg;
    struct beneath_entry x = *entry;
    struct stat before;

    open_entry(&x);
    if (stat_original(r, entry, &before, e) < 0)
        return -1;
    if (S_ISCHR(x.st.st_mode) && x.st.st_rdev == makedev(0, 0))
        return before.st_mode ? add_deleted(r, x.path, &before, e) : 0;
    if (S_ISDIR(x.st.st_mode))
        return read_dir_entry(r, &x, &before, e);
    return read_file_entry(r, &x, &before, e);
}

/* Handles an entry of a copy, which contains nothing of overlayfs. */
static int
visit_copied(void *arg, const struct beneath_entry *entry, struct err *e)
{
    struct changes_reader *r = arg;
    const struct workcopy *w = r->spec->copied;
    const struct workcopy_entry *was = workcopy_find(w, entry->path);
    struct beneath_entry x = *entry;
    bool directory = S_ISDIR(x.st.st_mode);
    struct stat before;

    if (was)
        r->fates[was - w->v] = S_ISDIR(was->mode) && !directory
                                   ? FATE_NO_DIRECTORY
                                   : FATE_THERE;
    if (was && !directory && workcopy_is_untouched(was, &x.st) &&
        !(r->spec->memory && S_ISREG(x.st.st_mode)))
        return 0;
    open_entry(&x);
    if (stat_original(r, entry, &before, e) < 0)
        return -1;
    workcopy_translate(was, &before, &x.st);
    if (!directory)
        return read_file_entry(r, &x, &before, e);
    if (was && S_ISDIR(was->mode) && !before.st_mode)
        return MERGED; /* somebody else removed the original */
    return read_dir_entry(r, &x, &before, e);
}

/* Adds deletions for what the copy does not hold any more. */
static int
read_gone(struct changes_reader *r, struct err *e)
{
    const struct workcopy *w = r->spec->copied;
    const char *top =
        NULL; /* the directory that was deleted with everything in it */

    for (size_t i = 0; i < w->n; i++) {
        const char *path = w->v[i].path;
        struct stat before;

        if ((top && path_is_below(path, top)) || strcmp(path, ".") == 0 ||
            r->fates[i] == FATE_THERE)
            continue;
        top = path;
        if (r->fates[i] == FATE_NO_DIRECTORY)
            continue;
        if (beneath_stat(r->spec->lower, path, &before) == 0) {
            if (add_deleted(r, path, &before, e) < 0)
                return -1;
        } else if (!is_absent(errno)) {
            return err_sys(e, "%s", path);
        }
    }
    return 0;
}

static int
read_copy(struct changes_reader *r, struct err *e)
{
    r->fates = calloc(r->spec->copied->n + 1, sizeof(*r->fates));
    if (!r->fates)
        return err_nomem(e);
    if (beneath_walk(r->spec->upper, ".", false, MERGED, visit_copied, r, e) <
        0)
        return -1;
    return read_gone(r, e);
}

/* Handles the directory itself, whose mode may have been changed. */
static int
visit_top(struct changes_reader *r, struct err *e)
{
    struct stat before, after;

    if (fstat(r->spec->lower, &before) < 0 || fstat(r->spec->upper, &after) < 0)
        return err_sys(e, "the directories of the view");
    open_upper_top(r->spec->upper, &after);
    if (r->spec->copied)
        workcopy_translate(workcopy_find(r->spec->copied, "."), &before,
                           &after);
    if (same_attributes(&before, &after))
        return 0;
    return add_change(r, ".",
                      &(struct change){.kind = CHANGE_ATTRIBUTES,
                                       .before = before,
                                       .after = after},
                      e);
}

int
changes_read(const struct changes_spec *spec, struct changes *out,
             struct err *e)
{
    CLEANUP(changes_done) struct changes found = {0};
    struct changes_reader r = {.spec = spec, .out = &found, .lower_dir = -2};
    int rc;

    rc = visit_top(&r, e);
    if (rc == 0 && spec->copied)
        rc = read_copy(&r, e);
    else if (rc == 0)
        rc = beneath_walk(spec->upper, ".", false, MERGED, visit_changed, &r,
                          e);
    if (r.lower_dir >= 0)
        close(r.lower_dir);
    free(r.fates);
    if (rc < 0)
        return -1;
    changes_sort(&found);
    if (changes_find_renames(spec, &found, e) < 0)
        return -1;
    changes_count(&found);
    *out = found;
    found = (struct changes){0};
    return 0;
}

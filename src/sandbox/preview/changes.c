/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.c - what a run in a copy-on-write view made, changed and deleted. */
#include "sandbox/preview/changes.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "sandbox/preview/beneath.h"
#include "sandbox/preview/changes_in.h"
#include "sandbox/preview/workcopy.h"

/* Tags of the walk: what a directory of upper does to the one below. */
enum tag { MERGED, OPAQUE };

/* Of a copy: what became of an entry that it had. */
enum fate { FATE_GONE, FATE_THERE, FATE_NO_DIRECTORY };

struct reader {
    const struct changes_spec *spec;
    struct changes *out;
    char dir[PATH_MAX];   /* whose lower side is open */
    int lower_dir;        /* -1: there is none, … */
    int lower_sys;        /* … and why */
    unsigned char *fates; /* of a copy: one an entry of its list */
};

/* The lower side of the directory that holds an entry. */
static int
lower_of(struct reader *r, const struct beneath_entry *x)
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

/* Whether nothing is there: where a link stands in the place of a directory,
 * there is nothing below it. */
static bool
is_absent(int sys)
{
    return sys == ENOENT || sys == ENOTDIR || sys == ELOOP;
}

/* The original of an entry; st_mode 0: there is none. */
static int
stat_original(struct reader *r, const struct beneath_entry *x,
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
grow(struct changes *c, struct err *e)
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

/* The copy had all that was there: an original that it has not was made by
 * somebody else, and one that is gone was removed, also where no time says so,
 * as of what is in a directory that was moved. */
static void
look_at_copy(const struct reader *r, const char *path, struct change *c)
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

/* Takes the entry; its target belongs to the list now. */
static int
add(struct reader *r, const char *path, struct change *new, struct err *e)
{
    struct change *c = grow(r->out, e);

    new->path = c ? strdup(path) : NULL;
    if (!new->path) {
        free(new->target);
        return c ? err_nomem(e) : -1;
    }
    look_at_copy(r, path, new);
    if (new->bar == CHANGE_FREE)
        new->bar = changes_bar_of(path);
    new->pair = CHANGE_NO_PAIR;
    *c = *new;
    r->out->n++;
    return 0;
}

static int
add_deleted(struct reader *r, const char *path, const struct stat *before,
            struct err *e)
{
    struct change c = {.kind = CHANGE_DELETED, .before = *before};

    if (changes_weigh(r->spec, path, &c, e) < 0)
        return -1;
    return add(r, path, &c, e);
}

/* In a directory that hides the one below: what it does not hold is gone. */
struct hidden {
    struct reader *reader;
    int upper_dir;
};

static int
add_hidden(void *arg, const struct beneath_entry *x, struct err *e)
{
    struct hidden *h = arg;
    struct stat st;

    if (fstatat(h->upper_dir, x->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return BENEATH_SKIP;
    if (errno != ENOENT)
        return err_sys(e, "%s", x->path);
    return add_deleted(h->reader, x->path, &x->st, e) < 0 ? -1 : BENEATH_SKIP;
}

static int
add_all_hidden(struct reader *r, const struct beneath_entry *x, struct err *e)
{
    CLEANUP(fd_close_p)
    int upper = openat(x->dir, x->name,
                       O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct hidden h = {r, upper};

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
    return a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A directory on both sides changed when its mode or owner did. */
static int
read_both_dirs(struct reader *r, const struct beneath_entry *x,
               const struct stat *before, int tag, struct err *e)
{
    struct change c = {
        .kind = CHANGE_ATTRIBUTES, .before = *before, .after = x->st};

    if (!same_attributes(before, &x->st) && add(r, x->path, &c, e) < 0)
        return -1;
    if (tag == OPAQUE && add_all_hidden(r, x, e) < 0)
        return -1;
    return tag;
}

static int
read_dir_entry(struct reader *r, const struct beneath_entry *x,
               const struct stat *before, struct err *e)
{
    struct change c = {.before = *before, .after = x->st};
    int tag = x->tag;

    if (S_ISDIR(before->st_mode)) {
        if (tag == MERGED && !r->spec->copied && changes_is_opaque(x))
            tag = OPAQUE;
        return read_both_dirs(r, x, before, tag, e);
    }
    c.kind = before->st_mode ? CHANGE_CHANGED : CHANGE_ADDED;
    c.copied = !r->spec->copied && changes_is_copy(x);
    if (before->st_mode && changes_weigh(r->spec, x->path, &c, e) < 0)
        return -1;
    /* overlayfs never moves a directory, so this one's original is gone */
    c.meanwhile |= c.copied;
    return add(r, x->path, &c, e) < 0 ? -1 : tag;
}

/* A file or a link on both sides: *kind, or that it is as it was. */
static int
compare(const struct reader *r, const struct beneath_entry *x,
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
read_link(struct reader *r, const struct beneath_entry *x, struct change *c,
          struct err *e)
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

/* Whether a file or link that has an original differs, and in what. */
static int
judge(struct reader *r, const struct beneath_entry *x, struct change *c,
      bool *differs, struct err *e)
{
    bool same;

    *differs = true;
    if (compare(r, x, c, &same, e) < 0)
        return -1;
    if (same && same_attributes(&c->before, &c->after) &&
        same_time(&c->before, &c->after)) {
        *differs = false;
        return 0;
    }
    c->kind = same ? CHANGE_ATTRIBUTES : CHANGE_CHANGED;
    return changes_weigh(r->spec, x->path, c, e);
}

static int
read_file_entry(struct reader *r, const struct beneath_entry *x,
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
    c.copied = !r->spec->copied && changes_is_copy(x);
    if (before->st_mode && judge(r, x, &c, &differs, e) < 0) {
        free(c.target);
        return -1;
    }
    if (differs)
        return add(r, x->path, &c, e);
    free(c.target);
    return 0;
}

static int
read_entry(void *arg, const struct beneath_entry *entry, struct err *e)
{
    struct reader *r = arg;
    struct beneath_entry x = *entry;
    struct stat before;

    changes_open_up(&x);
    if (stat_original(r, entry, &before, e) < 0)
        return -1;
    if (S_ISCHR(x.st.st_mode) && x.st.st_rdev == makedev(0, 0))
        return before.st_mode ? add_deleted(r, x.path, &before, e) : 0;
    if (S_ISDIR(x.st.st_mode))
        return read_dir_entry(r, &x, &before, e);
    return read_file_entry(r, &x, &before, e);
}

/* An entry of a copy, which holds what no overlayfs wrote. */
static int
read_copied(void *arg, const struct beneath_entry *entry, struct err *e)
{
    struct reader *r = arg;
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
    changes_open_up(&x);
    if (stat_original(r, entry, &before, e) < 0)
        return -1;
    workcopy_translate(was, &before, &x.st);
    if (!directory)
        return read_file_entry(r, &x, &before, e);
    if (was && S_ISDIR(was->mode) && !before.st_mode)
        return MERGED; /* somebody else has removed it */
    return read_dir_entry(r, &x, &before, e);
}

/* What the copy had and has no more. */
static int
read_gone(struct reader *r, struct err *e)
{
    const struct workcopy *w = r->spec->copied;
    const char *top = NULL; /* of what is gone with all that was in it */

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
read_copy(struct reader *r, struct err *e)
{
    r->fates = calloc(r->spec->copied->n + 1, sizeof(*r->fates));
    if (!r->fates)
        return err_nomem(e);
    if (beneath_walk(r->spec->upper, ".", false, MERGED, read_copied, r, e) < 0)
        return -1;
    return read_gone(r, e);
}

/* The directory itself: its mode may have been changed. */
static int
read_top(struct reader *r, struct err *e)
{
    struct stat before, after;

    if (fstat(r->spec->lower, &before) < 0 || fstat(r->spec->upper, &after) < 0)
        return err_sys(e, "the directories of the view");
    changes_open_top(r->spec->upper, &after);
    if (r->spec->copied)
        workcopy_translate(workcopy_find(r->spec->copied, "."), &before,
                           &after);
    if (same_attributes(&before, &after))
        return 0;
    return add(r, ".",
               &(struct change){
                   .kind = CHANGE_ATTRIBUTES, .before = before, .after = after},
               e);
}

int
changes_read(const struct changes_spec *spec, struct changes *out,
             struct err *e)
{
    CLEANUP(changes_done) struct changes found = {0};
    struct reader r = {.spec = spec, .out = &found, .lower_dir = -2};
    int rc;

    rc = read_top(&r, e);
    if (rc == 0 && spec->copied)
        rc = read_copy(&r, e);
    else if (rc == 0)
        rc = beneath_walk(spec->upper, ".", false, MERGED, read_entry, &r, e);
    if (r.lower_dir >= 0)
        close(r.lower_dir);
    free(r.fates);
    if (rc < 0)
        return -1;
    changes_order(&found);
    if (changes_pair(spec, &found, e) < 0)
        return -1;
    changes_sum(&found);
    *out = found;
    found = (struct changes){0};
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_apply.c - puts back what a run changed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/undo_attributes.h"
#include "action/undo_plan.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fd.h"
#include "sandbox/preview/copy_file.h"

/* One undo_plan_apply. */
struct undo_applying {
    struct undo_store *u;
    struct undo_plan *plan;
    const char *by;
};

/* The directory of a path, its name in it, and a name beside it. */
struct undo_place {
    int dir;
    const char *name;
    char temp[UNDO_TEMP_SIZE];
};

static void
undo_place_done(struct undo_place *p)
{
    fd_close_p(&p->dir);
}

static int
open_undo_place(const struct undo_applying *a, const struct undo_item *item,
                struct undo_place *p, struct err *e)
{
    undo_temp_name(a->by, (size_t)(item - a->plan->v), p->temp);
    p->dir = beneath_parent(undo_store_root(a->u), item->path + 1, &p->name);
    return p->dir < 0 ? err_sys(e, "its directory") : 0;
}

static int
err_changed_since(struct err *e)
{
    return err_set(e, ERR_INVALID, "it was changed since");
}

static bool
is_same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

/* Whether what was moved away from a place is what was seen there. Its time of
 * change is that of the move. */
static bool
is_what_was_seen(const struct undo_place *p, const char *name,
                 const struct stat *seen)
{
    struct stat now;

    if (fstatat(p->dir, name, &now, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    if (S_ISDIR(seen->st_mode))
        return is_same_inode(seen, &now);
    return undo_stat_is_alike(seen, &now);
}

static int
remove_name(const struct undo_place *p, const char *name,
            const struct stat *what)
{
    return unlinkat(p->dir, name, S_ISDIR(what->st_mode) ? AT_REMOVEDIR : 0);
}

static int
err_not_empty(struct err *e)
{
    return errno == ENOTEMPTY || errno == EEXIST
               ? err_set(e, ERR_PERMISSION,
                         "it holds files that the run did not make")
               : err_sys(e, "what is in its place");
}

/* Where the filesystem cannot exchange two names: as near as that comes. */
static int
take_place_plainly(const struct undo_place *p, const struct stat *seen,
                   struct err *e)
{
    struct stat now;
    bool some = fstatat(p->dir, p->name, &now, AT_SYMLINK_NOFOLLOW) == 0;

    if (some != (seen->st_mode != 0) ||
        (some && !is_what_was_seen(p, p->name, seen)))
        return err_changed_since(e);
    if (some && S_ISDIR(now.st_mode) && remove_name(p, p->name, &now) < 0)
        return err_not_empty(e);
    return renameat(p->dir, p->temp, p->dir, p->name) < 0 ? err_sys(e, "rename")
                                                          : 0;
}

/* What has the name temp is somebody else's: it goes back to its place. Where
 * something is there again, it keeps that name, which the error says. */
static int
give_back(const struct undo_place *p, struct err *e)
{
    if (renameat2(p->dir, p->temp, p->dir, p->name, RENAME_NOREPLACE) < 0)
        return err_set(e, ERR_INVALID, "it was changed since: see %s", p->temp);
    return e->code == ERR_NONE ? err_changed_since(e) : -1;
}

/* The original that was made goes again; it may be a directory. */
static void
drop_original(const struct undo_place *p)
{
    if (unlinkat(p->dir, p->temp, 0) < 0)
        (void)unlinkat(p->dir, p->temp, AT_REMOVEDIR);
}

/* The file of the name temp, which is ours, takes the place of what was seen
 * there, and of nothing else. It has that name no longer, whatever happens. */
static int
take_place(const struct undo_place *p, const struct stat *seen, struct err *e)
{
    bool some = seen->st_mode != 0;
    int rc = -1;

    if (renameat2(p->dir, p->temp, p->dir, p->name,
                  some ? RENAME_EXCHANGE : RENAME_NOREPLACE) < 0) {
        if (errno == EINVAL || errno == ENOSYS)
            rc = take_place_plainly(p, seen, e);
        else if (errno == EEXIST || errno == ENOENT)
            err_changed_since(e);
        else
            err_sys(e, "rename");
        drop_original(p); /* both names may be of one file */
        return rc;
    }
    if (!some)
        return 0;
    if (is_what_was_seen(p, p->temp, seen)) {
        if (remove_name(p, p->temp, seen) == 0)
            return 0;
        err_not_empty(e);
    }
    if (renameat2(p->dir, p->temp, p->dir, p->name, RENAME_EXCHANGE) < 0)
        return give_back(p, e);
    drop_original(p);
    return e->code == ERR_NONE ? err_changed_since(e) : -1;
}

/* Fills a file with the original's bytes and attributes. */
static int
fill_from_original(const struct undo_applying *a, const struct undo_path *x,
                   int to, struct err *e)
{
    const struct undo_entry *was = &x->before;
    CLEANUP(fd_close_p) int from = -1;
    struct stat a_file, into;

    if (was->kept == UNDO_KEPT_FILE &&
        ((from = undo_open_kept(a->u, x)) < 0 || fstat(from, &a_file) < 0 ||
         fstat(to, &into) < 0))
        return err_sys(e, "its original");
    if (from >= 0 && is_same_inode(&a_file, &into))
        return err_set(e, ERR_TOOL, "its original was not kept apart");
    if (was->kept == UNDO_KEPT_NOT)
        return err_set(e, ERR_TOOL, "its original is not kept");
    if (ftruncate(to, 0) < 0)
        return err_sys(e, "write");
    if (was->kept == UNDO_KEPT_HERE) {
        if (fd_write_all(to, was->bytes, was->bytes_n, -1, e) < 0)
            return -1;
    } else if (!copy_file_clone(from, to) &&
               copy_file_bytes(from, to, was->st.st_size, NULL, NULL, e) < 0) {
        return -1;
    }
    if (undo_attributes_set(to, was->attributes, was->attributes_n, e) < 0 ||
        undo_attributes_stat(to, &was->st, true, e) < 0)
        return -1;
    return fdatasync(to) < 0 ? err_sys(e, "write") : 0;
}

/* Another name of the same file that is in its place already. */
static const char *
find_twin(const struct undo_applying *a, const struct undo_path *x)
{
    const struct undo_memory *m = a->plan->memory;

    for (const struct undo_path *y = m->v; y < m->v + m->n; y++) {
        struct stat now;

        if (y == x || !y->has_before || !S_ISREG(y->before.st.st_mode) ||
            y->before.st.st_ino != x->before.st.st_ino ||
            y->before.st.st_dev != x->before.st.st_dev ||
            beneath_stat(undo_store_root(a->u), y->before.path + 1, &now) < 0)
            continue;
        if (S_ISREG(now.st_mode) && now.st_size == x->before.st.st_size &&
            clock_is_same(&now.st_mtim, &x->before.st.st_mtim) &&
            (y < x || now.st_ino == x->before.st.st_ino))
            return y->before.path;
    }
    return NULL;
}

/* Whether the store has the file itself, as it was. */
static bool
is_file_itself(const struct undo_applying *a, const struct undo_path *x,
               char name[64])
{
    struct stat st;

    snprintf(name, 64, "%zu.d/%zu", x->step, x->number);
    return x->before.kept == UNDO_KEPT_FILE &&
           fstatat(undo_store_dir(a->u), name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           undo_stat_is_alike(&x->before.st, &st) && st.st_nlink == 1;
}

/* Makes the original, by the name temp. */
static int
make_original(const struct undo_applying *a, const struct undo_path *x,
              const struct undo_place *p, struct err *e)
{
    const struct stat *was = &x->before.st;
    const struct timespec times[2] = {was->st_atim, was->st_mtim};
    const char *twin_name, *twin = NULL;
    char kept[64];
    CLEANUP(fd_close_p) int fd = -1;
    CLEANUP(fd_close_p) int twin_dir = -1;

    if (is_file_itself(a, x, kept) &&
        linkat(undo_store_dir(a->u), kept, p->dir, p->temp, 0) == 0)
        return 0;
    if (S_ISLNK(was->st_mode)) {
        if (symlinkat(x->before.target, p->dir, p->temp) < 0 ||
            fchownat(p->dir, p->temp, was->st_uid, was->st_gid,
                     AT_SYMLINK_NOFOLLOW) < 0 ||
            utimensat(p->dir, p->temp, times, AT_SYMLINK_NOFOLLOW) < 0)
            return err_sys(e, "link");
        return 0;
    }
    if (!S_ISREG(was->st_mode))
        return err_set(e, ERR_UNSUPPORTED, "it was no file");
    if (was->st_nlink > 1 && (twin = find_twin(a, x))) {
        twin_dir = beneath_parent(undo_store_root(a->u), twin + 1, &twin_name);
        return twin_dir < 0 ||
                       linkat(twin_dir, twin_name, p->dir, p->temp, 0) < 0
                   ? err_sys(e, "hard link")
                   : 0;
    }
    fd = openat(p->dir, p->temp,
                O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_sys(e, "write");
    return fill_from_original(a, x, fd, e);
}

static int
restore_directory(const struct undo_path *x, const struct undo_place *p,
                  struct err *e)
{
    if (x->seen.st_mode && !S_ISDIR(x->seen.st_mode)) {
        if (mkdirat(p->dir, p->temp, 0700) < 0)
            return err_sys(e, "directory");
        return take_place(p, &x->seen, e);
    }
    return mkdirat(p->dir, p->name, 0700) < 0 && errno != EEXIST
               ? err_sys(e, "directory")
               : 0;
}

/* The file was written to: that is how its other names are seen, too. */
static void
see_anew(const struct undo_applying *a, const struct stat *seen, int fd)
{
    const struct stat was = *seen;
    struct stat now;

    if (fstat(fd, &now) < 0)
        return;
    for (size_t i = 0; i < a->plan->n; i++) {
        struct stat *other = &a->plan->v[i].row->seen;

        if (other->st_ino == was.st_ino && other->st_dev == was.st_dev)
            *other = now;
    }
}

/* The same file, which has another name that we do not know: in place. 1: it is
 * not that. */
static int
restore_in_place(const struct undo_applying *a, const struct undo_path *x,
                 struct err *e)
{
    const struct stat *was = &x->before.st;
    CLEANUP(fd_close_p) int fd = -1;
    struct stat now;

    if (!S_ISREG(was->st_mode) || x->seen.st_ino != was->st_ino ||
        x->seen.st_dev != was->st_dev || x->seen.st_nlink < 2)
        return 1;
    fd = beneath_open(undo_store_root(a->u), x->before.path + 1, O_RDWR);
    if (fd < 0)
        return 1;
    if (fstat(fd, &now) < 0 || !undo_stat_is_alike(&x->seen, &now))
        return err_changed_since(e);
    if (fill_from_original(a, x, fd, e) < 0)
        return -1;
    see_anew(a, &x->seen, fd);
    return 0;
}

static int
restore_original(const struct undo_applying *a, const struct undo_item *item,
                 struct err *e)
{
    const struct undo_path *x = item->row;
    CLEANUP(undo_place_done) struct undo_place p = {.dir = -1};
    int rc;

    if (open_undo_place(a, item, &p, e) < 0)
        return -1;
    if (S_ISDIR(x->before.st.st_mode))
        return restore_directory(x, &p, e);
    if ((rc = restore_in_place(a, x, e)) <= 0)
        return rc;
    (void)unlinkat(p.dir, p.temp, 0);
    if (make_original(a, x, &p, e) == 0)
        return take_place(&p, &x->seen, e);
    drop_original(&p);
    return -1;
}

static int
set_entry(const struct undo_applying *a, const struct undo_path *x,
          struct err *e)
{
    const struct undo_entry *was = &x->before;
    struct stat now;
    CLEANUP(fd_close_p)
    int fd = beneath_open(undo_store_root(a->u), was->path + 1,
                          O_PATH | O_NOFOLLOW);

    if (fd < 0 || fstat(fd, &now) < 0)
        return err_sys(e, "it");
    /* another file may stand there by now, a name of one that is not to get
     * these; a directory may have been made anew a moment ago */
    if ((now.st_mode & S_IFMT) != (was->st.st_mode & S_IFMT) ||
        (S_ISDIR(now.st_mode)
             ? S_ISDIR(x->seen.st_mode) && !is_same_inode(&x->seen, &now)
             : !undo_stat_is_alike(&x->seen, &now)))
        return err_changed_since(e);
    /* its mode may not let us set attributes, but the one of before */
    if (undo_attributes_set(fd, was->attributes, was->attributes_n, NULL) < 0 &&
        (undo_attributes_stat(fd, &was->st, false, e) < 0 ||
         undo_attributes_set(fd, was->attributes, was->attributes_n, e) < 0))
        return -1;
    if (undo_attributes_stat(fd, &was->st, x->times, e) < 0)
        return -1;
    if (now.st_nlink > 1 && !S_ISDIR(now.st_mode))
        see_anew(a, &x->seen, fd);
    return 0;
}

static int
remove_made(const struct undo_applying *a, const struct undo_item *item,
            struct err *e)
{
    const struct stat *seen = &item->row->seen;
    CLEANUP(undo_place_done) struct undo_place p = {.dir = -1};

    if (open_undo_place(a, item, &p, e) < 0)
        return e->sys == ENOENT ? 0 : -1;
    if (S_ISDIR(seen->st_mode)) {
        if (!is_what_was_seen(&p, p.name, seen))
            return err_changed_since(e);
        return remove_name(&p, p.name, seen) < 0 ? err_not_empty(e) : 0;
    }
    if (renameat2(p.dir, p.name, p.dir, p.temp, RENAME_NOREPLACE) < 0) {
        if (errno == ENOENT)
            return 0;
        if (errno != EINVAL && errno != ENOSYS)
            return err_sys(e, "rename");
        return !is_what_was_seen(&p, p.name, seen) ? err_changed_since(e)
               : remove_name(&p, p.name, seen) < 0 ? err_sys(e, "it")
                                                   : 0;
    }
    if (is_what_was_seen(&p, p.temp, seen))
        return remove_name(&p, p.temp, seen) < 0 ? err_sys(e, "it") : 0;
    return give_back(&p, e);
}

/* Notes the first failure. */
static void
note_failure(struct undo_item *item, const struct err *why, struct err *e)
{
    item->act = why->code == ERR_INVALID ? UNDO_SINCE : UNDO_CANNOT;
    snprintf(item->why, sizeof(item->why), "%.95s", why->text);
    if (e->code == ERR_NONE)
        err_set(e, ERR_TOOL, "%s: %s", item->path, why->text);
}

static bool
is_dir_before(const struct undo_item *item)
{
    const struct undo_path *x = item->row;

    return x->has_before && S_ISDIR(x->before.st.st_mode);
}

/* Deletions from the deepest on, so that directories are empty; then what was
 * there, directories first; their times last, since all else changes them. */
int
undo_plan_apply(struct undo_store *u, struct undo_plan *p, const char *by,
                struct err *e)
{
    const struct undo_applying a = {.u = u, .plan = p, .by = by};
    struct err first = {0};

    for (size_t i = p->n; i-- > 0;) {
        struct err why = {0};

        if (p->v[i].act == UNDO_REMOVE && p->v[i].turn == UNDO_NOW &&
            remove_made(&a, &p->v[i], &why) < 0)
            note_failure(&p->v[i], &why, &first);
    }
    for (size_t i = 0; i < p->n; i++) { /* before others get their names */
        struct undo_item *item = &p->v[i];
        struct err why = {0};

        if (item->act == UNDO_SET && item->turn == UNDO_NOW &&
            !is_dir_before(item) && set_entry(&a, item->row, &why) < 0)
            note_failure(item, &why, &first);
    }
    for (size_t i = 0; i < p->n; i++) {
        struct undo_item *item = &p->v[i];
        struct err why = {0};

        if (item->act == UNDO_RESTORE && item->turn == UNDO_NOW &&
            restore_original(&a, item, &why) < 0)
            note_failure(item, &why, &first);
    }
    for (size_t i = p->n; i-- > 0;) {
        struct undo_item *item = &p->v[i];
        struct err why = {0};

        /* one that stayed as it was has got entries meanwhile, and a new time
         */
        if (is_dir_before(item) && item->act < UNDO_REMOVE &&
            (item->turn != UNDO_LATER || item->act == UNDO_NOTHING) &&
            (item->act != UNDO_NOTHING || item->row->times) &&
            set_entry(&a, item->row, &why) < 0)
            note_failure(item, &why, &first);
    }
    if (first.code == ERR_NONE)
        return 0;
    if (e)
        *e = first;
    return -1;
}

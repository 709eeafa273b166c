/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.c - makes, finds, opens and removes copy-on-write views. */
#include "sandbox/preview/view.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/str.h"
#include "sandbox/preview/apply.h"
#include "sandbox/preview/view_place.h"
#include "sandbox/preview/workcopy.h"
#include "sandbox/probe.h"

#define RECORD_MAX  (1u << 20) /* bytes: a path and a command line */
#define MAGIC       "agentsh-preview-2"
#define OTHER_MAGIC "agentsh-preview-" /* written by another version */
#define KIND_COPY   "copy"
#define KIND_VIEW   "view"
#define COPIED_LIST "copied" /* the file that lists what a copy held */

static bool
is_view_id(const char *name)
{
    return name[0] && name[strspn(name, "0123456789-")] == '\0' &&
           strlen(name) < sizeof(((struct view *)0)->id);
}

void
view_free(struct view *v)
{
    if (!v)
        return;
    fd_close_p(&v->lock);
    fd_close_p(&v->top);
    fd_close_p(&v->spec.upper);
    fd_close_p(&v->spec.lower);
    workcopy_free(v->copied);
    free(v->dir);
    free(v->workspace);
    free(v->command);
    free(v);
}

static struct view *
alloc_view(const struct seat *s, const char *workspace, const char *command,
           struct err *e)
{
    CLEANUP(view_free_p) struct view *v = calloc(1, sizeof(*v));

    if (v) {
        v->seat = s;
        v->lock = v->top = v->spec.upper = v->spec.lower = -1;
        v->workspace = strdup(workspace);
        v->command = strdup(command);
    }
    if (!v || !v->workspace || !v->command) {
        err_nomem(e);
        return NULL;
    }
    v->spec.place = v->workspace;
    return TAKE_PTR(v);
}

/* Opens a file in the directory of the view, beside upper; -1 with errno. */
static int
open_beside(const struct view *v, const char *name, int flags)
{
    char path[sizeof(v->id) + 16];

    snprintf(path, sizeof(path), "%s/%s", v->id, name);
    return openat(v->top, path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
}

static int
open_workspace(struct view *v, struct stat *st, struct err *e)
{
    v->spec.lower = open(v->workspace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (v->spec.lower < 0 || fstat(v->spec.lower, st) < 0)
        return err_sys(e, "%s", v->workspace);
    return 0;
}

static int
lock_run(struct view *v, int flags, struct err *e)
{
    v->lock = open_beside(v, "run", flags);
    if (v->lock < 0)
        return err_sys(e, "preview %s", v->id);
    if (flock(v->lock, LOCK_EX | LOCK_NB) < 0)
        return err_set(e, ERR_PERMISSION,
                       "preview %s is in use: its command is still running, or "
                       "waits for your answer",
                       v->id);
    return 0;
}

/* Writes the record: fields with a NUL after each, since a path can contain any
 * other byte. */
static int
write_record(struct view *v, const struct stat *place, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(RECORD_MAX);

    buf_add(&b, MAGIC, sizeof(MAGIC));
    buf_add(&b, v->workspace, strlen(v->workspace) + 1);
    buf_add(&b, v->command, strlen(v->command) + 1);
    buf_printf(&b, "%jd %ld %ju %ju", (intmax_t)v->spec.since.tv_sec,
               v->spec.since.tv_nsec, (uintmax_t)place->st_dev,
               (uintmax_t)place->st_ino);
    buf_add(&b, "", 1);
    buf_str(&b, v->copied ? KIND_COPY : KIND_VIEW);
    buf_add(&b, "", 1);
    if (buf_ok(&b, "the record of the preview", e) < 0)
        return -1;
    return fd_write_all(v->lock, b.p, b.len, -1, e);
}

#define SAME_SECOND 100 /* views that may be made in one second */
/* Bytes of an error to which another is appended; err.text has 256. */
#define BOTH_MAX 180

static int
open_place_top(struct view *v, const char *place, struct err *e)
{
    v->top = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return v->top < 0 ? err_sys(e, "%s", place) : 0;
}

/* Creates the directory of the view, named by local date and time:
 * 1122-143005. */
static int
make_run(struct view *v, const char *place, struct err *e)
{
    time_t now = time(NULL);
    struct tm tm;
    char base[16];

    if (!localtime_r(&now, &tm) ||
        strftime(base, sizeof(base), "%m%d-%H%M%S", &tm) == 0)
        return err_set(e, ERR_IO, "cannot read the clock");
    for (int i = 0; i < SAME_SECOND; i++) {
        if (i == 0)
            snprintf(v->id, sizeof(v->id), "%s", base);
        else
            snprintf(v->id, sizeof(v->id), "%s-%d", base, i);
        if (mkdirat(v->top, v->id, 0700) == 0) {
            v->dir = path_join(place, v->id);
            if (v->dir)
                return 0;
            (void)unlinkat(v->top, v->id, AT_REMOVEDIR);
            return err_nomem(e);
        }
        if (errno != EEXIST)
            return err_sys(e, "%s/%s", place, v->id);
    }
    return err_set(e, ERR_IO, "%s/%s already exists", place, base);
}

/* Creates upper and work. upper gets the owner and mode of the workspace. */
static int
make_sides(struct view *v, bool copy, const struct stat *st, struct err *e)
{
    CLEANUP(fd_close_p) int run = beneath_open(v->top, v->id, O_PATH);

    if (mkdirat(run, "upper", 0700) < 0 ||
        (!copy && mkdirat(run, "work", 0700) < 0))
        return err_sys(e, "%s", v->dir);
    v->spec.upper = beneath_open(run, "upper", O_RDONLY | O_DIRECTORY);
    if (v->spec.upper < 0)
        return err_sys(e, "%s/upper", v->dir);
    if (copy)
        return 0;
    if (geteuid() == 0 && fchown(v->spec.upper, st->st_uid, st->st_gid) < 0)
        return err_sys(e, "%s/upper", v->dir);
    if (fchmod(v->spec.upper, st->st_mode & 01777) < 0)
        return err_sys(e, "%s/upper", v->dir);
    return 0;
}

/* Copies the workspace. Access lists that new files would inherit are removed
 * first: the copy takes those of the originals. */
static int
make_copy(struct view *v, const struct view_stop *stop, struct err *e)
{
    CLEANUP(fd_close_p)
    int list = open_beside(v, COPIED_LIST, O_CREAT | O_EXCL);
    struct workcopy_spec spec = {.from = v->spec.lower,
                                 .to = v->spec.upper,
                                 .place = v->dir,
                                 .room_bytes = v->room_bytes,
                                 .memory = v->memory,
                                 .goes_on = stop ? stop->goes_on : NULL,
                                 .arg = stop ? stop->arg : NULL};

    if (list < 0)
        return err_sys(e, "%s/" COPIED_LIST, v->dir);
    (void)fremovexattr(v->spec.upper, "system.posix_acl_default");
    (void)fremovexattr(v->spec.upper, "system.posix_acl_access");
    if (workcopy_make(&spec, list, e) < 0)
        return -1;
    v->spec.dir = v->dir;
    v->spec.copied = v->copied = workcopy_read(list, e);
    v->spec.memory = v->memory;
    return v->copied ? 0 : -1;
}

/* Checks that overlayfs can record deletions here, which takes user
 * attributes. */
static int
try_attributes(const struct view *v, struct err *e)
{
    static const char name[] = "user.overlay.try";

    if (fsetxattr(v->spec.upper, name, "y", 1, 0) == 0 &&
        fremovexattr(v->spec.upper, name) == 0)
        return 0;
    return err_set(e, ERR_SANDBOX, "%s: no user attributes: %s", v->dir,
                   err_system(errno));
}

/* How a view is made. */
struct view_making {
    bool copy, at_once;
    const struct view_stop *stop;
};

static int
fill_view(struct view *v, const struct view_making *m, struct err *e)
{
    struct stat st;

    if (open_workspace(v, &st, e) < 0 || make_sides(v, m->copy, &st, e) < 0 ||
        lock_run(v, O_CREAT | O_EXCL, e) < 0)
        return -1;
    if (!m->copy && !m->at_once &&
        (try_attributes(v, e) < 0 ||
         probe_overlay(v->workspace, v->dir, e) < 0))
        return -1;
    if (m->at_once)
        (void)clock_gettime(CLOCK_REALTIME, &v->spec.since);
    else if (changes_begin(&v->spec.since, e) < 0)
        return -1;
    if (m->copy && make_copy(v, m->stop, e) < 0)
        return -1;
    return write_record(v, &st, e);
}

/* Removes everything of a try that failed. If `dir` is not set, the directory
 * of that name belongs to another view. */
static void
remove_failed(struct view *v)
{
    if (v->dir)
        (void)beneath_remove(v->top, v->id, NULL);
    fd_close_p(&v->lock);
    fd_close_p(&v->top);
    fd_close_p(&v->spec.upper);
    fd_close_p(&v->spec.lower);
    v->lock = v->top = v->spec.upper = v->spec.lower = -1;
    workcopy_free(v->copied);
    v->spec.copied = v->copied = NULL;
    free(v->dir);
    v->dir = NULL;
    v->spec.dir = NULL;
}

/* Returns whether an error has its cause in the workspace or comes from the
 * person, so that no other place would help. */
static bool
is_final(const struct err *why)
{
    return why->code == ERR_SANDBOX || why->code == ERR_INTERRUPTED ||
           why->code == ERR_NOMEM;
}

/* Makes the view at the first place that can hold it. */
static int
make_view_somewhere(struct view *v, const struct view_making *m, struct err *e)
{
    struct view_place_errors whys = {0};
    size_t i = 0;

    for (;;) {
        CLEANUP(free_p)
        char *place = view_place_next(v->seat, &i, v->workspace, m->copy,
                                      &v->memory, &v->room_bytes, &whys);
        struct err why = {0};

        if (!place)
            return view_place_none(&whys, m->copy, e);
        if (open_place_top(v, place, &why) == 0 &&
            make_run(v, place, &why) == 0 && fill_view(v, m, &why) == 0)
            return 0;
        remove_failed(v);
        if (m->copy && is_final(&why)) {
            if (e)
                *e = why;
            return -1;
        }
        view_place_add_error(&whys, &why);
    }
}

/* Reports why there is no copy, and why one was needed. */
static int
report_both(const struct err *copy, const struct err *view, struct err *e)
{
    if (copy->code != ERR_INTERRUPTED && strlen(copy->text) < BOTH_MAX)
        return err_set(e, copy->code, "%s (no view: %s)", copy->text,
                       view->text);
    if (e)
        *e = *copy;
    return -1;
}

/* Makes a view, or a copy where no view can be made. */
static int
make_view_or_copy(struct view *v, const struct view_stop *stop, struct err *e)
{
    struct view_making m = {.stop = stop};
    struct err copy = {0};

    switch (probe_machine(false)) {
    case PROBE_WHOLE:
        if (make_view_somewhere(v, &m, &v->why) == 0)
            return 0;
        break;
    case PROBE_REDUCED:
        v->apart = true;
        err_set(&v->why, ERR_SANDBOX, "no namespaces here");
        break;
    case PROBE_OPEN:
        return err_set(e, ERR_SANDBOX,
                       "this machine lets nobody make namespaces and has no "
                       "Landlock, so that nothing would confine a preview");
    }
    m.copy = true;
    return make_view_somewhere(v, &m, &copy) == 0
               ? 0
               : report_both(&copy, &v->why, e);
}

struct view *
view_new(const struct seat *s, const char *workspace, const char *command,
         const struct view_stop *stop, struct err *e)
{
    CLEANUP(view_free_p) struct view *v = alloc_view(s, workspace, command, e);

    return v && make_view_or_copy(v, stop, e) == 0 ? TAKE_PTR(v) : NULL;
}

struct view *
view_new_at_once(const struct seat *s, const char *workspace,
                 const char *command, struct err *e)
{
    CLEANUP(view_free_p) struct view *v = alloc_view(s, workspace, command, e);
    const struct view_making m = {.at_once = true};

    return v && make_view_somewhere(v, &m, e) == 0 ? TAKE_PTR(v) : NULL;
}

/* Opening a view that exists. */

char *
view_path(const struct view *v, const char *path)
{
    char *in = NULL;

    if (!v->apart || !path_is_below(path, v->workspace))
        return strdup(path);
    if (asprintf(&in, "%s/upper%s", v->dir, path + strlen(v->workspace)) < 0)
        return NULL;
    return in;
}

/* Returns the next field of a record; NULL: there is none. */
static const char *
next_field(const struct buf *b, size_t *at)
{
    const char *p = b->p + *at;

    if (*at >= b->len || !memchr(p, '\0', b->len - *at))
        return NULL;
    *at += strlen(p) + 1;
    return p;
}

/* Reads the list of what a copy held. */
static int
read_copied_list(struct view *v, struct err *e)
{
    CLEANUP(fd_close_p) int list = open_beside(v, COPIED_LIST, 0);
    struct statfs fs;

    if (list < 0 || fstatfs(list, &fs) < 0)
        return err_sys(e, "preview %s: the list of what was copied", v->id);
    v->spec.memory = (unsigned long)fs.f_type == TMPFS_MAGIC;
    v->spec.dir = v->dir;
    v->spec.copied = v->copied = workcopy_read(list, e);
    return v->copied ? 0 : err_wrap(e, "preview %s", v->id);
}

/* The numbers of a record. */
struct numbers {
    intmax_t sec;
    long nsec;
    uintmax_t dev, ino;
};

static int
apply_record(struct view *v, const char *workspace, const char *command,
             const struct numbers *n, struct err *e)
{
    struct stat st;

    v->spec.since = (struct timespec){(time_t)n->sec, n->nsec};
    free(v->workspace);
    free(v->command);
    v->workspace = strdup(workspace);
    v->command = strdup(command);
    v->spec.place = v->workspace;
    if (!v->workspace || !v->command)
        return err_nomem(e);
    if (open_workspace(v, &st, e) < 0)
        return -1;
    if (st.st_dev != (dev_t)n->dev || st.st_ino != (ino_t)n->ino)
        return err_set(e, ERR_PERMISSION,
                       "%s is not the directory of preview %s", v->workspace,
                       v->id);
    return 0;
}

static int
read_record(struct view *v, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(RECORD_MAX);
    const char *magic, *workspace, *command, *numbers, *kind;
    struct numbers n;
    size_t at = 0;

    if (file_read_fd(v->lock, &b, e) < 0)
        return -1;
    magic = next_field(&b, &at);
    workspace = next_field(&b, &at);
    command = next_field(&b, &at);
    numbers = next_field(&b, &at);
    kind = next_field(&b, &at);
    if (magic && strcmp(magic, MAGIC) != 0 &&
        strncmp(magic, OTHER_MAGIC, strlen(OTHER_MAGIC)) == 0)
        return err_set(e, ERR_PARSE, "preview %s is another version's: drop it",
                       v->id);
    if (!kind || strcmp(magic, MAGIC) != 0 ||
        sscanf(numbers, "%jd %ld %ju %ju", &n.sec, &n.nsec, &n.dev, &n.ino) !=
            4 ||
        (strcmp(kind, KIND_COPY) != 0 && strcmp(kind, KIND_VIEW) != 0))
        return err_set(e, ERR_PARSE, "preview %s has no command: drop it",
                       v->id);
    if (apply_record(v, workspace, command, &n, e) < 0)
        return -1;
    return strcmp(kind, KIND_COPY) == 0 ? read_copied_list(v, e) : 0;
}

/* Opens the view of v->id at a place. 1: it is not there. */
static int
open_at(struct view *v, const char *place, struct err *e)
{
    struct stat st;

    v->top = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (v->top < 0 || fstatat(v->top, v->id, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISDIR(st.st_mode)) {
        fd_close_p(&v->top);
        v->top = -1;
        return 1;
    }
    v->dir = path_join(place, v->id);
    if (!v->dir)
        return err_nomem(e);
    return 0;
}

static int
find_view(struct view *v, struct err *e)
{
    for (size_t i = 0; i < VIEW_PLACES; i++) {
        CLEANUP(free_p) char *place = view_place_path(v->seat, i);
        int rc = place ? open_at(v, place, e) : 1;

        if (rc <= 0)
            return rc;
    }
    return err_set(e, ERR_NOT_FOUND, "no such preview: %s", v->id);
}

static int
add_ids(const char *place, struct beneath_paths *out, struct err *e)
{
    CLEANUP(dir_close_p) DIR *d = opendir(place);
    const struct dirent *entry;

    while (d && (entry = readdir(d)) != NULL) {
        if (is_view_id(entry->d_name) &&
            beneath_paths_add(out, "", entry->d_name, e) < 0)
            return -1;
    }
    return 0;
}

int
view_list(const struct seat *s, struct beneath_paths *out, struct err *e)
{
    *out = (struct beneath_paths){0};
    for (size_t i = 0; i < VIEW_PLACES; i++) {
        CLEANUP(free_p) char *place = view_place_path(s, i);

        if (place && add_ids(place, out, e) < 0) {
            beneath_paths_done(out);
            return -1;
        }
    }
    if (out->n > 1)
        qsort(out->v, out->n, sizeof(*out->v), str_compare_items);
    return 0;
}

/* Finds the id of the only view. */
static int
only_one(const struct seat *s, char id[32], struct err *e)
{
    CLEANUP(beneath_paths_done) struct beneath_paths all = {0};

    if (view_list(s, &all, e) < 0)
        return -1;
    if (all.n == 0)
        return err_set(e, ERR_NOT_FOUND, "there is no preview");
    if (all.n > 1)
        return err_set(e, ERR_USAGE,
                       "which preview? there are %zu (agentsh preview list)",
                       all.n);
    snprintf(id, 32, "%s", all.v[0]);
    return 0;
}

struct view *
view_open(const struct seat *s, const char *id, struct err *e)
{
    CLEANUP(view_free_p) struct view *v = alloc_view(s, "", "", e);
    char upper[sizeof(v->id) + sizeof("/upper")];

    if (!v || ((!id || !id[0]) && only_one(s, v->id, e) < 0))
        return NULL;
    if (id && id[0]) {
        if (!is_view_id(id)) {
            err_set(e, ERR_NOT_FOUND, "no such preview: '%.60s'", id);
            return NULL;
        }
        snprintf(v->id, sizeof(v->id), "%s", id);
    }
    if (find_view(v, e) < 0)
        return NULL;
    if (lock_run(v, 0, &v->broken) < 0 && v->broken.code != ERR_NOT_FOUND) {
        if (e)
            *e = v->broken;
        return NULL;
    }
    if (v->lock >= 0)
        (void)read_record(v, &v->broken);
    snprintf(upper, sizeof(upper), "%s/upper", v->id);
    v->spec.upper = beneath_open(v->top, upper, O_PATH | O_DIRECTORY);
    if (v->spec.upper < 0 && v->broken.code == ERR_NONE)
        err_sys(&v->broken, "preview %s", v->id);
    return TAKE_PTR(v);
}

int
view_remove(struct view *v, struct err *e)
{
    if (v->spec.lower >= 0 && apply_sweep(v->spec.lower, v->id, e) < 0)
        return -1;
    return beneath_remove(v->top, v->id, e);
}

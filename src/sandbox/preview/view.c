/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.c - one run in a copy-on-write view, until it is kept or dropped. */
#include "sandbox/preview/view.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "sandbox/preview/apply.h"
#include "sandbox/preview/overlay.h"
#include "sandbox/preview/view_in.h"

#define RECORD_MAX  (1u << 20) /* a path and a command line */
#define SAME_SECOND 100        /* runs that may begin in one */
#define MAGIC       "agentsh-preview-1"

bool
view_is_id(const char *name)
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
    free(v->dir);
    free(v->workspace);
    free(v->command);
    free(v);
}

static struct view *
view_make(const char *workspace, const char *command, struct err *e)
{
    CLEANUP(view_free_p) struct view *v = calloc(1, sizeof(*v));

    if (v) {
        v->lock = v->top = v->spec.upper = v->spec.lower = -1;
        v->workspace = strdup(workspace);
        v->command = strdup(command);
    }
    if (!v || !v->workspace || !v->command) {
        err_set(e, ERR_NOMEM, "out of memory");
        return NULL;
    }
    v->spec.place = v->workspace;
    return TAKE_PTR(v);
}

static int
open_top(struct view *v, const char *place, struct err *e)
{
    v->top = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return v->top < 0 ? err_sys(e, "%s", place) : 0;
}

/* A name by the clock on the wall: 1122-143005. */
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
            return v->dir ? 0 : err_set(e, ERR_NOMEM, "out of memory");
        }
        if (errno != EEXIST)
            return err_sys(e, "%s/%s", place, v->id);
    }
    return err_set(e, ERR_IO, "%s/%s already exists", place, base);
}

/* The view's own top directory looks as the workspace does. */
static int
make_sides(struct view *v, struct err *e)
{
    CLEANUP(fd_close_p) int run = beneath_open(v->top, v->id, O_PATH);
    struct stat st;

    if (fstat(v->spec.lower, &st) < 0)
        return err_sys(e, "%s", v->workspace);
    if (mkdirat(run, "work", 0700) < 0 || mkdirat(run, "upper", 0700) < 0)
        return err_sys(e, "%s", v->dir);
    v->spec.upper = beneath_open(run, "upper", O_RDONLY | O_DIRECTORY);
    if (v->spec.upper < 0)
        return err_sys(e, "%s/upper", v->dir);
    if (geteuid() == 0 && fchown(v->spec.upper, st.st_uid, st.st_gid) < 0)
        return err_sys(e, "%s/upper", v->dir);
    if (fchmod(v->spec.upper, st.st_mode & 01777) < 0)
        return err_sys(e, "%s/upper", v->dir);
    return 0;
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
lock_record(struct view *v, int flags, struct err *e)
{
    char name[sizeof(v->id) + sizeof("/run")];

    snprintf(name, sizeof(name), "%s/run", v->id);
    v->lock = openat(v->top, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags,
                     0600);
    if (v->lock < 0)
        return err_sys(e, "preview %s", v->id);
    if (flock(v->lock, LOCK_EX | LOCK_NB) < 0)
        return err_set(e, ERR_PERMISSION,
                       "preview %s is in use: its command is still running, or "
                       "waits for your answer",
                       v->id);
    return 0;
}

/* Fields with a NUL after each: paths hold any other byte. */
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
    if (buf_ok(&b, "the record of the preview", e) < 0)
        return -1;
    return fd_write_all(v->lock, b.p, b.len, -1, e);
}

static int
begin(struct view *v, const char *place, bool waits, struct err *e)
{
    struct stat st;
    int rc;

    if (open_top(v, place, e) < 0 || open_workspace(v, &st, e) < 0 ||
        make_run(v, place, e) < 0)
        return -1;
    rc = make_sides(v, e);
    if (rc == 0)
        rc = lock_record(v, O_CREAT | O_EXCL, e);
    if (rc == 0 && waits)
        rc = changes_begin(&v->spec.since, e);
    else if (rc == 0)
        rc = clock_gettime(CLOCK_REALTIME, &v->spec.since);
    if (rc == 0)
        rc = write_record(v, &st, e);
    if (rc < 0)
        (void)beneath_remove(v->top, v->id, NULL);
    return rc;
}

static struct view *
view_create(const char *workspace, const char *command, bool waits,
            struct err *e)
{
    CLEANUP(view_free_p) struct view *v = view_make(workspace, command, e);
    CLEANUP(free_p) char *place = NULL;

    if (!v)
        return NULL;
    place = view_find_place(workspace, &v->memory, &v->room_bytes, e);
    if (!place || begin(v, place, waits, e) < 0)
        return NULL;
    return TAKE_PTR(v);
}

struct view *
view_new(const char *workspace, const char *command, struct err *e)
{
    return view_create(workspace, command, true, e);
}

struct view *
view_new_at_once(const char *workspace, const char *command, struct err *e)
{
    return view_create(workspace, command, false, e);
}

/* The next field of a record, NULL when there is none. */
static const char *
field(const struct buf *b, size_t *at)
{
    const char *p = b->p + *at;

    if (*at >= b->len || !memchr(p, '\0', b->len - *at))
        return NULL;
    *at += strlen(p) + 1;
    return p;
}

static int
read_record(struct view *v, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(RECORD_MAX);
    const char *magic, *place, *command, *numbers;
    intmax_t sec;
    uintmax_t dev, ino;
    struct stat st;
    size_t at = 0;

    if (file_read_fd(v->lock, &b, e) < 0)
        return -1;
    magic = field(&b, &at);
    place = field(&b, &at);
    command = field(&b, &at);
    numbers = field(&b, &at);
    if (!numbers || strcmp(magic, MAGIC) != 0 ||
        sscanf(numbers, "%jd %ld %ju %ju", &sec, &v->spec.since.tv_nsec, &dev,
               &ino) != 4)
        return err_set(e, ERR_PARSE, "preview %s has no command: drop it",
                       v->id);
    v->spec.since.tv_sec = (time_t)sec;
    free(v->workspace);
    free(v->command);
    v->workspace = strdup(place);
    v->command = strdup(command);
    v->spec.place = v->workspace;
    if (!v->workspace || !v->command)
        return err_set(e, ERR_NOMEM, "out of memory");
    if (open_workspace(v, &st, e) < 0)
        return -1;
    if (st.st_dev != (dev_t)dev || st.st_ino != (ino_t)ino)
        return err_set(e, ERR_PERMISSION,
                       "%s is not the directory of preview %s", v->workspace,
                       v->id);
    return 0;
}

/* 1: it is not at this place. */
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
        return err_set(e, ERR_NOMEM, "out of memory");
    return 0;
}

static int
find(struct view *v, struct err *e)
{
    for (size_t i = 0; i < VIEW_PLACES; i++) {
        CLEANUP(free_p) char *place = view_place(i);
        int rc = place ? open_at(v, place, e) : 1;

        if (rc <= 0)
            return rc;
    }
    return err_set(e, ERR_NOT_FOUND, "no such preview: %s", v->id);
}

/* The one that is meant when none is named. */
static int
only_one(char id[32], struct err *e)
{
    CLEANUP(beneath_paths_done) struct beneath_paths all = {0};

    if (view_list(&all, e) < 0)
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
view_open(const char *id, struct err *e)
{
    CLEANUP(view_free_p) struct view *v = view_make("", "", e);
    char upper[sizeof(v->id) + sizeof("/upper")];

    if (!v || ((!id || !id[0]) && only_one(v->id, e) < 0))
        return NULL;
    if (id && id[0]) {
        if (!view_is_id(id)) {
            err_set(e, ERR_NOT_FOUND, "no such preview: '%.60s'", id);
            return NULL;
        }
        snprintf(v->id, sizeof(v->id), "%s", id);
    }
    if (find(v, e) < 0)
        return NULL;
    if (lock_record(v, 0, &v->broken) < 0 && v->broken.code != ERR_NOT_FOUND) {
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.c - a preview that is there: found, read, locked and removed. */
#include "sandbox/preview/view.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <time.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "sandbox/preview/apply.h"
#include "sandbox/preview/view_in.h"
#include "sandbox/preview/workcopy.h"

#define RECORD_MAX  (1u << 20) /* a path and a command line */
#define MAGIC       "agentsh-preview-2"
#define OTHER_MAGIC "agentsh-preview-" /* of another version */
#define KIND_COPY   "copy"
#define KIND_VIEW   "view"

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
    workcopy_free(v->copied);
    free(v->dir);
    free(v->workspace);
    free(v->command);
    free(v);
}

struct view *
view_alloc(const char *workspace, const char *command, struct err *e)
{
    CLEANUP(view_free_p) struct view *v = calloc(1, sizeof(*v));

    if (v) {
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

/* A file of a run, beside upper. */
int
view_open_beside(const struct view *v, const char *name, int flags)
{
    char path[sizeof(v->id) + 16];

    snprintf(path, sizeof(path), "%s/%s", v->id, name);
    return openat(v->top, path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
}

int
view_open_workspace(struct view *v, struct stat *st, struct err *e)
{
    v->spec.lower = open(v->workspace, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (v->spec.lower < 0 || fstat(v->spec.lower, st) < 0)
        return err_sys(e, "%s", v->workspace);
    return 0;
}

int
view_lock(struct view *v, int flags, struct err *e)
{
    v->lock = view_open_beside(v, "run", flags);
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
int
view_write_record(struct view *v, const struct stat *place, struct err *e)
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

/* Where the run worked in a copy there is a list of what that was. */
static int
read_copied(struct view *v, struct err *e)
{
    CLEANUP(fd_close_p) int list = view_open_beside(v, VIEW_LIST, 0);
    struct statfs fs;

    if (list < 0 || fstatfs(list, &fs) < 0)
        return err_sys(e, "preview %s: the list of what was copied", v->id);
    v->spec.memory = (unsigned long)fs.f_type == TMPFS_MAGIC;
    v->spec.dir = v->dir;
    v->spec.copied = v->copied = workcopy_read(list, e);
    return v->copied ? 0 : err_wrap(e, "preview %s", v->id);
}

/* What a record says, beside the two paths. */
struct numbers {
    intmax_t sec;
    long nsec;
    uintmax_t dev, ino;
};

static int
take_record(struct view *v, const char *workspace, const char *command,
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
    if (view_open_workspace(v, &st, e) < 0)
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
    magic = field(&b, &at);
    workspace = field(&b, &at);
    command = field(&b, &at);
    numbers = field(&b, &at);
    kind = field(&b, &at);
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
    if (take_record(v, workspace, command, &n, e) < 0)
        return -1;
    return strcmp(kind, KIND_COPY) == 0 ? read_copied(v, e) : 0;
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
        return err_nomem(e);
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
    CLEANUP(view_free_p) struct view *v = view_alloc("", "", e);
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
    if (view_lock(v, 0, &v->broken) < 0 && v->broken.code != ERR_NOT_FOUND) {
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_new.c - makes a preview's view or copy, at the first place that can. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "sandbox/preview/view_in.h"
#include "sandbox/preview/workcopy.h"
#include "sandbox/probe.h"

#define SAME_SECOND 100 /* runs that may begin in one */
#define BOTH_MAX    180 /* a text to which another is added, of 256 */

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

/* The view's own top directory looks as the workspace does. */
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

/* What new files would inherit is the original's alone. */
static int
make_copy(struct view *v, const struct view_stop *stop, struct err *e)
{
    CLEANUP(fd_close_p)
    int list = view_open_beside(v, VIEW_LIST, O_CREAT | O_EXCL);
    struct workcopy_spec spec = {.from = v->spec.lower,
                                 .to = v->spec.upper,
                                 .place = v->dir,
                                 .room_bytes = v->room_bytes,
                                 .memory = v->memory,
                                 .goes_on = stop ? stop->goes_on : NULL,
                                 .arg = stop ? stop->arg : NULL};

    if (list < 0)
        return err_sys(e, "%s/" VIEW_LIST, v->dir);
    (void)fremovexattr(v->spec.upper, "system.posix_acl_default");
    (void)fremovexattr(v->spec.upper, "system.posix_acl_access");
    if (workcopy_make(&spec, list, e) < 0)
        return -1;
    v->spec.dir = v->dir;
    v->spec.copied = v->copied = workcopy_read(list, e);
    v->spec.memory = v->memory;
    return v->copied ? 0 : -1;
}

/* Whether overlayfs can write down here what a run deletes. */
static int
try_attributes(const struct view *v, struct err *e)
{
    static const char name[] = "user.overlay.try";

    if (fsetxattr(v->spec.upper, name, "y", 1, 0) == 0 &&
        fremovexattr(v->spec.upper, name) == 0)
        return 0;
    return err_set(e, ERR_SANDBOX, "%s: no user attributes: %s", v->dir,
                   strerror(errno));
}

/* How a view is made. */
struct making {
    bool copy, at_once;
    const struct view_stop *stop;
};

static int
fill(struct view *v, const struct making *m, struct err *e)
{
    struct stat st;

    if (view_open_workspace(v, &st, e) < 0 ||
        make_sides(v, m->copy, &st, e) < 0 ||
        view_lock(v, O_CREAT | O_EXCL, e) < 0)
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
    return view_write_record(v, &st, e);
}

/* Nothing is left of a try that failed; without `dir` the directory of that
 * name is another run's. */
static void
empty(struct view *v)
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

/* What is the workspace's, or the person's, is the same at every place. */
static bool
ends(const struct err *why)
{
    return why->code == ERR_SANDBOX || why->code == ERR_INTERRUPTED ||
           why->code == ERR_NOMEM;
}

/* At the first place that will do. */
static int
begin(struct view *v, const struct making *m, struct err *e)
{
    struct view_whys whys = {0};
    size_t i = 0;

    for (;;) {
        CLEANUP(free_p)
        char *place = view_next_place(&i, v->workspace, m->copy, &v->memory,
                                      &v->room_bytes, &whys);
        struct err why = {0};

        if (!place)
            return view_no_place(&whys, m->copy, e);
        if (open_top(v, place, &why) == 0 && make_run(v, place, &why) == 0 &&
            fill(v, m, &why) == 0)
            return 0;
        empty(v);
        if (m->copy && ends(&why)) {
            if (e)
                *e = why;
            return -1;
        }
        view_add_why(&whys, &why);
    }
}

/* Why there is no copy, and then why one was needed. */
static int
tell_both(const struct err *copy, const struct err *view, struct err *e)
{
    if (copy->code != ERR_INTERRUPTED && strlen(copy->text) < BOTH_MAX)
        return err_set(e, copy->code, "%s (no view: %s)", copy->text,
                       view->text);
    if (e)
        *e = *copy;
    return -1;
}

/* A view where one can be made, or else a copy. */
static int
begin_either(struct view *v, const struct view_stop *stop, struct err *e)
{
    struct making m = {.stop = stop};
    struct err copy = {0};

    switch (probe_machine(false)) {
    case PROBE_WHOLE:
        if (begin(v, &m, &v->why) == 0)
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
    return begin(v, &m, &copy) == 0 ? 0 : tell_both(&copy, &v->why, e);
}

struct view *
view_new(const char *workspace, const char *command,
         const struct view_stop *stop, struct err *e)
{
    CLEANUP(view_free_p) struct view *v = view_alloc(workspace, command, e);

    return v && begin_either(v, stop, e) == 0 ? TAKE_PTR(v) : NULL;
}

struct view *
view_new_at_once(const char *workspace, const char *command, struct err *e)
{
    CLEANUP(view_free_p) struct view *v = view_alloc(workspace, command, e);
    const struct making m = {.at_once = true};

    return v && begin(v, &m, e) == 0 ? TAKE_PTR(v) : NULL;
}

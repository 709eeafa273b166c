/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_view.c - runs a step in a copy-on-write view, and applies that at its
 * end. */
#include "action/undo_view.h"

#include <stdlib.h>
#include <string.h>

#include "action/undo_plan.h"
#include "base/path.h"
#include "guard/path/path_context.h"
#include "sandbox/preview/apply.h"
#include "sandbox/probe.h"

#define LEFT_SHOWN 3 /* names in a sentence; the others are counted */

int
undo_view_try(const struct seat *s, const char *workspace, struct err *e)
{
    CLEANUP(view_free_p)
    struct view *v = view_new_at_once(s, workspace, "", e);
    int rc;

    if (!v)
        return -1;
    rc = v->memory ? err_set(e, ERR_SANDBOX,
                             "a view of this directory would be held in memory")
                   : probe_overlay(workspace, v->dir, e);
    (void)view_remove(v, NULL);
    return rc;
}

struct view *
undo_view_open(struct undo_store *u, const struct seat *s,
               const char *workspace, const char *command, struct err *e)
{
    CLEANUP(view_free_p)
    struct view *v = view_new_at_once(s, workspace, command, e);

    if (!v)
        return NULL;
    if (undo_store_set_view(u, v->id, e) < 0) {
        (void)view_remove(v, NULL);
        return NULL;
    }
    return TAKE_PTR(v);
}

static bool
is_below_undone(const char *path, const char *dir)
{
    size_t n = strlen(dir);

    return strncmp(path, dir, n) == 0 && path[n] == '/';
}

/* The paths that the changes replace, make or remove. What is in a directory
 * that they make comes with it. */
static int
list_targets(const struct view *v, const struct changes *list,
             struct undo_targets *out, struct err *e)
{
    const char *made = NULL;

    /* what is applied is staged in it, which changes its time */
    if (list->n > 0 && undo_targets_add(out, v->workspace, UNDO_ALONE, e) < 0)
        return -1;
    for (size_t i = 0; i < list->n; i++) {
        const struct change *c = &list->v[i];
        enum undo_how how = c->kind == CHANGE_ATTRIBUTES ? UNDO_ALONE
                            : c->kind == CHANGE_ADDED    ? UNDO_CHANGES
                                                         : UNDO_GOES;
        CLEANUP(free_p) char *path = NULL;

        if (c->bar != CHANGE_FREE || (made && is_below_undone(c->path, made)))
            continue;
        if (c->kind == CHANGE_ADDED && S_ISDIR(c->after.st_mode))
            made = c->path;
        path = strcmp(c->path, ".") == 0 ? strdup(v->workspace)
                                         : path_join(v->workspace, c->path);
        if (!path)
            return err_nomem(e);
        if (undo_targets_add(out, path, how, e) < 0)
            return -1;
    }
    return 0;
}

static void
put_what_is_left(const struct changes *list, struct buf *out)
{
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        const struct change *c = &list->v[i];

        if (c->bar == CHANGE_FREE || n++ >= LEFT_SHOWN)
            continue;
        buf_printf(out, "%s%s (%s)", n > 1 ? ", " : "", c->path,
                   c->bar == CHANGE_SPECIAL ? "no file" : "protected");
    }
    if (n > LEFT_SHOWN)
        buf_printf(out, " and %zu more", n - LEFT_SHOWN);
}

/* Takes back what was applied of step n. */
static int
take_back_applied(struct undo_store *u, struct err *e)
{
    CLEANUP(undo_plan_done) struct undo_plan p = {0};

    if (undo_plan_make(u, true, &p, e) < 0 ||
        undo_plan_apply(u, &p, undo_store_run(u), e) < 0 ||
        undo_store_settle(u, e) < 0)
        return -1;
    undo_store_let_go(u);
    return 0;
}

/* One undo_view_apply. */
struct view_applying {
    struct undo_store *u;
    size_t n;
    uint64_t budget_bytes;
    const char *workspace;
    struct undo_targets targets;
    bool kept;
};

static int
keep_replaced(void *arg, struct err *e)
{
    struct view_applying *a = arg;

    const struct undo_wanted w = {.top = a->workspace,
                                  .budget_bytes = a->budget_bytes};

    if (undo_store_keep(a->u, a->n, &a->targets, &w, e) < 0)
        return -1;
    a->kept = true;
    return 0;
}

/* *whole: after a failure, the view still has all of it. */
static int
apply_list(struct view_applying *a, struct view *v, const struct changes *list,
           bool *whole, struct err *e)
{
    const struct path_context where = path_context_of(v->seat);
    const struct git_person who = path_context_person(&where);
    CLEANUP(apply_report_done) struct apply_report report = {0};
    const struct apply_spec spec = {.view = &v->spec,
                                    .who = &who,
                                    .list = list,
                                    .run = v->id,
                                    .move = true,
                                    .keep = keep_replaced,
                                    .arg = a};

    if (apply_keep(&spec, &report, e) == 0)
        return 0;
    *whole = !a->kept;
    if (a->kept && take_back_applied(a->u, NULL) < 0)
        return err_wrap(e, "what was there before is put back at the next "
                           "start");
    return -1;
}

static int
leave_view(const struct view *v, struct err *e)
{
    return err_wrap(e,
                    "what it did is not applied (agentsh preview show, keep or "
                    "drop %s)",
                    v->id);
}

int
undo_view_apply(struct undo_store *u, struct view *v, size_t n,
                uint64_t budget_bytes, bool *kept, struct buf *left,
                struct err *e)
{
    struct view_applying a = {.u = u,
                              .n = n,
                              .budget_bytes = budget_bytes,
                              .workspace = v->workspace};
    struct changes list = {0};
    bool whole = true;
    int rc;

    *kept = false;
    if (changes_read(&v->spec, &list, e) < 0)
        return leave_view(v, e);
    put_what_is_left(&list, left);
    rc = list_targets(v, &list, &a.targets, e);
    if (rc == 0 && a.targets.n > 0) {
        rc = apply_list(&a, v, &list, &whole, e);
        if (rc == 0) /* it is applied, whatever can be noted of it */
            (void)undo_store_note(u, n, &a.targets, NULL);
    }
    *kept = a.kept;
    undo_targets_done(&a.targets);
    changes_done(&list);
    (void)undo_store_set_view(u, NULL, NULL);
    if (rc < 0 && whole)
        return leave_view(v, e);
    if (rc == 0)
        return view_remove(v, e);
    (void)view_remove(v, NULL);
    return err_wrap(e, "what it did could not be applied, and is dropped");
}

int
undo_view_drop(struct undo_store *u, const struct seat *s, struct err *e)
{
    char id[32];
    struct err why = {0};
    CLEANUP(view_free_p) struct view *v = NULL;

    undo_store_view(u, id);
    if (!id[0])
        return 0;
    v = view_open(s, id, &why);
    if (!v && why.code != ERR_NOT_FOUND) {
        if (e)
            *e = why;
        return -1;
    }
    if ((v && view_remove(v, e) < 0) || undo_store_set_view(u, NULL, e) < 0)
        return -1;
    return 1;
}

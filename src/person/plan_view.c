/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_view.c - the view that a plan's steps run in. */
#include "person/plan_view.h"

#include <unistd.h>

int
plan_view_open(struct plan_view *v, struct app *a,
               const struct aiaction *action, struct err *e)
{
    CLEANUP(free_p) char *cwd = NULL;

    if (!v->wanted || v->preview)
        return 0;
    cwd = getcwd(NULL, 0);
    if (!cwd)
        return err_sys(e, "the working directory");
    v->preview = preview_begin(a, cwd, action->steps[0].command, e);
    return v->preview ? 0 : -1;
}

const struct view *
plan_view_of(const struct plan_view *v)
{
    return v->preview ? preview_view(v->preview) : NULL;
}

bool
plan_view_is_refused(struct plan_view *v, struct app *a, const struct plan *p,
                     const struct plan_end *end)
{
    if (!v->by_key || !plan_refuses(p))
        return false;
    app_note(a, "%s", end->why.text);
    plan_view_forget(v);
    *v = (struct plan_view){0};
    return true;
}

void
plan_view_forget(struct plan_view *v)
{
    if (v->preview)
        (void)preview_forget(v->preview, NULL);
    plan_view_done(v);
}

const char *
plan_view_finish(struct plan_view *v, struct app *a, struct err *why)
{
    enum preview_end end;
    struct err e = {0};

    if (!v->preview)
        return NULL;
    if (preview_finish(v->preview, &end, &e) == 0)
        return end == PREVIEW_DROPPED ? "the changes of the steps were dropped"
               : end == PREVIEW_LEFT
                   ? "the changes of the steps are not kept yet"
                   : NULL;
    app_say(a, &e);
    if (why->code == ERR_NONE)
        *why = e;
    return NULL;
}

void
plan_view_done(struct plan_view *v)
{
    if (!v)
        return;
    preview_close(v->preview);
    v->preview = NULL;
}

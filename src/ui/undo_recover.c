/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_recover.c - takes back the steps that were killed. */
#include "ui/undo_recover.h"

#include <stdio.h>

#include "action/undo_plan.h"
#include "action/undo_view.h"
#include "sandbox/orphans.h"

#define ORPHANS_MS 5000 /* that a killed step may take to end */

/* Keeps what is there now, under a name of its own. It may have been kept
 * before, by one that was killed in turn: then that stays. */
static int
keep_what_is_left(struct app *a, const char *run, const struct undo_plan *p,
                  struct undo_store **out, struct undo_targets *paths,
                  struct err *e)
{
    const struct undo_wanted w = {.budget_bytes = UINT64_MAX, .sync = true};
    char name[256];
    CLEANUP(undo_store_free_p) struct undo_store *left = NULL;

    snprintf(name, sizeof(name), "%.200s" UNDO_LEFT, run);
    if (undo_plan_paths(p, paths, e) < 0 ||
        !(left = undo_store_new(a->seat, name, e)))
        return -1;
    if (!undo_store_is_killed(left) &&
        undo_store_keep(left, 0, paths, &w, e) < 0)
        return -1;
    *out = TAKE_PTR(left);
    return 0;
}

static int
take_back_killed(struct app *a, struct undo_store *u, struct err *e)
{
    CLEANUP(undo_plan_done) struct undo_plan p = {0};
    CLEANUP(undo_store_free_p) struct undo_store *left = NULL;
    CLEANUP(undo_targets_done) struct undo_targets paths = {0};

    if (undo_plan_make(u, true, &p, e) < 0)
        return -1;
    if (undo_plan_paths(&p, &paths, e) < 0)
        return -1;
    if (paths.n == 0)
        return undo_store_settle(u, e);
    undo_targets_done(&paths);
    if (keep_what_is_left(a, undo_store_run(u), &p, &left, &paths, e) < 0 ||
        undo_plan_apply(u, &p, undo_store_run(left), e) < 0 ||
        undo_store_note(left, 0, &paths, e) < 0)
        return -1;
    app_note(a,
             "run %s was killed in a step: its files are as they were before "
             "that step (%s undo %s%s: as it left them)",
             undo_store_run(u), a->name, undo_store_run(u), UNDO_LEFT);
    if (undo_store_settle(u, e) < 0)
        return -1;
    undo_store_let_go(u);
    return 0;
}

static bool
needs_recovery(struct undo_store *u)
{
    char id[32];

    undo_store_view(u, id);
    return id[0] || undo_store_is_killed(u);
}

/* Takes a killed step back, or, when that is done for all, lets go of what an
 * undoing has put back. */
static void
recover_run(struct app *a, const char *run, bool killed)
{
    struct err e = {0};
    int dropped;
    CLEANUP(undo_store_free_p)
    struct undo_store *u = undo_store_open(a->seat, run, NULL);

    if (!u)
        return;
    if (killed && needs_recovery(u) && !orphans_wait(ORPHANS_MS)) {
        app_note(a,
                 "run %s was killed in a step that is not over yet: it is "
                 "taken back at the next start",
                 run);
        return;
    }
    dropped = undo_view_drop(u, a->seat, &e);
    if (dropped < 0)
        return; /* its step may run still */
    if (dropped > 0 && !undo_store_is_killed(u))
        app_note(a,
                 "run %s was killed in a step: nothing that the step did in "
                 "the workspace was applied",
                 run);
    if (undo_store_is_killed(u) != killed)
        return;
    if (!killed)
        undo_store_let_go(u);
    else if (take_back_killed(a, u, &e) < 0)
        app_note(a, "run %s was killed in a step, and cannot be taken back: %s",
                 run, e.text);
}

void
undo_recover(struct app *a)
{
    CLEANUP(beneath_paths_done) struct beneath_paths runs = {0};

    if (undo_store_list_open(a->seat, &runs, NULL) < 0)
        return;
    for (size_t i = runs.n; i-- > 0;) /* an undo before what it undid */
        if (!undo_name_is_left(runs.v[i]))
            recover_run(a, runs.v[i], true);
    for (size_t i = 0; i < runs.n; i++)
        recover_run(a, runs.v[i], false);
}

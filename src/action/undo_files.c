/* SPDX-License-Identifier: GPL-3.0-or-later */
/* undo_files.c - the files of a run that are to be put back, as steps of a
 * plan. */
#include "action/undo_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"

static const char *const act_names[] = {
    [UNDO_NOTHING] = "nothing",
    [UNDO_RESTORE] = N_("put back"),
    [UNDO_SET] = N_("set its mode, owner and times"),
    [UNDO_REMOVE] = N_("remove"),
    [UNDO_SINCE] = N_("left alone: it was changed since"),
    [UNDO_CANNOT] = N_("left alone: it cannot be put back"),
};

const char *
undo_files_act(const struct undo_item *item)
{
    return act_names[item->act];
}

static bool
was_directory(const struct undo_item *item)
{
    return item->row->has_before && S_ISDIR(item->row->before.st.st_mode);
}

/* The phase of undo_plan_apply in which it is done. */
static int
phase_of(const struct undo_item *item)
{
    switch (item->act) {
    case UNDO_REMOVE:
        return 0;
    case UNDO_SET:
        return was_directory(item) ? 3 : 1;
    case UNDO_RESTORE:
        return 2;
    default:
        return -1;
    }
}

static void
order_phase(struct undo_files *f, int phase, bool backwards)
{
    for (size_t k = 0; k < f->plan.n; k++) {
        struct undo_item *item = &f->plan.v[backwards ? f->plan.n - 1 - k : k];

        if (phase_of(item) == phase)
            f->order[f->n++] = item;
    }
}

struct undo_files *
undo_files_new(struct undo_store *store, struct err *e)
{
    CLEANUP(undo_files_free_p) struct undo_files *f = calloc(1, sizeof(*f));

    if (!f) {
        undo_store_free(store);
        err_nomem(e);
        return NULL;
    }
    f->store = store;
    if (undo_plan_make(store, false, &f->plan, e) < 0)
        return NULL;
    if (!(f->order = calloc(f->plan.n + 1, sizeof(struct undo_item *)))) {
        err_nomem(e);
        return NULL;
    }
    order_phase(f, 0, true);
    order_phase(f, 1, false);
    order_phase(f, 2, false);
    order_phase(f, 3, true);
    for (size_t i = 0; i < f->plan.n; i++) {
        f->plan.v[i].turn = UNDO_LATER;
        f->all_left += f->plan.v[i].act >= UNDO_SINCE;
    }
    return TAKE_PTR(f);
}

void
undo_files_free(struct undo_files *f)
{
    if (!f)
        return;
    if (f->begun)
        undo_store_let_go(f->store);
    undo_plan_done(&f->plan);
    undo_store_free(f->store);
    free(f->order);
    for (size_t i = 0; i < f->n_left; i++) {
        free(f->left[i].what);
        free(f->left[i].why);
    }
    free(f->left);
    free(f);
}

int
undo_files_leave(struct undo_files *f, const char *what, const char *why,
                 struct err *e)
{
    struct undo_left *grown = reallocarray(f->left, f->n_left + 1,
                                           sizeof(*grown));

    if (!grown)
        return err_nomem(e);
    f->left = grown;
    f->all_left++;
    grown[f->n_left] = (struct undo_left){strdup(what), strdup(why)};
    if (!grown[f->n_left].what || !grown[f->n_left].why) {
        free(grown[f->n_left].what);
        free(grown[f->n_left].why);
        return err_nomem(e);
    }
    f->n_left++;
    return 0;
}

static void
set_turn(const struct undo_files *f, const struct step *s, enum undo_turn turn)
{
    for (size_t i = 0; i < s->restores.n && s->restores.from + i < f->n; i++)
        f->order[s->restores.from + i]->turn = turn;
}

int
undo_files_targets(const struct undo_files *f, const struct step *s,
                   struct undo_targets *out, struct err *e)
{
    int rc;

    set_turn(f, s, UNDO_NOW);
    rc = undo_plan_paths(&f->plan, out, e);
    set_turn(f, s, UNDO_LATER);
    return rc;
}

int
undo_files_apply(struct undo_files *f, const struct step *s, const char *by,
                 struct err *e)
{
    int rc;

    if (undo_store_begin_undo(f->store, e) < 0)
        return -1;
    f->begun = true;
    set_turn(f, s, UNDO_NOW);
    rc = undo_plan_apply(f->store, &f->plan, by, e);
    for (size_t i = 0; i < s->restores.n; i++)
        f->all_left += f->order[s->restores.from + i]->act >= UNDO_SINCE;
    set_turn(f, s, UNDO_DONE);
    return rc;
}

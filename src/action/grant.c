/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grant.c - what a person lets a step do beyond the profile chosen for it. */
#include "action/grant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

void
grant_done(struct grant *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n_writable; i++)
        free(g->writable[i]);
    *g = (struct grant){0};
}

/* Whether one of them holds it already. */
static bool
holds(char *const *dirs, size_t n, const char *dir)
{
    for (size_t i = 0; i < n; i++)
        if (path_is_below(dir, dirs[i]))
            return true;
    return false;
}

static int
add_dir(struct grant *g, const char *dir, struct err *e)
{
    if (holds(g->writable, g->n_writable, dir))
        return 0;
    if (g->n_writable == GRANT_DIRS_MAX)
        return err_set(e, ERR_INVALID, "a step gets at most %d directories",
                       GRANT_DIRS_MAX);
    g->writable[g->n_writable] = strdup(dir);
    if (!g->writable[g->n_writable])
        return err_set(e, ERR_NOMEM, "out of memory");
    g->n_writable++;
    return 0;
}

int
grant_add(struct grant *g, const struct guard_gain *gain, struct err *e)
{
    switch (gain->kind) {
    case GUARD_GAIN_NONE:
    case GUARD_GAIN_ASKED:
        break;
    case GUARD_GAIN_WRITE:
        return add_dir(g, gain->path, e);
    case GUARD_GAIN_READ:
        g->reads = true;
        break;
    case GUARD_GAIN_NET:
        g->net = true;
        break;
    case GUARD_GAIN_FULL:
        g->full = true;
        break;
    }
    return 0;
}

bool
grant_is_empty(const struct grant *g)
{
    return g->n_writable == 0 && !g->net && !g->reads && !g->full;
}

bool
grant_fits(const struct judgement *j, enum guard_gain_kind kind)
{
    const struct profile_choice *c = &j->found.profile;

    return !j->tool && !j->refused && guard_gain_fits(kind, c->profile, c->net);
}

static int
apply_dir(struct profile_choice *c, const char *dir, struct err *e)
{
    if (c->n_writable == PROFILE_DIRS_MAX ||
        holds(c->writable, c->n_writable, dir))
        return 0;
    c->writable[c->n_writable] = strdup(dir);
    if (!c->writable[c->n_writable])
        return err_set(e, ERR_NOMEM, "out of memory");
    c->n_writable++;
    return 0;
}

/* workspace-write with all files in sight is observe with the workspace
 * writable. */
static int
apply_reads(struct judgement *j, const char *workspace, struct err *e)
{
    struct profile_choice *c = &j->found.profile;

    c->profile = PROFILE_OBSERVE;
    return workspace ? apply_dir(c, workspace, e) : 0;
}

static void
apply_full(struct judgement *j)
{
    struct profile_choice *c = &j->found.profile;

    profile_choice_done(c);
    c->profile = PROFILE_FULL;
    snprintf(c->why, sizeof(c->why), "you granted it");
    j->alone = true;
    if (j->decision == GUARD_ALLOW)
        j->decision = GUARD_ASK;
}

int
grant_apply(const struct grant *g, const char *workspace, struct judgement *j,
            struct err *e)
{
    struct profile_choice *c = &j->found.profile;

    if (g->full && grant_fits(j, GUARD_GAIN_FULL)) {
        apply_full(j);
        return 0;
    }
    if (g->net && grant_fits(j, GUARD_GAIN_NET))
        c->net = true;
    if (g->reads && grant_fits(j, GUARD_GAIN_READ) &&
        apply_reads(j, workspace, e) < 0)
        return -1;
    for (size_t i = 0; i < g->n_writable; i++) {
        bool open = workspace && c->profile != PROFILE_OBSERVE &&
                    path_is_below(g->writable[i], workspace);

        if (!open && grant_fits(j, GUARD_GAIN_WRITE) &&
            apply_dir(c, g->writable[i], e) < 0)
            return -1;
    }
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grant.c - what a person allows a step beyond the profile chosen for it. */
#include "action/grant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"

void
grant_done(struct grant *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n_dirs; i++)
        free(g->dirs[i].path);
    *g = (struct grant){0};
}

static int
note_granted_dir(struct grant *g, const struct denial_remedy *remedy,
                 struct err *e)
{
    const char *path = remedy->path;

    for (size_t i = 0; i < g->n_dirs; i++)
        if (path_is_below(path, g->dirs[i].path))
            return 0;
    if (g->n_dirs == GRANT_DIRS_MAX)
        return err_set(e, ERR_INVALID, "a step gets at most %d directories",
                       GRANT_DIRS_MAX);
    g->dirs[g->n_dirs] = (struct grant_dir){
        .path = strdup(path), .dev = remedy->dev, .ino = remedy->ino};
    if (!g->dirs[g->n_dirs].path)
        return err_nomem(e);
    g->n_dirs++;
    return 0;
}

int
grant_add(struct grant *g, const struct denial_remedy *remedy, struct err *e)
{
    switch (remedy->kind) {
    case DENIAL_REMEDY_NONE:
    case DENIAL_REMEDY_APPROVAL:
        break;
    case DENIAL_REMEDY_WRITE:
        return note_granted_dir(g, remedy, e);
    case DENIAL_REMEDY_READ:
        g->reads = true;
        break;
    case DENIAL_REMEDY_NET:
        g->net = true;
        break;
    case DENIAL_REMEDY_FULL:
        g->full = true;
        break;
    }
    return 0;
}

bool
grant_is_empty(const struct grant *g)
{
    return g->n_dirs == 0 && !g->net && !g->reads && !g->full;
}

bool
grant_fits(const struct step_verdict *v, enum denial_remedy_kind kind)
{
    const struct profile_choice *c = &v->found.profile;

    return !v->tool && !v->refused &&
           denial_remedy_fits(kind, c->profile, c->net);
}

/* Adds a writable directory, unless it is one already or there is no room. */
static int
add_profile_dir(struct profile_choice *c, const char *path, struct err *e)
{
    for (size_t i = 0; i < c->n_writable; i++)
        if (path_is_below(path, c->writable[i]))
            return 0;
    if (c->n_writable == PROFILE_DIRS_MAX)
        return 0;
    c->writable[c->n_writable] = strdup(path);
    if (!c->writable[c->n_writable])
        return err_nomem(e);
    c->n_writable++;
    return 0;
}

static int
apply_dir(struct profile_choice *c, const struct grant_dir *d, struct err *e)
{
    struct stat st;

    if (lstat(d->path, &st) < 0)
        return err_sys(e, "%s", d->path);
    if (st.st_dev != d->dev || st.st_ino != d->ino)
        return err_set(e, ERR_DENIED,
                       "%s is not the directory that was granted", d->path);
    return add_profile_dir(c, d->path, e);
}

/* workspace-write that reads all files is `observe` with a writable
 * workspace. */
static int
apply_reads(struct step_verdict *v, const char *workspace, struct err *e)
{
    struct profile_choice *c = &v->found.profile;

    c->profile = PROFILE_OBSERVE;
    return workspace ? add_profile_dir(c, workspace, e) : 0;
}

static void
apply_full(struct step_verdict *v)
{
    struct profile_choice *c = &v->found.profile;

    profile_choice_done(c);
    c->profile = PROFILE_FULL;
    snprintf(c->why, sizeof(c->why), "you granted it");
    v->alone = true;
    if (v->decision == GUARD_ALLOW)
        v->decision = GUARD_ASK;
}

int
grant_apply(const struct grant *g, const char *workspace,
            struct step_verdict *v, struct err *e)
{
    struct profile_choice *c = &v->found.profile;

    if (g->full && grant_fits(v, DENIAL_REMEDY_FULL)) {
        apply_full(v);
        return 0;
    }
    if (g->net && grant_fits(v, DENIAL_REMEDY_NET))
        c->net = true;
    if (g->reads && grant_fits(v, DENIAL_REMEDY_READ) &&
        apply_reads(v, workspace, e) < 0)
        return -1;
    for (size_t i = 0; i < g->n_dirs; i++) {
        bool open = workspace && c->profile != PROFILE_OBSERVE &&
                    path_is_below(g->dirs[i].path, workspace);

        if (!open && grant_fits(v, DENIAL_REMEDY_WRITE) &&
            apply_dir(c, &g->dirs[i], e) < 0)
            return -1;
    }
    return 0;
}

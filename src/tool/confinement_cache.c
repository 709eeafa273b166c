/* SPDX-License-Identifier: GPL-3.0-or-later */
/* confinement_cache.c - keeps the sandbox setups of tools between their calls.
 */
#include "tool/confinement_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tool/spawn.h"

struct kept_setup {
    const struct tool *tool; /* NULL: the place is free */
    const char *const *named;
    char *workspace; /* NULL: none */
    struct setup_stamps *stamps;
    struct sandbox_setup setup;
    struct spawn_plan *plan; /* NULL: it was not used yet */
    int64_t seen_ms;         /* when the stamps held; < 0: they are in doubt */
};

struct confinement_cache {
    struct kept_setup *all[CONFINEMENT_CACHE_MAX]; /* the last used one first */
};

struct confinement_cache *
confinement_cache_new(struct err *e)
{
    struct confinement_cache *c = calloc(1, sizeof(*c));

    if (!c)
        err_nomem(e);
    return c;
}

static void
kept_setup_free(struct kept_setup *k)
{
    if (!k)
        return;
    sandbox_setup_done(&k->setup);
    setup_stamps_free(k->stamps);
    spawn_plan_free(k->plan);
    free(k->workspace);
    free(k);
}
DEFINE_CLEANUP(struct kept_setup, kept_setup_free)

void
confinement_cache_free(struct confinement_cache *c)
{
    for (size_t i = 0; c && i < CONFINEMENT_CACHE_MAX; i++)
        kept_setup_free(c->all[i]);
    free(c);
}

void
confinement_cache_doubt(struct confinement_cache *c)
{
    for (size_t i = 0; i < CONFINEMENT_CACHE_MAX && c->all[i]; i++)
        c->all[i]->seen_ms = -1;
}

/* A server's package, a directory of its own or of a path that the call may
 * write are looked at for each call. */
static bool
may_be_kept(const struct confinement_params *p)
{
    return !p->sandbox && !p->tool->server && !p->closed &&
           !p->tool->manifest->needs.state &&
           !(p->permit && p->permit->n_writable > 0);
}

static const char *const *
opened_paths(const struct confinement_params *p)
{
    return p->permit ? p->permit->named : NULL;
}

static bool
is_for(const struct kept_setup *k, const struct confinement_params *p)
{
    return k->tool == p->tool && k->named == opened_paths(p) &&
           !k->workspace == !p->workspace &&
           (!k->workspace || strcmp(k->workspace, p->workspace) == 0);
}

/* Puts one in front, and all before its place i behind it. */
static void
put_first(struct confinement_cache *c, struct kept_setup *k, size_t i)
{
    memmove(c->all + 1, c->all, i * sizeof(c->all[0]));
    c->all[0] = k;
}

/* The place of the one for p, or else of the last. */
static size_t
find_kept(const struct confinement_cache *c, const struct confinement_params *p)
{
    size_t i = 0;

    while (i < CONFINEMENT_CACHE_MAX - 1 && c->all[i] && !is_for(c->all[i], p))
        i++;
    return i;
}

static struct kept_setup *
make_kept(const struct confinement_params *p, struct err *e)
{
    CLEANUP(kept_setup_free_p) struct kept_setup *k = calloc(1, sizeof(*k));
    struct confinement_params with = *p;

    if (!k || (p->workspace && !(k->workspace = strdup(p->workspace)))) {
        err_nomem(e);
        return NULL;
    }
    k->tool = p->tool;
    k->named = opened_paths(p);
    k->seen_ms = clock_ms();
    if (!(k->stamps = with.stamps = setup_stamps_new(e)) ||
        confinement_fill_sandbox(&with, &k->setup, e) < 0)
        return NULL;
    k->setup.spec.report = p->report;
    return TAKE_PTR(k);
}

/* Without namespaces more is looked at than is stamped. */
static bool
still_holds(struct kept_setup *k)
{
    int64_t now = clock_ms();

    if (k->seen_ms >= 0 && now - k->seen_ms < CONFINEMENT_CACHE_MS)
        return true;
    if (spec_is_reduced(&k->setup.spec) || !setup_stamps_hold(k->stamps))
        return false;
    k->seen_ms = now;
    return true;
}

int
confinement_cache_use(struct confinement_cache *c, struct confinement_params *p,
                      struct err *e)
{
    struct kept_setup *k;
    size_t i;

    if (!may_be_kept(p))
        return 0;
    i = find_kept(c, p);
    k = c->all[i];
    if (!k || !is_for(k, p) || !still_holds(k)) {
        if (!(k = make_kept(p, e)))
            return -1;
        kept_setup_free(c->all[i]);
    }
    put_first(c, k, i);
    p->sandbox = &k->setup.spec;
    p->plan = &k->plan;
    return 0;
}

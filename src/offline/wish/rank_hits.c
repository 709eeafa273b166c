/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_hits.c - what the recipes that were found say of the candidates. */
#include <stdio.h>
#include <string.h>

#include "offline/wish/rank.h"

#define STRONGEST 4.0 /* BM25 of the same words in the same order */

/* The first candidate of a composer speaks for it; "" when it made none. */
static const char *
head_of_composer(const struct ranking *r, const char *composer)
{
    for (size_t i = 0; i < r->list->n; i++) {
        const char *name = r->list->v[i].composer;

        if (name && strcmp(name, composer) == 0 && r->rows[i].programs.n > 0)
            return r->rows[i].programs.names[0];
    }
    return "";
}

static void
read_hit(struct ranking *r, size_t i)
{
    struct rank_advice *a = &r->advice[i];
    struct programs programs = {.n = 0};
    struct recipe recipe;
    const char *head = "";

    index_recipe(r->x, r->hits[i].recipe, &recipe);
    if (recipe.composer)
        head = head_of_composer(r, recipe.composer);
    else if (recipe.n_steps > 0)
        programs_of(recipe.steps[0].command, &programs);
    if (programs.n > 0)
        head = programs.names[0];
    snprintf(a->head, sizeof(a->head), "%s", head);
    a->composer = recipe.composer;
    a->wording = recipe.job || recipe.composer ? 0
                                               : rank_wording(r->q, &recipe);
    a->share = r->hits[0].score > 0 ? r->hits[i].score / r->hits[0].score : 0;
    /* The best few decide. A job's first step says nothing. */
    a->vote = recipe.job ? 0 : a->share * a->share * a->share * a->share;
}

void
rank_advise(struct ranking *r)
{
    r->votes = 0;
    for (size_t i = 0; i < r->n_hits; i++) {
        read_hit(r, i);
        r->votes += r->advice[i].vote;
    }
}

static double
votes_for(const struct ranking *r, const char *head)
{
    double sum = 0;

    for (size_t i = 0; i < r->n_hits; i++) {
        if (strcmp(r->advice[i].head, head) == 0)
            sum += r->advice[i].vote;
    }
    return r->votes > 0 ? sum / r->votes : 0;
}

static double
advised(const struct ranking *r, const char *composer)
{
    for (size_t i = 0; i < r->n_hits; i++) {
        const char *name = r->advice[i].composer;

        if (name && strcmp(name, composer) == 0)
            return r->advice[i].share;
    }
    return 0;
}

/* How near a recipe is to the best that could be. */
static double
strong(const struct ranking *r, size_t hit)
{
    return r->weight > 0 ? r->hits[hit].score / r->weight / STRONGEST : 0;
}

/* The phrase against the request, both ways: a plain word that fills a slot is
 * of the phrase, and the slot is of the request. */
static double
exact(const struct ranking *r, const struct candidate *c)
{
    const struct index_hit *h = &r->hits[c->hit];
    double whole = h->whole + (c->open == 0 ? h->slots : 0);
    double both = rank_cover(r, h->said | c->filled) * (whole < 1 ? whole : 1);

    return both * both;
}

/* Whether it is another way that takes in more of what was said than all the
 * ways before it: ssh {user}@{host}, where a user is named. */
static bool
says_more(const struct ranking *r, const struct candidate *c)
{
    for (size_t i = 0; i < r->list->n; i++) {
        const struct candidate *other = &r->list->v[i];

        if (other->recipe == c->recipe && other->way < c->way &&
            (c->open > other->open || (c->filled & ~other->filled) == 0))
            return false;
    }
    return true;
}

void
rank_heed(const struct ranking *r, const struct candidate *c, enum rank_as as,
          struct rank_row *row)
{
    if (row->programs.n > 0)
        row->v[RANK_VOTE] = votes_for(r, row->programs.names[0]);
    if (as == RANK_AS_COMPOSED) {
        row->v[RANK_COMPOSED] = 1;
        row->v[RANK_FIT] = c->fit;
        row->v[RANK_MADE] = row->v[RANK_COVER];
        row->v[RANK_ADVISED] = advised(r, c->composer);
        return;
    }
    row->v[RANK_STRONG] = strong(r, (size_t)c->hit);
    row->v[RANK_TEXT] = r->advice[c->hit].share;
    row->v[RANK_SHARE] = r->hits[c->hit].share;
    row->v[RANK_EXACT] = exact(r, c);
    row->v[RANK_WORDING] = r->advice[c->hit].wording;
    row->v[RANK_WHOLE] = r->hits[c->hit].whole;
    row->v[RANK_STRAIN] = c->strain < 1 ? c->strain : 1;
    row->v[RANK_WAY] = c->way > 0 && !says_more(r, c);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_rate.c - BM25 over programs: all phrases of all recipes that begin
 * with one are a text about it. */
#include <stdlib.h>
#include <string.h>

#include "offline/recipe/index_search.h"

/* A program that many recipes begin with has many words, and would be met by
 * any: its length counts. */
#define RATE_K1 2.0
#define RATE_B  0.6

struct rating {
    struct search s;
    uint32_t *times; /* of one stem, in each program */
    double *rates;
    double mean; /* length of a program's text */
};

static void
rating_done(struct rating *r)
{
    search_done(&r->s);
    free(r->times);
    free(r->rates);
}

static const struct index_recipe *
recipe_of(const struct rating *r, const struct index_posting *p)
{
    return &r->s.t.recipes[r->s.t.phrases[p->phrase].recipe];
}

static void
rate_stem(struct rating *r, const struct search_asked *a)
{
    const struct index_posting *v = r->s.t.postings + a->stem->posting;
    double weight = a->share * a->stem->rarity / INDEX_ONE;

    for (size_t i = 0; i < a->stem->n_postings; i++)
        r->times[recipe_of(r, &v[i])->program]++;
    for (size_t i = 0; i < a->stem->n_postings; i++) {
        uint32_t program = recipe_of(r, &v[i])->program;
        double times = r->times[program];
        double longer = 1 - RATE_B +
                        RATE_B * r->s.t.programs[program].n_terms / r->mean;

        r->times[program] = 0; /* once is enough */
        r->rates[program] += weight * times * (RATE_K1 + 1) /
                             (times + RATE_K1 * longer);
    }
}

void
index_rate(const struct index *x, const struct request *q,
           struct index_rates *out)
{
    CLEANUP(rating_done) struct rating r = {.mean = 1};

    *out = (struct index_rates){0};
    if (search_ask(&r.s, x, q) < 0)
        return;
    r.times = calloc(x->n_programs + 1, sizeof(*r.times));
    r.rates = calloc(x->n_programs + 1, sizeof(*r.rates));
    if (!r.times || !r.rates)
        return;
    if (x->n_programs > 0)
        r.mean += (double)x->n_terms / x->n_programs;
    for (size_t i = 0; i < r.s.n; i++)
        rate_stem(&r, &r.s.asked[i]);
    for (size_t i = 0; i < x->n_programs; i++) {
        if (!r.s.t.text[r.s.t.programs[i].text])
            r.rates[i] = 0; /* jobs */
        if (r.rates[i] > out->best)
            out->best = r.rates[i];
    }
    out->v = TAKE_PTR(r.rates);
}

void
index_rates_done(struct index_rates *r)
{
    if (!r)
        return;
    free(r->v);
    *r = (struct index_rates){0};
}

double
index_rate_at(const struct index *x, const struct index_rates *r, size_t recipe)
{
    struct index_tables t = index_tables_of(x);

    if (!r->v || r->best <= 0)
        return 0;
    return r->v[t.recipes[recipe].program] / r->best;
}

double
index_rate_of(const struct index *x, const struct index_rates *r,
              const char *program)
{
    struct index_tables t = index_tables_of(x);
    const struct index_program *found;

    if (!r->v || r->best <= 0)
        return 0;
    found = index_find(t.text, t.programs, x->n_programs, sizeof(*t.programs),
                       program);
    return found ? r->v[found - t.programs] / r->best : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_plan.c - the job that a wish asks for, its steps filled. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "offline/wish/doubt.h"
#include "offline/wish/engine_in.h"

/* A plan is read before it runs, but a wrong one costs more of a person's
 * time than a wrong command: both sides must say the same. */
#define PLAN_SHARE 0.6  /* of the confidence: the request's words */
#define PLAN_WHOLE 0.4  /* the phrase's */
#define PLAN_OPEN  0.05 /* off, for each slot that stays open */
#define PLAN_SURE  0.72

/* What became of all steps: their open slots, and whether one does harm. */
static char *
filled(const struct fill *f, const char *text, struct fill_result *all,
       struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(CANDIDATE_BYTES);
    struct fill_result result;
    char *copy;

    if (fill_command(f, text, &out, &result, e) < 0)
        return NULL;
    copy = strdup(out.p);
    if (!copy)
        err_sys(e, "a step");
    all->open += result.open;
    all->harms |= result.harms;
    return copy;
}

static int
fill_steps(const struct fill *f, const struct recipe *r,
           struct engine_plan *out, struct fill_result *all, struct err *e)
{
    struct fill_result ignored = {0};

    for (size_t i = 0; i < r->n_steps; i++) {
        const struct recipe_step *from = &r->steps[i];
        struct engine_step *step = &out->steps[out->n++];

        step->command = filled(f, from->command, all, e);
        if (!step->command)
            return -1;
        step->description = filled(
            f, from->description ? from->description : "", &ignored, e);
        if (!step->description)
            return -1;
    }
    out->open = all->open;
    return 0;
}

/* The first job among the recipes found. */
static const struct index_hit *
find_job(const struct engine *g, struct recipe *r)
{
    for (size_t i = 0; i < g->ranking.n_hits; i++) {
        index_recipe(g->index, g->hits[i].recipe, r);
        if (r->job)
            return &g->hits[i];
    }
    return NULL;
}

/* Of all its steps together. */
static bool
is_doubted(const struct engine *g, const struct engine_plan *p,
           const struct index_hit *h, enum recipe_risk risk)
{
    CLEANUP_BUF struct buf commands = buf_of(RECIPE_STEPS_MAX *
                                             (CANDIDATE_BYTES + 1));
    CLEANUP_BUF struct buf why = buf_of(ENGINE_DOUBT_SIZE);
    struct doubt d = {.q = &g->request,
                      .used = h->used | g->place.used,
                      .cover = h->share < h->whole ? h->share : h->whole,
                      .whole = h->whole,
                      .risk = risk};

    for (size_t i = 0; i < p->n; i++)
        buf_printf(&commands, "%s\n", p->steps[i].command);
    d.commands = commands.len ? commands.p : "";
    return doubt_of(&d, &why);
}

int
engine_plan(struct engine *g, const char *wish, struct engine_plan *out,
            struct err *e)
{
    struct engine_plan plan = {0};
    struct fill_result all = {0};
    const struct index_hit *h;
    struct recipe r;
    struct fill fill;

    if (engine_read(g, wish, e) < 0)
        return -1;
    h = find_job(g, &r);
    if (h) {
        plan.title = r.title;
        plan.recipe = r.id;
        fill_choose(&g->request, g->index, &g->place, &r, h->phrase, &fill);
        if (fill_steps(&fill, &r, &plan, &all, e) < 0) {
            engine_plan_done(&plan);
            return -1;
        }
        plan.confidence = PLAN_SHARE * h->share + PLAN_WHOLE * h->whole -
                          PLAN_OPEN * plan.open;
        plan.confidence = plan.confidence < 0 ? 0 : plan.confidence;
        plan.sure = plan.confidence >= PLAN_SURE && !all.harms &&
                    !is_doubted(g, &plan, h, r.risk);
    }
    *out = plan;
    return 0;
}

void
engine_plan_done(struct engine_plan *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++) {
        free(p->steps[i].description);
        free(p->steps[i].command);
    }
    p->n = 0;
}

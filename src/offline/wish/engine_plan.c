/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_plan.c - the job that a wish asks for, its steps filled. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "offline/wish/doubt.h"
#include "offline/wish/engine_in.h"
#include "offline/wish/overwrite.h"

/* A plan is read before it runs, but a wrong one costs more of a person's
 * time than a wrong command: both sides must say the same. */
#define PLAN_SHARE 0.6  /* of the confidence: the request's words */
#define PLAN_WHOLE 0.4  /* the phrase's */
#define PLAN_OPEN  0.05 /* off, for each slot that stays open */
#define PLAN_SURE  0.5
#define PLAN_NEAR  0.6
#define PLAN_HALF  0.5 /* of the phrase, at least so much must be said */

/* A value must be of the slot's kind by so much. */
#define PLAN_KIN 0.4

/* What deletes must be said so far; what it works on is looked at first. */
#define PLAN_HARMS 0.6

#define NEEDS_MAX 512 /* of a job's line of programs */

/* Of those found, so many are looked at: the right one is never behind. */
#define JOBS_MAX 6

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
    all->used |= result.used;
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
        CLEANUP(free_p) char *text = NULL;
        bool covers;

        text = filled(f, from->command, all, e);
        if (!text || engine_risk(text, &step->risk, e) < 0)
            return -1;
        step->command = engine_finish(f->q, text, step->risk, &covers, e);
        if (!step->command)
            return -1;
        covers = covers || (step->risk != RECIPE_READS &&
                            overwrites(f->q, step->command, false));
        out->covers = out->covers || covers;
        step->description = filled(
            f, from->description ? from->description : "", &ignored, e);
        if (!step->description)
            return -1;
    }
    return 0;
}

/* Of all its steps together. */
static bool
is_doubted(const struct engine *g, const struct engine_plan *p, uint64_t used,
           double cover, enum recipe_risk risk)
{
    CLEANUP_BUF struct buf commands = buf_of(RECIPE_STEPS_MAX *
                                             (CANDIDATE_BYTES + 1));
    CLEANUP_BUF struct buf why = buf_of(ENGINE_DOUBT_SIZE);
    struct doubt d = {.q = &g->request,
                      .used = used,
                      .lost = p->lost,
                      .covers = p->covers,
                      .cover = cover,
                      .whole = cover < PLAN_HARMS ? cover : 1,
                      .risk = risk};

    for (size_t i = 0; i < p->n; i++)
        buf_printf(&commands, "%s\n", p->steps[i].command);
    d.commands = commands.len ? commands.p : "";
    return engine_is_contrary(g, d.commands, p->title) || doubt_of(&d, &why);
}

/* A host for a file, a number for a name: it only looks like one. */
static bool
is_strained(const struct fill *f)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct fill_slot *s = &f->slots[i];
        const struct request_value *v = s->word == REQUEST_NONE
                                            ? NULL
                                            : request_value_of(f->q, s->word);

        if (v && (fill_kinship(s->slot.type, v) < PLAN_KIN ||
                  (v->exists && (s->slot.type == SLOT_EXT ||
                                 (s->slot.type == SLOT_NAME && !v->is_dir)))))
            return true;
    }
    return false;
}

/* Then a place that the request says in words is not what it works on. */
static bool
fills_path(const struct fill *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->slots[i].slot.type == SLOT_PATH && f->slots[i].slot.nth == 1 &&
            f->slots[i].word != REQUEST_NONE)
            return true;
    return false;
}

/* Whether a place that the request says in words stands in one of its steps;
 * "here" does anyway. */
static bool
works_there(const struct engine *g, const struct engine_plan *p)
{
    const char *place = g->place.text.len ? g->place.text.p : ".";
    bool found = strcmp(place, ".") == 0;

    for (size_t i = 0; i < p->n; i++)
        found = found || strstr(p->steps[i].command, place);
    return found;
}

/* Of the programs it starts; where PATH is a normal user's, those of root are
 * where sudo looks for them. */
static void
find_missing(const struct engine *g, const struct recipe *r,
             struct engine_plan *out)
{
    char path[ENGINE_PROGRAM_SIZE + sizeof("/usr/sbin/")];
    char names[NEEDS_MAX], *rest = names, *name;

    snprintf(names, sizeof(names), "%s", r->needs);
    while ((name = strsep(&rest, " "))) {
        snprintf(path, sizeof(path), "/usr/sbin/%s", name);
        if (!*name || machine_has(g->machine, name) ||
            (r->risk == RECIPE_ROOT && access(path, X_OK) == 0))
            continue;
        snprintf(out->missing, sizeof(out->missing), "%s", name);
        return;
    }
}

/* The steps again, without a ~: a step is read, judged and opened for writing
 * as it runs. What was asked for is compared with the words of the request, so
 * this comes after it. */
static int
expand_home(struct fill *f, const struct recipe *r, struct engine_plan *out,
            struct err *e)
{
    struct fill_result ignored = {0};

    engine_plan_done(out);
    f->plain = true;
    return fill_steps(f, r, out, &ignored, e);
}

static int
make_plan(const struct engine *g, const struct index_hit *h,
          const struct recipe *r, struct engine_plan *out, struct err *e)
{
    struct fill_result all = {0};
    const struct request *q = &g->request;
    size_t lost;
    struct fill fill;

    *out = (struct engine_plan){.title = r->title, .recipe = r->id};
    find_missing(g, r, out);
    fill_choose(&g->request, g->index, &g->place, r, h->phrase, &fill);
    if (fill_steps(&fill, r, out, &all, e) < 0)
        return -1;
    out->open = all.open;
    all.used |= h->used |
                (fills_path(&fill) || !works_there(g, out) ? 0 : g->place.used);
    lost = engine_lost(q, all.used);
    if (lost != REQUEST_NONE)
        snprintf(out->lost, sizeof(out->lost), "%s", q->words[lost].plain);
    out->confidence = PLAN_SHARE * (out->lost[0] ? h->share : 1) +
                      PLAN_WHOLE * h->whole - PLAN_OPEN * out->open;
    out->confidence = out->confidence < 0 ? 0 : out->confidence;
    out->near = out->confidence >= PLAN_NEAR && out->open == 0 &&
                lost != REQUEST_NONE &&
                engine_lost(q, all.used | UINT64_C(1) << lost) == REQUEST_NONE;
    out->sure = out->confidence >= PLAN_SURE && h->whole >= PLAN_HALF &&
                !out->lost[0] && !all.harms && !is_strained(&fill) &&
                !is_doubted(g, out, all.used, h->whole, r->risk);
    return expand_home(&fill, r, out, e);
}

static bool
is_better(const struct engine_plan *a, const struct engine_plan *b)
{
    if (a->sure != b->sure)
        return a->sure;
    return a->confidence > b->confidence;
}

int
engine_plan(struct engine *g, const char *wish, struct engine_plan *out,
            struct err *e)
{
    struct engine_plan best = {0}, plan;
    size_t jobs = 0;
    struct recipe r;

    if (engine_read(g, wish, e) < 0)
        return -1;
    for (size_t i = 0; i < g->ranking.n_hits && jobs < JOBS_MAX; i++) {
        index_recipe(g->index, g->hits[i].recipe, &r);
        if (!r.job)
            continue;
        if (make_plan(g, &g->hits[i], &r, &plan, e) < 0) {
            engine_plan_done(&plan);
            engine_plan_done(&best);
            return -1;
        }
        if (jobs++ == 0 || is_better(&plan, &best)) {
            engine_plan_done(&best);
            best = plan;
        } else {
            engine_plan_done(&plan);
        }
    }
    *out = best;
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

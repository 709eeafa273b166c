/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_plan.c - fills the steps of the job that a request asks for. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "guard/path/path_table.h"
#include "offline/engine/engine_state.h"
#include "offline/engine/overwrite.h"
#include "offline/engine/veto.h"

/* The confidence of a plan. A plan is read before it runs, but a wrong one
 * costs more time than a wrong command: the request and the phrase must agree.
 */
#define PLAN_SHARE 0.6  /* of the confidence: the request's words */
#define PLAN_WHOLE 0.4  /* the phrase's */
#define PLAN_OPEN  0.05 /* off, for each slot that stays open */
#define PLAN_SURE  0.5
#define PLAN_NEAR  0.6
/* So much of the phrase, at least, must be in the request. */
#define PLAN_HALF 0.5

/* The least kinship of a value and its slot. */
#define PLAN_KIN 0.4

/* The least share of the request for a plan that deletes. */
#define PLAN_HARMS 0.6

#define NEEDS_MAX 512 /* of a job's line of programs */

/* The number of hits that are considered; the right one is never behind
 * them. */
#define JOBS_MAX 6

static char *
fill_template(const struct slot_fill *f, const char *text,
              struct slot_fill_result *all, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(CANDIDATE_BYTES);
    struct slot_fill_result result;
    char *copy;

    if (slot_fill_command(f, text, &out, &result, e) < 0)
        return NULL;
    copy = strdup(out.p);
    if (!copy)
        err_sys(e, "a step");
    all->open += result.open;
    all->used |= result.used;
    all->harms |= result.harms;
    return copy;
}

/* A text with slots is looked up as it stands in the recipe. */
static int
fill_shown(const struct slot_fill *f, const struct recipe_step *from,
           struct engine_step *step, struct err *e)
{
    struct slot_fill_result ignored = {0};

    if (!from->description || !message_is_translated())
        return 0;
    step->shown = fill_template(f, _(from->description), &ignored, e);
    return step->shown ? 0 : -1;
}

static int
fill_steps(const struct slot_fill *f, const struct recipe *r,
           struct engine_plan *out, struct slot_fill_result *all, struct err *e)
{
    struct slot_fill_result ignored = {0};

    for (size_t i = 0; i < r->n_steps; i++) {
        const struct recipe_step *from = &r->steps[i];
        struct engine_step *step = &out->steps[out->n++];
        CLEANUP(free_p) char *text = NULL;
        bool covers;

        text = fill_template(f, from->command, all, e);
        if (!text || engine_risk(text, &step->risk, e) < 0)
            return -1;
        step->command = engine_finish(f->q, text, step->risk, &covers, e);
        if (!step->command)
            return -1;
        covers = covers || (step->risk != RECIPE_READS &&
                            overwrites(f->q, step->command, false));
        out->covers = out->covers || covers;
        step->description = fill_template(
            f, from->description ? from->description : "", &ignored, e);
        if (!step->description || fill_shown(f, from, step, e) < 0)
            return -1;
    }
    return 0;
}

/* Of all its steps together. */
static bool
is_vetoed(const struct engine *g, const struct engine_plan *p, uint64_t used,
          double cover, enum recipe_risk risk)
{
    CLEANUP_BUF struct buf commands = buf_of(RECIPE_STEPS_MAX *
                                             (CANDIDATE_BYTES + 1));
    CLEANUP_BUF struct buf why = buf_of(ENGINE_DOUBT_SIZE);
    struct veto d = {.q = &g->request,
                     .used = used,
                     .lost = p->lost,
                     .covers = p->covers,
                     .cover = cover,
                     .whole = cover < PLAN_HARMS ? cover : 1,
                     .risk = risk};

    for (size_t i = 0; i < p->n; i++)
        buf_printf(&commands, "%s\n", p->steps[i].command);
    d.commands = commands.len ? commands.p : "";
    return engine_is_contrary(g, d.commands, p->title) || veto_of(&d, &why);
}

/* Whether a value only has the form of what the slot takes: a host for a file.
 */
static bool
is_strained(const struct slot_fill *f)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct slot_binding *s = &f->slots[i];
        const struct request_value *v = s->word == REQUEST_NONE
                                            ? NULL
                                            : request_value_of(f->q, s->word);

        if (v && (slot_type_kinship(s->slot.type, v) < PLAN_KIN ||
                  (v->exists && (s->slot.type == SLOT_EXT ||
                                 (s->slot.type == SLOT_NAME && !v->is_dir)))))
            return true;
    }
    return false;
}

/* Whether a path fills a slot: then a place in words is not what it works
 * on. */
static bool
fills_path(const struct slot_fill *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->slots[i].slot.type == SLOT_PATH && f->slots[i].slot.nth == 1 &&
            f->slots[i].word != REQUEST_NONE)
            return true;
    return false;
}

/* Whether a step uses the place that the request names in words; "here" always
 * counts as used. */
static bool
works_there(const struct engine *g, const struct engine_plan *p)
{
    const char *place = g->place.text.len ? g->place.text.p : ".";
    bool found = strcmp(place, ".") == 0;

    for (size_t i = 0; i < p->n; i++)
        found = found || strstr(p->steps[i].command, place);
    return found;
}

/* Whether one of the directories that sudo searches has the program; the PATH
 * of a user may lack some of them. */
static bool
sudo_finds(const char *program)
{
    const char *dir;
    size_t at = 0;

    while ((dir = path_next(PATH_IS_BIN_DIR, &at))) {
        char path[PATH_MAX];

        snprintf(path, sizeof(path), "%s/%s", dir, program);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Finds the first program of the plan that is not installed. */
static void
find_missing(const struct engine *g, const struct recipe *r,
             struct engine_plan *out)
{
    char names[NEEDS_MAX], *rest = names, *name;

    snprintf(names, sizeof(names), "%s", r->needs);
    while ((name = strsep(&rest, " "))) {
        if (!*name || installed_has(g->installed, name) ||
            (r->risk == RECIPE_ROOT && sudo_finds(name)))
            continue;
        snprintf(out->missing, sizeof(out->missing), "%s", name);
        return;
    }
}

/* Replaces ~ in the steps, since a step is judged and run as it is. It comes
 * last: before it, the steps are compared with the words of the request. */
static int
expand_home(struct slot_fill *f, const struct recipe *r,
            struct engine_plan *out, struct err *e)
{
    struct slot_fill_result ignored = {0};

    engine_plan_done(out);
    f->plain = true;
    return fill_steps(f, r, out, &ignored, e);
}

static int
make_plan(const struct engine *g, const struct index_hit *h,
          const struct recipe *r, struct engine_plan *out, struct err *e)
{
    struct slot_fill_result all = {0};
    const struct request *q = &g->request;
    size_t lost;
    struct slot_fill fill;

    *out = (struct engine_plan){
        .title = r->title, .shown = _(r->title), .recipe = r->id};
    find_missing(g, r, out);
    slot_fill_choose(&g->request, g->index, &g->place, r, h->phrase, &fill);
    if (fill_steps(&fill, r, out, &all, e) < 0)
        return -1;
    out->open = all.open;
    all.used |= h->used |
                (fills_path(&fill) || !works_there(g, out) ? 0 : g->place.used);
    lost = engine_unused_word(q, all.used);
    if (lost != REQUEST_NONE)
        snprintf(out->lost, sizeof(out->lost), "%s", q->words[lost].plain);
    out->confidence = PLAN_SHARE * (out->lost[0] ? h->share : 1) +
                      PLAN_WHOLE * h->whole - PLAN_OPEN * out->open;
    out->confidence = out->confidence < 0 ? 0 : out->confidence;
    out->near = out->confidence >= PLAN_NEAR && out->open == 0 &&
                lost != REQUEST_NONE &&
                engine_unused_word(q, all.used | UINT64_C(1) << lost) ==
                    REQUEST_NONE;
    out->sure = out->confidence >= PLAN_SURE && h->whole >= PLAN_HALF &&
                !out->lost[0] && !all.harms && !is_strained(&fill) &&
                !is_vetoed(g, out, all.used, h->whole, r->risk);
    return expand_home(&fill, r, out, e);
}

static bool
is_better_plan(const struct engine_plan *a, const struct engine_plan *b)
{
    if (a->sure != b->sure)
        return a->sure;
    return a->confidence > b->confidence;
}

int
engine_plan(struct engine *g, const char *text, struct engine_plan *out,
            struct err *e)
{
    struct engine_plan best = {0}, plan;
    size_t jobs = 0;
    struct recipe r;

    if (engine_read(g, text, e) < 0)
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
        if (jobs++ == 0 || is_better_plan(&plan, &best)) {
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
        free(p->steps[i].shown);
        free(p->steps[i].command);
    }
    p->n = 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - a wish in, commands out, without a model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/risk/risk.h"
#include "offline/request/words.h"
#include "offline/wish/doubt.h"
#include "offline/wish/engine_in.h"
#include "offline/wish/own_names.h"

struct engine *
engine_new(struct err *e)
{
    CLEANUP(engine_free_p) struct engine *g = calloc(1, sizeof(*g));

    if (!g) {
        err_sys(e, "the offline engine");
        return NULL;
    }
    buf_init(&g->place.text, REQUEST_BYTES_MAX);
    g->index = index_builtin();
    if (!g->index) {
        err_set(e, ERR_UNSUPPORTED, "this build has no recipes");
        return NULL;
    }
    g->machine = machine_new(NULL, e);
    return g->machine ? TAKE_PTR(g) : NULL;
}

void
engine_free(struct engine *g)
{
    if (!g)
        return;
    request_done(&g->request);
    shortlist_done(&g->list);
    index_rates_done(&g->rates);
    buf_done(&g->place.text);
    machine_free(g->machine);
    free(g);
}

int
engine_risk(const char *command, enum recipe_risk *out, struct err *e)
{
    static const struct risk_place nowhere;
    struct syntax syntax = {0};
    struct risk risk = {0};
    int rc = syntax_read(command, strlen(command), &syntax, e);

    if (rc == 0)
        rc = risk_read(&syntax, &nowhere, &risk, e);
    *out = risk.facts & (RISK_SUDO | RISK_PRIVILEGED) ? RECIPE_ROOT
           : risk.facts & RISK_DESTRUCTIVE            ? RECIPE_DELETES
           : risk.facts & (RISK_WRITES | RISK_ACTS)   ? RECIPE_WRITES
                                                      : RECIPE_READS;
    risk_done(&risk);
    syntax_done(&syntax);
    return rc;
}

/* The first program that is not here; the name lives as long as the row. */
static const char *
missing_of(const struct engine *g, const struct programs *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (!machine_has(g->machine, p->names[i]))
            return p->names[i];
    }
    return NULL;
}

static int
answer(const struct engine *g, size_t i, struct engine_answer *a, struct err *e)
{
    CLEANUP_BUF struct buf own = buf_of(2 * CANDIDATE_BYTES);
    const struct candidate *c = &g->list.v[i];
    struct recipe r;

    *a = (struct engine_answer){
        .title = c->title,
        .missing = missing_of(g, &g->ranking.rows[i].programs),
        .open = c->open,
        .score = c->score,
    };
    if (c->recipe >= 0) {
        index_recipe(g->index, (size_t)c->recipe, &r);
        a->recipe = r.id;
        a->risk = r.risk;
    }
    /* a recipe's is that of the gravest of its ways */
    if ((c->recipe < 0 || a->risk == RECIPE_WRITES) &&
        engine_risk(c->command, &a->risk, e) < 0)
        return -1;
    if (a->risk != RECIPE_READS && own_names(c->command, &own, e) < 0)
        return -1;
    a->command = strdup(own.len ? own.p : c->command);
    return a->command ? 0 : err_sys(e, "a command");
}

/* "here, please, and carefully": what any plan does; a name is looked at by
 * itself. */
static bool
is_manner(const struct request_word *w)
{
    static const char words[] =
        " now here below use used safely carefully properly correctly quickly "
        "easily simply "
        "again everything whole entire complete new simple quick own yes "
        "name named called he she his her their ";

    return w->weak || words_listed(w->plain, words);
}

size_t
engine_lost(const struct request *q, uint64_t used)
{
    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];

        if (!(used >> i & 1) && !is_manner(w))
            return i;
    }
    return REQUEST_NONE;
}

/* Of the first answer. */
static bool
is_doubted(const struct engine *g, struct engine_answers *a)
{
    CLEANUP_BUF struct buf why = buf_of(sizeof(a->doubt) - 1);
    struct doubt d = {.q = &g->request};

    if (a->n == 0)
        return true;
    d.commands = a->v[0].command;
    d.used = g->list.v[0].used;
    d.cover = g->ranking.rows[0].v[RANK_COVER];
    d.whole = g->list.v[0].composer ? 1 : g->ranking.rows[0].v[RANK_WHOLE];
    d.risk = a->v[0].risk;
    if (!doubt_of(&d, &why))
        return false;
    snprintf(a->doubt, sizeof(a->doubt), "%s", why.len ? why.p : "");
    return true;
}

static bool
is_sure(const struct engine *g, const struct engine_answers *a)
{
    const double *v = g->ranking.rows[0].v;
    bool all = a->n > 0 && v[RANK_COVER] > 0.95 && v[RANK_OPEN] == 0;

    return a->confidence >= (all ? ENGINE_SURE_OF_ALL : ENGINE_SURE);
}

/* Of those that are shown. */
static int
drop_bad(struct engine *g, struct err *e)
{
    bool good;

    for (size_t i = 0; i < ENGINE_ANSWERS && i < g->list.n; i += good) {
        if (engine_check(g, &g->list.v[i], &good, e) < 0)
            return -1;
        if (!good)
            rank_drop(&g->ranking, i);
    }
    return 0;
}

int
engine_ask(struct engine *g, const char *wish, struct engine_answers *out,
           struct err *e)
{
    struct engine_answers all = {0};
    size_t lost;

    if (engine_read(g, wish, e) < 0 || engine_gather(g, e) < 0)
        return -1;
    rank_sort(&g->ranking);
    if (drop_bad(g, e) < 0)
        return -1;
    while (all.n < ENGINE_ANSWERS && all.n < g->list.n) {
        if (answer(g, all.n, &all.v[all.n], e) < 0) {
            engine_answers_done(&all);
            return -1;
        }
        all.n++;
    }
    all.confidence = rank_confidence(&g->ranking);
    all.sure = is_sure(g, &all) && !is_doubted(g, &all);
    lost = g->list.n ? engine_lost(&g->request, g->list.v[0].used)
                     : REQUEST_NONE;
    if (lost != REQUEST_NONE)
        snprintf(all.lost, sizeof(all.lost), "%s",
                 g->request.words[lost].plain);
    all.near = all.confidence >= ENGINE_NEAR;
    *out = all;
    return 0;
}

void
engine_answers_done(struct engine_answers *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->n; i++)
        free(a->v[i].command);
    a->n = 0;
}

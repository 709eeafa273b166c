/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - a wish in, commands out, without a model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/risk/risk.h"
#include "offline/request/words.h"
#include "offline/wish/antonym.h"
#include "offline/wish/doubt.h"
#include "offline/wish/engine_in.h"
#include "offline/wish/keep_files.h"
#include "offline/wish/order.h"
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

char *
engine_finish(const struct request *q, const char *command,
              enum recipe_risk risk, bool *covers, struct err *e)
{
    CLEANUP_BUF struct buf own = buf_of(2 * CANDIDATE_BYTES);
    CLEANUP_BUF struct buf out = buf_of(2 * CANDIDATE_BYTES);
    bool clear = true;
    char *copy;

    if (risk != RECIPE_READS && (own_names(command, &own, e) < 0 ||
                                 keep_files(q, own.p, &out, &clear, e) < 0))
        return NULL;
    *covers = !clear;
    copy = strdup(out.len ? out.p : command);
    if (!copy)
        err_sys(e, "a command");
    return copy;
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
    a->blind = a->risk >= RECIPE_DELETES &&
               engine_lost(&g->request, c->used) != REQUEST_NONE;
    a->command = engine_finish(&g->request, c->command, a->risk, &a->covers, e);
    return a->command ? 0 : -1;
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
        "name named called he she his her their "
        /* of places, which are searched to the bottom */
        "tree trees hierarchy path paths starting residing located existing "
        "present deeper "
        "each every regular normal ordinary exactly instantly "
        "immediately permanently ";

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
    d.covers = a->v[0].covers;
    d.lost = a->lost;
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

/* Whether a word of find's is that one file, which is here and needs no search.
 */
static bool
searches_named(const struct request *q, const struct risk_call *c)
{
    for (size_t i = 1; i < c->n; i++)
        for (size_t w = 0; w < q->n; w++) {
            const struct request_value *v = request_value_of(q, w);

            if (v && v->exists && !v->is_dir &&
                strcmp(v->text, c->argv[i]) == 0 &&
                !words_listed(c->argv[i - 1], " -newer -samefile "))
                return true;
        }
    return false;
}

/* "delete notes.txt": find would delete all of that name, wherever. */
static bool
searches(const struct engine *g, const char *command)
{
    static const char asked[] = " find search recursive subdirectory every "
                                "everywhere below all each tree whole ";
    static const struct risk_place nowhere;
    CLEANUP(syntax_done) struct syntax s = {0};
    CLEANUP(risk_done) struct risk r = {0};
    bool found = false;

    for (size_t i = 0; i < g->request.n; i++)
        if (words_listed(g->request.words[i].stem, asked))
            return false;
    if (!strstr(command, "find ") ||
        syntax_read(command, strlen(command), &s, NULL) < 0 ||
        risk_read(&s, &nowhere, &r, NULL) < 0 ||
        !(r.facts & (RISK_WRITES | RISK_DESTRUCTIVE | RISK_ACTS)))
        return false;
    for (size_t i = 0; i < r.n_calls; i++)
        found = found || (strcmp(r.calls[i].name, "find") == 0 &&
                          searches_named(&g->request, &r.calls[i]));
    return found;
}

/* "--exclude=x" of an x that nobody wants left out. */
static bool
excludes(const struct request *q, const char *command)
{
    static const char asked[] =
        " not no except exclude without ignore skip but leave omit other ";
    const char *at = strstr(command, "--exclude=");

    for (size_t i = 0; i < q->n; i++)
        if (words_listed(q->words[i].stem, asked) ||
            words_listed(q->words[i].plain, asked))
            return false;
    for (size_t i = 0; at && i < q->n_values; i++)
        if (strncmp(at + strlen("--exclude="), q->values[i].text,
                    strlen(q->values[i].text)) == 0)
            return true;
    return false;
}

bool
engine_is_contrary(const struct engine *g, const char *command,
                   const char *title)
{
    return antonym_of(&g->request, command, title) ||
           order_is_turned(&g->request, command) || searches(g, command) ||
           excludes(&g->request, command);
}

/* Of those that are shown. */
static int
drop_bad(struct engine *g, struct err *e)
{
    bool good;

    for (size_t i = 0; i < ENGINE_ANSWERS && i < g->list.n; i += good) {
        if (engine_check(g, &g->list.v[i], &good, e) < 0)
            return -1;
        good = good &&
               !engine_is_contrary(g, g->list.v[i].command, g->list.v[i].title);
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
    lost = g->list.n ? engine_lost(&g->request, g->list.v[0].used)
                     : REQUEST_NONE;
    if (lost != REQUEST_NONE)
        snprintf(all.lost, sizeof(all.lost), "%s",
                 g->request.words[lost].plain);
    all.confidence = rank_confidence(&g->ranking);
    all.sure = is_sure(g, &all) && !is_doubted(g, &all);
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

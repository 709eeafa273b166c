/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_json.c - writes answers as JSON, and why they are in that order. */
#include "offline/engine/engine_state.h"

static double
round_to_three(double v)
{
    return (double)(long)(v * 1000 + (v < 0 ? -.5 : .5)) / 1000;
}

static void
put_rounded(struct json_writer *w, const char *name, double v)
{
    json_key(w, name);
    json_put_num(w, round_to_three(v));
}

static void
put_answers(const struct engine_answers *a, struct json_writer *w)
{
    json_key(w, "candidates");
    json_open_array(w);
    for (size_t i = 0; a->near && i < a->n; i++)
        json_put_str(w, a->v[i].command);
    json_close_array(w);
    put_rounded(w, "confidence", a->confidence);
}

void
engine_json(const struct engine_answers *a, struct json_writer *w)
{
    json_open_object(w);
    put_answers(a, w);
    json_close_object(w);
}

static void
put_words(const struct request *q, uint64_t used, struct json_writer *w)
{
    json_open_array(w);
    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *word = &q->words[i];

        if (used & UINT64_C(1) << i)
            json_put_strn(w, q->text + word->from, word->to - word->from);
    }
    json_close_array(w);
}

static void
put_rank_features(const struct rank_row *row, struct json_writer *w)
{
    json_key(w, "features");
    json_open_object(w);
    for (enum rank_feature f = 0; f < RANK_FEATURES; f++) {
        if (row->v[f] != 0)
            put_rounded(w, rank_feature_name(f), row->v[f]);
    }
    json_close_object(w);
}

static void
put_candidate_json(const struct engine *g, size_t i, struct json_writer *w)
{
    const struct candidate *c = &g->list.v[i];
    size_t lost = engine_unused_word(&g->request, c->used);
    struct recipe r;

    json_open_object(w);
    json_member_str(w, "command", c->command);
    put_rounded(w, "score", c->score);
    if (c->generator)
        json_member_str(w, "composer", c->generator);
    if (c->recipe >= 0) {
        index_recipe(g->index, (size_t)c->recipe, &r);
        json_member_str(w, "recipe", r.id);
        json_member_str(w, "phrase", r.phrases[g->hits[c->hit].phrase]);
    }
    json_key(w, "used");
    put_words(&g->request, c->used, w);
    if (lost != REQUEST_NONE)
        json_member_str(w, "lost", g->request.words[lost].plain);
    put_rank_features(&g->ranking.rows[i], w);
    json_close_object(w);
}

static void
put_request(const struct request *q, struct json_writer *w)
{
    json_key(w, "words");
    json_open_array(w);
    for (size_t i = 0; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        json_open_object(w);
        json_member_str(w, v ? slot_name(v->is) : "stem",
                        v ? v->text : q->words[i].stem);
        if (q->words[i].weak)
            json_member_bool(w, "weak", true);
        json_close_object(w);
    }
    json_close_array(w);
}

static void
put_hits(const struct engine *g, struct json_writer *w)
{
    json_key(w, "recipes");
    json_open_array(w);
    for (size_t i = 0; i < g->ranking.n_hits; i++) {
        struct recipe r;

        index_recipe(g->index, g->hits[i].recipe, &r);
        json_open_object(w);
        json_member_str(w, "recipe", r.id);
        put_rounded(w, "score", g->hits[i].score);
        json_close_object(w);
    }
    json_close_array(w);
}

void
engine_why(const struct engine *g, const struct engine_answers *a,
           struct json_writer *w)
{
    json_open_object(w);
    put_answers(a, w);
    if (g->list.n > 0)
        put_rounded(w, "doubt", rank_unknown_share(&g->ranking));
    put_request(&g->request, w);
    put_hits(g, w);
    json_key(w, "ranked");
    json_open_array(w);
    for (size_t i = 0; i < g->list.n; i++)
        put_candidate_json(g, i, w);
    json_close_array(w);
    json_close_object(w);
}

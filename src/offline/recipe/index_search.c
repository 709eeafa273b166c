/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_search.c - the recipes that fit a request: BM25, then a closer look.
 *
 * First every phrase that has one of the words gets its BM25 score. Then the
 * best recipes are looked at closely: how much of the phrase was said, and in
 * the same order. */
#include <stdlib.h>
#include <string.h>

#include "offline/recipe/index_search.h"

/* BM25: how soon a word said again stops counting, and how much longer phrases
 * lose. Phrases are short, and lengths are weights here. */
#define BM25_K1 0.5
#define BM25_B  0.4

/* A title says it as well as a phrase does; names of programs are a hint. */
#define TITLE_SHARE 1.0
#define NAMES_SHARE 0.8

/* What further phrases of a recipe add to its best one. */
#define OTHERS_SHARE 0.2

/* Of a phrase of which nothing else was said, this stays. */
#define WHOLE_LEAST 0.5

/* Of two phrases that say the same, the one of as many words as the request is
 * nearer. */
#define WORDS_COST 0.1

/* So many recipes are looked at closely. */
#define CLOSELY (2 * INDEX_HITS_MAX)

struct passes {
    struct search s;
    double *phrases; /* the score of each */
    uint64_t *used;  /* of each recipe, slots that a word may fill too */
    uint64_t *own;   /* without those */
    double *best;    /* of each recipe */
};

static void
passes_done(struct passes *p)
{
    search_done(&p->s);
    free(p->phrases);
    free(p->used);
    free(p->own);
    free(p->best);
}

/* What a phrase counts for, beside its recipe's own. */
static double
kind_share(const struct index_tables *t, uint32_t phrase)
{
    const struct index_recipe *r = &t->recipes[t->phrases[phrase].recipe];
    uint32_t nth = phrase - r->phrase;

    return nth < r->n_phrases    ? 1
           : nth == r->n_phrases ? TITLE_SHARE
                                 : NAMES_SHARE;
}

static void
score_stem(struct passes *p, const struct search_asked *a)
{
    const struct index_tables *t = &p->s.t;
    const struct index_posting *v = t->postings + a->stem->posting;
    double weight = a->share * a->stem->weight / INDEX_ONE;
    double mean = p->s.x->mean;

    for (size_t i = 0; i < a->stem->n_postings; i++) {
        const struct index_phrase *phrase = &t->phrases[v[i].phrase];
        double times = v[i].times;
        double longer = 1 - BM25_B + BM25_B * phrase->length / mean;

        p->phrases[v[i].phrase] += weight * kind_share(t, v[i].phrase) * times *
                                   (BM25_K1 + 1) / (times + BM25_K1 * longer);
        p->used[phrase->recipe] |= a->words;
        p->own[phrase->recipe] |= a->own;
    }
}

/* The best phrase of each recipe, and a little of its others. */
static void
sum_recipes(struct passes *p)
{
    for (size_t i = 0; i < p->s.x->n_recipes; i++) {
        const struct index_recipe *r = &p->s.t.recipes[i];
        double sum = 0, best = 0;

        if (!p->used[i])
            continue;
        for (size_t k = 0; k < r->n_phrases + INDEX_EXTRA; k++) {
            double score = p->phrases[r->phrase + k];

            sum += score;
            best = score > best ? score : best;
        }
        p->best[i] = best + OTHERS_SHARE * (sum - best);
    }
}

/* A recipe and what it scored so far; sorted by it. */
struct place {
    unsigned recipe;
    double score;
};

/* Puts one in its place among the best, at most max of them. */
static void
keep_best(struct place *v, size_t *n, size_t max, struct place one)
{
    size_t i = *n;

    if (*n == max && one.score <= v[max - 1].score)
        return;
    if (*n < max)
        ++*n;
    else
        i--;
    for (; i > 0 && v[i - 1].score < one.score; i--)
        v[i] = v[i - 1];
    v[i] = one;
}

static double
share_of(const struct search *s, uint64_t used)
{
    double has = 0;

    for (size_t i = 0; i < s->q->n; i++)
        if (used & 1ull << i)
            has += s->weight[i];
    return s->all > 0 ? has / s->all : 0;
}

/* How much shorter one of both is: 0 when neither. */
static double
uneven(const struct passes *p, const struct index_phrase *phrase)
{
    double said = p->s.q->n, has = phrase->n_words;
    double most = said > has ? said : has;

    return most > 0 ? 1 - (said + has - most) / most : 0;
}

/* The request's words that a phrase has. */
static uint64_t
said(const struct search *s, const struct index_phrase *p)
{
    const uint32_t *terms = s->t.terms + p->term;
    uint64_t words = 0;

    for (size_t i = 0; i < p->n_terms; i++) {
        const struct search_asked *a = search_asked_of(s, terms[i]);

        words |= a ? a->own : 0;
    }
    return words;
}

/* Of a phrase's weight, slots that nothing asks for. */
static double
unasked_slots(const struct search *s, const struct index_phrase *p)
{
    const uint32_t *terms = s->t.terms + p->term;
    double sum = 0;

    for (size_t i = 0; i < p->n_terms; i++) {
        const struct index_stem *stem = &s->t.stems[terms[i]];
        const struct search_asked *a = search_asked_of(s, terms[i]);

        if (s->t.text[stem->text] == '<')
            sum += stem->weight * (1 - (a ? a->share : 0));
    }
    return p->length ? sum / p->length : 0;
}

/* The phrase that fits best when looked at closely. A title or the names of
 * programs may score best; the hit names a phrase of the recipe's own. */
static struct index_hit
look_closely(const struct passes *p, unsigned recipe)
{
    const struct index_recipe *r = &p->s.t.recipes[recipe];
    struct index_hit hit = {.recipe = recipe, .used = p->own[recipe]};
    double own = -1, sum = 0;

    for (unsigned k = 0; k < r->n_phrases + INDEX_EXTRA; k++) {
        const struct index_phrase *phrase = &p->s.t.phrases[r->phrase + k];
        double whole = search_whole(&p->s, phrase);
        double score = p->phrases[r->phrase + k] * search_order(&p->s, phrase) *
                       (1 - WORDS_COST * uneven(p, phrase)) *
                       (WHOLE_LEAST + (1 - WHOLE_LEAST) * whole);

        sum += score;
        if (k < r->n_phrases && score > own) {
            own = score;
            hit.phrase = k;
            hit.whole = whole;
        }
        if (score > hit.score)
            hit.score = score;
    }
    hit.score += OTHERS_SHARE * (sum - hit.score);
    hit.said = said(&p->s, &p->s.t.phrases[r->phrase + hit.phrase]);
    hit.slots = unasked_slots(&p->s, &p->s.t.phrases[r->phrase + hit.phrase]);
    hit.share = share_of(&p->s, p->used[recipe]);
    return hit;
}

static int
by_score(const void *a, const void *b)
{
    const struct index_hit *s = a, *t = b;

    if (s->score != t->score)
        return s->score > t->score ? -1 : 1;
    return s->recipe < t->recipe ? -1 : s->recipe > t->recipe;
}

static size_t
best_of(const struct passes *p, struct index_hit *hits, size_t max)
{
    struct place first[CLOSELY];
    struct index_hit close[CLOSELY] = {{0}};
    size_t n = 0;

    for (unsigned i = 0; i < p->s.x->n_recipes; i++)
        if (p->best[i] > 0)
            keep_best(first, &n, CLOSELY, (struct place){i, p->best[i]});
    for (size_t i = 0; i < n; i++)
        close[i] = look_closely(p, first[i].recipe);
    if (n > 0)
        qsort(close, n, sizeof(close[0]), by_score);
    if (n > max)
        n = max;
    memcpy(hits, close, n * sizeof(*hits));
    return n;
}

size_t
index_search(const struct index *x, const struct request *q,
             struct index_hit *hits, size_t max)
{
    CLEANUP(passes_done) struct passes p = {0};

    if (search_ask(&p.s, x, q) < 0)
        return 0;
    p.phrases = calloc(x->n_phrases + 1, sizeof(*p.phrases));
    p.used = calloc(x->n_recipes + 1, sizeof(*p.used));
    p.own = calloc(x->n_recipes + 1, sizeof(*p.own));
    p.best = calloc(x->n_recipes + 1, sizeof(*p.best));
    if (!p.phrases || !p.used || !p.own || !p.best)
        return 0;
    for (size_t i = 0; i < p.s.n; i++)
        score_stem(&p, &p.s.asked[i]);
    sum_recipes(&p);
    return best_of(&p, hits, max);
}

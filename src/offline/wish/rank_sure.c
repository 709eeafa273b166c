/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_sure.c - how sure it is that the first candidate was meant. */
#include <string.h>
#include <strings.h>

#include "offline/wish/rank.h"

/* A logistic regression over requests with known answers, NL2Bash's and those
 * of people: is the first right? Found as the weights of rank.c were, but for
 * doubt, of which those requests say little: nobody measures nonsense. How far
 * the next of another kind lies behind says most. */
#define SURE_BASE    (-2.9)
#define SURE_COMMON  0.95
#define SURE_MARGIN  0.64
#define SURE_SCORE   0.2
#define SURE_WORDING 1.5
#define SURE_OPEN    (-0.6)
#define SURE_DOUBT   (-4.0)
#define SURE_JOB     (-1.5)

#define MARGIN_MOST 4.0 /* nobody is that near: as good as none */
#define MENDED      0.5

/* Whether it is an answer of the same kind as the first: of the same program,
 * or another way that the same recipe names. */
static bool
is_same(const struct ranking *r, size_t i)
{
    const struct candidate *v = r->list->v;

    return strcmp(rank_head(r, i), rank_head(r, 0)) == 0 ||
           (v[i].recipe >= 0 && v[i].recipe == v[0].recipe);
}

/* By how much the best of another kind lies behind. */
static double
margin(const struct ranking *r)
{
    for (size_t i = 1; i < r->list->n; i++) {
        double by = r->list->v[0].score - r->list->v[i].score;

        if (!is_same(r, i))
            return by < 0 ? 0 : by < MARGIN_MOST ? by : MARGIN_MOST;
    }
    return MARGIN_MOST;
}

/* Whether a word is not as it was written: a typing error was mended. */
static bool
is_mended(const struct request *q, const struct request_word *w)
{
    size_t n = strlen(w->plain);

    return n != w->to - w->from ||
           strncasecmp(w->plain, q->text + w->from, n) != 0;
}

/* Of the request's weight, words that no recipe has and that the candidate
 * has no use for; a mended one may be another word. */
double
rank_doubt(const struct ranking *r)
{
    double unknown = index_weight(r->x, ""), sum = 0;

    for (size_t i = 0; i < r->q->n; i++) {
        const struct request_word *w = &r->q->words[i];

        if (w->value >= 0 || w->weak)
            continue;
        if (index_weight(r->x, w->stem) >= unknown)
            sum += r->list->v[0].used >> i & 1 ? 0 : r->weights[i];
        else if (is_mended(r->q, w))
            sum += MENDED * r->weights[i];
    }
    return r->weight > 0 ? sum / r->weight : 1;
}

/* 1 / (1 + e^-z) without the library of mathematics: (1 - z/1024)^1024 is
 * near enough to e^-z. */
static double
logistic(double z)
{
    double power = 1 - (z > 20 ? 20 : z < -20 ? -20 : z) / 1024;

    for (int i = 0; i < 10; i++)
        power *= power;
    return 1 / (1 + power);
}

/* How far a job that was found is nearer to the wish than all recipes of the
 * first's kind: it takes several commands. */
static double
job(const struct ranking *r)
{
    struct recipe best;

    if (r->n_hits == 0)
        return 0;
    index_recipe(r->x, r->hits[0].recipe, &best);
    for (size_t i = 0; best.job && i < r->n_hits; i++)
        if (strcmp(r->advice[i].head, rank_head(r, 0)) == 0 &&
            r->advice[i].vote > 0)
            return 1 - r->advice[i].share;
    return best.job;
}

double
rank_confidence(const struct ranking *r)
{
    const double *v = r->rows[0].v;

    if (r->list->n == 0)
        return 0;
    return logistic(SURE_BASE + SURE_COMMON * v[RANK_COMMON] +
                    SURE_MARGIN * margin(r) + SURE_SCORE * r->list->v[0].score +
                    SURE_WORDING * v[RANK_WORDING] + SURE_OPEN * v[RANK_OPEN] +
                    SURE_DOUBT * rank_doubt(r) + SURE_JOB * job(r));
}

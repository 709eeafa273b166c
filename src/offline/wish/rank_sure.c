/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_sure.c - how sure it is that the first candidate was meant. */
#include <string.h>

#include "offline/wish/rank.h"

/* A logistic regression over requests with known answers: has the first the
 * right program? Found as the weights of rank.c were. A program that people
 * use often is right more often; how far the next that begins otherwise lies
 * behind says most. */
#define SURE_BASE   (-2.8)
#define SURE_COVER  0.6
#define SURE_OPEN   (-0.3)
#define SURE_COMMON 1.3
#define SURE_MARGIN 0.95
#define SURE_SAME   0.15 /* of the first few, those with the same program */
#define SURE_SCORE  0.06

#define MARGIN_MOST 4.0 /* nobody is that near: as good as none */
#define SAME_AMONG  8

/* By how much the best that begins with another program lies behind. */
static double
margin(const struct ranking *r)
{
    for (size_t i = 1; i < r->list->n; i++) {
        double by = r->list->v[0].score - r->list->v[i].score;

        if (strcmp(rank_head(r, i), rank_head(r, 0)) != 0)
            return by < MARGIN_MOST ? by : MARGIN_MOST;
    }
    return MARGIN_MOST;
}

static double
same(const struct ranking *r)
{
    size_t n = 0;

    for (size_t i = 0; i < SAME_AMONG && i < r->list->n; i++)
        n += strcmp(rank_head(r, i), rank_head(r, 0)) == 0;
    return (double)n / SAME_AMONG;
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

double
rank_confidence(const struct ranking *r)
{
    const double *v = r->rows[0].v;

    if (r->list->n == 0)
        return 0;
    return logistic(SURE_BASE + SURE_COVER * v[RANK_COVER] +
                    SURE_OPEN * v[RANK_OPEN] + SURE_COMMON * v[RANK_COMMON] +
                    SURE_MARGIN * margin(r) + SURE_SAME * same(r) +
                    SURE_SCORE * r->list->v[0].score);
}

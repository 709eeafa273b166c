/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - which candidate was meant. */
#include "offline/wish/rank.h"

#include <math.h>
#include <string.h>

#define ROW_SPREAD 2 /* of the first five, so many of one program */
#define ROW_FIRST  5

/* Found by maximum likelihood over requests with known answers, in five parts
 * of which each was held out once, and rounded: what matters is the order of
 * size. */
static const struct {
    const char *name;
    double weight;
} features[RANK_FEATURES] = {
    [RANK_TEXT] = {"text", 3.4},        [RANK_SHARE] = {"share", 0.3},
    [RANK_WHOLE] = {"whole", -1.0},     [RANK_COVER] = {"cover", 2.1},
    [RANK_SAID] = {"said", 0.7},        [RANK_BEGINS] = {"begins", 0.3},
    [RANK_EXACT] = {"exact", 0.6},      [RANK_WORDING] = {"wording", 1.6},
    [RANK_PROGRAM] = {"program", 2.4},  [RANK_STRONG] = {"strong", 2.0},
    [RANK_MADE] = {"made", 2.0},        [RANK_LEFT] = {"left", -0.5},
    [RANK_FIT] = {"fit", 1.3},          [RANK_COMPOSED] = {"composed", 1.4},
    [RANK_ADVISED] = {"advised", 1.9},  [RANK_VOTE] = {"vote", -0.7},
    [RANK_NAMED] = {"named", 0.8},      [RANK_ORDERED] = {"ordered", 0.8},
    [RANK_LATER] = {"later", 0.8},      [RANK_COMMON] = {"common", 0.8},
    [RANK_MISSING] = {"missing", -0.3}, [RANK_OPEN] = {"open", -2.5},
    [RANK_STRAIN] = {"strain", -2.3},   [RANK_WAY] = {"way", -0.6},
};

const char *
rank_feature_name(enum rank_feature f)
{
    return features[f].name;
}

static double
score(const struct rank_row *row)
{
    double sum = 0;

    for (size_t f = 0; f < RANK_FEATURES; f++)
        sum += features[f].weight * row->v[f];
    return sum;
}

/* As what it is better. */
static void
score_candidate(struct ranking *r, size_t i)
{
    struct candidate *c = &r->list->v[i];
    struct rank_row row = r->rows[i];

    c->score = -HUGE_VAL;
    if (c->recipe >= 0) {
        rank_features(r, c, RANK_AS_RECIPE, &r->rows[i]);
        c->score = score(&r->rows[i]);
    }
    if (!c->composer)
        return;
    rank_features(r, c, RANK_AS_COMPOSED, &row);
    if (score(&row) > c->score) {
        r->rows[i] = row;
        c->score = score(&row);
    }
}

/* ---- the order */

static void
swap(struct ranking *r, size_t a, size_t b)
{
    struct candidate c = r->list->v[a];
    struct rank_row row = r->rows[a];

    r->list->v[a] = r->list->v[b];
    r->list->v[b] = c;
    r->rows[a] = r->rows[b];
    r->rows[b] = row;
}

/* Moves one forward, the others one back. */
static void
advance(struct ranking *r, size_t from, size_t to)
{
    for (; from > to; from--)
        swap(r, from, from - 1);
}

void
rank_drop(struct ranking *r, size_t i)
{
    size_t behind = r->list->n - i - 1;

    shortlist_drop(r->list, i);
    memmove(&r->rows[i], &r->rows[i + 1], behind * sizeof(r->rows[0]));
}

const char *
rank_head(const struct ranking *r, size_t i)
{
    return r->rows[i].programs.n > 0 ? r->rows[i].programs.names[0] : "";
}

static size_t
heads_before(const struct ranking *r, size_t at, const char *head)
{
    size_t n = 0;

    for (size_t i = 0; i < at; i++)
        n += strcmp(rank_head(r, i), head) == 0;
    return n;
}

/* A person who sees five wants to see different ways, not five of one. */
static void
spread(struct ranking *r)
{
    for (size_t i = 1; i < ROW_FIRST && i < r->list->n; i++) {
        for (size_t k = i; k < r->list->n; k++) {
            if (heads_before(r, i, rank_head(r, k)) < ROW_SPREAD) {
                advance(r, k, i);
                break;
            }
        }
    }
}

void
rank_sort(struct ranking *r)
{
    memset(r->rows, 0, sizeof(r->rows));
    for (size_t i = 0; i < r->list->n; i++)
        programs_of(r->list->v[i].command, &r->rows[i].programs);
    rank_weigh(r);
    rank_advise(r);
    for (size_t i = 0; i < r->list->n; i++)
        score_candidate(r, i);
    for (size_t i = 1; i < r->list->n; i++) {
        size_t to = i;

        while (to > 0 && r->list->v[to - 1].score < r->list->v[i].score)
            to--;
        advance(r, i, to);
    }
    spread(r);
}

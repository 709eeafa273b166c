/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank.c - which candidate was meant. */
#include "offline/wish/rank.h"

#include <math.h>
#include <string.h>

#define ROW_SPREAD 2 /* of the first five, so many of one program */
#define ROW_FIRST  5
#define WAY_BEHIND 0.01

/* Found by maximum likelihood over requests with known answers, in five parts
 * of which each was held out once, and rounded: what matters is the order of
 * size. */
static const struct {
    const char *name;
    double weight;
} features[RANK_FEATURES] = {
    [RANK_TEXT] = {"text", 3.6},        [RANK_SHARE] = {"share", 0.3},
    [RANK_WHOLE] = {"whole", -0.8},     [RANK_COVER] = {"cover", 2.2},
    [RANK_SAID] = {"said", 0.9},        [RANK_BEGINS] = {"begins", 0.6},
    [RANK_EXACT] = {"exact", 1.1},      [RANK_WORDING] = {"wording", 2.3},
    [RANK_PROGRAM] = {"program", 2.1},  [RANK_STRONG] = {"strong", 2.1},
    [RANK_MADE] = {"made", 2.1},        [RANK_LEFT] = {"left", -0.5},
    [RANK_FIT] = {"fit", 1.3},          [RANK_COMPOSED] = {"composed", 1.7},
    [RANK_ADVISED] = {"advised", 2.2},  [RANK_VOTE] = {"vote", -0.9},
    [RANK_NAMED] = {"named", 0.8},      [RANK_ORDERED] = {"ordered", 0.8},
    [RANK_LATER] = {"later", 0.8},      [RANK_COMMON] = {"common", 1.2},
    [RANK_MISSING] = {"missing", -0.8}, [RANK_OPEN] = {"open", -2.4},
    [RANK_STRAIN] = {"strain", -2.4},   [RANK_WAY] = {"way", -0.5},
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

/* Whether it is another way of the same recipe, no readier to be run. */
static bool
is_way_of(const struct ranking *r, size_t i, size_t first)
{
    const struct candidate *a = &r->list->v[first], *b = &r->list->v[i];
    const double *v = r->rows[first].v, *w = r->rows[i].v;

    return a->recipe == b->recipe && a->way < b->way &&
           v[RANK_MISSING] <= w[RANK_MISSING] && v[RANK_OPEN] <= w[RANK_OPEN];
}

/* A recipe's ways are offered in its order, but for one that says more of what
 * was said, or whose program was asked for. */
static void
keep_order(struct ranking *r)
{
    for (size_t i = 0; i < r->list->n; i++) {
        struct candidate *c = &r->list->v[i];

        if (r->rows[i].v[RANK_WAY] == 0 || r->rows[i].v[RANK_NAMED] > 0)
            continue;
        for (size_t k = 0; k < i; k++) {
            if (is_way_of(r, i, k) && r->list->v[k].score <= c->score)
                c->score = r->list->v[k].score - WAY_BEHIND;
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
    keep_order(r);
    for (size_t i = 1; i < r->list->n; i++) {
        size_t to = i;

        while (to > 0 && r->list->v[to - 1].score < r->list->v[i].score)
            to--;
        advance(r, i, to);
    }
    spread(r);
}

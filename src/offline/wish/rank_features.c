/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_features.c - what speaks for a candidate, in numbers from 0 to 1. */
#include <string.h>

#include "offline/request/words.h"
#include "offline/wish/rank.h"

#define LITERAL_WEIGHT 1.5 /* of a rare word's, what a value weighs */
#define OPEN_MOST      3
#define MISSING        0.4 /* it can be installed */
#define OPEN_FIRST     0.6 /* it cannot be run as it is */

/* What each word of the request weighs; weak ones nothing. */
void
rank_weigh(struct ranking *r)
{
    const struct request *q = r->q;
    double rare = index_weight(r->x, "");

    r->weight = 0;
    for (size_t i = 0; i < q->n; i++) {
        const struct request_word *w = &q->words[i];

        if (w->value >= 0)
            r->weights[i] = LITERAL_WEIGHT * rare / 2;
        else
            r->weights[i] = w->weak ? 0 : index_weight(r->x, w->stem);
        r->weight += r->weights[i];
    }
}

static double
said(const struct ranking *r, uint64_t used)
{
    double all = 0, has = 0;

    for (size_t i = 0; i < r->q->n; i++) {
        if (r->q->words[i].value >= 0)
            continue;
        all += r->weights[i];
        if (used & UINT64_C(1) << i)
            has += r->weights[i];
    }
    return all > 0 ? has / all : 0;
}

/* Most often it is the verb. */
static bool
begins(const struct ranking *r, uint64_t used)
{
    for (size_t i = 0; i < r->q->n; i++) {
        if (r->weights[i] > 0 && r->q->words[i].value < 0)
            return used & UINT64_C(1) << i;
    }
    return false;
}

double
rank_cover(const struct ranking *r, uint64_t used)
{
    double sum = 0;

    for (size_t i = 0; i < r->q->n; i++) {
        if (used & UINT64_C(1) << i)
            sum += r->weights[i];
    }
    return r->weight > 0 ? sum / r->weight : 0;
}

static double
left(const struct request *q, uint64_t used)
{
    size_t all = 0, without = 0;

    for (size_t i = 0; i < q->n; i++) {
        if (q->words[i].value < 0)
            continue;
        all++;
        without += !(used & UINT64_C(1) << i);
    }
    return all ? (double)without / (double)all : 0;
}

static bool
is_plain(const struct request *q, size_t i, const char *word)
{
    return i < q->n && strcmp(q->words[i].plain, word) == 0;
}

static size_t
named_at(const struct request *q, const char *program, size_t from)
{
    for (size_t i = from; i < q->n; i++) {
        if (is_plain(q, i, program))
            return i;
    }
    return REQUEST_NONE;
}

static bool
is_any(const struct request *q, size_t i, const char *const *words)
{
    for (; *words; words++) {
        if (is_plain(q, i, *words))
            return true;
    }
    return false;
}

/* "using awk", "the sort command": no verb of English. */
static bool
is_ordered(const struct request *q, const char *program)
{
    static const char *const before[] = {"using", "with", "via",     "use",
                                         "by",    "call", "through", NULL};
    static const char *const after[] = {"command", "utility", "program", "tool",
                                        NULL};

    for (size_t i = named_at(q, program, 0); i != REQUEST_NONE;
         i = named_at(q, program, i + 1)) {
        if ((i > 0 && is_any(q, i - 1, before)) || is_any(q, i + 1, after))
            return true;
    }
    return false;
}

/* Each system has one; those of others are no answer where it is not asked
 * for by its name. */
static bool
is_foreign(const struct request *q, const char *program)
{
    static const char managers[] =
        " apk apt apt-get brew dnf emerge pacman pkg port yum zypper ";

    return words_listed(program, managers) &&
           named_at(q, program, 0) == REQUEST_NONE;
}

static void
name_features(const struct ranking *r, const struct candidate *c,
              struct rank_row *row)
{
    const struct programs *p = &row->programs;

    if (p->n == 0)
        return;
    row->v[RANK_NAMED] = named_at(r->q, p->names[0], 0) != REQUEST_NONE;
    row->v[RANK_ORDERED] = is_ordered(r->q, p->names[0]);
    row->v[RANK_PROGRAM] = index_rate_of(r->x, r->rates, p->names[0]);
    if (c->recipe >= 0 && c->way == 0)
        row->v[RANK_PROGRAM] = index_rate_at(r->x, r->rates, (size_t)c->recipe);
    row->v[RANK_COMMON] = programs_common(p->names[0]);
    for (size_t i = 1; i < p->n; i++) {
        if (named_at(r->q, p->names[i], 0) != REQUEST_NONE)
            row->v[RANK_LATER] = 1;
    }
    for (size_t i = 0; i < p->n; i++) {
        if (!machine_has(r->machine, p->names[i]))
            row->v[RANK_MISSING] = is_foreign(r->q, p->names[i]) ? 1 : MISSING;
    }
}

void
rank_features(const struct ranking *r, const struct candidate *c,
              enum rank_as as, struct rank_row *row)
{
    row->v[RANK_COVER] = rank_cover(r, c->used);
    row->v[RANK_SAID] = said(r, c->used);
    row->v[RANK_BEGINS] = begins(r, c->used);
    row->v[RANK_LEFT] = left(r->q, c->used);
    if (c->open > 0)
        row->v[RANK_OPEN] = OPEN_FIRST + (1 - OPEN_FIRST) *
                                             (double)(c->open < OPEN_MOST
                                                          ? c->open - 1
                                                          : OPEN_MOST - 1) /
                                             (OPEN_MOST - 1);
    name_features(r, c, row);
    rank_heed(r, c, as, row);
}

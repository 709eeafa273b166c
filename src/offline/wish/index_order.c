/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_order.c - whether words stand in a phrase as they do in the request.
 *
 * "count lines and sort" and "sort and count lines" have the same words; the
 * first word is most often the verb, which says most of what is wanted. */
#include "offline/wish/index_search.h"

#define PAIR_BONUS  0.3 /* when all pairs of the phrase are the request's */
#define FIRST_BONUS 0.2

static const struct search_asked *
asked_of(const struct search *s, uint32_t stem)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->asked[i].number == stem)
            return &s->asked[i];
    return NULL;
}

static bool
row_has(const struct search *s, size_t i, uint32_t stem)
{
    return i < s->n_row && s->row[i] < s->n &&
           s->asked[s->row[i]].number == stem;
}

/* Whether one follows the other in the request too. */
static bool
has_pair(const struct search *s, uint32_t one, uint32_t other)
{
    for (size_t i = 0; i + 1 < s->n_row; i++)
        if (row_has(s, i, one) && row_has(s, i + 1, other))
            return true;
    return false;
}

double
search_order(const struct search *s, const struct index_phrase *p)
{
    const uint32_t *terms = s->t.terms + p->term;
    double order = 1, pairs = 0;

    if (p->n_terms == 0)
        return order;
    if (row_has(s, 0, terms[0]))
        order += FIRST_BONUS;
    for (size_t i = 0; i + 1 < p->n_terms; i++)
        pairs += has_pair(s, terms[i], terms[i + 1]);
    if (p->n_terms > 1)
        order += PAIR_BONUS * pairs / (p->n_terms - 1);
    return order;
}

double
search_whole(const struct search *s, const struct index_phrase *p)
{
    const uint32_t *terms = s->t.terms + p->term;
    double has = 0;

    for (size_t i = 0; i < p->n_terms; i++) {
        const struct search_asked *a = asked_of(s, terms[i]);

        if (a)
            has += a->share * a->stem->weight;
    }
    return p->length ? has / p->length : 0;
}

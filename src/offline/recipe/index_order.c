/* SPDX-License-Identifier: GPL-3.0-or-later */
/* index_order.c - whether words stand in a phrase as they do in the request.
 *
 * "count lines and sort" and "sort and count lines" have the same words; the
 * first word is most often the verb, which says most of what is wanted. */
#include "offline/recipe/index_search.h"

#define PAIR_BONUS  0.3 /* when all pairs of the phrase are the request's */
#define FIRST_BONUS 0.2

/* Whether word i of those that count asks for the stem. */
static bool
row_has(const struct search *s, size_t i, const struct search_asked *a)
{
    return a && i < s->n_row && s->row[i] == (size_t)(a - s->asked);
}

/* Whether one follows the other in the request too. */
static bool
has_pair(const struct search *s, uint32_t one, uint32_t other)
{
    const struct search_asked *a = search_asked_of(s, one);
    const struct search_asked *b = search_asked_of(s, other);

    for (size_t i = 0; a && b && i + 1 < s->n_row; i++)
        if (row_has(s, i, a) && row_has(s, i + 1, b))
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
    if (row_has(s, 0, search_asked_of(s, terms[0])))
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
        const struct search_asked *a = search_asked_of(s, terms[i]);

        if (a)
            has += a->share * a->stem->weight;
    }
    return p->length ? has / p->length : 0;
}

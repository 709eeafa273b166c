/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_wording.c - whether a wish is worded as a phrase is.
 *
 * "Who am i" and "who is in" have one word that says anything, the same one.
 * What tells them apart are the words that say nothing. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "offline/wish/rank.h"

static bool
is_word(const struct request_word *w, const char *text, size_t n)
{
    return w->value < 0 && w->plain[0] == tolower((unsigned char)*text) &&
           strncasecmp(w->plain, text, n) == 0 && !w->plain[n];
}

/* The next word of a phrase; n is 0 behind the last. */
static const char *
next_word(const char **at, size_t *n)
{
    const char *p = *at + strspn(*at, " ");

    *n = strcspn(p, " ");
    *at = p + *n;
    while (*n > 0 && ispunct((unsigned char)p[*n - 1]) && p[*n - 1] != '}')
        --*n;
    return p;
}

/* Takes the first word that is the same out of those that are left. */
static bool
take(const struct request *q, uint64_t *left, const char *text, size_t n)
{
    for (size_t i = 0; i < q->n; i++) {
        if (*left >> i & 1 && is_word(&q->words[i], text, n)) {
            *left &= ~(UINT64_C(1) << i);
            return true;
        }
    }
    return false;
}

/* Of the words of both, what both have. */
static double
likeness(const struct request *q, const char *phrase)
{
    uint64_t left = ~UINT64_C(0);
    size_t words = 0, same = 0, n;

    for (size_t i = 0; i < q->n; i++)
        words += q->words[i].value < 0;
    for (const char *p; p = next_word(&phrase, &n), n > 0;) {
        if (*p == '{')
            continue;
        words++;
        same += take(q, &left, p, n < REQUEST_STEM_MAX ? n : 0);
    }
    return words ? 2 * (double)same / (double)words : 0;
}

double
rank_wording(const struct request *q, const struct recipe *r)
{
    double best = 0;

    for (size_t i = 0; i < r->n_phrases; i++) {
        double one = likeness(q, r->phrases[i]);

        best = one > best ? one : best;
    }
    return best * best;
}

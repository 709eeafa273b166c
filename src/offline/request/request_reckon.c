/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_reckon.c - what is to be calculated: "17 * 23", "2^10", "(1+2)*3".
 *
 * Elsewhere the same signs are patterns, ranges and lists: it is read only
 * where a request begins with a word that asks for a result. */
#include <string.h>

#include "offline/request/request_in.h"
#include "offline/request/words.h"

#define OPERATORS "+-*/%^"
#define INSIDE    "+*^" /* 10.0.0.0/8 is no division, nor 3-5 a difference */

static bool
asks_result(const struct request_reader *r)
{
    char word[REQUEST_STEM_MAX];
    const struct request_token *t = r->t;
    size_t n = t->end - t->in;

    if (t->quoted || n >= sizeof(word))
        return false;
    for (size_t i = 0; i < n; i++)
        word[i] = r->q->text[t->in + i] | 0x20;
    word[n] = '\0';
    return words_listed(word, "calculate compute calc evaluate reckon bc what "
                              "what's");
}

/* Digits, operators and brackets; what of it there is counts for the whole. */
static bool
is_part(const struct request_reader *r, size_t i, bool *digits, bool *operators)
{
    const struct request_token *t = &r->t[i < r->n ? i : 0];
    const char *s = r->q->text + t->in;
    size_t n = t->end - t->in;

    if (i >= r->n || t->quoted || n == 0)
        return false;
    if (request_span(s, n, DIGITS OPERATORS "().") != n)
        return false;
    for (size_t k = 0; k < n; k++) {
        *digits |= strchr(DIGITS, s[k]) != NULL;
        *operators |= strchr(n == 1 ? OPERATORS : INSIDE, s[k]) != NULL;
    }
    return true;
}

size_t
request_reckoned(const struct request_reader *r, size_t i,
                 struct request_value *v)
{
    bool digits = false, operators = false;
    size_t n = 0;

    if (i == 0 || !asks_result(r))
        return 0;
    while (is_part(r, i + n, &digits, &operators))
        n++;
    if (!digits || !operators)
        return 0;
    v->types = TYPE(TEXT);
    v->is = SLOT_TEXT;
    return n;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cue.c - words and rows of words that a composer looks for. */
#include <string.h>

#include "offline/compose/compose.h"

/* Whether word is one of list[0..n), whose words stand between seps. */
static bool
listed(const char *word, const char *list, size_t n, const char *seps)
{
    size_t len = strlen(word);

    for (size_t at = 0; len && at < n;) {
        size_t end = at + strcspn(list + at, seps);

        if (end > n)
            end = n;
        if (end - at == len && !memcmp(list + at, word, len))
            return true;
        at = end + 1;
    }
    return false;
}

static bool
says(const struct request *q, size_t i, const char *list, size_t n,
     const char *seps)
{
    const struct request_value *v = request_value_of(q, i);

    if (v && v->quoted)
        return false;
    return listed(q->words[i].plain, list, n, seps) ||
           listed(q->words[i].stem, list, n, seps);
}

bool
compose_is(const struct request *q, size_t i, const char *list)
{
    return i < q->n && says(q, i, list, strlen(list), " ");
}

/* The set of words that say the row from word i on; 0: they do not. */
static uint64_t
row_at(const struct request *q, size_t i, const char *row, uint64_t used)
{
    uint64_t set = 0;

    while (*row) {
        size_t n = strcspn(row, " ");

        while (set && i < q->n && q->words[i].weak && !says(q, i, row, n, "| "))
            i++;
        if (i >= q->n || compose_used(used, i) || !says(q, i, row, n, "| "))
            return 0;
        set |= (uint64_t)1 << i++;
        row += n;
        row += strspn(row, " ");
    }
    return set;
}

size_t
compose_claim(const struct request *q, const char *row, uint64_t *used)
{
    for (size_t i = 0; i < q->n; i++) {
        uint64_t set = row_at(q, i, row, *used);

        if (set) {
            *used |= set;
            return i;
        }
    }
    return REQUEST_NONE;
}

bool
compose_claims(const struct request *q, const char *const *rows, uint64_t *used)
{
    bool any = false;

    for (; *rows; rows++)
        any |= compose_claim(q, *rows, used) != REQUEST_NONE;
    return any;
}

size_t
compose_before(const struct request *q, size_t i)
{
    while (i-- > 0)
        if (!q->words[i].weak)
            return i;
    return REQUEST_NONE;
}

bool
compose_may(const struct request_value *v, enum slot_type type)
{
    return v && (v->types >> type & 1);
}

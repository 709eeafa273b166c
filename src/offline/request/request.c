/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - what composers ask of a request. */
#include "offline/request/request.h"

#include <stdlib.h>
#include <string.h>

#include "offline/request/words.h"

void
request_done(struct request *q)
{
    if (!q)
        return;
    for (size_t i = 0; i < q->n_values; i++)
        free(q->values[i].text);
    free(q->values);
    free(q->text);
    memset(q, 0, sizeof(*q));
}

/* The next of a list between blanks; NULL when it is at its end. */
static const char *
next_stem(const char **list, size_t *n)
{
    const char *s = *list + strspn(*list, " ");

    *n = strcspn(s, " ");
    *list = s + *n;
    return *n ? s : NULL;
}

static bool
is_stem(const struct request_word *w, const char *s, size_t n)
{
    return strncmp(w->stem, s, n) == 0 && w->stem[n] == '\0';
}

size_t
request_find(const struct request *q, const char *stems)
{
    for (size_t i = 0; i < q->n; i++)
        if (words_listed(q->words[i].stem, stems))
            return i;
    return REQUEST_NONE;
}

bool
request_has(const struct request *q, const char *stems)
{
    return request_find(q, stems) != REQUEST_NONE;
}

/* Whether the row stands at word i. */
static bool
row_at(const struct request *q, size_t i, const char *row)
{
    bool first = true;
    const char *s;
    size_t n;

    while ((s = next_stem(&row, &n))) {
        while (!first && i < q->n && q->words[i].weak &&
               !is_stem(&q->words[i], s, n))
            i++;
        if (i >= q->n || n >= REQUEST_STEM_MAX || !is_stem(&q->words[i], s, n))
            return false;
        first = false;
        i++;
    }
    return !first;
}

size_t
request_find_row(const struct request *q, const char *row)
{
    for (size_t i = 0; i < q->n; i++)
        if (row_at(q, i, row))
            return i;
    return REQUEST_NONE;
}

const struct request_value *
request_value_of(const struct request *q, size_t word)
{
    if (word >= q->n || q->words[word].value < 0)
        return NULL;
    return &q->values[q->words[word].value];
}

size_t
request_value_at(const struct request *q, enum slot_type type, size_t from,
                 unsigned k)
{
    for (size_t i = from; i < q->n; i++) {
        const struct request_value *v = request_value_of(q, i);

        if (v && (v->types & (1u << type)) && k-- == 0)
            return i;
    }
    return REQUEST_NONE;
}

uint64_t
request_set(const struct request *q, const char *stems)
{
    uint64_t set = 0;

    for (size_t i = 0; i < q->n; i++)
        if (words_listed(q->words[i].stem, stems))
            set |= (uint64_t)1 << i;
    return set;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cue.c - words and rows of words that a composer looks for. */
#include <string.h>

#include "offline/compose/compose.h"
#include "offline/request/words.h"

static bool
is_sep(char c)
{
    return c == ' ' || c == '|';
}

/* Whether word is one of list[0..n), whose words stand between blanks or |. A
 * wish is held against some thousand words: it is done letter by letter. */
static bool
listed(const char *word, const char *list, size_t n)
{
    const char *end = list + n;

    while (*word && list < end) {
        const char *w = word;

        for (; list < end && *w && *list == *w; list++)
            w++;
        if (!*w && (list == end || is_sep(*list)))
            return true;
        while (list < end && !is_sep(*list))
            list++;
        list++;
    }
    return false;
}

static bool
says(const struct request *q, size_t i, const char *list, size_t n)
{
    const struct request_value *v = request_value_of(q, i);
    const struct request_word *w = &q->words[i];

    if (v && v->quoted)
        return false;
    return listed(w->plain, list, n) ||
           (strcmp(w->plain, w->stem) && listed(w->stem, list, n));
}

bool
compose_is(const struct request *q, size_t i, const char *list)
{
    return i < q->n && says(q, i, list, strlen(list));
}

static uint64_t
bit(size_t i)
{
    return (uint64_t)1 << i;
}

/* Whether word i stands for "{type}", "{}". */
static bool
fills(const struct request *q, size_t i, const char *slot, size_t n)
{
    const struct request_value *v = request_value_of(q, i);

    if (n == 2)
        return v || !q->words[i].weak;
    return compose_may(v, (enum slot_type)slot_find(slot + 1, n - 2));
}

static bool
fits(const struct request *q, size_t i, uint64_t used, const char *part,
     size_t n)
{
    if (i >= q->n || compose_used(used, i))
        return false;
    return *part == '{' ? fills(q, i, part, n) : says(q, i, part, n);
}

/* Whether the row stands at word i. */
static bool
row_at(const struct request *q, size_t i, const char *row, uint64_t used,
       struct compose_hit *hit)
{
    *hit = (struct compose_hit){.from = i, .to = i, .at = REQUEST_NONE};
    for (size_t n; *row; row += n, row += strspn(row, " ")) {
        size_t at = hit->to;
        bool may_miss = *row == '?';

        row += may_miss;
        n = strcspn(row, " ");
        while (hit->set && at < q->n && q->words[at].weak &&
               !fits(q, at, used, row, n))
            at++;
        if (!fits(q, at, used, row, n)) {
            if (may_miss)
                continue;
            return false;
        }
        if (*row == '{')
            hit->at = at;
        hit->set |= bit(at);
        hit->to = at + 1;
    }
    return hit->set != 0;
}

bool
compose_match(const struct request *q, const char *row, uint64_t used,
              size_t from, struct compose_hit *hit)
{
    for (size_t i = from; i < q->n; i++)
        if (row_at(q, i, row, used, hit))
            return true;
    return false;
}

size_t
compose_claim(const struct request *q, const char *row, uint64_t *used)
{
    struct compose_hit hit;

    if (!compose_match(q, row, *used, 0, &hit))
        return REQUEST_NONE;
    *used |= hit.set;
    return hit.from;
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

const char *
compose_text(const struct request *q, size_t i, struct buf *room)
{
    const struct request_value *v = request_value_of(q, i);
    const struct request_word *w = &q->words[i];

    if (v)
        return v->text;
    buf_clear(room);
    buf_add(room, q->text + w->from, w->to - w->from);
    return room->p;
}

/* How far back a "not" is heard: "that are not in any way named". */
#define NOT_HEARD 3

bool
compose_negated(const struct request *q, size_t i)
{
    const struct request_value *v = request_value_of(q, i);

    if (v && v->negated)
        return true;
    for (size_t n = 0; n < NOT_HEARD && i-- > 0; n++) {
        if (compose_is(q, i, "not no except without other ignore skip avoid"))
            return true;
        if (request_value_of(q, i))
            return false;
    }
    return false;
}

/* What was written counts: a name may look like a slip of the finger. */
bool
compose_is_name(const struct request *q, size_t i)
{
    char word[REQUEST_STEM_MAX];
    const struct request_word *w;

    if (i >= q->n || request_value_of(q, i))
        return i < q->n;
    w = &q->words[i];
    if (w->to - w->from >= sizeof(word))
        return true;
    memcpy(word, q->text + w->from, w->to - w->from);
    word[w->to - w->from] = '\0';
    return !words_known(word);
}

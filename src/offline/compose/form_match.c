/* SPDX-License-Identifier: GPL-3.0-or-later */
/* form_match.c - where a row of words is said. */
#include <ctype.h>
#include <string.h>

#include "offline/compose/form.h"

/* A part of a row that stands between blanks. */
struct item {
    const char *s;
    size_t n;
    bool may_miss;
};

static const char *
next_item(const char *row, const char *end, struct item *it)
{
    while (row < end && *row == ' ')
        row++;
    it->may_miss = row < end && *row == '?';
    row += it->may_miss;
    it->s = row;
    while (row < end && *row != ' ')
        row++;
    it->n = (size_t)(row - it->s);
    return row;
}

/* Bytes of an item up to the | that ends its first piece. */
static size_t
piece_length(const char *s, size_t n)
{
    const char *end = memchr(s, *s == '{' ? '}' : '|', n);

    if (!end)
        return n;
    return (size_t)(end - s) + (*s == '{');
}

static bool
is_word(const char *word, const char *piece, size_t n)
{
    return !strncmp(word, piece, n) && !word[n];
}

/* Whether word i was written so; most differ in their first letter. */
static bool
is_written(const struct request *q, size_t i, const char *piece, size_t n)
{
    char s[FORM_WORD_MAX];

    if (n && request_value_of(q, i) == NULL &&
        tolower((unsigned char)q->text[q->words[i].from]) != *piece)
        return false;
    return is_word(form_written(q, i, s), piece, n);
}

static bool
piece_fits(const struct request *q, size_t i, uint64_t used, const char *piece,
           size_t n)
{
    const struct request_value *v;

    if (*piece == '{')
        return !compose_used(used, i) && form_fits(q, i, piece + 1, n - 2);
    v = request_value_of(q, i);
    if (v && v->quoted)
        return false;
    if (*piece == '=')
        return is_written(q, i, piece + 1, n - 1);
    return is_word(q->words[i].plain, piece, n) ||
           is_word(q->words[i].stem, piece, n) || is_written(q, i, piece, n);
}

static bool
item_fits(const struct request *q, size_t i, uint64_t used,
          const struct item *it)
{
    for (size_t at = 0; i < q->n && at < it->n;) {
        size_t n = piece_length(it->s + at, it->n - at);

        if (piece_fits(q, i, used, it->s + at, n))
            return true;
        at += n + 1;
    }
    return false;
}

static bool
is_rest(const struct item *it)
{
    return it->n == 6 && !memcmp(it->s, "{rest}", 6);
}

static void
take(struct form_hit *hit, const struct item *it, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        hit->set |= UINT64_C(1) << i;
    if (memchr(it->s, '{', it->n) && hit->n < FORM_HELD)
        hit->held[hit->n++] = (struct form_held){from, to};
}

/* Weak words, and values that another part has put already. */
static bool
is_passed(const struct request *q, size_t i, uint64_t used)
{
    return i < q->n && (q->words[i].weak ||
                        (q->words[i].value >= 0 && compose_used(used, i)));
}

/* Whether the row [row, end) stands at word i. */
static bool
row_at(const struct request *q, size_t i, const char *row, const char *end,
       uint64_t used, struct form_hit *hit)
{
    struct item it;

    *hit = (struct form_hit){.n = 0};
    for (row = next_item(row, end, &it); it.n; row = next_item(row, end, &it)) {
        size_t at = i;

        if (is_rest(&it) && i < q->n) {
            take(hit, &it, i, q->n);
            i = q->n;
            continue;
        }
        while (hit->set && is_passed(q, at, used) &&
               !item_fits(q, at, used, &it))
            at++;
        if (item_fits(q, at, used, &it)) {
            take(hit, &it, at, at + 1);
            i = at + 1;
        } else if (!it.may_miss) {
            return false;
        }
    }
    return (hit->set & ~used) != 0;
}

bool
form_match(const struct request *q, const char *said, uint64_t used,
           struct form_hit *hit)
{
    while (*said) {
        const char *end = said + strcspn(said, ";");

        for (size_t i = 0; i < q->n; i++)
            if (row_at(q, i, said, end, used, hit))
                return true;
        said = end + (*end == ';');
    }
    return false;
}

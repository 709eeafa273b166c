/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.c - which lines of one text are gone in another, and which are new. */
#include "base/diff.h"

#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"

#define SNIFF_BYTES 8192
#define COST_MAX    2048 /* edits that one search looks ahead for: 30 ms */

bool
diff_is_text(const char *bytes, size_t n)
{
    return memchr(bytes, '\0', n < SNIFF_BYTES ? n : SNIFF_BYTES) == NULL;
}

static void
text_done(struct diff_text *t)
{
    free(t->starts);
    free(t->ids);
    free(t->changed);
    *t = (struct diff_text){0};
}

void
diff_done(struct diff *d)
{
    if (!d)
        return;
    text_done(&d->old);
    text_done(&d->new);
}

static size_t
count_lines(const char *bytes, size_t n)
{
    size_t lines = 0;

    for (size_t i = 0; i < n; i++)
        lines += bytes[i] == '\n';
    return lines + (n > 0 && bytes[n - 1] != '\n');
}

static int
cut(struct diff_text *t, const char *bytes, size_t n, struct err *e)
{
    size_t at = 0;

    *t = (struct diff_text){.bytes = bytes, .n = count_lines(bytes, n)};
    if (t->n > DIFF_LINES_MAX)
        return err_set(e, ERR_NOMEM, "more than %d lines", DIFF_LINES_MAX);
    t->starts = calloc(t->n + 1, sizeof(*t->starts));
    t->ids = calloc(t->n + 1, sizeof(*t->ids));
    t->changed = calloc(t->n + 1, sizeof(*t->changed));
    if (!t->starts || !t->ids || !t->changed)
        return err_set(e, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < t->n; i++) {
        const char *end = memchr(bytes + at, '\n', n - at);

        t->starts[i] = at;
        at = end ? (size_t)(end - bytes) + 1 : n;
    }
    t->starts[t->n] = n;
    return 0;
}

static uint32_t
hash(const char *bytes, size_t n)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * 16777619u;
    return h;
}

/* Lines that were met, each with where it was first: an open table. */
struct known {
    const struct diff_text **text;
    size_t *line;
    size_t mask;
    unsigned next;
};

static bool
is_line(const struct diff_text *a, size_t i, const struct diff_text *b,
        size_t j)
{
    size_t n = a->starts[i + 1] - a->starts[i];

    return n == b->starts[j + 1] - b->starts[j] &&
           memcmp(a->bytes + a->starts[i], b->bytes + b->starts[j], n) == 0;
}

static void
number_lines(struct known *k, struct diff_text *t)
{
    for (size_t i = 0; i < t->n; i++) {
        size_t at = hash(t->bytes + t->starts[i],
                         t->starts[i + 1] - t->starts[i]) &
                    k->mask;

        while (k->text[at] && !is_line(k->text[at], k->line[at], t, i))
            at = (at + 1) & k->mask;
        if (k->text[at]) {
            t->ids[i] = k->text[at]->ids[k->line[at]];
            continue;
        }
        k->text[at] = t;
        k->line[at] = i;
        t->ids[i] = k->next++;
    }
}

static int
number_both(struct diff *d, struct err *e)
{
    CLEANUP(free_p) const struct diff_text **text = NULL;
    CLEANUP(free_p) size_t *line = NULL;
    size_t room = 16;

    while (room < 2 * (d->old.n + d->new.n))
        room *= 2;
    text = calloc(room, sizeof(*text));
    line = calloc(room, sizeof(*line));
    if (!text || !line)
        return err_set(e, ERR_NOMEM, "out of memory");
    number_lines(&(struct known){text, line, room - 1, 0}, &d->old);
    /* the same table goes on with the second text */
    number_lines(&(struct known){text, line, room - 1, (unsigned)d->old.n},
                 &d->new);
    return 0;
}

/* How far the furthest paths of so many edits come, by diagonal: forward from
 * the beginning of a part, backward from its end. */
struct search {
    struct diff *d;
    long *forward, *backward; /* indexed from -COST_MAX - 1 on */
};

/* A part of both texts. */
struct part {
    long a, a_end, b, b_end;
};

/* Diagonals beyond the part's edges are left out. */
static long
lowest(long edits, long height)
{
    return edits > height ? edits - 2 * height : -edits;
}

static long
highest(long edits, long width)
{
    return edits > width ? 2 * width - edits : edits;
}

static bool
is_equal(const struct search *s, const struct part *p, long x, long y,
         bool back)
{
    const unsigned *a = s->d->old.ids, *b = s->d->new.ids;

    return back ? a[p->a_end - 1 - x] == b[p->b_end - 1 - y]
                : a[p->a + x] == b[p->b + y];
}

/* One more edit on every diagonal, from one side. Returns true and the point
 * (from that side) where it meets the other side's paths. */
static bool
advance(const struct search *s, const struct part *p, long edits, bool back,
        long *at_x, long *at_y)
{
    long width = p->a_end - p->a, height = p->b_end - p->b;
    long delta = width - height;
    long *mine = back ? s->backward : s->forward;
    const long *other = back ? s->forward : s->backward;
    long met = back ? edits : edits - 1; /* edits of the other side */
    bool odd = delta % 2 != 0;

    for (long k = lowest(edits, height); k <= highest(edits, width); k += 2) {
        long x = k == -edits || (k != edits && mine[k - 1] < mine[k + 1])
                     ? mine[k + 1]
                     : mine[k - 1] + 1;
        long y = x - k, across = delta - k;

        while (x < width && y < height && is_equal(s, p, x, y, back)) {
            x++;
            y++;
        }
        mine[k] = x;
        if (odd == back || across < lowest(met, height) ||
            across > highest(met, width) || x + other[across] < width)
            continue;
        *at_x = x;
        *at_y = y;
        return true;
    }
    return false;
}

/* A point in the middle of a shortest way; false: it is too long. */
static bool
find_middle(const struct search *s, const struct part *p, long *x, long *y)
{
    s->forward[1] = s->backward[1] = 0;
    for (long edits = 0; edits <= COST_MAX; edits++) {
        if (advance(s, p, edits, false, x, y)) {
            *x += p->a;
            *y += p->b;
            return true;
        }
        if (advance(s, p, edits, true, x, y)) {
            *x = p->a_end - *x;
            *y = p->b_end - *y;
            return true;
        }
    }
    return false;
}

/* Each call halves the edits that are left, so it never nests deeper than
 * COST_MAX has bits. */
static void
compare(const struct search *s, struct part p)
{
    long x, y;

    while (p.a < p.a_end && p.b < p.b_end && is_equal(s, &p, 0, 0, false)) {
        p.a++;
        p.b++;
    }
    while (p.a < p.a_end && p.b < p.b_end && is_equal(s, &p, 0, 0, true)) {
        p.a_end--;
        p.b_end--;
    }
    if (p.a < p.a_end && p.b < p.b_end && find_middle(s, &p, &x, &y)) {
        compare(s, (struct part){p.a, x, p.b, y});
        compare(s, (struct part){x, p.a_end, y, p.b_end});
        return;
    }
    for (long i = p.a; i < p.a_end; i++)
        s->d->old.changed[i] = true;
    for (long i = p.b; i < p.b_end; i++)
        s->d->new.changed[i] = true;
}

static size_t
count_changed(const struct diff_text *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++)
        n += t->changed[i];
    return n;
}

int
diff_make(const char *old, size_t old_n, const char *new, size_t new_n,
          struct diff *out, struct err *e)
{
    CLEANUP(diff_done) struct diff d = {0};
    CLEANUP(free_p)
    long *room = calloc(2 * (2 * COST_MAX + 4), sizeof(*room));
    struct search s = {.d = &d};

    if (!room)
        return err_set(e, ERR_NOMEM, "out of memory");
    if (cut(&d.old, old, old_n, e) < 0 || cut(&d.new, new, new_n, e) < 0 ||
        number_both(&d, e) < 0)
        return -1;
    s.forward = room + COST_MAX + 2;
    s.backward = s.forward + 2 * COST_MAX + 4;
    compare(&s, (struct part){0, (long)d.old.n, 0, (long)d.new.n});
    d.removed = count_changed(&d.old);
    d.added = count_changed(&d.new);
    *out = d;
    d = (struct diff){0};
    return 0;
}

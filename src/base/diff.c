/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.c - which lines of one text are gone in another, and which are new. */
#include "base/diff.h"

#include <stdint.h>
#include <stdio.h>
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
diff_text_done(struct diff_text *t)
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
    diff_text_done(&d->old);
    diff_text_done(&d->new);
}

static size_t
count_text_lines(const char *bytes, size_t n)
{
    size_t lines = 0;

    for (size_t i = 0; i < n; i++)
        lines += bytes[i] == '\n';
    return lines + (n > 0 && bytes[n - 1] != '\n');
}

static int
split_lines(struct diff_text *t, const char *bytes, size_t n, struct err *e)
{
    size_t at = 0;

    *t = (struct diff_text){.bytes = bytes, .n = count_text_lines(bytes, n)};
    if (t->n > DIFF_LINES_MAX)
        return err_set(e, ERR_NOMEM, "more than %d lines", DIFF_LINES_MAX);
    t->starts = calloc(t->n + 1, sizeof(*t->starts));
    t->ids = calloc(t->n + 1, sizeof(*t->ids));
    t->changed = calloc(t->n + 1, sizeof(*t->changed));
    if (!t->starts || !t->ids || !t->changed)
        return err_nomem(e);
    for (size_t i = 0; i < t->n; i++) {
        const char *end = memchr(bytes + at, '\n', n - at);

        t->starts[i] = at;
        at = end ? (size_t)(end - bytes) + 1 : n;
    }
    t->starts[t->n] = n;
    return 0;
}

static uint32_t
hash_line(const char *bytes, size_t n)
{
    uint32_t h = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * 16777619u;
    return h;
}

/* A hash table (open addressing) of the distinct lines, each with its first
 * place. */
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
        size_t at = hash_line(t->bytes + t->starts[i],
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
        return err_nomem(e);
    number_lines(&(struct known){text, line, room - 1, 0}, &d->old);
    /* the second text continues in the same table */
    number_lines(&(struct known){text, line, room - 1, (unsigned)d->old.n},
                 &d->new);
    return 0;
}

/* By diagonal, how far the furthest paths with some number of edits reach:
 * forward from the start of a part, backward from its end. */
struct diff_search {
    struct diff *d;
    long *forward, *backward; /* indexed from -COST_MAX - 1 on */
};

/* A part of both texts. */
struct diff_part {
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
are_lines_equal(const struct diff_search *s, const struct diff_part *p, long x,
                long y, bool back)
{
    const unsigned *a = s->d->old.ids, *b = s->d->new.ids;

    return back ? a[p->a_end - 1 - x] == b[p->b_end - 1 - y]
                : a[p->a + x] == b[p->b + y];
}

/* One more edit on every diagonal, from one side. Returns true and the point
 * (from that side) where it meets the other side's paths. */
static bool
advance(const struct diff_search *s, const struct diff_part *p, long edits,
        bool back, long *at_x, long *at_y)
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

        while (x < width && y < height && are_lines_equal(s, p, x, y, back)) {
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

/* A point in the middle of a shortest edit script; false: the script is too
 * long. */
static bool
find_middle(const struct diff_search *s, const struct diff_part *p, long *x,
            long *y)
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

/* Each call halves the number of edits, so the recursion is at most as deep as
 * COST_MAX has bits. */
static void
compare_parts(const struct diff_search *s, struct diff_part p)
{
    long x, y;

    while (p.a < p.a_end && p.b < p.b_end &&
           are_lines_equal(s, &p, 0, 0, false)) {
        p.a++;
        p.b++;
    }
    while (p.a < p.a_end && p.b < p.b_end &&
           are_lines_equal(s, &p, 0, 0, true)) {
        p.a_end--;
        p.b_end--;
    }
    if (p.a < p.a_end && p.b < p.b_end && find_middle(s, &p, &x, &y)) {
        compare_parts(s, (struct diff_part){p.a, x, p.b, y});
        compare_parts(s, (struct diff_part){x, p.a_end, y, p.b_end});
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
    struct diff_search s = {.d = &d};

    if (!room)
        return err_nomem(e);
    if (split_lines(&d.old, old, old_n, e) < 0 ||
        split_lines(&d.new, new, new_n, e) < 0 || number_both(&d, e) < 0)
        return -1;
    s.forward = room + COST_MAX + 2;
    s.backward = s.forward + 2 * COST_MAX + 4;
    compare_parts(&s, (struct diff_part){0, (long)d.old.n, 0, (long)d.new.n});
    d.removed = count_changed(&d.old);
    d.added = count_changed(&d.new);
    *out = d;
    d = (struct diff){0};
    return 0;
}

/* The unified form: hunks of changed lines with equal ones around them. */

/* A position in both texts, in lines. */
struct spot {
    size_t old, new;
};

static bool
is_over(const struct diff *d, struct spot at)
{
    return at.old >= d->old.n && at.new >= d->new.n;
}

static bool
is_change(const struct diff *d, struct spot at)
{
    return (at.old < d->old.n && d->old.changed[at.old]) ||
           (at.new < d->new.n && d->new.changed[at.new]);
}

/* The end of the hunk that begins at `at`: the first run of more than twice
 * `context` equal lines, of which `context` belong to it. */
static struct spot
find_end(const struct diff *d, struct spot at, size_t context)
{
    struct spot end = at;
    size_t equal = 0;

    while (!is_over(d, at) && equal <= 2 * context) {
        if (is_change(d, at)) {
            at.old += at.old < d->old.n && d->old.changed[at.old];
            at.new += at.new < d->new.n && d->new.changed[at.new];
            equal = 0;
            end = at;
            continue;
        }
        at.old++;
        at.new ++;
        if (++equal <= context)
            end = at;
    }
    return end;
}

static void
put_diff_line(const struct diff_text *t, size_t i, char mark, diff_put *put,
              void *arg)
{
    const char *line = t->bytes + t->starts[i];
    size_t n = t->starts[i + 1] - t->starts[i];
    bool whole = n > 0 && line[n - 1] == '\n';

    put(arg, mark, line, n - whole);
    if (!whole)
        put(arg, '\\', "", 0);
}

static void
put_head(struct spot from, struct spot to, diff_put *put, void *arg)
{
    size_t olds = to.old - from.old, news = to.new - from.new;
    char text[128];
    /* a side without lines has the number of the line before */
    int n = snprintf(text, sizeof(text), "-%zu,%zu +%zu,%zu",
                     from.old + (olds > 0), olds, from.new + (news > 0), news);

    put(arg, '@', text, (size_t)n);
}

static void
put_hunk(const struct diff *d, struct spot from, struct spot to, diff_put *put,
         void *arg)
{
    put_head(from, to, put, arg);
    while (from.old < to.old || from.new < to.new) {
        if (from.old < to.old && d->old.changed[from.old]) {
            put_diff_line(&d->old, from.old++, '-', put, arg);
        } else if (from.new < to.new && d->new.changed[from.new]) {
            put_diff_line(&d->new, from.new ++, '+', put, arg);
        } else {
            put_diff_line(&d->old, from.old, ' ', put, arg);
            from.old++;
            from.new ++;
        }
    }
}

void
diff_unified(const struct diff *d, size_t context, diff_put *put, void *arg)
{
    struct spot at = {0, 0};
    size_t equal = 0;

    while (!is_over(d, at)) {
        struct spot from = at, to;
        size_t before = equal < context ? equal : context;

        if (!is_change(d, at)) {
            at.old++;
            at.new ++;
            equal++;
            continue;
        }
        from.old -= before;
        from.new -= before;
        to = find_end(d, at, context);
        put_hunk(d, from, to, put, arg);
        at = to;
        equal = 0;
    }
}

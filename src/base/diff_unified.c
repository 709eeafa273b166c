/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff_unified.c - a diff as hunks with lines around what changed. */
#include <stdio.h>

#include "base/diff.h"

/* Where both texts are, in lines. */
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
put_line(const struct diff_text *t, size_t i, char mark, diff_put *put,
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
    /* an empty side names the line before it */
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
            put_line(&d->old, from.old++, '-', put, arg);
        } else if (from.new < to.new && d->new.changed[from.new]) {
            put_line(&d->new, from.new ++, '+', put, arg);
        } else {
            put_line(&d->old, from.old, ' ', put, arg);
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

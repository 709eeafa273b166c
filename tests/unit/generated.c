/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generated.c - runs the generators on requests, for their tests. */
#include "generated.h"

#include <stdlib.h>
#include <string.h>

#include "unit_seat.h"

#include "offline/generate/generate.h"

static bool
little_exists(void *arg, const char *path, bool *is_dir)
{
    (void)arg;
    *is_dir = strcmp(path, "docs") == 0 || strcmp(path, "pictures") == 0;
    return *is_dir || strcmp(path, "run.sh") == 0;
}

/* The first of those that fit best. */
static const char *
best_of(const struct shortlist *s)
{
    const struct candidate *best = NULL;

    for (size_t i = 0; i < s->n; i++)
        if (!best || s->v[i].fit > best->fit)
            best = &s->v[i];
    return best ? best->command : "";
}

static size_t
differs(const struct generated *row)
{
    const struct request_world world = {.seat = unit_seat(),
                                        .path = little_exists};
    CLEANUP(free_p) struct shortlist *s = calloc(1, sizeof(*s));
    struct request q = {0};
    size_t wrong;

    assert_non_null(s);
    assert_int_equal(request_read(row->request, &world, &q, NULL), 0);
    for (const struct generator *c = generator_all(); c->name; c++)
        if (strcmp(c->name, "find") != 0)
            assert_int_equal(c->generate(&q, s, NULL), 0);
    wrong = strcmp(best_of(s), row->command) != 0;
    if (wrong)
        print_error("%s\n  is   %s\n  not  %s\n", row->request, best_of(s),
                    row->command);
    shortlist_done(s);
    request_done(&q);
    return wrong;
}

void
generated_check(const struct generated *rows, size_t n)
{
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        wrong += differs(&rows[i]);
    assert_int_equal(wrong, 0);
}

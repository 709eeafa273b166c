/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_candidates.c - runs the generator for find on requests, for its tests.
 */
#include "find_candidates.h"

#include <string.h>

#include "unit_seat.h"

#include "offline/generate/generate.h"

static bool
nothing_there(void *arg, const char *path, bool *is_dir)
{
    (void)arg;
    (void)path;
    *is_dir = false;
    return false;
}

char *
find_candidates_nth(const char *request, size_t k)
{
    const struct request_world world = {.seat = unit_seat(),
                                        .path = nothing_there};
    CLEANUP(shortlist_done) struct shortlist s = {.n = 0};
    CLEANUP(request_done) struct request q = {.n = 0};
    struct err e;

    assert_int_equal(request_read(request, &world, &q, &e), 0);
    assert_int_equal(generate_find(&q, &s, &e), 0);
    return k < s.n ? strdup(s.v[k].command) : NULL;
}

void
find_candidates_check(const struct find_candidates_row *rows, size_t n)
{
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++) {
        CLEANUP(free_p) char *command = find_candidates_nth(rows[i].request, 0);
        const char *have = command ? command : "(nothing)";
        const char *want = rows[i].command ? rows[i].command : "(nothing)";

        if (!strcmp(have, want))
            continue;
        wrong++;
        print_message("# %s\n#   wanted %s\n#   has    %s\n", rows[i].request,
                      want, have);
    }
    assert_int_equal(wrong, 0);
}

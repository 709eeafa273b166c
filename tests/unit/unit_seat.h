/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit_seat.h - the seat of a unit test. */
#ifndef TESTS_UNIT_SEAT_H
#define TESTS_UNIT_SEAT_H

#include "unit.h"

#include <string.h>

#include "base/seat.h"

#define UNIT_SEATS_MAX 256

static inline int
unit_seat_is_same(const struct seat *a, const struct seat *b)
{
    const char *const *x = seat_variables(a), *const *y = seat_variables(b);

    while (*x && *y && strcmp(*x, *y) == 0)
        x++, y++;
    return !*x && !*y && seat_dir(a) && seat_dir(b) &&
           strcmp(seat_dir(a), seat_dir(b)) == 0;
}

/* The seat of the test's process as it is now, after its last chdir and setenv.
 * It stays valid until the program ends. */
static inline const struct seat *
unit_seat(void)
{
    static struct seat *made[UNIT_SEATS_MAX]; /* reachable: no leak */
    static size_t n;
    struct seat *now = seat_of_process(NULL);

    assert_non_null(now);
    if (n > 0 && unit_seat_is_same(made[n - 1], now)) {
        seat_free(now);
        return made[n - 1];
    }
    assert_true(n < UNIT_SEATS_MAX);
    return made[n++] = now;
}

/* A seat in / with these variables alone. The caller frees it. */
static inline struct seat *
unit_seat_with(const char *const *variables)
{
    const struct seat_params p = {.dir = "/", .variables = variables};
    struct err e = {0};
    struct seat *s = seat_new(&p, &e);

    if (!s)
        fail_msg("%s", e.text);
    return s;
}

/* A seat of which only this is known; home and path may be NULL. The caller
 * frees it. */
static inline struct seat *
unit_seat_at(const char *at, const char *home, const char *path)
{
    char set[2][PATH_MAX];
    const char *variables[3] = {0};
    const struct seat_params p = {.dir = at, .variables = variables};
    struct err e = {0};
    struct seat *s;
    size_t n = 0;

    if (home) {
        snprintf(set[n], PATH_MAX, "HOME=%s", home);
        variables[n] = set[n];
        n++;
    }
    if (path) {
        snprintf(set[n], PATH_MAX, "PATH=%s", path);
        variables[n] = set[n];
    }
    if (!(s = seat_new(&p, &e)))
        fail_msg("%s", e.text);
    return s;
}

#endif

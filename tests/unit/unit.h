/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.h - what cmocka.h needs before it, in the order it needs it. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

/* cmocka 2 warns of assert_in_range, and older ones have nothing else. */
#define assert_between(n, least, most) assert_true(is_between(n, least, most))

/* A function, since compilers warn of a limit that a type keeps anyway. */
static inline int
is_between(intmax_t n, intmax_t least, intmax_t most)
{
    return n >= least && n <= most;
}

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif

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
#define assert_between(n, least, most)                                         \
    assert_true((intmax_t)(n) >= (intmax_t)(least) &&                          \
                (intmax_t)(n) <= (intmax_t)(most))

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif

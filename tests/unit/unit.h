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

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif

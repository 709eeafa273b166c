/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effects_find.h - the tests of a call of find, where they are simple. */
#ifndef GUARD_EFFECTS_FIND_H
#define GUARD_EFFECTS_FIND_H

#include <stdint.h>
#include <sys/stat.h>

#include "guard/risk/risk.h"

#define FIND_NAMES_MAX 8

/* n, +n or -n of some unit. */
struct find_number {
    char sign; /* '\0': no such test; '=', '+', '-' */
    uint64_t n;
    uint64_t unit; /* seconds or bytes */
};

/* All of them must hold. */
struct find_tests {
    const char *names[FIND_NAMES_MAX];
    bool any_case[FIND_NAMES_MAX]; /* -iname */
    size_t n_names;
    const char *left_out[FIND_NAMES_MAX]; /* ! -path: each begins with a star */
    size_t n_left_out;
    char type; /* f, d, l; '\0': any */
    bool empty;
    bool deletes; /* what is in a directory goes before it is asked about */
    struct find_number age, size;
    unsigned min_depth, max_depth;
    bool narrow; /* some test but -type: not everything is meant */
};

/* Reads what stands behind the roots, actions left out. False: a test, an
 * operator or an expansion that we do not know. */
bool find_tests_read(const struct risk_call *call, struct find_tests *out);

/* Whether a file at a depth below the root holds. */
bool find_tests_hold(const struct find_tests *t, const char *path,
                     const struct stat *st, unsigned depth);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find_tests.h - reads the simple tests of a call of find, and applies them. */
#ifndef GUARD_EFFECTS_FIND_TESTS_H
#define GUARD_EFFECTS_FIND_TESTS_H

#include <stdint.h>
#include <sys/stat.h>

#include "guard/risk/risk.h"

#define FIND_NAMES_MAX 8

/* n, +n or -n of a unit. */
struct find_number {
    char sign; /* '\0': there is no such test; '=', '+', '-' */
    uint64_t n;
    uint64_t unit; /* in seconds or bytes */
};

/* A file must pass all of them. */
struct find_tests {
    const char *names[FIND_NAMES_MAX];
    bool any_case[FIND_NAMES_MAX]; /* it is an -iname */
    size_t n_names;
    const char *excluded[FIND_NAMES_MAX]; /* ! -path: begin with a star */
    size_t n_excluded;
    char type; /* f, d, l; '\0': any */
    bool empty;
    bool deletes; /* a directory's entries are deleted before it is tested */
    struct find_number age, size;
    unsigned min_depth, max_depth;
    bool narrow; /* some test other than -type: not every file is meant */
};

/* Reads the expression behind the roots, without its actions. False: it has a
 * test, an operator or an expansion that is not known here. */
bool find_tests_read(const struct risk_call *call, struct find_tests *out);

/* Whether a file at this depth below the root passes. */
bool find_tests_hold(const struct find_tests *t, const char *path,
                     const struct stat *st, unsigned depth);

#endif

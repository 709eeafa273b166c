/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - the strict reading of JSON text, into a tree or only through it.
 *
 * Only json/ includes this. */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <string.h>

#include "json/tree.h"

struct json_scan {
    const char *text;
    size_t n, pos;
    struct json_build *build; /* where values go; NULL: only check */
    struct err *e;
    size_t values; /* seen so far */
    size_t depth;
    char closer[JSON_DEPTH_MAX]; /* what ends each open container */
};

/* Reads one value at pos, blanks before it allowed, and leaves pos behind
 * it. -1: e says what stands where. */
int json_scan_value(struct json_scan *s);

/* The text of a string, pos being at its '"', is put where the build's next
 * text goes, without an end. */
int json_scan_string(struct json_scan *s);
void json_scan_blanks(struct json_scan *s);

/* Fails with "byte N: expected WHAT, found …". */
int json_scan_expected(struct json_scan *s, const char *what);

/* ---- what the two files of the scanner share */

static inline int
scan_peek(const struct json_scan *s)
{
    return s->pos < s->n ? (unsigned char)s->text[s->pos] : -1;
}

static inline bool
scan_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline void
scan_put(struct json_scan *s, const char *bytes, size_t n)
{
    if (!s->build)
        return;
    memcpy(s->build->to, bytes, n);
    s->build->to += n;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - the strict check that stands before cJSON.
 *
 * cJSON takes more than RFC 8259 has and keeps less: text after a NUL, digits
 * beyond a double, control characters, bad UTF-8. So the text is checked here
 * and written anew, without blanks, in a form where cJSON loses nothing:
 *
 *     U+0000 and U+0001 in a string   SCAN_MARK '0', SCAN_MARK '1'
 *     a number, say 1e400             a string: SCAN_MARK '#' 1e400
 *     a long string (aside.h)         a string: SCAN_MARK '@' PLACE LENGTH
 *
 * The mark is a control character, which no valid text has unescaped.
 * parse.c undoes all of them in cJSON's tree. Only json/ includes this. */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include "base/buf.h"
#include "json/json.h"

#define SCAN_MARK        '\001'
#define SCAN_MARK_NUMBER '#'
#define SCAN_MARK_ASIDE  '@'

/* Longest rewriting of n bytes: a lone digit becomes 5, and two numbers have
 * a comma between them. */
#define SCAN_OUT_MAX(n) (3 * (n) + 2)

struct json_scan {
    const char *text;
    size_t n, pos;
    struct buf *out; /* where the rewritten text goes; NULL: only check */
    struct err *e;
    size_t run;    /* start of the text not yet copied to out */
    size_t values; /* seen so far */
    size_t depth;
    char closer[JSON_DEPTH_MAX]; /* what ends each open container */
};

/* Reads one value at pos, blanks before it allowed, and leaves pos behind
 * it. -1: e says what stands where. */
int json_scan_value(struct json_scan *s);

/* pos is at its '"'. What is a name may not go aside. */
int json_scan_string(struct json_scan *s, bool name);
void json_scan_blanks(struct json_scan *s);

/* Fails with "byte N: expected WHAT, found …". */
int json_scan_expected(struct json_scan *s, const char *what);

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
scan_emit(struct json_scan *s, const char *bytes, size_t n)
{
    if (s->out)
        buf_add(s->out, bytes, n);
}

/* Copies what was read since the run began and begins the next one here. */
static inline void
scan_emit_run(struct json_scan *s)
{
    scan_emit(s, s->text + s->run, s->pos - s->run);
    s->run = s->pos;
}

#endif

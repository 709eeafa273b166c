/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - checks JSON text strictly, before cJSON reads it.
 *
 * cJSON accepts more than RFC 8259 and keeps less: text after a NUL, digits
 * beyond a double, control characters, invalid UTF-8. So the text is checked
 * here and rewritten, without blanks, in a form of which cJSON loses nothing:
 *
 *     U+0000 and U+0001 in a string   SCAN_MARK '0', SCAN_MARK '1'
 *     a number, say 1e400             a string: SCAN_MARK '#' 1e400
 *     a long string (see below)       a string: SCAN_MARK '@' PLACE LENGTH
 *
 * The mark is a control character, which no valid text has unescaped.
 * json_parse.c undoes all of them in cJSON's tree. Only json/ includes this. */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stddef.h>

#include "base/buf.h"
#include "json/json.h"

#define SCAN_MARK             '\001'
#define SCAN_MARK_NUMBER      '#'
#define SCAN_MARK_LONG_STRING '@'

/* A string that takes this many bytes as written, or more, stays where it is:
 * only a mark of up to 24 bytes with its place goes through cJSON, which would
 * copy it and look at each byte twice. A file that a tool read is one string of
 * a hundred kilobytes and more. */
#define SCAN_LONG_STRING_BYTES 256

/* The longest rewriting of n bytes: a single digit becomes 5 bytes, and two
 * numbers have a comma between them. */
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

/* Scans one value at pos, with white space before it, and moves pos behind it.
 * -1: s->e says what is wrong, and where. */
int json_scan_value(struct json_scan *s);

void json_scan_blanks(struct json_scan *s);

/* Fails with "byte N: expected WHAT, found …". */
int json_scan_expected(struct json_scan *s, const char *what);

static inline int
scan_peek(const struct json_scan *s)
{
    return s->pos < s->n ? (unsigned char)s->text[s->pos] : -1;
}

static inline void
scan_emit(struct json_scan *s, const char *bytes, size_t n)
{
    if (s->out)
        buf_add(s->out, bytes, n);
}

/* Copies the text since the start of the run, and starts the next run at pos.
 */
static inline void
scan_emit_run(struct json_scan *s)
{
    scan_emit(s, s->text + s->run, s->pos - s->run);
    s->run = s->pos;
}

#endif

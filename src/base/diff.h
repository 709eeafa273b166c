/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.h - compares two texts line by line.
 *
 * The result is the shortest edit script (Myers, "An O(ND) Difference Algorithm
 * and Its Variations", 1986, in linear space). To bound the time, a part that
 * needs more than some thousand edits is reported as replaced as a whole. A
 * line is the bytes up to a newline; the caller escapes them for display. */
#ifndef BASE_DIFF_H
#define BASE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define DIFF_LINES_MAX 200000 /* a text; 10 MB of memory for two such */

/* A text split into lines; a line includes its newline, if it has one. */
struct diff_text {
    const char *bytes; /* borrowed for as long as the diff lives */
    size_t *starts;    /* n + 1 offsets: the last one is the text's end */
    unsigned *ids;     /* equal lines of both texts have equal ids */
    bool *changed;     /* removed from the old text, or added in the new */
    size_t n;
};

struct diff {
    struct diff_text old, new;
    size_t removed, added; /* lines */
};

/* Whether it is text and not binary: no NUL in its first bytes. */
bool diff_is_text(const char *bytes, size_t n);

/* Compares two texts. ERR_NOMEM: more than DIFF_LINES_MAX lines. After success
 * out needs diff_done. */
int diff_make(const char *old, size_t old_n, const char *new, size_t new_n,
              struct diff *out, struct err *e);
void diff_done(struct diff *d); /* accepts NULL */

/* Receives each line of a unified diff, without its newline. mark is '@' (line
 * is the head of a hunk, "-1,3 +1,4"), ' ', '-', '+', or '\\' behind a line
 * without a newline (line is then empty). */
typedef void diff_put(void *arg, char mark, const char *line, size_t n);
void diff_unified(const struct diff *d, size_t context, diff_put *put,
                  void *arg);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.h - which lines of one text are gone in another, and which are new.
 *
 * The shortest way from one to the other (Myers, "An O(ND) Difference
 * Algorithm and Its Variations", 1986, in linear space), as long as it is not
 * long: a part that needs more than some thousand single lines is told as
 * replaced, so that time is bounded too. Lines are bytes up to a newline; what
 * is in them is the caller's to escape. */
#ifndef BASE_DIFF_H
#define BASE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define DIFF_LINES_MAX 200000 /* a text; 10 MB of memory for two such */

/* One text cut into lines, each with its newline where it has one. */
struct diff_text {
    const char *bytes; /* the caller's, for as long as the diff */
    size_t *starts;    /* n + 1: the last one is where the text ends */
    unsigned *ids;     /* the same for the same line in both texts */
    bool *changed;     /* gone from the old, or new in the new */
    size_t n;
};

struct diff {
    struct diff_text old, new;
    size_t removed, added; /* lines */
};

/* Whether a text can be shown by lines: no NUL in its first bytes. */
bool diff_is_text(const char *bytes, size_t n);

/* ERR_NOMEM past DIFF_LINES_MAX. out needs diff_done when 0. */
int diff_make(const char *old, size_t old_n, const char *new, size_t new_n,
              struct diff *out, struct err *e);
void diff_done(struct diff *d); /* accepts NULL */

/* Called for each line of a unified diff: mark is '@' (line is the head of a
 * hunk, "-1,3 +1,4"), ' ', '-', '+', or '\\' after a line that has no newline
 * (then line is empty). Without its newline. */
typedef void diff_put(void *arg, char mark, const char *line, size_t n);
void diff_unified(const struct diff *d, size_t context, diff_put *put,
                  void *arg);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grep.h - what a request wants of the lines of files. */
#ifndef OFFLINE_GREP_H
#define OFFLINE_GREP_H

#include "offline/compose/sketch.h"

#define GREP_PATTERNS 4

struct grep_wish {
    const struct literal *pattern[GREP_PATTERNS];
    size_t n;
    const char *expression; /* instead: of a class, "[0-9]" */
    bool blank;             /* instead: lines with nothing in them */
    bool starts, ends;      /* the line does so */
    bool both;              /* all of the patterns, not one of them */
    bool invert;            /* the lines without it */
    bool fixed;             /* the pattern is no expression */
    bool matched;           /* a verb says that lines match it */
};

/* Finds what is looked for and marks it. false: nothing is. */
bool grep_read_pattern(struct sketch *k, struct grep_wish *w);
/* Appends it in quotes; the first of several that all have to be
 * there, -e before each of others. */
void grep_put_pattern(struct sketch *k, const struct grep_wish *w);
/* Behind the files: the others of several that all have to be there. */
void grep_put_rest(struct sketch *k, const struct grep_wish *w);

#endif

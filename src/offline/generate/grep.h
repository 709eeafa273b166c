/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grep.h - which lines of files a request asks for. */
#ifndef OFFLINE_GENERATE_GREP_H
#define OFFLINE_GENERATE_GREP_H

#include "offline/generate/builder.h"

#define GREP_PATTERNS 4

struct grep_params {
    const struct literal *pattern[GREP_PATTERNS];
    size_t n;
    const char *expression; /* in place of patterns: a class, "[0-9]" */
    bool blank;             /* in place of patterns: empty lines */
    bool starts, ends;      /* the line starts, ends with it */
    bool both;              /* all of the patterns, not one of them */
    bool invert;            /* lines without it */
    bool fixed;             /* the pattern is a fixed text */
    bool matched;           /* a verb of the request says "match" */
};

/* Finds the pattern and marks its words. Returns false when there is none. */
bool grep_read_pattern(struct builder *k, struct grep_params *w);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_split.h - where one markdown block ends, told line by line.
 *
 * Only the outermost blocks matter: what is inside a list item or a quotation
 * is md4c's. For markdown.c alone. */
#ifndef TERM_MD_SPLIT_H
#define TERM_MD_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

/* What the next line is to the block so far. */
#define MD_CUT_BEFORE 1u /* the block ended before this line */
#define MD_CUT_AFTER  2u /* and the one with this line ends with it */
#define MD_FENCE      4u /* it opens a code block of its own */
#define MD_GAP        8u /* it is empty */

struct md_fence {
    char mark;     /* '`' or '~'; 0: none is open */
    size_t length; /* of the run of marks */
    size_t indent; /* columns in front of it */
};

struct md_split {
    bool open;             /* lines were added since the last cut */
    bool list;             /* the block is a list item */
    bool blank;            /* its last line was empty */
    bool text;             /* its last line may go on as a paragraph */
    size_t inside;         /* columns that a line of the item is indented by */
    struct md_fence fence; /* open inside the item, or by itself */
};

/* What to do with a line (without its newline); s learns from it. */
unsigned md_split_line(struct md_split *s, const char *line, size_t n);

/* The line ends the fenced code block. */
bool md_fence_ends(const struct md_fence *f, const char *line, size_t n);

#endif

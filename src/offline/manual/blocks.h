/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks.h - a manual page as a list of headings, tags and paragraphs.
 *
 * This is what man(7) and mdoc(7) have in common once their macros are read. A
 * tag is the part that hangs out at the left ("-x, --extract"); its explanation
 * is the text behind it with a larger indent. When there is no more memory, or
 * a bound below is reached, the rest of the page is dropped: text.bad is set
 * then. */
#ifndef OFFLINE_MANUAL_BLOCKS_H
#define OFFLINE_MANUAL_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "offline/manual/roff.h"

enum block_kind {
    BLOCK_SECTION, /* NAME, OPTIONS, … */
    BLOCK_SUBSECTION,
    BLOCK_TAG,
    BLOCK_TEXT, /* a paragraph; it has '\n' where the page breaks the line */
};

struct page_block {
    enum block_kind kind;
    unsigned indent; /* the explanation of a tag has a larger one */
    size_t at;       /* offset of the text: use blocks_text() */
};

struct blocks {
    struct page_block *v;
    size_t n, cap;
    struct buf text;
    struct page_block next; /* the block that the next text begins */
    bool open;              /* the last block still takes text */
    bool keep_lines;        /* no filling: between .nf and .fi */
    bool at_break;          /* the next text begins a new line */
};

#define BLOCKS_TEXT_MAX (8 * 1024 * 1024)
#define BLOCKS_MAX      65536

void blocks_init(struct blocks *b);
void blocks_done(struct blocks *b); /* accepts NULL */

/* Lets the next text begin a block. A block that gets no text is not kept. */
void blocks_begin(struct blocks *b, enum block_kind kind, unsigned indent);

/* Adds a line of plain text (roff_plain()). A blank or a newline is put before
 * it, unless the text before ended in ROFF_JOIN. */
void blocks_add(struct blocks *b, const char *text);
void blocks_break(struct blocks *b); /* begin a new line */

/* The text of block i, with the marks of roff.h. Borrowed. */
const char *blocks_text(const struct blocks *b, size_t i);

/* The two macro packages: each reads from `line`, the first macro line of a
 * page, to the end of the page. */
void man_read(struct roff *r, struct roff_line *line, struct blocks *b);
void mdoc_read(struct roff *r, struct roff_line *line, struct blocks *b);

#endif

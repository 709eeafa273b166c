/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocks.h - a manual page as headings, tags and paragraphs.
 *
 * What man(7) and mdoc(7) have in common once their macros are read: a tag is
 * the part that hangs out at the left ("-x, --extract"), its explanation is
 * the deeper text behind it. */
#ifndef OFFLINE_BLOCKS_H
#define OFFLINE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum block_kind {
    BLOCK_SECTION, /* NAME, OPTIONS, … */
    BLOCK_SUBSECTION,
    BLOCK_TAG,
    BLOCK_TEXT, /* a paragraph; '\n' where the page forces a line's end */
};

struct block {
    enum block_kind kind;
    unsigned indent; /* what belongs to a tag has a greater one */
    size_t at;       /* its text: use blocks_text */
};

struct blocks {
    struct block *v;
    size_t n, cap;
    struct buf text;
    struct block next; /* begins with the next text */
    bool open;         /* the last block takes more text */
    bool keep_lines;   /* between .nf and .fi */
    bool at_break;     /* the next text begins a line */
};

#define BLOCKS_TEXT_MAX (8 * 1024 * 1024)
#define BLOCKS_MAX      65536

void blocks_init(struct blocks *b);
void blocks_done(struct blocks *b);

/* What is added next begins a block; one that gets no text never was. */
void blocks_begin(struct blocks *b, enum block_kind kind, unsigned indent);

/* Adds a line of plain text (roff_plain): a blank, or a line's end, before
 * it unless the last one ended in ROFF_JOIN. */
void blocks_add(struct blocks *b, const char *text);
void blocks_break(struct blocks *b); /* the next line stands by itself */

/* The text of block i, marks of roff.h included. */
const char *blocks_text(const struct blocks *b, size_t i);

/* Reads a page's source, man(7) or mdoc(7), into blocks. */
int blocks_read_page(struct blocks *b, const char *text, size_t n,
                     struct err *e);

#endif

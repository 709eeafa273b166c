/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - lines of text with a cursor in them.
 *
 * The tail of all that was written: when it is full, the older half goes.
 * The cursor edits only near the end (a few thousand bytes), so that no
 * output, however made, costs more than a little a byte. */
#ifndef REPL_PAGE_H
#define REPL_PAGE_H

#include <stdbool.h>

#include "base/buf.h"

#define PAGE_MAX 65536 /* at least this much of the tail is kept */

struct page {
    struct buf text; /* made with a maximum of 2 * PAGE_MAX */
    size_t row;      /* where the cursor's line begins */
    size_t at;       /* the cursor; row <= at <= end of the line */
};

/* Appends lines that hold no control characters but newlines and tabs, nor
 * carriage returns save before a newline (those are dropped): nearly all
 * there is, at about a nanosecond a byte. Returns how many bytes it took: it
 * stops at others, and takes none when the cursor is not at the end. */
size_t page_append(struct page *pg, const char *p, size_t n);

/* Puts one byte at the cursor, over the character there. */
void page_put(struct page *pg, char c);

void page_new_line(struct page *pg); /* to the next line, made if need be */
void page_return(struct page *pg);   /* to the line's first column */
void page_left(struct page *pg);
void page_up(struct page *pg, int lines);
void page_down(struct page *pg, int lines);
/* To a column from the line's start; blanks where there is no text yet. */
void page_to_column(struct page *pg, int column);
int page_column(const struct page *pg);

void page_delete_chars(struct page *pg, int n);
/* 0: from the cursor, 1: before it, 2: all of the line */
void page_erase_line(struct page *pg, int how);
void page_erase_below(struct page *pg);
void page_erase_all(struct page *pg);

#endif

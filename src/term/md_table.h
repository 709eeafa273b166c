/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md_table.h - lays out a markdown table; for md_render.c. */
#ifndef TERM_MD_TABLE_H
#define TERM_MD_TABLE_H

#include <stddef.h>

#include "base/buf.h"
#include "term/term.h"

/* Further columns are dropped: no line could show them. */
#define MD_TABLE_COLUMNS_MAX 32

/* Ends a line, and removes its trailing blanks. */
void md_end_line(struct buf *out);

enum md_align { MD_TABLE_LEFT, MD_TABLE_CENTER, MD_TABLE_RIGHT };

struct md_table {
    struct buf cells;       /* texts, each with a NUL, row by row */
    size_t columns, column; /* in a row; the next one to add */
    size_t rows;
    enum md_align align[MD_TABLE_COLUMNS_MAX];
};

void md_table_init(struct md_table *tb, size_t columns);
void md_table_done(struct md_table *tb); /* accepts NULL */

/* Adds the next cell of the row; its text is already escaped. */
void md_table_cell(struct md_table *tb, const char *text, size_t n,
                   enum md_align align);
void md_table_end_row(struct md_table *tb);

/* Appends the table, with its first row as head, in lines of at most `width`
 * columns where possible, each behind `prefix`. */
void md_table_draw(const struct md_table *tb, const struct term *t,
                   size_t width, const char *prefix, struct buf *out);

#endif

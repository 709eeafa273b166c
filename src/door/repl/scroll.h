/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scroll.h - lines of text with a cursor in them.
 *
 * The tail of all that was written: when it is full, the older half goes.
 * The cursor edits only near the end (a few thousand bytes), so that no
 * output, however made, costs more than a little a byte. */
#ifndef REPL_SCROLL_H
#define REPL_SCROLL_H

#include <stdbool.h>

#include "base/buf.h"

#define SCROLL_MAX 65536 /* at least this much of the tail is kept */

struct scroll {
    struct buf text; /* made with a maximum of 2 * SCROLL_MAX */
    size_t row;      /* where the cursor's line begins */
    size_t at;       /* the cursor; row <= at <= end of the line */
};

/* Appends lines that hold no control characters but newlines and tabs, nor
 * carriage returns save before a newline (those are dropped): nearly all
 * there is, at about a nanosecond a byte. Returns how many bytes it took: it
 * stops at others, and takes none when the cursor is not at the end. */
size_t scroll_append(struct scroll *sc, const char *p, size_t n);

/* Puts one byte at the cursor, over the character there. */
void scroll_put(struct scroll *sc, char c);

void scroll_new_line(struct scroll *sc); /* to the next line, made if need be */
void scroll_return(struct scroll *sc);   /* to the line's first column */
void scroll_left(struct scroll *sc);
void scroll_up(struct scroll *sc, int lines);
void scroll_down(struct scroll *sc, int lines);
/* To a column from the line's start; blanks where there is no text yet. */
void scroll_to_column(struct scroll *sc, int column);
int scroll_column(const struct scroll *sc);

void scroll_delete_chars(struct scroll *sc, int n);
/* 0: from the cursor, 1: before it, 2: all of the line */
void scroll_erase_line(struct scroll *sc, int how);
void scroll_erase_below(struct scroll *sc);
void scroll_erase_all(struct scroll *sc);

#endif

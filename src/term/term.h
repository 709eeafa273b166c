/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term.h - what the terminal is, and its modes.
 *
 * term/ is everything between us and a person's eyes and hands: styles,
 * hostile bytes made visible, columns, markdown, menus, the live line. It
 * must not know what a plan or a model is: it is given text and rows. Text
 * from outside goes through escape.h (what a person judges) or filter.h (what
 * a command prints) before it is written. What fails: ERR_DENIED when there
 * is nobody to ask, ERR_INTERRUPTED when the person, a signal or a hang-up
 * ended a question, ERR_IO. */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "base/buf.h"
#include "base/err.h"

#define TERM_COLUMNS_DEFAULT 80 /* when nobody tells */
#define TERM_ROWS_DEFAULT    24

/* Fields are read by anybody, and written by this module alone. */
struct term {
    int out;             /* where text goes; the caller's descriptor */
    int in;              /* where keys come from; -1 until term_keys */
    bool tty;            /* out is a terminal */
    bool color;          /* it wants SGR sequences */
    bool moves;          /* it obeys CR and erasing: not TERM=dumb */
    bool unicode;        /* the locale's characters are UTF-8 */
    bool in_owned;       /* in was opened here and is closed here */
    bool changed;        /* the mode of in is ours at the moment */
    int columns, rows;   /* never below 1; see term_measure */
    unsigned joins;      /* WIDTH_ flags of width.h; by emoji.c */
    bool joins_known;    /* it was asked */
    struct termios sane; /* the mode to go back to while changed */
    struct termios ours; /* the mode to return to after a stop */
};

/* Looks at fd and the environment. NO_COLOR (when not empty), TERM missing or
 * "dumb", no_color (--no-color) and a pipe each turn colour off. LC_ALL,
 * LC_CTYPE, LANG decide about unicode; setlocale need not have been called. */
void term_init(struct term *t, int fd, bool no_color);

/* Restores the mode and closes what was opened. Accepts NULL. */
void term_done(struct term *t);
#define CLEANUP_TERM CLEANUP(term_done)

/* Asks for the size again (TIOCGWINSZ, then COLUMNS and LINES, then 80 by
 * 24): after SIGWINCH, or before drawing. */
void term_measure(struct term *t);

/* Finds the keyboard: standard input where it is a terminal, else /dev/tty
 * (so that `cat x | ai do …` can ask). ERR_DENIED when out is no terminal or
 * the process has none. Harmless when called again. */
int term_keys(struct term *t, struct err *e);

/* Single keys, not shown; Ctrl-C stays a signal. What was typed before is
 * thrown away, so that it cannot answer a question not yet seen. */
int term_mode_keys(struct term *t, struct err *e);
/* Whole lines, shown, edited by the terminal; what was typed before is thrown
 * away here too. */
int term_mode_lines(struct term *t, struct err *e);
/* Back to the mode that was there before. A process in the background leaves
 * the terminal alone: its shell has already put it right. */
void term_mode_restore(struct term *t);

/* Stops the process as Ctrl-Z asks, with the terminal's own mode; returns
 * after `fg`, in the mode that was there. The caller draws again. */
void term_suspend(struct term *t);

/* Another open file on the terminal fd, CLOEXEC: a flag such as O_NONBLOCK on
 * fd itself would be on those of others who have it too. -1 with errno. */
int term_open_again(int fd, int flags);

/* Writes it all to out, and empties b. */
int term_write(const struct term *t, const void *bytes, size_t n,
               struct err *e);
int term_put(const struct term *t, struct buf *b, struct err *e);

#endif

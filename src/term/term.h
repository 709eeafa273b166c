/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term.h - the terminal: its properties, its modes, and writing to it.
 *
 * The folder term/ holds everything that a terminal shows and asks: styles,
 * escapes for hostile bytes, column widths, markdown, menus, the progress line.
 * It must not know what a plan or a model is: it gets text and rows. Text from
 * outside is passed through escape.h (what a person approves) or term_filter.h
 * (what a command prints) before it is written. What can fail: ERR_DENIED,
 * there is nobody to ask; ERR_INTERRUPTED, the person, a signal or a hang-up
 * ended a question; ERR_IO. */
#ifndef TERM_TERM_H
#define TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "base/buf.h"
#include "base/err.h"

#define TERM_COLUMNS_DEFAULT 80 /* where the size is unknown */
#define TERM_ROWS_DEFAULT    24

/* Any module may read the fields; only term/ writes them. */
struct term {
    int out;             /* where text goes; the caller's descriptor */
    int in;              /* the keyboard; -1 until term_keys */
    bool tty;            /* out is a terminal */
    bool color;          /* SGR sequences are wanted */
    bool moves;          /* it supports CR and erasing: not TERM=dumb */
    bool plain;          /* no symbols, columns or redrawing: term_set_plain */
    bool words;          /* questions are answered by a word and Enter */
    bool unicode;        /* the locale's encoding is UTF-8 */
    bool in_owned;       /* in was opened by term_keys */
    bool changed;        /* in has our mode at the moment */
    int columns, rows;   /* never below 1; see term_measure */
    unsigned joins;      /* WIDTH_ flags of width.h, from emoji_width.c */
    bool joins_known;    /* the terminal was queried for them */
    int keeper;          /* what terminal_keeper_start returned, and 1 more; 0:
                            it was not called yet, or failed */
    struct termios sane; /* the mode to restore, while changed */
    struct termios ours; /* our mode, to set again after a stop */
};

/* Examines fd and the environment. Colour is off with NO_COLOR (not empty),
 * with TERM unset or "dumb", with no_color (--no-color), and on a pipe. LC_ALL,
 * LC_CTYPE and LANG decide about unicode; setlocale(3) is not needed. With
 * ACCESSIBLE set, but for 0, it is as after term_set_plain; with TERM=dumb too,
 * but a key still answers a question there. */
void term_init(struct term *t, int fd, bool no_color);

/* Shows text for a screen reader or a braille line from now on: words in place
 * of symbols and of what only a colour or a column says, nothing redrawn or
 * erased, progress as a line every PROGRESS_LINE_PLAIN_MS, and questions that
 * a word and Enter answer. */
void term_set_plain(struct term *t);

/* Restores the mode and closes the keyboard, if it was opened. Accepts NULL. */
void term_done(struct term *t);
#define CLEANUP_TERM CLEANUP(term_done)

/* Updates columns and rows (TIOCGWINSZ, else COLUMNS and LINES, else 80 by 24):
 * after SIGWINCH, or before drawing. */
void term_measure(struct term *t);

/* Finds the keyboard: standard input where it is a terminal, else /dev/tty, so
 * that `cat x | ai do …` can ask. ERR_DENIED: out is no terminal, or there is
 * no controlling one. May be called again. */
int term_keys(struct term *t, struct err *e);

/* Sets the mode for single keys without echo; Ctrl-C remains a signal. Input
 * typed before is discarded, so that it cannot answer a question not yet seen.
 */
int term_mode_keys(struct term *t, struct err *e);
/* Sets the mode for lines, echoed and edited by the terminal; input typed
 * before is discarded too. */
int term_mode_lines(struct term *t, struct err *e);
/* The same without echo, for a password or a key. */
int term_mode_secret(struct term *t, struct err *e);
/* Restores the mode from before. A background process does nothing: its shell
 * has already restored it. */
void term_mode_restore(struct term *t);

/* Stops the process as Ctrl-Z does, with the terminal's own mode; returns after
 * `fg`, in the mode that was set. The caller draws again. */
void term_suspend(struct term *t);

/* Opens the terminal of fd once more, with CLOEXEC: a flag such as O_NONBLOCK
 * on fd itself would affect all who share the open file. -1 with errno. */
int term_open_again(int fd, int flags);

/* Both write everything to out; term_put empties b. */
int term_write(const struct term *t, const void *bytes, size_t n,
               struct err *e);
int term_put(const struct term *t, struct buf *b, struct err *e);

#endif

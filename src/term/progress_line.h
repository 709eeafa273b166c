/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress_line.h - shows what the program waits for, in one temporary line.
 *
 *     ⠹ asking qwen3-4b · 1.2 s
 *     ⠼ step 2 of 3 · 14 s · Unpacking libfoo (2.1-3) …
 *
 * It appears after PROGRESS_LINE_DELAY_MS, is redrawn about ten times a second
 * by a timer of the loop, and is truncated to the width of the terminal. On a
 * pipe nothing is drawn; the functions work all the same. A terminal that is
 * stopped (Ctrl-S) is not written to.
 *
 * Where the terminal is plain nothing is redrawn: a line of its own is printed
 * every PROGRESS_LINE_PLAIN_MS, and stays. */
#ifndef TERM_PROGRESS_LINE_H
#define TERM_PROGRESS_LINE_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/loop.h"
#include "term/term.h"

#define PROGRESS_LINE_TICK_MS 100
/* Nothing that is faster shows a line. */
#define PROGRESS_LINE_DELAY_MS 300
#define PROGRESS_LINE_PLAIN_MS 10000

struct progress_line;

/* `what` is copied and escaped; its clock starts. t is borrowed. */
struct progress_line *progress_line_open(struct loop *l, struct term *t,
                                         const char *what, struct err *e);
/* Erases the line. Accepts NULL. */
void progress_line_close(struct progress_line *v);
DEFINE_CLEANUP(struct progress_line, progress_line_close)

/* Shows another activity; the clock restarts. */
void progress_line_set_text(struct progress_line *v, const char *what);

/* Shows the last line of these bytes behind the time: for output that is not
 * shown itself. */
void progress_line_add_output(struct progress_line *v, const void *bytes,
                              size_t n);

/* Erases the line and writes bytes that are safe to show; the line is drawn
 * again once the output ends with a newline. While the line exists, all output
 * to the terminal is written by this function. */
int progress_line_write(struct progress_line *v, const void *bytes, size_t n,
                        struct err *e);

/* Erases the line until progress_line_show: while a question is on the screen.
 */
void progress_line_hide(struct progress_line *v);
void progress_line_show(struct progress_line *v);

/* Appends what draws the text on the line below the cursor, which stays where
 * it is; "" clears that line. The text is one line, printed as it is. */
void progress_line_put_below(struct buf *out, const char *text);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - one line that says what takes so long, and disappears.
 *
 *     ⠹ asking qwen3-4b · 1.2 s
 *     ⠼ step 2 of 3 · 14 s · Unpacking libfoo (2.1-3) …
 *
 * It appears after LIVE_DELAY_MS, is drawn about ten times a second from the
 * loop's timer, and is cut to the width. On a pipe or TERM=dumb it never
 * draws; live_write and the rest work all the same. A terminal that is
 * stopped (Ctrl-S) is not waited for. */
#ifndef TERM_LIVE_H
#define TERM_LIVE_H

#include <stddef.h>

#include "base/cleanup.h"
#include "base/loop.h"
#include "term/term.h"

#define LIVE_TICK_MS  100
#define LIVE_DELAY_MS 300 /* what is faster than this needs no line */

struct live;

/* `what` is copied and escaped, and the clock starts. t is borrowed. */
struct live *live_open(struct loop *l, struct term *t, const char *what,
                       struct err *e);
/* Erases it. Accepts NULL. */
void live_close(struct live *v);
DEFINE_CLEANUP(struct live, live_close)

/* Another activity; the clock starts anew. */
void live_what(struct live *v, const char *what);

/* The latest line of output is taken from these bytes and shown behind the
 * time; for output that is not shown itself. */
void live_note(struct live *v, const void *bytes, size_t n);

/* Erases the line, writes bytes that are safe to show, and lets the line come
 * back once they have ended with a newline. Every write to the terminal while
 * the line lives goes through here. */
int live_write(struct live *v, const void *bytes, size_t n, struct err *e);

/* Erased and not drawn until live_show: while a question is on the screen. */
void live_hide(struct live *v);
void live_show(struct live *v);

#endif

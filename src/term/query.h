/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query.h - a question to the terminal itself, by the keyboard's line.
 *
 * Nothing that a person types is lost by it: where keys wait already nothing
 * is asked, and what is typed before the reply is put back (TIOCSTI). Of a
 * paste that could not be put back nothing more is read: it stays where it is,
 * and the reply with it. */
#ifndef TERM_QUERY_H
#define TERM_QUERY_H

#include "term/term.h"

#define QUERY_MS    400 /* a reply over a slow line; a later one is typed */
#define QUERY_BYTES 512 /* of replies */

/* Writes the question and reads `want` control sequences that end in `final`
 * (CSI … R is a cursor's position, CSI … c what a terminal can do), each
 * appended to replies without its beginning and end, and a newline. -1: nobody
 * can be asked here, keys wait, keys could not be put back, or the deadline
 * passed; the terminal is as it was then. */
int term_query(struct term *t, const char *question, char final, unsigned want,
               struct buf *replies);

#endif

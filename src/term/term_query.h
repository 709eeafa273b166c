/* SPDX-License-Identifier: GPL-3.0-or-later */
/* term_query.h - queries the terminal by a control sequence and reads the
 * reply.
 *
 * Nothing that a person types is lost: where keys are already waiting there is
 * no query, and keys typed before the reply are put back (TIOCSTI). When more
 * is pasted than could be put back, reading stops: the rest stays in the queue,
 * and the reply with it. */
#ifndef TERM_TERM_QUERY_H
#define TERM_TERM_QUERY_H

#include "term/term.h"

#define QUERY_MS    400 /* for a slow line; a later reply counts as typed */
#define QUERY_BYTES 512 /* of replies */

/* Writes the query and reads `want` control sequences that end in `final` (CSI
 * … R is the cursor's position, CSI … c the terminal's attributes); each is
 * appended to replies without its start and end, with a newline. -1: there is
 * no terminal to query, keys are waiting, keys could not be put back, or the
 * deadline passed; the terminal is then as before. */
int term_query(struct term *t, const char *question, char final, unsigned want,
               struct buf *replies);

#endif

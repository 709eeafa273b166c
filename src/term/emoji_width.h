/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emoji_width.h - measures how wide the terminal shows emoji sequences.
 *
 * Terminals differ: the emoji of a family has two columns on one and eight on
 * another. So the terminal is queried for the cursor's position behind four
 * samples; where that is impossible, a table goes by the terminal's name. */
#ifndef TERM_EMOJI_WIDTH_H
#define TERM_EMOJI_WIDTH_H

#include "term/term.h"

/* Sets t->joins, once for t, if the text contains such a sequence. The cursor
 * is at the start of an empty line, before and afterwards. */
void emoji_width_measure(struct term *t, const char *text, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emoji.h - how wide this terminal shows signs of several characters.
 *
 * There is no rule that all terminals follow: a family is one sign of two
 * columns here and four signs there. So the terminal is asked, by its cursor's
 * position behind four samples; where it cannot be, a table goes by its name.
 */
#ifndef TERM_EMOJI_H
#define TERM_EMOJI_H

#include "term/term.h"

/* Finds it out, once for t, where text has such a sign; the cursor is at the
 * beginning of an empty line, and so it is afterwards. */
void emoji_measure(struct term *t, const char *text, size_t n);

#endif

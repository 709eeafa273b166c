/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spoken_word.h - the plain words of a wish, one after the other. */
#ifndef PERSON_SPOKEN_WORD_H
#define PERSON_SPOKEN_WORD_H

#include <stdbool.h>

#define SPOKEN_WORD_MAX 32 /* bytes and a NUL; what is longer is no word */

/* The next word in lower case; "" for what is none: a name with a dot or a
 * slash, an option, a number. Letters beyond ASCII are as they are. *p moves
 * behind it. false: there is no further. */
bool spoken_word(const char **p, char word[SPOKEN_WORD_MAX]);

#endif

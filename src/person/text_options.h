/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_options.h - where a text ends and the options behind it begin.
 *
 * The rule of ai(1), OPTIONS, which is written here alone. A text is one
 * quoted word or several words; behind it stand options of the verb. A text
 * that is a command line has options of its own: those are of the text, and
 * one that could be either is refused, for to take it or to leave it would be
 * the opposite of what somebody meant. explain runs nothing, so there such an
 * option is the command's. `--` ends options in a text as well. */
#ifndef PERSON_TEXT_OPTIONS_H
#define PERSON_TEXT_OPTIONS_H

#include "person/options.h"

/* Reads options of `known` (FOR_…; without FOR_PLAN the verb only explains)
 * behind the text words[0..*n); *n is then the number of words that are text.
 * ERR_USAGE for one that is unknown, wrong, ambiguous or within the text; o
 * and *n are then unchanged. */
int text_options_read(const char *const *words, int *n, unsigned known,
                      struct options *o, struct err *e);

#endif

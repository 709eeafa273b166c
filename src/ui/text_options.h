/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_options.h - finds where the text of a request ends and options follow.
 *
 * This is the only implementation of the rule in ai(1), OPTIONS. A text is one
 * quoted word or several words; options of the verb may follow it. A text that
 * is a command line has options of its own, which belong to the text. An
 * option that could be either is refused, since both readings may be the
 * opposite of what the user meant. `explain` runs nothing, so there such an
 * option belongs to the command. `--` ends options within a text too. */
#ifndef UI_TEXT_OPTIONS_H
#define UI_TEXT_OPTIONS_H

#include "base/seat.h"
#include "ui/options.h"

/* Reads options of `known` (FOR_…; without FOR_PLAN the verb only explains)
 * that follow the text words[0..*n). *n becomes the number of words that are
 * text. The seat says which programs there are. ERR_USAGE: an option is
 * unknown, wrong, ambiguous or within the text; o and *n are unchanged then. */
int text_options_read(const struct seat *s, const char *const *words, int *n,
                      unsigned known, struct options *o, struct err *e);

#endif

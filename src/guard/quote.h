/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quote.h - a word as a shell and a rule read it. */
#ifndef GUARD_QUOTE_H
#define GUARD_QUOTE_H

#include "base/buf.h"

/* Appends the word, in single quotes where it needs them. */
void quote_word(struct buf *out, const char *word);

#endif

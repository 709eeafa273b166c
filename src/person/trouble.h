/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trouble.h - what is said of an error where no model reads it. */
#ifndef PERSON_TROUBLE_H
#define PERSON_TROUBLE_H

#include <stdbool.h>

#include "action/aiaction.h"

/* Whether the words ask what went wrong ("why did that fail", "explain this
 * error", "fix it") and name nothing that a recipe or a page would be about.
 * piped: a text came with them, and they only point at it. */
bool trouble_is_meant(const char *words, enum aiaction_mode mode, bool piped);

/* Appends, as an answer in Markdown, that it takes a model, and what is known
 * without one: of a text that was piped in, the lines that look like errors;
 * of none, the last command of this session and how it ended. */
void trouble_tell(const struct buf *input, struct buf *out);

#endif

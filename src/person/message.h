/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message.h - the user's message: the wish, and what belongs to it. */
#ifndef PERSON_MESSAGE_H
#define PERSON_MESSAGE_H

#include "model/prompt/origin.h"
#include "person/wish.h"

/* Appends the wish, the tools that a step may name, recipes that are near it,
 * the context and what was piped in, redacted. Notes in o what of it others
 * could have written. */
int message_write(struct app *a, const struct wish *w,
                  const struct model_selection *c, const struct buf *input,
                  struct buf *out, struct origin *o, struct err *e);

#endif

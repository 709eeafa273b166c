/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.h - a call for a server that takes no tools.
 *
 * The tools and how to ask for one stand in the system prompt, calls of the
 * model are its own text again, and results are the user's, between data
 * marks. spoken.h reads what comes back. */
#ifndef MODEL_PLAIN_H
#define MODEL_PLAIN_H

#include "model/provider.h"

struct plain {
    struct call call; /* what is sent instead; borrowed from the original */
    struct model_turn *turns;
    struct buf system;
};

/* Whether c must be sent in this form. */
bool plain_is_needed(const struct call *c);

int plain_init(struct plain *p, const struct call *c, struct err *e);
void plain_done(struct plain *p);

#endif

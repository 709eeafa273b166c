/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harvest.h - inside page_load.c: facts out of blocks. */
#ifndef OFFLINE_HARVEST_H
#define OFFLINE_HARVEST_H

#include "offline/manual/blocks.h"

/* Appends the rows of page.h for what the blocks of the page found as `name`
 * in `section` say. */
void harvest(const struct blocks *b, const char *name, const char *section,
             struct buf *out);

/* Appends the first sentences of a text, at most about 240 bytes: one line
 * without marks; "" when there are no letters in it. */
void harvest_sentence(const char *text, struct buf *out);

/* The same for an option whose value has that name: where the text speaks of
 * it, the name stands between the marks of roff.h. */
void harvest_meaning(const char *text, const char *value, struct buf *out);

#endif

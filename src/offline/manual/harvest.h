/* SPDX-License-Identifier: GPL-3.0-or-later */
/* harvest.h - collects the facts about a program from the blocks of its page.
 */
#ifndef OFFLINE_MANUAL_HARVEST_H
#define OFFLINE_MANUAL_HARVEST_H

#include "offline/manual/blocks.h"

/* Appends the rows of page.h for a page that was found as `name` in `section`:
 * its name, synopsis, options, subcommands and, for bash, its builtins. */
void harvest(const struct blocks *b, const char *name, const char *section,
             struct buf *out);

#endif

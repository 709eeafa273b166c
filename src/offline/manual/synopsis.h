/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synopsis.h - reads the operands of a command from its page's synopsis. */
#ifndef OFFLINE_MANUAL_SYNOPSIS_H
#define OFFLINE_MANUAL_SYNOPSIS_H

#include <stdbool.h>

#include "offline/manual/page.h"

#define SYNOPSIS_SLOTS_MAX 8
#define SYNOPSIS_NAME_SIZE 40

struct synopsis_slot {
    char name[SYNOPSIS_NAME_SIZE]; /* "FILE" */
    bool repeats;                  /* "FILE..." */
    bool behind;                   /* allowed only behind -- */
    const char *meaning;           /* from a table; else NULL */
};

/* Reads the operands from the line of the synopsis that fits n operands best.
 * Returns how many slots it filled. */
size_t synopsis_read(const struct page *p, size_t n,
                     struct synopsis_slot slots[SYNOPSIS_SLOTS_MAX]);

/* The meaning of an operand's name that many pages use ("FILE"); NULL for other
 * names. */
const char *synopsis_meaning(const char *name);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synopsis.h - the operands that a page's synopsis names. */
#ifndef OFFLINE_SYNOPSIS_H
#define OFFLINE_SYNOPSIS_H

#include <stdbool.h>

#include "offline/manual/page.h"

#define SYNOPSIS_SLOTS_MAX 8
#define SYNOPSIS_NAME_SIZE 40

struct synopsis_slot {
    char name[SYNOPSIS_NAME_SIZE]; /* "FILE" */
    bool repeats;                  /* "FILE..." */
    bool behind;                   /* only behind -- */
    const char *meaning;           /* a table's; else NULL */
};

/* The operands of the line of p's synopsis that fits n of them best. Returns
 * how many slots were filled. */
size_t synopsis_read(const struct page *p, size_t n,
                     struct synopsis_slot slots[SYNOPSIS_SLOTS_MAX]);

/* What a name that many pages use means; NULL for others. */
const char *synopsis_meaning(const char *name);

#endif

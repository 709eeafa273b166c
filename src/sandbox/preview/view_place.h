/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_place.h - finds a directory that can hold a copy-on-write view. */
#ifndef SANDBOX_PREVIEW_VIEW_PLACE_H
#define SANDBOX_PREVIEW_VIEW_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/seat.h"

#define VIEW_PLACES 3 /* the state directory, the runtime one, /dev/shm */

/* Why the first place that was tried, and the last one, could not be used. */
struct view_place_errors {
    struct err first, last;
};
void view_place_add_error(struct view_place_errors *whys,
                          const struct err *why);

/* Returns the path of place i, of the seat's person; the caller frees it. NULL:
 * there is none. */
char *view_place_path(const struct seat *s, size_t i);

/* Creates the next place, from number *i on, that may hold a view of the
 * workspace or, with copy, a copy of it, and sets *i behind it. The caller
 * frees the path. NULL: there is none; each place that was tried has added its
 * error to why. *memory: its contents are lost with the machine's power. */
char *view_place_next(const struct seat *s, size_t *i, const char *workspace,
                      bool copy, bool *memory, uint64_t *room_bytes,
                      struct view_place_errors *why);

/* ERR_SANDBOX: no place can hold a view, or a copy. Returns -1. */
int view_place_none(const struct view_place_errors *why, bool copy,
                    struct err *e);

#endif

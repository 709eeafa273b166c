/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_in.h - where views are kept; for view.c. */
#ifndef SANDBOX_VIEW_IN_H
#define SANDBOX_VIEW_IN_H

#include "sandbox/preview/view.h"

#define VIEW_PLACES 3

/* The path of a place, NULL where there is none; the caller frees it. */
char *view_place(size_t i);

/* Makes the first place that can hold a view of the workspace; the caller
 * frees its path. */
char *view_find_place(const char *workspace, bool *memory, uint64_t *room_bytes,
                      struct err *e);

/* Whether a name is one that view_new gives: digits and hyphens. */
bool view_is_id(const char *name);

#endif

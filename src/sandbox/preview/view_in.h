/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_in.h - what view.c, view_new.c and view_place.c share. */
#ifndef SANDBOX_VIEW_IN_H
#define SANDBOX_VIEW_IN_H

#include "sandbox/preview/view.h"

#define VIEW_PLACES 3
#define VIEW_LIST   "copied" /* of what a copy was */

/* One that is nowhere yet. */
struct view *view_alloc(const char *workspace, const char *command,
                        struct err *e);

/* A file of a run, beside upper; -1 with errno. */
int view_open_beside(const struct view *v, const char *name, int flags);

int view_open_workspace(struct view *v, struct stat *st, struct err *e);

/* Opens the record and holds its lock. ERR_PERMISSION: another one does. */
int view_lock(struct view *v, int flags, struct err *e);

/* Writes what view_open reads; `place` is the workspace's. */
int view_write_record(struct view *v, const struct stat *place, struct err *e);

/* What stood in the way of the first place and of the last. */
struct view_whys {
    struct err first, last;
};
void view_add_why(struct view_whys *whys, const struct err *why);

/* The path of a place, NULL where there is none; the caller frees it. */
char *view_place(size_t i);

/* Makes the next place, from number *i on, that may hold a view of the
 * workspace, or (copy) a copy of it, and sets *i behind it; the caller frees
 * its path. NULL: there is none; `why` may have been set by each that is
 * none. *memory: it is lost with the machine's power. */
char *view_next_place(size_t *i, const char *workspace, bool copy, bool *memory,
                      uint64_t *room_bytes, struct view_whys *why);

/* ERR_SANDBOX: no place can hold one. */
int view_no_place(const struct view_whys *why, bool copy, struct err *e);

/* Whether a name is one that view_new gives: digits and hyphens. */
bool view_is_id(const char *name);

#endif

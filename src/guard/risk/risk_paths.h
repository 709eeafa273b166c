/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_paths.h - what it means to touch a path: whose it is, what is lost. */
#ifndef GUARD_RISK_PATHS_H
#define GUARD_RISK_PATHS_H

#include "guard/risk/risk_state.h"

/* Records that an argument's path is touched, and says what follows from it:
 * destructive where something is overwritten or deleted, privileged where only
 * root may write, secret where a key is read. name: the program's, or ">". */
void risk_touch(struct risk_state *st, const struct risk_frame *f,
                const struct risk_arg *a, enum risk_use use, bool recursive,
                const char *name);

/* The same of a path whose entry alone is read, and where it is a directory
 * the names in it: not secret, and privileged only in a closed directory. */
void risk_list(struct risk_state *st, const struct risk_frame *f,
               const struct risk_arg *a, bool recursive, const char *name);

/* Whether something is there that writing to it would overwrite. */
bool risk_exists(struct risk_state *st, const struct risk_arg *a);
bool risk_is_directory(const struct risk_state *st, const struct risk_arg *a);

/* Whether it lies where only root may write. */
bool risk_is_system(const struct risk_state *st, const struct risk_arg *a);

/* Whether what is there to be run is not there yet, and the line has reached
 * out before: then it comes from there. */
bool risk_is_fetched(const struct risk_state *st, const struct risk_arg *a);

/* Whether the line itself makes or changes this path. */
bool risk_is_made(const struct risk_state *st, const struct risk_arg *a);

#endif

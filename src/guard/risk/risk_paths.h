/* SPDX-License-Identifier: GPL-3.0-or-later */
/* risk_paths.h - decides what it means to read, write or delete a path: who
 * owns it, what is lost. */
#ifndef GUARD_RISK_RISK_PATHS_H
#define GUARD_RISK_RISK_PATHS_H

#include "guard/risk/risk_state.h"

/* Records that an argument's path is used, and reports what follows:
 * destructive where something is overwritten or deleted, privileged where only
 * root may write, secret where a key is read. name: the program's, or ">". */
void risk_path_touch(struct risk_state *st, const struct risk_frame *f,
                     const struct risk_arg *a, enum risk_use use,
                     bool recursive, const char *name);

/* The same where only the directory entry is read, or the names in a
 * directory: not secret, and privileged only in a closed directory. */
void risk_path_list(struct risk_state *st, const struct risk_frame *f,
                    const struct risk_arg *a, bool recursive, const char *name);

/* Whether a file exists that writing would overwrite. */
bool risk_path_exists(struct risk_state *st, const struct risk_arg *a);
bool risk_path_is_directory(const struct risk_state *st,
                            const struct risk_arg *a);

/* Whether only root may write there. */
bool risk_path_is_system(const struct risk_state *st, const struct risk_arg *a);

/* Whether a file that is to be run does not exist yet although the line has
 * contacted a host before: then it comes from there. */
bool risk_path_is_fetched(const struct risk_state *st,
                          const struct risk_arg *a);

/* Whether the line itself makes or changes this path. */
bool risk_path_is_made(const struct risk_state *st, const struct risk_arg *a);

#endif

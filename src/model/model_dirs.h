/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_dirs.h - the directories of a seat in which model/ reads and keeps
 * files: consent, caches, prices. */
#ifndef MODEL_MODEL_DIRS_H
#define MODEL_MODEL_DIRS_H

#include "base/seat.h"

/* Absolute; NULL: the seat has none, and nothing is read or kept there. */
struct model_dirs {
    char *config, *state, *cache;
    char *home;
};

/* Those of the seat, which may be freed before them. */
void model_dirs_init(struct model_dirs *d, const struct seat *s);
void model_dirs_copy(struct model_dirs *d, const struct model_dirs *from);
void model_dirs_done(struct model_dirs *d); /* accepts NULL */

/* The path of a file in one of them; the caller frees it. NULL: there is no
 * such directory, or no memory. */
char *model_dirs_file(const char *dir, const char *name);

/* Makes one of them, for its owner alone. ERR_CONFIG: there is none. */
int model_dirs_make(const struct model_dirs *d, const char *dir, struct err *e);

#endif

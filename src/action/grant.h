/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grant.h - what a person allows a step beyond the profile chosen for it. */
#ifndef ACTION_GRANT_H
#define ACTION_GRANT_H

#include <sys/types.h>

#include "action/step_verdict.h"
#include "guard/denial.h"

#define GRANT_DIRS_MAX 4

/* A directory, by its inode: another one at the same path is not granted. */
struct grant_dir {
    char *path; /* absolute, without links; owned */
    dev_t dev;
    ino_t ino;
};

/* All zero: nothing. */
struct grant {
    struct grant_dir dirs[GRANT_DIRS_MAX];
    size_t n_dirs;
    bool net;
    bool reads; /* the files of home and of the system, but no secrets */
    bool full;  /* no sandbox */
};

void grant_done(struct grant *g); /* accepts NULL; g is all zero afterwards */

/* ERR_INVALID: there are GRANT_DIRS_MAX directories already. */
int grant_add(struct grant *g, const struct denial_remedy *remedy,
              struct err *e);

/* Whether this can be granted to a step with this verdict: it runs a command,
 * in a profile that can have it. */
bool grant_fits(const struct step_verdict *v, enum denial_remedy_kind kind);

/* Whether nothing is granted. */
bool grant_is_empty(const struct grant *g);

/* Adds it to the step's profile, and so to its digest. What does not fit is
 * left out. workspace NULL: there is none. ERR_DENIED: another directory is at
 * the path of one that was granted. */
int grant_apply(const struct grant *g, const char *workspace,
                struct step_verdict *v, struct err *e);

#endif

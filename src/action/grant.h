/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grant.h - what a person lets a step do beyond the profile chosen for it. */
#ifndef ACTION_GRANT_H
#define ACTION_GRANT_H

#include <sys/types.h>

#include "action/judge.h"
#include "guard/denial.h"

#define GRANT_DIRS_MAX 4

/* A directory, and not what stands in its place later. */
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
    bool reads; /* the files of home and of the machine, no secrets */
    bool full;  /* no sandbox */
};

void grant_done(struct grant *g); /* accepts NULL; g is all zero afterwards */

/* Adds it. ERR_INVALID: there are as many directories as there can be. */
int grant_add(struct grant *g, const struct denial_remedy *gain, struct err *e);

/* Whether a step that was judged so can be given this, on its own or with
 * what it has: it runs a command in a profile that takes it. */
bool grant_fits(const struct judgement *j, enum denial_remedy_kind kind);

/* Whether it is nothing. */
bool grant_is_empty(const struct grant *g);

/* Makes it part of the step's profile, and so of its digest. What does not fit
 * is left out. workspace NULL: there is none. ERR_DENIED: another directory is
 * in the place of one that was granted. */
int grant_apply(const struct grant *g, const char *workspace,
                struct judgement *j, struct err *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.h - the profiles of the sandbox, and which one a command line gets.
 *
 * What a profile means is enforced by sandbox/; here is its name and the
 * choice: the strictest that can do the work. A command that would see only
 * an emptied view must not run in it: that would be a wrong answer. */
#ifndef GUARD_PROFILE_H
#define GUARD_PROFILE_H

#include "guard/risk/risk.h"

enum profile {
    PROFILE_READ_ONLY,
    PROFILE_OBSERVE,
    PROFILE_OBSERVE_PROC,
    PROFILE_WORKSPACE_WRITE,
    PROFILE_PREVIEW,
    PROFILE_PLUGIN,
    PROFILE_REDUCED, /* without user namespaces: Landlock and the filter */
    PROFILE_FULL,
    PROFILE_N
};

struct profile_row {
    const char *name; /* "workspace-write" */
    const char *help; /* one line */
};
const struct profile_row *profile_row(enum profile p);

/* Whether there is one of that name. */
bool profile_find(const char *name, enum profile *out);

#define PROFILE_DIRS_MAX 16

/* What a line needs to do its work. */
struct profile_choice {
    enum profile profile;
    bool net;
    char *writable[PROFILE_DIRS_MAX]; /* directories beside the workspace */
    size_t n_writable;
    char why[160]; /* why it is not workspace-write; "" when it is */
};

/* workspace NULL: there is none (the cwd is $HOME or /). */
int profile_choose(const struct risk *r, const struct risk_place *where,
                   const char *workspace, struct profile_choice *out,
                   struct err *e);
void profile_choice_done(struct profile_choice *c); /* accepts NULL */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* permit.h - decides whether a tool may be called with these arguments.
 *
 * permit_judge is the only function that decides this, for every frontend. It
 * applies the rules about the tool and its action, about each path and host
 * that its arguments name (manifest.h: reads, writes, hosts), and for cmd.run
 * the guard's finding about the command, with the variables and the input that
 * its arguments give it (env, stdin). Deny beats ask beats allow. */
#ifndef TOOL_PERMIT_H
#define TOOL_PERMIT_H

#include "guard/guard.h"
#include "tool/registry.h"

struct permit {
    enum guard_decision decision;
    char rule[256];   /* the rule that decided */
    char reason[512]; /* for a person, with the path; "" when allowed */
    bool read_only, destructive, privileged, network;
    /* about the command of cmd.run; NULL for other tools */
    struct guard_finding *found;
    /* the directories beside the workspace that it may write: those of paths
     * that are allowed, or will be by a yes. Absolute, owned */
    char *writable[PROFILE_DIRS_MAX];
    size_t n_writable;
    const char *const *named; /* what the person opened; borrowed from where */
};

/* args: already checked against the action's schema. ERR_INVALID: there is no
 * such action, or a command's variables are none (environ_given.h). out needs
 * permit_done in any case. */
int permit_judge(const struct policy *p, const struct tool *t,
                 const char *action, const struct json *args,
                 const struct path_context *where, struct permit *out,
                 struct err *e);
void permit_done(struct permit *p); /* accepts NULL */

#endif

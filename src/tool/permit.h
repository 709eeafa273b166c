/* SPDX-License-Identifier: GPL-3.0-or-later */
/* permit.h - whether a tool may be called so, and behind which walls.
 *
 * The one function that decides about a tool's call, for every door: rules
 * about the tool and its action, about each path and host that its arguments
 * name (manifest.h, reads, writes, hosts), and for cmd.run the guard's finding
 * about the command. Deny beats ask beats allow. */
#ifndef TOOL_PERMIT_H
#define TOOL_PERMIT_H

#include "guard/guard.h"
#include "sandbox/setup.h"
#include "tool/registry.h"

struct permit {
    enum guard_decision decision;
    char rule[256];   /* what decided */
    char reason[512]; /* in words, with the path; "" when allowed */
    bool read_only, destructive, privileged, network;
    /* of cmd.run's command; NULL for other tools */
    struct guard_finding *found;
    /* where it may write beside the workspace: the directories of paths that
     * were allowed, or will be by a yes; absolute, owned */
    char *writable[PROFILE_DIRS_MAX];
    size_t n_writable;
    const char *const *named; /* what the person opened; of `where` */
};

/* args: checked against the action's schema already. ERR_INVALID: no such
 * action. out needs permit_done in any case. */
int permit_judge(const struct policy *p, const struct tool *t,
                 const char *action, const struct json *args,
                 const struct risk_context *where, struct permit *out,
                 struct err *e);
void permit_done(struct permit *p); /* accepts NULL */

/* The walls that the manifest's needs make, for a tool that runs in a profile
 * of its own (not cmd.run). workspace NULL: there is none. closed: see struct
 * site_wish; may be NULL. s is all zero, and needs sandbox_setup_done in any
 * case. */
int permit_site(const struct permit *p, const struct tool *t,
                const char *workspace, char *const *closed,
                const struct config *c, struct sandbox_setup *s, struct err *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready.h - a child that is in its namespaces before it is needed.
 *
 * They are new, and nothing has run in them: what makes them is the same for
 * every step, and costs as much as the rest. Everything that depends on the
 * step, and on how the files are when it starts, is looked up and mounted
 * then (brief.h). Where the machine's mounts are others meanwhile the child
 * is of no use. */
#ifndef SANDBOX_READY_H
#define SANDBOX_READY_H

#include "sandbox/launch/inside.h"
#include "sandbox/launch/network.h"

struct ready {
    pid_t child;         /* 0: there is none */
    int line;            /* to it */
    int mounts;          /* /proc/self/mountinfo, since before it was made */
    unsigned namespaces; /* CLONE_NEW… that it is in */
    bool alone;          /* it is in a session of its own, for a tool */
    bool going;          /* it has been told what it is to be */
    const struct inside_tool *tool; /* that is in us; NULL: none */
};

/* n: the network that it is in; NULL: the machine's. alone: for a tool; else
 * for a command that may stay in our session. Neither has a terminal. What
 * cannot be made is made later, and fails then. */
void ready_make(struct ready *r, const struct network *n,
                const struct inside_tool *tool, bool alone);

/* Whether it is as one that would be made now for this. */
bool ready_fits(const struct ready *r, const struct inside *in);

/* Makes it go on as `in` until it needs to know what is kept; words as for
 * brief_send. */
int ready_go(struct ready *r, const struct inside *in, char *const *words);

/* Tells it what is kept. The child is the caller's; where it has ended
 * meanwhile, it has said why. 0: none was told to go on. */
pid_t ready_take(struct ready *r, const struct inside *in);

void ready_drop(struct ready *r); /* ends it */

#endif

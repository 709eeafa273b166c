/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prefork.h - a child that is forked into its namespaces before it is needed.
 *
 * The namespaces are new and nothing has run in them: making them is the same
 * for every step, and costs as much as all the rest. What depends on the step,
 * and on the files as they are when it starts, is looked up and mounted only
 * then (prefork_message.h). If the machine's mounts have changed in between,
 * the child cannot be used. */
#ifndef SANDBOX_LAUNCH_PREFORK_H
#define SANDBOX_LAUNCH_PREFORK_H

#include "sandbox/launch/child.h"
#include "sandbox/launch/private_network.h"

struct prefork {
    pid_t child;         /* 0: there is none */
    int channel;         /* the socket to it */
    int mounts;          /* /proc/self/mountinfo, opened before the fork */
    unsigned namespaces; /* the CLONE_NEW flags of its namespaces */
    bool alone;          /* it is in a session of its own, for a tool */
    bool going;          /* it has been sent its configuration */
    const struct child_builtin *builtin; /* NULL: there is none */
};

/* Forks the child. n: the network namespace that it joins; NULL: it keeps the
 * machine's. alone: it is for a tool; otherwise for a command that may stay in
 * our session. It has no terminal in either case. On failure r->child is 0 and
 * the child is made at the launch instead, which reports the error. */
void prefork_make(struct prefork *r, const struct private_network *n,
                  const struct child_builtin *builtin, bool alone);

/* Returns whether the child is like one that would be forked now for conf. */
bool prefork_fits(const struct prefork *r, const struct child_config *conf);

/* Sends conf to the child, which goes on until it needs the protected paths.
 * words: as for prefork_message_send. */
int prefork_start(struct prefork *r, const struct child_config *conf,
                  char *const *words);

/* Sends the protected paths and returns the child, which is the caller's from
 * then on; if it has ended already, it has printed why. 0: prefork_start was
 * not called, or failed. */
pid_t prefork_take(struct prefork *r, const struct child_config *conf);

/* Ends the child. */
void prefork_drop(struct prefork *r);

#endif

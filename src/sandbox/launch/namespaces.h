/* SPDX-License-Identifier: GPL-3.0-or-later */
/* namespaces.h - forks a child into namespaces of its own. */
#ifndef SANDBOX_LAUNCH_NAMESPACES_H
#define SANDBOX_LAUNCH_NAMESPACES_H

#include <sys/types.h>

#include "sandbox/spec.h"

#define NAMESPACES_NOBODY 65534u /* the kernel's overflow id */

/* Returns the CLONE_NEW flags of a profile; 0: it has no namespaces. */
unsigned namespaces_of_profile(enum profile p);

/* Returns CLONE_NEWNET for a child that neither has a network nor looks at the
 * machine's; else 0. */
unsigned namespaces_network(const struct sandbox_spec *s);

/* Like fork(2), with exactly these flags of clone(2). With CLONE_PARENT the
 * child's end sends no signal, else SIGCHLD. Uses clone(2) where clone3(2) is
 * refused, as in containers. -1 with errno. */
pid_t namespaces_clone(unsigned flags);

/* Like fork(2), into namespaces. ERR_SANDBOX: they may not be made. */
pid_t namespaces_fork(unsigned namespaces, struct err *e);

/* For a child that is only in the first namespaces: makes the others. */
#define NAMESPACES_FIRST (CLONE_NEWUSER | CLONE_NEWPID)
int namespaces_unshare_rest(unsigned namespaces, struct err *e);

/* For the launcher: maps the child's ids to those outside, except that root is
 * nobody where the child has a pid namespace; then sends the byte that lets it
 * go on. */
int namespaces_map(pid_t child, unsigned namespaces, int channel,
                   struct err *e);

/* Status of a child that prints no error, since the launcher does. */
#define EXIT_UNREPORTED 1

/* For the child: waits for that byte. Ends the process where the launcher
 * failed or has died. */
void namespaces_wait(int channel);

#endif

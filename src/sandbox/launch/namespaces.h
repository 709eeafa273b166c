/* SPDX-License-Identifier: GPL-3.0-or-later */
/* namespaces.h - a child in namespaces of its own. */
#ifndef SANDBOX_NAMESPACES_H
#define SANDBOX_NAMESPACES_H

#include <sys/types.h>

#include "sandbox/spec.h"

/* CLONE_NEW… for a profile; 0: none. */
unsigned namespaces_of(enum profile p);

/* CLONE_NEWNET for what neither has a network nor looks at the machine's. */
unsigned namespaces_network(const struct sandbox_spec *s);

/* As fork(2) with flags of clone(2), and none but these: no signal at the end
 * with CLONE_PARENT, SIGCHLD else. Where clone3(2) is not known, as in
 * containers, by clone(2). errno of the kernel. */
pid_t namespaces_clone(unsigned flags);

/* As fork(2), into namespaces. ERR_SANDBOX where they may not be made. */
pid_t namespaces_fork(unsigned namespaces, struct err *e);

/* A child in the first of them: the others, which it can make itself. */
#define NAMESPACES_FIRST (CLONE_NEWUSER | CLONE_NEWPID)
int namespaces_rest(unsigned namespaces, struct err *e);

/* The launcher: the child's ids are those outside, but root is nobody where
 * it has a pid namespace; and then it may go on. */
int namespaces_map(pid_t child, unsigned namespaces, int line, struct err *e);

#define EXIT_UNTOLD 1 /* of a child that says nothing: the launcher does */

/* The child: until then. Where the launcher failed or died, it ends. */
void namespaces_wait(int line);

#endif

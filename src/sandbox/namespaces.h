/* SPDX-License-Identifier: GPL-3.0-or-later */
/* namespaces.h - a child in namespaces of its own. */
#ifndef SANDBOX_NAMESPACES_H
#define SANDBOX_NAMESPACES_H

#include <sys/types.h>

#include "sandbox/spec.h"

/* CLONE_NEW… for a profile; 0: none. */
unsigned namespaces_of(enum profile p);

/* As fork(2), into namespaces. ERR_SANDBOX where they may not be made. */
pid_t namespaces_fork(unsigned namespaces, struct err *e);

/* The launcher: the child's ids are those outside, and then it may go on. */
int namespaces_map(pid_t child, unsigned namespaces, int line, struct err *e);

/* The child: until then. A launcher that died is an error. */
int namespaces_wait(int line, struct err *e);

#endif

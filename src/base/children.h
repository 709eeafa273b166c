/* SPDX-License-Identifier: GPL-3.0-or-later */
/* children.h - finds and ends orphaned descendants.
 *
 * A subreaper (prctl(2), PR_SET_CHILD_SUBREAPER) becomes the parent of each
 * descendant whose own parent has died, whatever process group or session it is
 * in. That is how processes that a command left behind are found and ended. */
#ifndef BASE_CHILDREN_H
#define BASE_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define CHILDREN_MAX 256 /* listed at once; there are rounds for the rest */

/* Makes this process a subreaper. */
void children_adopt(void);

/* Calls each(arg, pid) for the children of this process, by /proc; for none
 * where there is no /proc. Some are passed over when others end meanwhile. */
void children_each(void (*each)(void *arg, pid_t pid), void *arg);
/* Lists at most max of them; returns how many. */
size_t children_list(pid_t *pids, size_t max);

/* Whether this process started the child, or one that leads its process group:
 * proc.c has a pidfd for each that it started, and none for an orphan. */
bool children_is_started(pid_t pid);

/* Kills and reaps every child but those in keep, and those that this process
 * has a pidfd for, as proc.c has for each child that it started. Repeats for
 * the orphans that this makes, until there are none. */
void children_end(const pid_t *keep, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* children.h - children that we did not start: orphans that came to us.
 *
 * A process that asks for it (PR_SET_CHILD_SUBREAPER) becomes the parent of
 * descendants whose own parent has died, whatever group or session they are
 * in. That is how what a command left behind is found and ended. */
#ifndef BASE_CHILDREN_H
#define BASE_CHILDREN_H

#include <stddef.h>
#include <sys/types.h>

#define CHILDREN_MAX 256 /* listed at once; there are rounds for the rest */

/* From now on orphans below us come to us. */
void children_adopt(void);

/* Our children now, by /proc; at most max. 0 where there is no /proc. */
size_t children_list(pid_t *pids, size_t max);

/* Kills and reaps every child but those in keep and those that we hold a pidfd
 * of, as proc.c does of each that it started; and again what comes to us by
 * that, until there is none. */
void children_end(const pid_t *keep, size_t n);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun_check.h - decides whether a line that failed may run once more.
 *
 * ai fix runs it again to see what it shows, without a question, in a view
 * that is dropped (ui/rerun.h). The view holds back what a line writes, its
 * namespaces and filter whom it sends to or signals: so a script or a makefile,
 * of which nobody knows what it does, may run. What is decided here is that it
 * is not even tried where the sandbox would make another answer of it, or where
 * only a miss of the sandbox would lie between the line and others. */
#ifndef GUARD_RERUN_CHECK_H
#define GUARD_RERUN_CHECK_H

#include "guard/guard.h"

#define RERUN_WHY_SIZE 256

/* Whether the line may run again. False: why gets the reason, a clause such as
 * "kill would signal other processes". */
bool rerun_check(const struct guard_finding *f,
                 const struct path_context *where, char why[RERUN_WHY_SIZE]);

/* The profile for it: preview; or observe, where there is no workspace
 * (NULL), the line shows processes and disks, or it names what lies outside of
 * the workspace. */
enum profile rerun_check_profile(const struct guard_finding *f,
                                 const struct path_context *where,
                                 const char *workspace);

#endif

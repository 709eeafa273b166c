/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - the launcher's words, run.
 *
 * agentsh-launch is a program that does this and nothing else, for a front
 * that goes on meanwhile. A front that has nothing else to do, `agentsh exec`,
 * does it itself: to execute a program more would cost a third of the whole. */
#ifndef SANDBOX_LAUNCH_H
#define SANDBOX_LAUNCH_H

#include <stdbool.h>

#define LAUNCH_REPORT_FD 3   /* where a spec's report goes */
#define LAUNCH_LATE      124 /* the status when the time limit passed */

/* Runs what argv says (spec.h), argv[0] being anybody's name, to its end. All
 * descriptors from 3 on are closed but the report's. The program has our
 * environment. tied: it ends when our parent does, and what has no network is
 * in a network namespace with nobody in it, which takes longer to make than all
 * the rest; where it is not to be had the filter stands alone, as it does for
 * who is not tied. Returns the exit status. */
int launch_words(int argc, char **argv, bool tied);

/* The same with a child that may be there already (ready.h). baton: stays open;
 * -1: there is none. */
struct ready;
int launch_ready(int argc, char **argv, struct ready *ready, int baton,
                 bool tied);

#endif

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

/* What a launcher that waited has open beside: what tells whoever makes the
 * next one of its end (wait.c), its child's line and the machine's mounts
 * (ready.h). */
#define LAUNCH_BATON_FD  4
#define LAUNCH_LINE_FD   5
#define LAUNCH_MOUNTS_FD 6
#define LAUNCH_FDS_END   7

/* Runs what argv says (spec.h), argv[0] being anybody's name, to its end. All
 * descriptors from 3 on are closed but the report's. The program has our
 * environment. tied: it ends when our parent does. Returns the exit status. */
int launch_words(int argc, char **argv, bool tied);

/* The same, tied, with a child that may be there already. */
struct ready;
int launch_ready(int argc, char **argv, struct ready *ready);

#endif

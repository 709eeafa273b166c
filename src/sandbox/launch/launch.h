/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - runs the launcher's command line: one confined child.
 *
 * The folder launch/ is the launcher: it forks a child into namespaces, builds
 * its view of the files (binds.h, mounts.h), confines it (child.h), waits for
 * it (supervise.h), and keeps children ready for the next command (prefork.h,
 * zygote.h). It must not know policies, plans or plugins: it does what the
 * words of spec.h say, and needs no library. What can fail is a layer of the
 * sandbox: then its name is printed, the status is LAUNCH_FAILED, and nothing
 * was run.
 *
 * The program agentsh-launch does this and nothing else, for a front that goes
 * on in the meantime. `agentsh exec`, which has nothing else to do, calls it
 * in its own process: executing one more program would cost a third of the
 * whole. */
#ifndef SANDBOX_LAUNCH_LAUNCH_H
#define SANDBOX_LAUNCH_LAUNCH_H

#include <signal.h>
#include <stdbool.h>

#define LAUNCH_REPORT_FD 3   /* the descriptor of a spec's report */
#define LAUNCH_LATE      124 /* the status when the time limit passed */
#define LAUNCH_FAILED    125 /* no sandbox: nothing ran */

/* A signal to the launcher that carries the number of another, which it sends
 * to the program's process group: sigqueue(3). Who starts the launcher blocks
 * it there, since it may come before the launcher is ready. Its own SIGTERM,
 * SIGHUP, SIGINT and SIGQUIT end everything in the sandbox. */
#define LAUNCH_PASS SIGRTMIN

/* Runs what argv says (spec.h), whatever argv[0] is, until it ends, and
 * returns the exit status. Closes all descriptors from 3 on, except the
 * report's. The program gets our environment. tied: the child ends when our
 * parent does, and without a network it is put into an empty network
 * namespace, which takes longer to make than everything else; where none can be
 * made, the seccomp filter alone blocks the network, as it does without
 * tied. */
int launch_run(int argc, char **argv, bool tied);

/* The same, with a child that may have been forked already (prefork.h). baton:
 * a descriptor that stays open; -1: there is none. */
struct prefork;
int launch_run_preforked(int argc, char **argv, struct prefork *prefork,
                         int baton, bool tied);

#endif

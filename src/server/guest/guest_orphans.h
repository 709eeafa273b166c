/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_orphans.h - what commands leave behind, and whose it is.
 *
 * The agent is the parent of every process whose own parent has died
 * (base/children.h). One that a command left behind goes on, and is ended with
 * the connection that the command ran for. It is known by its process group or
 * session, and, where it has left both, by a variable that every command gets.
 * One that has lost the variable too is that connection's which had the only
 * commands that ran, and else the agent's. A connection is its number here, and
 * GUEST_AGENT the agent itself. */
#ifndef SERVER_GUEST_GUEST_ORPHANS_H
#define SERVER_GUEST_GUEST_ORPHANS_H

#include <sys/types.h>

#include "server/guest/guest_shared.h"

#define GUEST_MARK_BYTES 64

struct guest_orphans *guest_orphans_new(struct guest_shared *sh, struct err *e);
/* Ends them all. Accepts NULL. */
void guest_orphans_free(struct guest_orphans *o);

/* Writes the variable, NAME=VALUE, that a command of this owner gets. */
void guest_orphans_mark(uint64_t owner, char out[GUEST_MARK_BYTES]);

bool guest_orphans_is_mark(const char *variable);

/* A command of this owner has been reaped, that led this process group: notes
 * what it left. ends: and kills what is known to be the command's, which was
 * killed itself. */
void guest_orphans_note(struct guest_orphans *o, uint64_t owner, pid_t group,
                        bool ends);

/* Signals those in a process group that a command led, which has ended. */
void guest_orphans_signal_group(struct guest_orphans *o, pid_t group,
                                int signo);

/* Ends those of a connection. One that cannot be ended at once, since the
 * kernel or a tracer holds it, is the agent's from then on; nobody waits. */
void guest_orphans_end(struct guest_orphans *o, uint64_t owner);

#endif

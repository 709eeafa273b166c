/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_orphans.h - what commands leave behind, and whose it is.
 *
 * The agent is the parent of every process whose own parent has died
 * (base/children.h). One that a command left behind goes on, and is ended with
 * the connection that the command ran for. It is known by its process group;
 * one that made a session of its own is that connection's whose command was the
 * only one that could have started it, and else the agent's. */
#ifndef SERVER_GUEST_GUEST_ORPHANS_H
#define SERVER_GUEST_GUEST_ORPHANS_H

#include <sys/types.h>

#include "server/guest/guest_shared.h"

struct guest_orphans *guest_orphans_new(struct guest_shared *sh, struct err *e);
/* Ends them all. Accepts NULL. */
void guest_orphans_free(struct guest_orphans *o);

/* A command of this connection (NULL: of the agent) has been reaped, that led
 * this process group: notes what it left. ends: and kills what is known to be
 * the command's, which was killed itself. */
void guest_orphans_note(struct guest_orphans *o,
                        const struct guest_connection *of, pid_t group,
                        bool ends);

/* Signals those in a process group that a command led, which has ended. */
void guest_orphans_signal_group(struct guest_orphans *o, pid_t group,
                                int signo);

/* Ends those of a connection. One that cannot be ended at once, since the
 * kernel or a tracer holds it, is the agent's from then on; nobody waits. */
void guest_orphans_end(struct guest_orphans *o,
                       const struct guest_connection *of);

#endif

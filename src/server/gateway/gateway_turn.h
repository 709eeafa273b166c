/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_turn.h - a task's agent: its start, its turns, its limits, its end.
 *
 * A task in the state queued waits for a place; one whose agent starts or has a
 * prompt is running and takes one; one whose turn has ended is idle, and its
 * agent stays for a while. */
#ifndef SERVER_GATEWAY_GATEWAY_TURN_H
#define SERVER_GATEWAY_GATEWAY_TURN_H

#include "server/gateway/gateway_shared.h"

#define GATEWAY_IDLE_MS (10 * 60 * (int64_t)1000)

/* Agents that start or have a turn; and those that wait for a prompt. */
unsigned gateway_turn_active(const struct gateway *g);
unsigned gateway_turn_idle(const struct gateway *g);
bool gateway_turn_has_place(const struct gateway *g);

/* The type of a task's agent: that of its name, or `agentsh`, where there is
 * none of this name. NULL: it is not enabled. */
const struct agent_type *gateway_turn_type(const struct gateway *g,
                                           const char *name);

/* What waits is to be done: the task is queued, unless it runs already. */
void gateway_turn_want(struct gateway_task *t);

/* Begins, when there is a place: with the agent that it has, or a new one. The
 * task's starter is answered then. */
void gateway_turn_begin(struct gateway_task *t);

/* Ends the agent, and settles the state; force: at once. */
void gateway_turn_stop(struct gateway_task *t, const char *state, bool force);

/* Removes the working tree of a task that has no agent, where git knows all of
 * it; else nothing is said. */
void gateway_turn_clean_tree(struct gateway_task *t);

/* Ends agents that have been idle for too long. */
void gateway_turn_end_idle(struct gateway *g, int64_t now);

/* A task that is another gateway's now: its agent ends at once, and nothing of
 * it is written. */
void gateway_turn_drop(struct gateway_task *t);

/* A turn that the gateway cannot see the end of. */
void gateway_turn_interrupt(struct gateway_task *t);

#endif

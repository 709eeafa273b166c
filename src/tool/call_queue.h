/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_queue.h - calls that one persistent plugin gets back to back.
 *
 * A plugin answers one request before it begins with the next
 * (agentsh-plugin(7), PERSISTENCE), but the next may be in its pipe by then: it
 * need not wait for us in between. Only calls that read are queued, since they
 * can be made again: where the process fails one of them, the others get a new
 * process. Only call.c uses it. */
#ifndef TOOL_CALL_QUEUE_H
#define TOOL_CALL_QUEUE_H

#include "tool/pool.h"

/* Requests in one pipe: enough that the plugin never waits. */
#define CALL_QUEUE_MAX 32

/* Bytes of all requests of a queue. A pipe holds less, so that one that is
 * larger would not be there early anyway. */
#define CALL_QUEUE_BYTES (256u << 10)

/* Nobody joins a queue whose first call takes longer: it gets a process of its
 * own. */
#define CALL_QUEUE_STALL_MS 20

struct call_queue;
struct queued_call; /* the place of a call in a queue */

struct queued_call_events {
    /* It is its turn: the process has its request, and its events are the
     * call's from now on. The process stays the queue's. */
    void (*turn)(void *arg, struct plugin_process *p);
    /* Starts a process for the queue. */
    struct plugin_process *(*start)(void *arg, struct err *e);
    /* No process could be started; it is in no queue any more. May free any
     * call. */
    void (*lost)(void *arg, struct err *why);
};

/* Adds a call to a queue of this plan that has room, and sends its request, a
 * line that is borrowed while it is queued. NULL: there is none. */
struct queued_call *call_queue_join(struct tool_pool *p,
                                    struct spawn_plan *plan,
                                    const struct buf *line,
                                    const struct queued_call_events *ev,
                                    void *arg);

/* Makes a queue of one call, whose request the process has got already. fresh:
 * it was started for it. Takes ownership of the process, not on failure, and
 * shares its plan. */
struct queued_call *call_queue_new(struct loop *l, struct tool_pool *p,
                                   struct plugin_process *process, bool fresh,
                                   struct spawn_plan *plan,
                                   const struct buf *line,
                                   const struct queued_call_events *ev,
                                   void *arg, struct err *e);

/* Whether another call waits behind it. */
bool call_queue_has_next(const struct queued_call *q);

/* Its turn is over: the process is the next one's, or goes into the pool. */
void call_queue_answered(struct queued_call *q);

/* Takes the call out before it was answered. Where it was its turn, the process
 * is returned, which is the caller's now, and the next ones get a new one. */
struct plugin_process *call_queue_leave(struct queued_call *q);

/* The process ended; all of its calls get a new one, this one too. False: the
 * process that ended was a new one, and answered nothing. */
bool call_queue_again(struct queued_call *q);

#endif

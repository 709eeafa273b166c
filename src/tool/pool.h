/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.h - keeps the processes of persistent plugins between two requests.
 *
 * Its owner sees tool_pool_new and tool_pool_free of call.h; the rest is for
 * call.c. */
#ifndef TOOL_POOL_H
#define TOOL_POOL_H

#include "tool/mcp/mcp_pool.h"
#include "tool/plugin_process.h"

/* Whether a process of this tool with these settings may serve more than one
 * call. */
bool pool_may_keep(const struct tool *t, const struct tool_setting *s);

/* An id that no request to a process of the pool has had. */
int64_t pool_next_id(struct tool_pool *p);

/* The zygote, for who starts a process; borrowed. NULL the first two times: the
 * second call starts it, for the third. */
struct zygote_client *pool_zygote(struct tool_pool *p);

/* The MCP servers that wait for a call. */
struct mcp_pool **pool_mcp(struct tool_pool *p);

/* The queues of processes that answer calls (call_queue.h). */
struct call_queue;
struct call_queue **pool_queues(struct tool_pool *p);

/* A waiting process of this plan, or of one that is the same, which is the
 * caller's now; NULL: there is none. */
struct plugin_process *pool_take(struct tool_pool *p,
                                 const struct spawn_plan *plan);

/* Ends the processes that wait to run commands, but for one of this plan
 * (NULL: all of them). The launcher's clean-up after a run is then done before
 * a command runs in another confinement. */
void pool_end_steps(struct tool_pool *p, const struct spawn_plan *plan);

/* Takes ownership of the process, and shares its plan. The process is ended
 * when it writes anything more, or with the pool. step: it runs commands. */
void pool_give(struct tool_pool *p, struct plugin_process *process,
               struct spawn_plan *plan, bool step);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_invocation.h - the tool calls of a client, from request to answer.
 *
 * Each is an errand (action/errand.h). They run side by side, up to a number of
 * them, and the rest waits in the order in which it came; while many wait,
 * nothing more is read. A call that the rules ask about is put to the client's
 * user, by elicitation or, in 2026-07-28, by a question in the result, which is
 * brought back with the answer. A call that takes long may become a task. */
#ifndef SERVER_MCP_MCP_INVOCATION_H
#define SERVER_MCP_MCP_INVOCATION_H

#include "server/mcp/mcp_catalog.h"
#include "server/mcp/mcp_shared.h"

struct mcp_invocations;
struct mcp_task;

struct mcp_invocation_events {
    /* A call has ended, with these texts, which are borrowed. */
    void (*ended)(void *arg, const char *tool, bool ok, const char *out,
                  size_t n_out, const char *err, size_t n_err);
    /* The state of a task is new. */
    void (*task)(void *arg, const struct mcp_task *t);
    /* A line for the client's log, about a call that was made with f. rq: its
     * request; NULL: that has been answered. */
    void (*note)(void *arg, struct rpc_request *rq, const struct mcp_frame *f,
                 enum mcp_level level, const char *tool, const char *text);
};

struct mcp_invocations *
mcp_invocations_new(struct mcp_shared *sh,
                    const struct mcp_invocation_events *ev, void *arg,
                    struct err *e);
/* Ends all of them, with what they started. Accepts NULL. */
void mcp_invocations_free(struct mcp_invocations *all);
DEFINE_CLEANUP(struct mcp_invocations, mcp_invocations_free)

/* Makes the context of calls that begin with these tools. */
int mcp_invocations_use(struct mcp_invocations *all, struct mcp_toolset *tools,
                        struct err *e);

/* Takes a request tools/call, whose callback this is within. t: the tool that
 * it names. */
void mcp_invocations_take(struct mcp_invocations *all, struct rpc_request *rq,
                          const struct json *params, const struct mcp_frame *f,
                          const struct mcp_catalog_tool *t);

/* The tasks that calls have become. */
struct mcp_tasks *mcp_invocations_tasks(struct mcp_invocations *all);

/* While paused no output of tools is read, and no call begins. */
void mcp_invocations_pause(struct mcp_invocations *all, bool paused);

/* No more requests and answers come: what waits for an answer is refused. */
void mcp_invocations_input_ended(struct mcp_invocations *all);

/* Whether none runs, waits for its turn, or is to be answered. */
bool mcp_invocations_are_idle(const struct mcp_invocations *all);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_task.h - calls that go on after their request was answered.
 *
 * The extension io.modelcontextprotocol/tasks, for clients that declare it: a
 * call that takes long, or waits for a yes, becomes a task, which the client
 * asks for its state. What came of it is kept for MCP_TASK_KEPT_MS after its
 * end. Who runs the call is the task's owner. */
#ifndef SERVER_MCP_MCP_TASK_H
#define SERVER_MCP_MCP_TASK_H

#include "server/mcp/mcp_client.h"
#include "wire/rpc.h"
#include "json/write.h"

#define MCP_TASK_AFTER_MS 5000             /* a call that runs for longer */
#define MCP_TASK_KEPT_MS  (60 * 60 * 1000) /* after its end */
#define MCP_TASKS_MAX     256
#define MCP_TASKS_BYTES   (64u << 20) /* of results; the oldest is dropped */

struct mcp_tasks;
struct mcp_task;

/* What a client wants of a task; called while it has not ended, with its
 * owner. Either may end the task. */
struct mcp_task_events {
    void (*cancel)(void *owner);
    void (*answer)(void *owner, bool yes);
};

/* changed is called with each task whose state is new; it may be NULL. */
struct mcp_tasks *mcp_tasks_new(const struct mcp_task_events *ev,
                                void (*changed)(void *arg,
                                                const struct mcp_task *t),
                                void *arg, struct err *e);
/* The owners are gone. Accepts NULL. */
void mcp_tasks_free(struct mcp_tasks *all);
DEFINE_CLEANUP(struct mcp_tasks, mcp_tasks_free)

/* Makes one that works. ERR_NOMEM: there are too many that have not ended. */
struct mcp_task *mcp_task_new(struct mcp_tasks *all, void *owner,
                              struct err *e);

/* It waits for an answer: params are those of elicitation/create, taken. */
void mcp_task_ask(struct mcp_task *t, struct buf *params);
void mcp_task_go_on(struct mcp_task *t); /* it has got one */
/* What it does at the moment, in words; cut where it is long. */
void mcp_task_report(struct mcp_task *t, const char *text, size_t n);

/* Each ends it, and forgets the owner: with a result, taken; with an error of
 * JSON-RPC; by a cancel. */
void mcp_task_complete(struct mcp_task *t, struct buf *result);
void mcp_task_fail(struct mcp_task *t, int code, const char *message);
void mcp_task_cancelled(struct mcp_task *t);

/* The result that says that a call has become this task. */
void mcp_task_put_created(struct buf *out, const struct mcp_task *t);
/* Puts the members of its state, into an object. */
void mcp_task_put(struct json_writer *w, const struct mcp_task *t);
const char *mcp_task_id(const struct mcp_task *t);
bool mcp_tasks_has(struct mcp_tasks *all, const char *id);

/* The methods; each answers the request. */
void mcp_tasks_get(struct mcp_tasks *all, struct rpc_request *rq,
                   const struct json *params);
void mcp_tasks_update(struct mcp_tasks *all, struct rpc_request *rq,
                      const struct json *params);
void mcp_tasks_cancel(struct mcp_tasks *all, struct rpc_request *rq,
                      const struct json *params);

#endif

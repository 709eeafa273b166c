/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_job.h - one request of agentsh tool call, from its line to its answer.
 */
#ifndef DOOR_CLI_TOOL_JOB_H
#define DOOR_CLI_TOOL_JOB_H

#include "person/app.h"
#include "person/outlet.h"
#include "tool/call.h"
#include "tool/permit.h"

/* What all requests of a run share. */
struct tool_desk {
    struct app *app;
    struct registry *registry;
    struct policy *policy;
    struct tool_pool *pool;
    struct outlet *out;
    const char *only; /* the one tool that may be called; NULL: any */
    struct risk_place where;
    const struct tool *refused[REGISTRY_TOOLS_MAX]; /* by a person's no */
    size_t n_refused;
    bool acted;        /* a call did more than look */
    bool said_reduced; /* that nothing is writable here */
};

struct tool_job; /* a call under way */

/* Called once, when the answer is in the outlet. */
typedef void tool_job_cb(void *arg, bool ok);

/* Reads a request and makes the call. NULL: it could not be made, and is
 * answered already. */
struct tool_job *tool_job_start(struct tool_desk *d, const char *line, size_t n,
                                tool_job_cb *cb, void *arg);

/* Its output waits while the reader of ours is slow. */
void tool_job_hold(struct tool_job *j, bool held);

/* Ends the call with its whole tree, unanswered, if it still runs; may be
 * called from the callback. Accepts NULL. */
void tool_job_free(struct tool_job *j);

#endif

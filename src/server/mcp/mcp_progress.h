/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_progress.h - what a client hears of a call while it runs.
 *
 * A client that gave a token gets a notification at most every
 * MCP_PROGRESS_SOON_MS when there is output, and every MCP_PROGRESS_MS when
 * there is none. Its number grows: the seconds since the start, or what an MCP
 * server counts itself. Output is collected, since a tool that sends it as it
 * comes repeats only the end of it in its result. */
#ifndef SERVER_MCP_MCP_PROGRESS_H
#define SERVER_MCP_MCP_PROGRESS_H

#include "server/mcp/mcp_answer.h"
#include "wire/rpc.h"

#define MCP_PROGRESS_MS      1000
#define MCP_PROGRESS_SOON_MS 100

struct mcp_progress {
    struct rpc_request **rq;  /* NULL: it is no more */
    const struct json *token; /* borrowed; NULL: none is wanted */
    int64_t from_ms, last_ms;
    double last;  /* the last number */
    bool counted; /* an MCP server counts */
    bool fresh;   /* there is output that was not told */
    char line[200];
    size_t n_line;
    struct mcp_answer_texts texts;
};

/* rq: the request, while it has no answer. */
void mcp_progress_init(struct mcp_progress *p, struct rpc_request **rq);
void mcp_progress_done(struct mcp_progress *p);

/* From now on its time counts, and this token is told (NULL: none). */
void mcp_progress_start(struct mcp_progress *p, const struct json *token);

void mcp_progress_output(struct mcp_progress *p, const char *stream,
                         const char *bytes, size_t n);
void mcp_progress_count(struct mcp_progress *p, double done, double total,
                        const char *text);
/* Called now and then: tells what is due. */
void mcp_progress_tick(struct mcp_progress *p);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_journal_job.h - requests whose answer is read from the journal.
 *
 * Each is read in a thread, one after another, since the journal may be large
 * and its file locked. */
#ifndef SERVER_MCP_MCP_JOURNAL_JOB_H
#define SERVER_MCP_MCP_JOURNAL_JOB_H

#include "server/mcp/mcp_client.h"
#include "wire/rpc.h"

#define MCP_JOB_TEXT_MAX (6u << 20) /* bytes of an answer */
#define MCP_JOB_NAME_MAX 1024       /* bytes of what is asked for */

struct mcp_jobs;

/* What is read, in the thread: name is what is asked for, verb a further word
 * that is a literal, or NULL. Writes the result to out. */
typedef int mcp_job_read(const char *name, const char *verb, enum mcp_era era,
                         struct buf *out, struct err *e);

struct mcp_jobs *mcp_jobs_new(struct loop *l, struct err *e);
/* Waits for the one that is being read. Accepts NULL. */
void mcp_jobs_free(struct mcp_jobs *all);

/* Queues a request, which is answered by what `read` writes. uri: that of the
 * resource that it reads, which may not be there (ERR_NOT_FOUND), or NULL. */
void mcp_jobs_add(struct mcp_jobs *all, struct rpc_request *rq,
                  mcp_job_read *read, const char *name, const char *verb,
                  enum mcp_era era, const char *uri);

#endif

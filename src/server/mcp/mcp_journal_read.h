/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_journal_read.h - the answers that are read from the journal.
 *
 * Each is a mcp_job_read, and is called in a thread. */
#ifndef SERVER_MCP_MCP_JOURNAL_READ_H
#define SERVER_MCP_MCP_JOURNAL_READ_H

#include "server/mcp/mcp_journal_job.h"

/* A page of resources/list: name is the cursor, the last run of the page
 * before; "" for the first. */
mcp_job_read mcp_journal_list;
/* resources/read of the run of that name. */
mcp_job_read mcp_journal_run;
/* Completions: names of runs that begin with name; or with a verb what its
 * earlier requests were that begin so. */
mcp_job_read mcp_journal_complete;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doctor_tools.h - summarize the state of all tools for agentsh doctor. */
#ifndef FRONTEND_CLI_DOCTOR_TOOLS_H
#define FRONTEND_CLI_DOCTOR_TOOLS_H

#include "frontend/cli/doctor_search.h"

/* Writes to out how many tools there are, and which of them are new, changed
 * or faulty. Returns whether every tool that should work does; sets *open when
 * the person has yet to decide about one. */
bool doctor_tools_describe(struct app *a, char *out, size_t size, bool *open);

/* The same for the tools of the servers in mcp.json. */
bool doctor_tools_describe_mcp(const struct doctor_found *found, char *out,
                               size_t size, bool *open);

#endif

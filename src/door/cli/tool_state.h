/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_state.h - the tools in one sentence, for agentsh doctor. */
#ifndef DOOR_CLI_TOOL_STATE_H
#define DOOR_CLI_TOOL_STATE_H

#include "person/app.h"

/* How many there are, and which of them are new, changed or faulty. Returns
 * whether all that should work do; *open becomes true where the person has
 * yet to decide about one. */
bool tool_state_say(struct app *a, char *out, size_t size, bool *open);

/* The same of the servers of mcp.json. */
bool tool_state_servers(struct app *a, char *out, size_t size, bool *open);

#endif

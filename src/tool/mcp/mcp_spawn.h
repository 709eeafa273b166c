/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_spawn.h - prepares the start of an MCP server's program. */
#ifndef TOOL_MCP_MCP_SPAWN_H
#define TOOL_MCP_MCP_SPAWN_H

#include "tool/mcp/mcp_config.h"
#include "tool/spawn.h"

/* Prepares it with the variables and the directory of its entry. l needs
 * spawn_done in any case. */
int mcp_spawn_prepare(struct spawn *l, const struct mcp_server *m,
                      const struct tool_setting *s, struct err *e);

#endif

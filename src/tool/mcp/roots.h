/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roots.h - the directories that a server is told to work in. */
#ifndef TOOL_MCP_ROOTS_H
#define TOOL_MCP_ROOTS_H

#include "base/buf.h"
#include "tool/manifest.h"

#define MCP_ROOTS_MAX (1u << 20)

/* The result of roots/list: what the needs let it read or write; workspace
 * NULL: there is none. */
void mcp_roots_write(const struct manifest_needs *n, const char *workspace,
                     struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_roots.h - writes the directories that an MCP server may use. */
#ifndef TOOL_MCP_MCP_ROOTS_H
#define TOOL_MCP_MCP_ROOTS_H

#include "base/buf.h"
#include "base/seat.h"
#include "tool/manifest.h"

#define MCP_ROOTS_MAX (1u << 20)

/* Appends the result of roots/list: the directories that the needs allow it to
 * read or write, with the home of the seat. workspace NULL: there is none. */
void mcp_roots_write(const struct seat *s, const struct manifest_needs *n,
                     const char *workspace, struct buf *out);

#endif

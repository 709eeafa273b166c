/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_schema.h - simplifies the schema of an MCP server's tool. */
#ifndef TOOL_MCP_MCP_SCHEMA_H
#define TOOL_MCP_MCP_SCHEMA_H

#include "json/write.h"

/* Writes the part of a JSON Schema (2020-12, as servers send it) that
 * json/schema.h knows, with the descriptions for a model. It accepts all that
 * the whole schema accepts; what is left out (patterns, formats, conditions) is
 * checked by the server. The result is always a schema of objects. */
void mcp_schema_write(struct json_writer *w, const struct json *schema);

#endif

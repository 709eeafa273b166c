/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.h - what of a server's schema is checked here. */
#ifndef TOOL_MCP_SCHEMA_H
#define TOOL_MCP_SCHEMA_H

#include "json/write.h"

/* Writes the part of a JSON Schema (2020-12, as servers send it) that
 * json/schema.h knows, with the texts for a model. It accepts whatever the
 * whole accepts: what is left out (patterns, formats, conditions) is for the
 * server to check. Always a schema of objects. */
void mcp_schema_write(struct json_writer *w, const struct json *schema);

#endif

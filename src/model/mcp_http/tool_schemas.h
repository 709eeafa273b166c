/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_schemas.h - the schemas of a server's tools that say which headers a
 * call has (tool/mcp/mcp_param_headers.h). */
#ifndef MODEL_MCP_HTTP_TOOL_SCHEMAS_H
#define MODEL_MCP_HTTP_TOOL_SCHEMAS_H

#include "base/buf.h"
#include "json/json.h"

struct tool_schemas {
    struct buf text; /* a line each: {"name":…,"inputSchema":…} */
};

void tool_schemas_init(struct tool_schemas *s);
void tool_schemas_done(struct tool_schemas *s);

/* Takes what the result of a tools/list says. first: it is the first page. */
void tool_schemas_learn(struct tool_schemas *s, const struct json *result,
                        bool first);

/* The tool of that name, which the caller frees; NULL: its calls have no
 * headers of their own. */
struct json *tool_schemas_find(const struct tool_schemas *s, const char *name);

#endif

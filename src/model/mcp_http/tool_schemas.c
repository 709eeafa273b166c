/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_schemas.c - the schemas of a server's tools that say which headers a
 * call has. */
#include "model/mcp_http/tool_schemas.h"

#include <string.h>

#include "tool/mcp/mcp_param_headers.h"
#include "json/write.h"

#define ALL_MAX (4u << 20) /* as many as the client keeps of them */

void
tool_schemas_init(struct tool_schemas *s)
{
    buf_init(&s->text, ALL_MAX);
}

void
tool_schemas_done(struct tool_schemas *s)
{
    buf_done(&s->text);
}

static void
keep_schema(struct tool_schemas *s, const struct json *tool)
{
    CLEANUP_BUF struct buf line = buf_of(ALL_MAX);
    struct json_writer w;

    json_write_init(&w, &line);
    json_open_object(&w);
    json_member_str(&w, "name", json_get_str(tool, "name"));
    json_key(&w, "inputSchema");
    json_put_value(&w, json_get(tool, "inputSchema"));
    json_close_object(&w);
    if (!line.bad && strstr(line.p, "\"" MCP_PARAM_HEADERS_MARK "\"") &&
        line.len + 1 < ALL_MAX - s->text.len)
        buf_printf(&s->text, "%s\n", line.p);
}

void
tool_schemas_learn(struct tool_schemas *s, const struct json *result,
                   bool first)
{
    const struct json *v = json_first(json_get(result, "tools"));

    if (first)
        buf_clear(&s->text);
    for (; v; v = json_next(v)) {
        const struct json *schema = json_get(v, "inputSchema");

        if (schema && json_get_str(v, "name") &&
            mcp_param_headers_check(schema, NULL) == 0)
            keep_schema(s, v);
    }
}

struct json *
tool_schemas_find(const struct tool_schemas *s, const char *name)
{
    const char *line = s->text.p;

    while (*line) {
        size_t n = strcspn(line, "\n");
        CLEANUP(json_free_p) struct json *tool = json_parse(line, n, 0, NULL);
        const char *own = json_get_str(tool, "name");

        if (own && strcmp(own, name) == 0)
            return TAKE_PTR(tool);
        line += n + (line[n] == '\n');
    }
    return NULL;
}

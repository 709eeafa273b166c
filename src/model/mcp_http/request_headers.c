/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_headers.c - the HTTP headers that go with a message. */
#include "model/mcp_http/request_headers.h"

#include <string.h>

#include "base/base64.h"
#include "tool/mcp/mcp_era.h"
#include "tool/mcp/mcp_param_headers.h"

/* Methods whose headers name what they are about, and the member that has it
 * (2026-07-28, Standard Request Headers). */
static const struct named_method {
    const char *method, *member;
} named_methods[] = {
    {"tools/call", "name"},
    {"prompts/get", "name"},
    {"resources/read", "uri"},
    {0},
};

static const char *
version_of(const struct jsonrpc *m)
{
    return json_get_str(json_get(m->params, "_meta"), MCP_ERA_META_VERSION);
}

bool
request_headers_are_own(const struct jsonrpc *m)
{
    return version_of(m) != NULL;
}

/* Whether a value may stand in a header as it is (2026-07-28, Value Encoding).
 */
static bool
is_plain_value(const char *s, size_t n)
{
    static const char mark[] = "=?base64?";

    if (n == 0 || s[0] == ' ' || s[n - 1] == ' ' ||
        (n >= sizeof(mark) - 1 && memcmp(s, mark, sizeof(mark) - 1) == 0))
        return false;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < 0x20 || (unsigned char)s[i] > 0x7e)
            return false;
    return true;
}

static void
put_header_value(struct buf *out, const char *s, size_t n)
{
    if (is_plain_value(s, n)) {
        buf_add(out, s, n);
    } else {
        buf_str(out, "=?base64?");
        (void)base64_encode(out, s, n);
        buf_str(out, "?=");
    }
    buf_ch(out, '\n');
}

static void
on_param(void *arg, const char *name, const char *value, size_t n)
{
    struct buf *out = arg;

    buf_printf(out, "Mcp-Param-%s: ", name);
    put_header_value(out, value, n);
}

static void
put_params(const struct jsonrpc *m, const struct tool_schemas *tools,
           struct buf *out)
{
    const char *name = json_get_str(m->params, "name");
    CLEANUP(json_free_p)
    struct json *tool = name ? tool_schemas_find(tools, name) : NULL;

    if (tool && strcmp(m->method, "tools/call") == 0)
        mcp_param_headers_each(json_get(tool, "inputSchema"),
                               json_get(m->params, "arguments"), on_param, out);
}

static void
put_own_headers(const struct jsonrpc *m, const struct tool_schemas *tools,
                struct buf *out)
{
    const struct named_method *r = named_methods;
    const char *version = version_of(m), *name;
    size_t n;

    buf_str(out, "MCP-Protocol-Version: ");
    put_header_value(out, version, strlen(version));
    buf_str(out, "Mcp-Method: ");
    put_header_value(out, m->method, strlen(m->method));
    while (r->method && strcmp(r->method, m->method) != 0)
        r++;
    name = r->method ? json_str(json_get(m->params, r->member), &n) : NULL;
    if (!name)
        return;
    buf_str(out, "Mcp-Name: ");
    put_header_value(out, name, n);
    put_params(m, tools, out);
}

static void
put_session(const struct request_headers_session *s, struct buf *out)
{
    if (s->version[0])
        buf_printf(out, "MCP-Protocol-Version: %s\n", s->version);
    if (s->id[0])
        buf_printf(out, "MCP-Session-Id: %s\n", s->id);
}

void
request_headers_write(const struct jsonrpc *m,
                      const struct request_headers_session *s,
                      const struct tool_schemas *tools, struct buf *out)
{
    buf_str(out, "Content-Type: application/json\n"
                 "Accept: application/json, text/event-stream\n");
    if (request_headers_are_own(m))
        put_own_headers(m, tools, out);
    else
        put_session(s, out);
}

void
request_headers_write_bare(const struct request_headers_session *s,
                           const char *last_event, struct buf *out)
{
    if (last_event)
        buf_str(out, "Accept: text/event-stream\n");
    if (last_event && *last_event)
        buf_printf(out, "Last-Event-ID: %s\n", last_event);
    put_session(s, out);
}

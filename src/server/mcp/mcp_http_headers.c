/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_headers.c - what the headers of a request must say. */
#include "server/mcp/mcp_http_headers.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "server/mcp/mcp_client.h"
#include "tool/mcp/mcp_param_headers.h"

#define JSON_TYPE   "application/json"
#define STREAM_TYPE "text/event-stream"

/* Methods whose Mcp-Name says what they are about, and the member that has it
 * (Standard Request Headers; the tasks' extension). */
static const struct mcp_name_row {
    const char *method, *member;
} mcp_name_rows[] = {
    {"tools/call", "name"},     {"prompts/get", "name"},
    {"resources/read", "uri"},  {"tasks/get", "taskId"},
    {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"},
};

bool
mcp_http_sends_json(const struct http_incoming *r)
{
    const char *type = http_incoming_field(r, "content-type");

    return type && http_incoming_count(r, "content-type") == 1 &&
           !strchr(type, ',') && http_list_has(type, JSON_TYPE);
}

/* Whether the client takes the type, as any of its ranges says. */
static bool
takes_type(const struct http_incoming *r, const char *type, const char *range)
{
    const char *all = http_incoming_field(r, "accept");

    return !all || http_list_has(all, type) || http_list_has(all, range) ||
           http_list_has(all, "*/*");
}

bool
mcp_http_takes_streams(const struct http_incoming *r)
{
    return takes_type(r, STREAM_TYPE, "text/*");
}

bool
mcp_http_takes_answers(const struct http_incoming *r)
{
    return mcp_http_takes_streams(r) &&
           takes_type(r, JSON_TYPE, "application/*");
}

bool
mcp_http_version_is_known(const struct http_incoming *r)
{
    static const char *const known[] = {"2025-03-26", MCP_CLIENT_OLDEST_VERSION,
                                        MCP_ERA_HANDSHAKE_VERSION};
    const char *version = http_incoming_field(r, "mcp-protocol-version");

    for (size_t i = 0; version && i < ARRAY_SIZE(known); i++)
        if (strcmp(version, known[i]) == 0)
            return true;
    return !version;
}

/* A value that no header can have as it is comes as =?base64?TEXT?=. */
static int
decode_header_value(const char *value, struct buf *out, const char *name,
                    struct err *e)
{
    static const char mark[] = "=?base64?", end[] = "?=";
    size_t n = strlen(value), from = sizeof(mark) - 1;

    if (strncmp(value, mark, from) != 0 || n < from + 2 ||
        strcmp(value + n - 2, end) != 0) {
        buf_add(out, value, n);
        return buf_ok(out, name, e);
    }
    if (base64_decode(out, value + from, n - from - 2, e) < 0)
        return err_set(e, ERR_INVALID, "header mismatch: %s is no base64",
                       name);
    return 0;
}

/* Whether the header has this value, and once. */
static int
check_mcp_header(const struct http_incoming *r, const char *name,
                 const char *wanted, size_t n, struct err *e)
{
    const char *value = http_incoming_field(r, name);
    CLEANUP_BUF struct buf has = buf_of(HTTP_HEAD_MAX);

    if (http_incoming_count(r, name) != 1)
        return err_set(e, ERR_INVALID, "header mismatch: %s is %s", name,
                       value ? "there twice" : "missing");
    if (decode_header_value(value, &has, name, e) < 0)
        return -1;
    if (has.len != n || memcmp(has.p, wanted, n) != 0)
        return err_set(e, ERR_INVALID,
                       "header mismatch: %s is not what the body says", name);
    return 0;
}

struct param_check {
    const struct http_incoming *r;
    struct err *e;
    int rc;
};

static void
on_header_param(void *arg, const char *name, const char *value, size_t n)
{
    struct param_check *check = arg;
    char header[256];

    if (check->rc < 0)
        return;
    snprintf(header, sizeof(header), "mcp-param-%.200s", name);
    for (char *p = header; *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    check->rc = check_mcp_header(check->r, header, value, n, check->e);
}

static int
check_mcp_name(const struct http_incoming *r, const struct jsonrpc *m,
               struct err *e)
{
    for (size_t i = 0; i < ARRAY_SIZE(mcp_name_rows); i++) {
        const char *name;
        size_t n;

        if (strcmp(mcp_name_rows[i].method, m->method) != 0)
            continue;
        name = json_str(json_get(m->params, mcp_name_rows[i].member), &n);
        return name ? check_mcp_header(r, "mcp-name", name, n, e) : 0;
    }
    return 0;
}

int
mcp_http_check_headers(const struct http_incoming *r, const struct jsonrpc *m,
                       const struct json *schema, struct err *e)
{
    const char *version = json_get_str(json_get(m->params, "_meta"),
                                       MCP_ERA_META_VERSION);
    struct param_check params = {.r = r, .e = e};

    if ((version && check_mcp_header(r, "mcp-protocol-version", version,
                                     strlen(version), e) < 0) ||
        check_mcp_header(r, "mcp-method", m->method, strlen(m->method), e) <
            0 ||
        check_mcp_name(r, m, e) < 0)
        return -1;
    if (schema)
        mcp_param_headers_each(schema, json_get(m->params, "arguments"),
                               on_header_param, &params);
    return params.rc;
}

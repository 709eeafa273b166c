/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_mcp.c - whatever mcp.json holds and a server says is used or refused. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tool/mcp/mcp_input.h"
#include "tool/mcp/mcp_param_headers.h"
#include "tool/mcp/mcp_result.h"
#include "tool/mcp/mcp_tools.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
as_entries(const char *text, size_t n)
{
    static const char *const variables[] = {"HOME=/nowhere", "A=1", NULL};
    const struct seat_params here = {.dir = "/", .variables = variables};
    static struct seat *seat; /* one for all inputs */
    CLEANUP(mcp_config_free_p)
    struct mcp_config *s = calloc(1, sizeof(*s));

    if (!seat)
        seat = seat_new(&here, NULL);
    if (s)
        s->seat = seat;
    if (!s || !seat || !(s->files[0] = strdup("mcp.json")) ||
        mcp_config_add(s, 0, text, n, NULL) < 0)
        return;
    for (size_t i = 0; i < s->n; i++) {
        if (s->all[i].fault.code == ERR_NONE &&
            (!s->all[i].argv[0][0] || !manifest_is_name(s->all[i].name)))
            abort();
    }
}

/* Names are those of headers: no value can end a line. */
static void
on_header(void *arg, const char *name, const char *value, size_t n)
{
    (void)arg;
    if (!*name || strpbrk(name, "\r\n: ") || value[n] != '\0')
        abort();
}

static void
as_marked(const struct json *tool)
{
    const struct json *schema = json_get(tool, "inputSchema");

    if (mcp_param_headers_check(schema, NULL) == 0)
        mcp_param_headers_each(schema, json_get(tool, "args"), on_header, NULL);
}

static void
as_list(const struct json *page)
{
    static const struct mcp_server entry = {.name = (char *)"s",
                                            .url = (char *)"https://s/"};
    CLEANUP(mcp_tools_done) struct mcp_tools l;
    CLEANUP(json_free_p) struct json *list = NULL;
    const struct json *v;

    mcp_tools_init(&l);
    if (mcp_tools_add_page(&l, page, NULL) < 0 ||
        mcp_tools_finish(&l, "1", MCP_ERA_REQUEST, 0, NULL) < 0)
        return;
    list = json_parse(l.text.p, l.text.len, 0, NULL);
    v = json_first(json_get(list, "tools"));
    for (; v; v = json_next(v)) {
        char name[MANIFEST_NAME_MAX + 1] = "";
        const char *remote = NULL;
        CLEANUP(manifest_free_p)
        struct manifest *m = mcp_tools_manifest(&entry, list, v, name, &remote,
                                                NULL);

        as_marked(v);
        if (m && (!remote || !manifest_is_name(m->name) || !m->summary ||
                  !m->actions[0].args_check))
            abort();
    }
}

static void
as_answer(const struct json *result)
{
    const struct jsonrpc m = {.kind = JSONRPC_RESULT, .result = result};
    CLEANUP_BUF struct buf log = buf_of(16);
    CLEANUP(mcp_result_done) struct mcp_result a = {0};

    if (mcp_result_make(&a, &m, &log, 1, NULL) == 0 &&
        (!a.result.out || !a.result.meta ||
         (!a.result.ok && !a.result.error_code)))
        abort();
}

static void
as_handshake(struct json *v)
{
    const struct buf roots = {.p = (char *)"{}", .len = 2, .max = 2};
    const struct jsonrpc result = {.kind = JSONRPC_RESULT, .result = v};
    const struct jsonrpc error = {
        .kind = JSONRPC_ERROR, .root = v, .code = -32022, .message = ""};
    CLEANUP_BUF struct buf input = buf_of(1u << 20);
    struct err e = {0};

    if (mcp_era_of_discovery(&result, &e) == MCP_ERA_UNKNOWN && !e.text[0])
        abort();
    e = (struct err){0};
    if (mcp_era_of_discovery(&error, &e) == MCP_ERA_UNKNOWN && !e.text[0])
        abort();
    (void)mcp_era_check_initialized(v, NULL);
    (void)mcp_era_server_version(v);
    if (mcp_input_kind(v) == MCP_INPUT_REQUIRED &&
        mcp_input_answer(v, &roots, &input, NULL) == 0 && input.len == 0)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(json_free_p)
    struct json *v = json_parse((const char *)data, size, JSON_UNIQUE, NULL);

    as_entries((const char *)data, size);
    if (v) {
        as_list(v);
        as_answer(v);
        as_handshake(v);
    }
    return 0;
}

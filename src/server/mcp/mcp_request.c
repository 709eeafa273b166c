/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_request.c - what a tools/call asks of an errand. */
#include "server/mcp/mcp_request.h"

#include "wire/parse_thread.h"

#define VALUE_BYTES 96 /* of a value in memory, with a name, beside a text */

/* The limit of a command is among its arguments; null: none. */
static void
read_call_limit(const struct json *args, struct errand_request *out)
{
    const struct json *v = json_get(args, "timeout_ms");

    if (v && json_type(v) == JSON_NULL)
        out->timeout_ms = -1;
    else if (!json_int(v, &out->timeout_ms) || out->timeout_ms < 1)
        out->timeout_ms = 0;
}

/* A command tells what it writes as it comes where somebody listens. */
void
mcp_request_fill(const struct mcp_catalog_tool *t, const struct json *args,
                 const struct mcp_frame *f, struct errand_request *out)
{
    bool step = t->tool->manifest->step;

    *out = (struct errand_request){.tool = t->tool->name,
                                   .action = t->action->name,
                                   .args = args,
                                   .is_long = mcp_request_size(args) >
                                              PARSE_THREAD_LEAST,
                                   .stream = step && (f->token || f->tasks)};
    if (step)
        read_call_limit(args, out);
}

size_t
mcp_request_size(const struct json *v)
{
    size_t n = VALUE_BYTES, len;

    if (json_str(v, &len))
        n += len;
    for (const struct json *m = json_first(v); m; m = json_next(m))
        n += mcp_request_size(m);
    return n;
}

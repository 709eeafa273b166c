/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_update.c - reads what an agent tells of its work. */
#include "server/gateway/agent_update.h"

#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "server/gateway/gateway_agent.h"

#define PLAIN_LINE_MAX 4096 /* bytes kept of a line that is no message */
#include "json/write.h"

static void
begin_update(struct agent_update *u)
{
    *u = (struct agent_update){.data = buf_of(GATEWAY_AGENT_EVENT_MAX),
                               .stop_reason = "",
                               .summary = "",
                               .used = -1,
                               .cost = -1};
}

/* A value that is too large for an event is told by its size alone. */
static void
put_data(struct agent_update *u, const char *kind, const struct json *value)
{
    struct json_writer w;

    u->kind = kind;
    json_write_init(&w, &u->data);
    if (value) {
        json_put_value(&w, value);
    } else {
        json_open_object(&w);
        json_close_object(&w);
    }
    if (!u->data.bad)
        return;
    buf_clear(&u->data);
    buf_printf(&u->data, "{\"message\":\"more than %u bytes, left out\"}",
               GATEWAY_AGENT_EVENT_MAX);
}

void
agent_update_put_text(struct buf *out, const char *text, size_t n)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "text");
    json_put_strn(&w, text, n);
    json_close_object(&w);
}

/* A chunk of a message: its text, or the block that it is. */
static void
read_chunk(struct agent_update *u, const struct json *update)
{
    const struct json *block = json_get(update, "content");
    const char *type = json_get_str(block, "type");
    const char *text = json_get_str(block, "text");

    if (type && strcmp(type, "text") == 0 && text) {
        u->kind = "content";
        u->text = text;
    } else {
        put_data(u, "content", update);
    }
}

static void
read_public_update(struct agent_update *u, const struct json *update)
{
    const char *name = json_get_str(update, "sessionUpdate");
    const struct json *cost = json_get(update, "cost");

    if (!name)
        return;
    if (strcmp(name, "agent_message_chunk") == 0) {
        read_chunk(u, update);
        return;
    }
    u->work = str_begins(name, "tool_call");
    put_data(u, u->work ? "toolCall" : "update", update);
    if (strcmp(name, "usage_update") != 0)
        return;
    if (!json_int(json_get(update, "used"), &u->used) || u->used < 0)
        u->used = -1;
    if (!json_num(json_get(cost, "amount"), &u->cost) || !(u->cost >= 0))
        u->cost = -1;
}

static void
read_turn_end(struct agent_update *u, const struct json *data, bool success)
{
    const char *summary = json_get_str(data, "summary");

    u->ends_turn = true;
    u->success = success;
    u->stop_reason = success ? "end_turn" : "";
    u->summary = summary ? summary : "";
}

static void
read_dialect_update(struct agent_update *u, const char *type,
                    const struct json *data)
{
    const char *text = json_get_str(data, "text");
    bool success = false;

    if (strcmp(type, "content") == 0 && text && json_count(data) == 1) {
        u->kind = "content";
        u->text = text;
    } else if (strcmp(type, "content") == 0) {
        put_data(u, "content", data);
    } else if (strcmp(type, "toolCall") == 0) {
        u->work = true;
        put_data(u, "toolCall", data);
    } else if (strcmp(type, "error") == 0) {
        put_data(u, "error", data);
    } else if (strcmp(type, "complete") == 0) {
        (void)json_bool(json_get(data, "success"), &success);
        put_data(u, "result", data);
        read_turn_end(u, data, success);
    } else {
        put_data(u, "update", data);
    }
}

void
agent_update_read(const struct json *params, struct agent_update *u)
{
    const struct json *update = json_get(params, "update");
    const char *type = json_get_str(params, "type");

    begin_update(u);
    if (update)
        read_public_update(u, update);
    else if (type)
        read_dialect_update(u, type, json_get(params, "data"));
}

void
agent_update_read_old(const struct json *line, struct agent_update *u)
{
    static const char *const kinds[] = {"progress", "log",    "result",
                                        "error",    "status", "heartbeat"};
    const char *type = json_get_str(line, "type");
    const struct json *data = json_get(line, "data");
    const char *status = json_get_str(data, "status");
    bool success = status && strcmp(status, "completed") == 0;

    begin_update(u);
    if (!type || json_get(line, "jsonrpc"))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (strcmp(kinds[i], type) == 0)
            put_data(u, kinds[i], data);
    if (strcmp(type, "result") != 0)
        return;
    if (!status)
        (void)json_bool(json_get(data, "success"), &success);
    read_turn_end(u, data, success);
    if (status && strcmp(status, "cancelled") == 0)
        u->stop_reason = "cancelled";
}

void
agent_update_read_usage(const struct json *result, int64_t *tokens_in,
                        int64_t *tokens_out)
{
    const struct json *usage = json_get(result, "usage");

    if (!json_int(json_get(usage, "inputTokens"), tokens_in) || *tokens_in < 0)
        *tokens_in = -1;
    if (!json_int(json_get(usage, "outputTokens"), tokens_out) ||
        *tokens_out < 0)
        *tokens_out = -1;
}

void
agent_update_put_error(struct buf *out, const char *message,
                       const char *details, int64_t code)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "message", message);
    if (details && *details)
        json_member_str(&w, "details", details);
    if (code != 0)
        json_member_int(&w, "code", code);
    json_close_object(&w);
}

void
agent_update_put_result(struct buf *out, bool success, const char *session,
                        const char *summary, const struct json *result)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_bool(&w, "success", success);
    json_member_str(&w, "sessionId", session);
    json_member_str(&w, "summary", summary);
    for (const struct json *v = json_first(result); v; v = json_next(v)) {
        static const char *const ours[] = {"success", "sessionId", "summary",
                                           "_meta"};
        size_t n;
        const char *name = json_name(v, &n);

        if (STR_IN(name, ours))
            continue;
        json_keyn(&w, name, n);
        json_put_value(&w, v);
    }
    json_close_object(&w);
}

void
agent_update_put_log(struct buf *out, const char *line, size_t n)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "level", "info");
    json_key(&w, "message");
    json_put_strn(&w, line, n < PLAIN_LINE_MAX ? n : PLAIN_LINE_MAX);
    json_close_object(&w);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openai.c - OpenAI's chat completions, and all who speak them. */
#include <string.h>

#include "model/draft.h"
#include "model/offer.h"
#include "model/provider.h"
#include "model/turns.h"
#include "model/variant.h"

static const struct finish_row finishes[] = {
    {"stop", FINISH_STOP},
    {"eos", FINISH_STOP},
    {"eos_token", FINISH_STOP},
    {"end_turn", FINISH_STOP},
    {"stop_sequence", FINISH_STOP},
    {"length", FINISH_LENGTH},
    {"max_tokens", FINISH_LENGTH},
    {"model_length", FINISH_LENGTH},
    {"content_filter", FINISH_REFUSED},
    {"tool_calls", FINISH_TOOL},
    {"function_call", FINISH_TOOL},
    {NULL, FINISH_OTHER},
};

static void
put_path(const struct call *c, struct buf *out)
{
    (void)c;
    buf_str(out, "/chat/completions");
}

static void
put_schema(const struct call *c, struct json_writer *w)
{
    json_key(w, "response_format");
    json_open_object(w);
    json_member_str(w, "type", "json_schema");
    json_key(w, "json_schema");
    json_open_object(w);
    json_member_str(w, "name", ANSWER_NAME);
    json_member_bool(w, "strict", true);
    json_key(w, "schema");
    variant_write(w, c->schema, VARIANT_STRICT);
    json_close_object(w);
    json_close_object(w);
}

/* The answer as one of the tools; beside others the model may still choose,
 * but it must choose one. */
static void
put_answer_tool(const struct call *c, struct json_writer *w)
{
    turns_open_tool(ANSWER_NAME, "Gives the answer.", w);
    variant_write(w, c->schema, VARIANT_CLOSED);
    turns_close_tool(w);
}

static void
put_choice(const struct call *c, struct json_writer *w)
{
    json_key(w, "tool_choice");
    if (call_offer(c) == OFFER_TOOLS) {
        json_put_str(w, "required");
        return;
    }
    json_open_object(w);
    json_member_str(w, "type", "function");
    json_key(w, "function");
    json_open_object(w);
    json_member_str(w, "name", ANSWER_NAME);
    json_close_object(w);
    json_close_object(w);
}

static void
put_tools(const struct call *c, struct json_writer *w)
{
    bool answer = call_shape(c) == SHAPE_TOOL;

    if (!answer && call_offer(c) != OFFER_TOOLS)
        return;
    json_key(w, "tools");
    json_open_array(w);
    turns_put_tools(c, w);
    if (answer)
        put_answer_tool(c, w);
    json_close_array(w);
    if (answer)
        put_choice(c, w);
}

/* OpenAI's own models take the newer name, and some no temperature; servers
 * of one's own mostly know the older name, and are steadier without chance. */
static bool
is_own_server(const struct call *c)
{
    return strcmp(c->url, c->provider->url) != 0;
}

static void
put_limit(const struct call *c, struct json_writer *w)
{
    bool newer = !is_own_server(c) != !!(c->quirks & QUIRK_OTHER_LIMIT);

    if (call_limit(c) > 0)
        json_member_int(w, newer ? "max_completion_tokens" : "max_tokens",
                        call_limit(c));
}

static void
put_body(const struct call *c, struct json_writer *w)
{
    bool stream = !(c->quirks & QUIRK_NO_STREAM);

    json_open_object(w);
    json_member_str(w, "model", c->model);
    turns_put(c, TURNS_OPENAI, w);
    json_member_bool(w, "stream", stream);
    if (stream && !(c->quirks & QUIRK_NO_USAGE)) {
        json_key(w, "stream_options");
        json_open_object(w);
        json_member_bool(w, "include_usage", true);
        json_close_object(w);
    }
    put_limit(c, w);
    if (is_own_server(c) && !(c->quirks & QUIRK_NO_TEMPERATURE))
        json_member_int(w, "temperature", 0);
    if (call_shape(c) == SHAPE_SCHEMA)
        put_schema(c, w);
    put_tools(c, w);
    json_close_object(w);
}

/* A text, or a list of parts of which the texts count. */
static int
take_content(struct draft *r, const struct json *content, struct err *e)
{
    const struct json *part;

    if (json_type(content) != JSON_ARRAY)
        return draft_str(r, content, e);
    for (part = json_first(content); part; part = json_next(part)) {
        const char *type = json_get_str(part, "type");

        if (type && strcmp(type, "text") != 0)
            draft_reasoning(r, json_get(part, "thinking"));
        else if (draft_str(r, json_get(part, "text"), e) < 0)
            return -1;
    }
    return 0;
}

static int
take_calls(struct draft *r, const struct json *list, struct err *e)
{
    const struct json *v;

    for (v = json_first(list); v; v = json_next(v)) {
        const struct json *function = json_get(v, "function");
        const struct want_piece p = {
            .index = json_get(v, "index"),
            .id = json_get(v, "id"),
            .name = json_get(function, "name"),
            .args = json_get(function, "arguments"),
            .extra_name = "extra_content",
            .extra = json_get(v, "extra_content"),
        };

        if (draft_call(r, &p, e) < 0)
            return -1;
    }
    return 0;
}

static int
take_choice(struct draft *r, const struct json *choice, struct err *e)
{
    const struct json *m = json_get(choice, "delta");

    if (!m || json_type(m) == JSON_NULL)
        m = json_get(choice, "message");
    draft_keep(r, "reasoning_content", json_get(m, "reasoning_content"));
    draft_keep(r, "reasoning", json_get(m, "reasoning"));
    draft_refusal(r, json_get(m, "refusal"));
    if (take_content(r, json_get(m, "content"), e) < 0)
        return -1;
    if (take_calls(r, json_get(m, "tool_calls"), e) < 0)
        return -1;
    draft_finish(r, json_get(choice, "finish_reason"), finishes);
    return 0;
}

static bool
is_error(const char *name, const struct json *v)
{
    const struct json *err = json_get(v, "error");
    const char *object = json_get_str(v, "object");

    return strcmp(name, "error") == 0 || json_type(err) == JSON_OBJECT ||
           json_type(err) == JSON_STRING ||
           (object && strcmp(object, "error") == 0);
}

static int
take_event(struct draft *r, const char *name, const struct json *v,
           struct err *e)
{
    const struct json *usage = json_get(v, "usage");

    if (is_error(name, v))
        return draft_fault(r, v, e);
    draft_model(r, json_get(v, "model"));
    draft_tokens(&r->tokens_in, json_get(usage, "prompt_tokens"));
    draft_tokens(&r->tokens_out, json_get(usage, "completion_tokens"));
    return take_choice(r, json_at(json_get(v, "choices"), 0), e);
}

const struct provider *
provider_openai(void)
{
    static const struct provider row = {
        .name = "openai",
        .title = "OpenAI",
        .key_vars = {"OPENAI_API_KEY"},
        .url_var = "OPENAI_BASE_URL",
        .url = "https://api.openai.com/v1",
        .strip = {"/chat/completions"},
        .model = "gpt-5-mini",
        .own_needs_no_key = true,
        .key_header = "Authorization: Bearer ",
        .max_tokens = 16384,
        .fallbacks = QUIRK_NO_SCHEMA | QUIRK_NO_TOOL | QUIRK_NO_TEMPERATURE |
                     QUIRK_OTHER_LIMIT | QUIRK_NO_LIMIT | QUIRK_NO_USAGE |
                     QUIRK_NO_STREAM | QUIRK_NO_SYSTEM | QUIRK_NO_TOOLS,
        .schema_with_tools = true,
        .path = put_path,
        .body = put_body,
        .event = take_event,
    };

    return &row;
}

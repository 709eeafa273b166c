/* SPDX-License-Identifier: GPL-3.0-or-later */
/* openai.c - the provider OpenAI, and every server with its API: writes
 * requests to /chat/completions and reads their streams. */
#include <stddef.h>
#include <string.h>

#include "model/provider/api_error.h"
#include "model/provider/chat_messages.h"
#include "model/provider/effort.h"
#include "model/provider/host_features.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "model/provider/response.h"
#include "model/provider/responses.h"
#include "model/provider/schema_dialect.h"
#include "model/provider/tool_declarations.h"

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
put_openai_path(const struct provider_request *req, struct buf *out)
{
    buf_str(out,
            provider_uses_responses(req) ? "/responses" : "/chat/completions");
}

static void
put_openai_schema(const struct provider_request *req, struct json_writer *w)
{
    bool any = req->quirks & QUIRK_JSON_OBJECT; /* any object */

    json_key(w, "response_format");
    json_open_object(w);
    if (any) {
        json_member_str(w, "type", "json_object");
        json_close_object(w);
        return;
    }
    json_member_str(w, "type", "json_schema");
    json_key(w, "json_schema");
    json_open_object(w);
    json_member_str(w, "name", ANSWER_NAME);
    json_member_bool(w, "strict", true);
    json_key(w, "schema");
    schema_dialect_write(w, req->schema, provider_schema_dialect(req, false));
    json_close_object(w);
    json_close_object(w);
}

/* Declares the answer as a tool. Beside other tools the model may choose, but
 * it must call one of them. */
static void
put_openai_answer_tool(const struct provider_request *req,
                       struct json_writer *w)
{
    chat_messages_open_tool(ANSWER_NAME, "Gives the answer.", w);
    schema_dialect_write(w, req->schema, provider_schema_dialect(req, true));
    chat_messages_close_tool(w);
}

static void
put_openai_tool_choice(const struct provider_request *req,
                       struct json_writer *w)
{
    json_key(w, "tool_choice");
    if (tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE) {
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
put_openai_tools(const struct provider_request *req, struct json_writer *w)
{
    bool answer = provider_answer_shape(req) == ANSWER_SHAPE_TOOL;

    if (!answer && tool_declarations_form(req) != TOOL_DECLARATIONS_NATIVE)
        return;
    json_key(w, "tools");
    json_open_array(w);
    chat_messages_write_tools(req, w);
    if (answer)
        put_openai_answer_tool(req, w);
    json_close_array(w);
    if (answer)
        put_openai_tool_choice(req, w);
}

/* OpenAI's own models take the newer name of the limit, and some take no
 * temperature. Other servers mostly know the older name, and their answers vary
 * less with temperature 0. */
static bool
is_own_server(const struct provider_request *req)
{
    return strcmp(req->url, req->provider->url) != 0;
}

static void
put_limit(const struct provider_request *req, struct json_writer *w)
{
    bool newer = !is_own_server(req) != !!(req->quirks & QUIRK_OTHER_LIMIT);

    if (provider_token_limit(req) > 0)
        json_member_int(w, newer ? "max_completion_tokens" : "max_tokens",
                        provider_token_limit(req));
}

static void
put_openai_body(const struct provider_request *req, struct json_writer *w)
{
    bool stream = !(req->quirks & QUIRK_NO_STREAM);
    const char *effort = effort_of(req);

    if (provider_uses_responses(req)) {
        responses_write_body(req, w);
        return;
    }
    json_open_object(w);
    json_member_str(w, "model", req->model);
    chat_messages_write(req, CHAT_MESSAGES_OPENAI, w);
    json_member_bool(w, "stream", stream);
    if (stream && !(req->quirks & QUIRK_NO_USAGE)) {
        json_key(w, "stream_options");
        json_open_object(w);
        json_member_bool(w, "include_usage", true);
        json_close_object(w);
    }
    put_limit(req, w);
    if (effort)
        json_member_str(w, "reasoning_effort", effort);
    if (is_own_server(req) && !(req->quirks & QUIRK_NO_TEMPERATURE))
        json_member_int(w, "temperature", 0);
    if (provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA)
        put_openai_schema(req, w);
    put_openai_tools(req, w);
    if (provider_features(req) & HOST_CACHE_KEY)
        json_member_str(w, "prompt_cache_key", PROVIDER_CACHE_KEY);
    json_close_object(w);
}

/* Reads a string, or a list of parts of which only the texts are used. */
static int
read_content(struct model_response *r, const struct json *content,
             struct err *e)
{
    const struct json *part;

    if (json_type(content) != JSON_ARRAY)
        return model_response_add_text(r, content, e);
    for (part = json_first(content); part; part = json_next(part)) {
        const char *type = json_get_str(part, "type");

        if (type && strcmp(type, "text") != 0)
            model_response_note_reasoning(r, json_get(part, "thinking"));
        else if (model_response_add_text(r, json_get(part, "text"), e) < 0)
            return -1;
    }
    return 0;
}

static int
read_openai_calls(struct model_response *r, const struct json *list,
                  struct err *e)
{
    const struct json *v;

    for (v = json_first(list); v; v = json_next(v)) {
        const struct json *function = json_get(v, "function");
        const struct tool_calls_piece p = {
            .index = json_get(v, "index"),
            .id = json_get(v, "id"),
            .name = json_get(function, "name"),
            .args = json_get(function, "arguments"),
            .extra_name = "extra_content",
            .extra = json_get(v, "extra_content"),
        };

        if (model_response_add_call(r, &p, e) < 0)
            return -1;
    }
    return 0;
}

/* The block that the item continues; NULL: it is a new one. What is encrypted
 * comes whole, and without an index it says nothing of where it belongs. */
static struct content_block *
find_detail(const struct content_blocks *b, const struct json *item)
{
    const char *type = json_get_str(item, "type");
    const struct json *index = json_get(item, "index");
    struct content_block *k = content_blocks_find(b, index);
    int64_t at;

    if (!json_int(index, &at) && type && strstr(type, "encrypted"))
        return NULL;
    return k && content_block_agrees(k, "type", json_get(item, "type")) &&
                   content_block_agrees(k, "id", json_get(item, "id"))
               ? k
               : NULL;
}

/* OpenRouter's reasoning: a list of objects that go back as they came. A stream
 * brings pieces of them. */
static int
read_openai_details(struct model_response *r, const struct json *list,
                    bool pieces, struct err *e)
{
    struct content_blocks *b = &r->blocks;

    for (list = json_first(list); list; list = json_next(list)) {
        struct content_block *k = pieces ? find_detail(b, list) : NULL;

        if (json_type(list) != JSON_OBJECT)
            continue;
        r->reasoned = true;
        if (!k && b->n == CONTENT_BLOCKS_MAX)
            b->lost = true;
        if (b->lost || r->calls != TOOL_DECLARATIONS_NATIVE)
            return 0;
        r->blocks_name = "reasoning_details";
        if (!k && !(k = content_blocks_begin(b, CONTENT_THINKING,
                                             json_get(list, "index"), 0, e)))
            return -1;
        content_blocks_add(b, k, list);
    }
    return 0;
}

/* Azure says beside a text that its filter stopped which categories did. */
static void
read_openai_filter(struct model_response *r, const struct json *choice)
{
    const struct json *v = json_get(choice, "content_filter_results");
    char line[80];

    api_error_read_filter(line, sizeof(line), v);
    if (*line)
        model_response_set_reason(r, line);
}

static int
read_choice(struct model_response *r, const struct json *choice, struct err *e)
{
    const struct json *m = json_get(choice, "delta");
    bool pieces = json_type(m) == JSON_OBJECT;
    int64_t index;

    if (json_int(json_get(choice, "index"), &index) && index != 0)
        return 0; /* one answer was asked for, and this is another */
    if (json_type(json_get(choice, "error")) == JSON_OBJECT) /* OpenRouter */
        return model_response_set_error(r, choice, e);
    read_openai_filter(r, choice);
    if (!pieces)
        m = json_get(choice, "message");
    model_response_keep_reasoning(r, "reasoning_content",
                                  json_get(m, "reasoning_content"));
    model_response_keep_reasoning(r, "reasoning", json_get(m, "reasoning"));
    if (read_openai_details(r, json_get(m, "reasoning_details"), pieces, e) < 0)
        return -1;
    model_response_add_refusal(r, json_get(m, "refusal"));
    if (read_content(r, json_get(m, "content"), e) < 0)
        return -1;
    if (read_openai_calls(r, json_get(m, "tool_calls"), e) < 0)
        return -1;
    model_response_set_finish(r, json_get(choice, "finish_reason"), finishes);
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

static const struct usage_row counts[] = {
    {offsetof(struct model_response, tokens_in), NULL, "prompt_tokens"},
    {offsetof(struct model_response, tokens_out), NULL, "completion_tokens"},
    /* DeepSeek's name for what stands in the details elsewhere */
    {offsetof(struct model_response, tokens_cached), NULL,
     "prompt_cache_hit_tokens"},
    {offsetof(struct model_response, tokens_cached), "prompt_tokens_details",
     "cached_tokens"},
    {offsetof(struct model_response, tokens_cache_written),
     "prompt_tokens_details", "cache_write_tokens"},
    {offsetof(struct model_response, tokens_reasoning),
     "completion_tokens_details", "reasoning_tokens"},
    {0, NULL, NULL},
};

/* Reasoning is a part of the completion, but for servers (xAI) whose total says
 * that it was counted beside it. */
static void
read_openai_usage(struct model_response *r, const struct json *usage)
{
    int64_t total = -1;

    if (json_type(usage) != JSON_OBJECT)
        return;
    model_response_read_usage(r, usage, counts);
    model_response_set_tokens(&total, json_get(usage, "total_tokens"));
    if (r->tokens_reasoning > 0 && r->tokens_in >= 0 && r->tokens_out >= 0 &&
        total == r->tokens_in + r->tokens_out + r->tokens_reasoning &&
        json_get(usage, "completion_tokens"))
        r->tokens_out += r->tokens_reasoning;
}

static int
read_openai_event(struct model_response *r, const char *name,
                  const struct json *v, struct err *e)
{
    if (responses_is_event(v))
        return responses_read_event(r, v, e);
    if (is_error(name, v))
        return model_response_set_error(r, v, e);
    model_response_set_model(r, json_get(v, "model"));
    read_openai_usage(r, json_get(v, "usage"));
    return read_choice(r, json_at(json_get(v, "choices"), 0), e);
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
        .models = "/models",
        .own_needs_no_key = true,
        .key_header = "Authorization: Bearer ",
        .max_tokens = 16384,
        .fallbacks = QUIRK_NO_SCHEMA | QUIRK_NO_TOOL | QUIRK_NO_TEMPERATURE |
                     QUIRK_OTHER_LIMIT | QUIRK_NO_LIMIT | QUIRK_NO_USAGE |
                     QUIRK_NO_STREAM | QUIRK_NO_SYSTEM | QUIRK_NO_TOOLS |
                     QUIRK_OBJECT_ROOT | QUIRK_NO_CACHE_KEY |
                     QUIRK_EFFORT_NONE | QUIRK_NO_EFFORT | QUIRK_NO_RESPONSES |
                     QUIRK_JSON_OBJECT,
        .dialect = SCHEMA_DIALECT_STRICT,
        .cuts_prompts = true,
        .path = put_openai_path,
        .body = put_openai_body,
        .event = read_openai_event,
    };

    return &row;
}

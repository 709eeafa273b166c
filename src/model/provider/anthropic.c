/* SPDX-License-Identifier: GPL-3.0-or-later */
/* anthropic.c - the provider Anthropic: writes requests to /v1/messages and
 * reads their streams. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model/provider/effort.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "model/provider/response.h"
#include "model/provider/schema_dialect.h"
#include "model/provider/tool_declarations.h"

/* The member of a call's extra that holds the blocks before it. */
#define BLOCKS_NAME "blocks"

/* An empty text block would be refused. */
static void
put_anthropic_text(const char *text, struct json_writer *w)
{
    if (!text || !*text)
        return;
    json_open_object(w);
    json_member_str(w, "type", "text");
    json_member_str(w, "text", text);
    json_close_object(w);
}

/* The blocks that stood before a call, as they came, in their order: Claude's
 * reasoning, and the texts between. Returns whether there are any. */
static bool
put_blocks_before(const struct model_tool_call *c, struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *list = tool_declarations_extra(c, BLOCKS_NAME, &root);
    const struct json *v;

    for (v = json_first(list); v && w; v = json_next(v)) {
        const char *text = json_get_str(v, "text");

        if (!text || strspn(text, " \t\r\n") < strlen(text))
            json_put_value(w, v);
    }
    return list != NULL;
}

/* Before the text, as Anthropic advises. */
static void
put_anthropic_images(const struct model_images *m, struct json_writer *w)
{
    for (size_t i = 0; m && i < m->n; i++) {
        json_open_object(w);
        json_member_str(w, "type", "image");
        json_key(w, "source");
        json_open_object(w);
        json_member_str(w, "type", "base64");
        json_member_str(w, "media_type", m->v[i].type);
        json_key(w, "data");
        json_put_strn(w, m->v[i].data, m->v[i].n);
        json_close_object(w);
        json_close_object(w);
    }
}

static void
put_anthropic_call(const struct model_tool_call *c, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "type", "tool_use");
    json_member_str(w, "id", c->id);
    json_key(w, "name");
    tool_declarations_write_name(c->name, w);
    json_key(w, "input");
    tool_declarations_write_args(c, w);
    json_close_object(w);
}

static void
put_anthropic_result(const struct model_turn *t, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "type", "tool_result");
    json_member_str(w, "tool_use_id", t->call_id);
    json_member_str(w, "content", t->text);
    if (t->failed)
        json_member_bool(w, "is_error", true);
    json_close_object(w);
}

/* Writes what the model said and called. The text stands before the calls where
 * it is not one of the blocks between them. */
static void
put_anthropic_turn(const struct model_turn *t, struct json_writer *w)
{
    bool blocks = false;

    put_anthropic_images(t->images, w);
    for (size_t k = 0; k < t->n_tool_calls; k++)
        blocks |= put_blocks_before(&t->tool_calls[k], NULL);
    if (!blocks)
        put_anthropic_text(t->text, w);
    for (size_t k = 0; k < t->n_tool_calls; k++) {
        (void)put_blocks_before(&t->tool_calls[k], w);
        put_anthropic_call(&t->tool_calls[k], w);
    }
}

/* Writes the blocks of one message, from turn i on: a turn with its calls, or
 * all results of one answer and the user's text after them. Returns the index
 * of the next turn. */
static size_t
put_anthropic_blocks(const struct provider_request *req, size_t i,
                     struct json_writer *w)
{
    const struct model_turn *t = &req->turns[i];

    json_open_array(w);
    if (t->role == MODEL_RESULT) {
        while (i < req->n_turns && req->turns[i].role == MODEL_RESULT)
            put_anthropic_result(&req->turns[i++], w);
        if (i < req->n_turns && req->turns[i].role == MODEL_USER)
            put_anthropic_turn(&req->turns[i++], w);
    } else {
        put_anthropic_text(provider_turn_prefix(req, i), w);
        put_anthropic_turn(t, w);
        i++;
    }
    json_close_array(w);
    return i;
}

static size_t
put_anthropic_message(const struct provider_request *req, size_t i,
                      struct json_writer *w)
{
    const struct model_turn *t = &req->turns[i];

    json_open_object(w);
    json_member_str(w, "role",
                    t->role == MODEL_ASSISTANT ? "assistant" : "user");
    json_key(w, "content");
    if (t->role == MODEL_RESULT || t->n_tool_calls > 0 || t->images ||
        provider_turn_prefix(req, i)) {
        i = put_anthropic_blocks(req, i, w);
    } else {
        json_put_str(w, t->text);
        i++;
    }
    json_close_object(w);
    return i;
}

static void
put_messages(const struct provider_request *req, struct json_writer *w)
{
    json_key(w, "messages");
    json_open_array(w);
    for (size_t i = 0; i < req->n_turns;)
        i = put_anthropic_message(req, i, w);
    json_close_array(w);
}

static void
put_tool(const struct provider_tool *t, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "name", t->name);
    json_member_str(w, "description", t->description);
    json_key(w, "input_schema");
    tool_declarations_write_schema(t, w);
    json_close_object(w);
}

static void
put_anthropic_answer_tool(const struct provider_request *req,
                          struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "name", ANSWER_NAME);
    json_member_str(w, "description", "Gives the answer.");
    json_key(w, "input_schema");
    schema_dialect_write(w, req->schema, provider_schema_dialect(req, true));
    json_close_object(w);
}

static bool
was_called_before(const struct provider_request *req,
                  const struct model_tool_call *end)
{
    for (size_t i = 0; i < req->n_turns; i++) {
        for (size_t k = 0; k < req->turns[i].n_tool_calls; k++) {
            const struct model_tool_call *call = &req->turns[i].tool_calls[k];

            if (call == end)
                return false;
            if (strcmp(call->name, end->name) == 0)
                return true;
        }
    }
    return false;
}

/* A conversation with calls is refused when the request has no tools: a request
 * without tools declares those that were called. */
static void
put_called_tools(const struct provider_request *req, struct json_writer *w)
{
    for (size_t i = 0; i < req->n_turns; i++) {
        for (size_t k = 0; k < req->turns[i].n_tool_calls; k++) {
            const struct model_tool_call *call = &req->turns[i].tool_calls[k];

            if (was_called_before(req, call))
                continue;
            json_open_object(w);
            json_key(w, "name");
            tool_declarations_write_name(call->name, w);
            json_key(w, "input_schema");
            tool_declarations_write_schema(NULL, w);
            json_close_object(w);
        }
    }
}

static void
put_anthropic_tool_choice(const struct provider_request *req,
                          struct json_writer *w)
{
    bool answer = provider_answer_shape(req) == ANSWER_SHAPE_TOOL;
    bool others = tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE;

    if (!answer && others)
        return; /* the model decides */
    json_key(w, "tool_choice");
    json_open_object(w);
    json_member_str(w, "type", !answer ? "none" : others ? "any" : "tool");
    if (answer && !others)
        json_member_str(w, "name", ANSWER_NAME);
    json_close_object(w);
}

static void
put_anthropic_tools(const struct provider_request *req, struct json_writer *w)
{
    bool answer = provider_answer_shape(req) == ANSWER_SHAPE_TOOL;
    bool others = tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE;

    if (!answer && !others && !tool_declarations_has_calls(req))
        return;
    json_key(w, "tools");
    json_open_array(w);
    for (size_t i = 0; others && i < req->n_tools; i++)
        put_tool(&req->tools[i], w);
    if (!others)
        put_called_tools(req, w);
    if (answer)
        put_anthropic_answer_tool(req, w);
    json_close_array(w);
    put_anthropic_tool_choice(req, w);
}

static void
put_anthropic_path(const struct provider_request *req, struct buf *out)
{
    (void)req;
    buf_str(out, "/v1/messages");
}

static void
put_format(const struct provider_request *req, struct json_writer *w)
{
    json_key(w, "format");
    json_open_object(w);
    json_member_str(w, "type", "json_schema");
    json_key(w, "schema");
    schema_dialect_write(w, req->schema, provider_schema_dialect(req, false));
    json_close_object(w);
}

static void
put_output_config(const struct provider_request *req, struct json_writer *w)
{
    bool format = provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA;
    const char *effort = effort_of(req);

    if (!format && !effort)
        return;
    json_key(w, "output_config");
    json_open_object(w);
    if (effort)
        json_member_str(w, "effort", effort);
    if (format)
        put_format(req, w);
    json_close_object(w);
}

static void
put_cache_control(struct json_writer *w)
{
    json_key(w, "cache_control");
    json_open_object(w);
    json_member_str(w, "type", "ephemeral");
    json_close_object(w);
}

/* Writes the rules as the end of what is the same in every request: tools stand
 * before them. Where that is shorter than what a model caches, the mark does
 * nothing and costs nothing. */
static void
put_system(const struct provider_request *req, struct json_writer *w)
{
    if (!req->system || !*req->system || (req->quirks & QUIRK_NO_SYSTEM))
        return;
    json_key(w, "system");
    json_open_array(w);
    json_open_object(w);
    json_member_str(w, "type", "text");
    json_member_str(w, "text", req->system);
    put_cache_control(w);
    json_close_object(w);
    json_close_array(w);
}

static void
put_anthropic_body(const struct provider_request *req, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "model", req->model);
    json_member_int(w, "max_tokens", provider_token_limit(req));
    put_system(req, w);
    put_messages(req, w);
    json_member_bool(w, "stream", !(req->quirks & QUIRK_NO_STREAM));
    put_output_config(req, w);
    put_anthropic_tools(req, w);
    json_close_object(w);
}

static const struct finish_row finishes[] = {
    {"end_turn", FINISH_STOP},
    {"stop_sequence", FINISH_STOP},
    {"max_tokens", FINISH_LENGTH},
    {"model_context_window_exceeded", FINISH_LENGTH},
    {"refusal", FINISH_REFUSED},
    {"tool_use", FINISH_TOOL},
    {NULL, FINISH_OTHER},
};

struct block_type {
    const char *type;
    enum content_kind kind;
};

/* Any other type is none of ours: what a server's own tools did, and what is
 * new. */
static const struct block_type block_types[] = {
    {"text", CONTENT_TEXT},
    {"thinking", CONTENT_THINKING},
    {"redacted_thinking", CONTENT_THINKING},
    {"tool_use", CONTENT_CALL},
    {NULL, CONTENT_OTHER},
};

static const struct block_type delta_types[] = {
    {"text_delta", CONTENT_TEXT},
    {"thinking_delta", CONTENT_THINKING},
    {"signature_delta", CONTENT_THINKING},
    {"input_json_delta", CONTENT_CALL},
    {NULL, CONTENT_OTHER},
};

/* The kind of a block or a delta; where the type is missing, the member that it
 * would have tells. */
static enum content_kind
find_kind(const struct block_type *row, const struct json *v)
{
    const char *type = json_get_str(v, "type");

    if (!type)
        return json_get(v, "partial_json") ? CONTENT_CALL
               : json_get(v, "text")       ? CONTENT_TEXT
                                           : CONTENT_OTHER;
    while (row->type && strcmp(row->type, type) != 0)
        row++;
    return row->kind;
}

static struct content_block *
begin_anthropic_block(struct model_response *r, enum content_kind kind,
                      const struct json *index, struct err *e)
{
    r->blocks_name = BLOCKS_NAME;
    return content_blocks_begin(&r->blocks, kind, index, r->tool_calls.n, e);
}

/* A content block: whole, or the start of one. */
static int
read_block(struct model_response *r, const struct json *index,
           const struct json *block, struct err *e)
{
    enum content_kind kind = find_kind(block_types, block);
    struct content_block *k = begin_anthropic_block(r, kind, index, e);
    const struct json *input = json_get(block, "input");
    struct tool_calls_piece p = {.index = index,
                                 .id = json_get(block, "id"),
                                 .name = json_get(block, "name")};

    if (!k)
        return -1;
    if (kind != CONTENT_OTHER && kind != CONTENT_CALL &&
        r->calls == TOOL_DECLARATIONS_NATIVE)
        content_blocks_add(&r->blocks, k, block);
    r->reasoned |= kind == CONTENT_THINKING;
    if (kind == CONTENT_TEXT)
        return model_response_add_text(r, json_get(block, "text"), e);
    if (kind != CONTENT_CALL)
        return 0;
    /* in a stream the first input of a call is empty */
    if (json_count(input) > 0)
        p.args = input;
    return model_response_add_call(r, &p, e);
}

/* Finds the block that a delta continues; a server may have left out its start.
 * *to is NULL where there is none, for it is of another kind. */
static int
find_block(struct model_response *r, enum content_kind kind,
           const struct json *index, struct content_block **to, struct err *e)
{
    struct content_block *k = content_blocks_find(&r->blocks, index);
    bool other = k && k->kind != kind;
    int64_t at;

    *to = other ? NULL : k;
    if (*to || kind == CONTENT_CALL || kind == CONTENT_OTHER ||
        (other && json_int(index, &at)))
        return 0;
    *to = begin_anthropic_block(r, kind, index, e);
    if (!*to)
        return -1;
    content_blocks_set_type(*to, kind == CONTENT_TEXT ? "text" : "thinking");
    return 0;
}

static int
read_delta(struct model_response *r, const struct json *index,
           const struct json *delta, struct err *e)
{
    static const char *const kept[] = {"text", "thinking", "signature"};
    enum content_kind kind = find_kind(delta_types, delta);
    struct tool_calls_piece p = {.index = index,
                                 .args = json_get(delta, "partial_json")};
    struct content_block *k;

    if (find_block(r, kind, index, &k, e) < 0)
        return -1;
    if (!k || kind == CONTENT_OTHER)
        return 0;
    if (kind == CONTENT_CALL)
        return model_response_add_call(r, &p, e);
    for (size_t i = 0; r->calls == TOOL_DECLARATIONS_NATIVE && i < 3; i++)
        content_blocks_add_member(&r->blocks, k, kept[i],
                                  json_get(delta, kept[i]));
    model_response_note_reasoning(r, json_get(delta, "thinking"));
    return kind == CONTENT_TEXT
               ? model_response_add_text(r, json_get(delta, "text"), e)
               : 0;
}

static const struct usage_row counts[] = {
    {offsetof(struct model_response, tokens_out), NULL, "output_tokens"},
    {offsetof(struct model_response, tokens_cached), NULL,
     "cache_read_input_tokens"},
    {offsetof(struct model_response, tokens_cache_written), NULL,
     "cache_creation_input_tokens"},
    {0, NULL, NULL},
};

/* input_tokens are those beside the cache: what the model read is the sum of
 * the three. The events at the start and at the end of a stream have them. */
/* Reads why the model, or a classifier, refused. */
static void
read_refusal(struct model_response *r, const struct json *details)
{
    const char *category = json_get_str(details, "category");
    const char *words = json_get_str(details, "explanation");
    char line[160];

    if (!category && !words)
        return;
    snprintf(line, sizeof(line), "%.40s%s%.112s", category ? category : "",
             category && words ? ": " : "", words ? words : "");
    model_response_set_reason(r, line);
}

static void
read_anthropic_usage(struct model_response *r, const struct json *usage)
{
    int64_t beside = -1;

    model_response_read_usage(r, usage, counts);
    model_response_set_tokens(&beside, json_get(usage, "input_tokens"));
    if (beside < 0)
        return;
    r->tokens_in = beside;
    if (r->tokens_cached > 0)
        r->tokens_in += r->tokens_cached;
    if (r->tokens_cache_written > 0)
        r->tokens_in += r->tokens_cache_written;
}

/* Reads a message: a whole one, or the start of a stream, without content. */
static int
read_anthropic_message(struct model_response *r, const struct json *m,
                       struct err *e)
{
    const struct json *block;

    model_response_set_model(r, json_get(m, "model"));
    read_anthropic_usage(r, json_get(m, "usage"));
    for (block = json_first(json_get(m, "content")); block;
         block = json_next(block)) {
        if (read_block(r, NULL, block, e) < 0)
            return -1;
    }
    read_refusal(r, json_get(m, "stop_details"));
    model_response_set_finish(r, json_get(m, "stop_reason"), finishes);
    return 0;
}

static int
read_anthropic_event(struct model_response *r, const char *name,
                     const struct json *v, struct err *e)
{
    const char *type = json_get_str(v, "type");
    const struct json *delta = json_get(v, "delta");
    const struct json *index = json_get(v, "index");

    if (!type)
        type = name;
    if (strcmp(type, "error") == 0 ||
        json_type(json_get(v, "error")) != JSON_NULL)
        return model_response_set_error(r, v, e);
    if (strcmp(type, "message") == 0)
        return read_anthropic_message(r, v, e);
    if (strcmp(type, "message_start") == 0)
        return read_anthropic_message(r, json_get(v, "message"), e);
    if (strcmp(type, "content_block_start") == 0)
        return read_block(r, index, json_get(v, "content_block"), e);
    if (strcmp(type, "content_block_delta") == 0)
        return read_delta(r, index, delta, e);
    if (strcmp(type, "message_delta") == 0) {
        read_anthropic_usage(r, json_get(v, "usage"));
        read_refusal(r, json_get(delta, "stop_details"));
        model_response_set_finish(r, json_get(delta, "stop_reason"), finishes);
    }
    if (strcmp(type, "message_stop") == 0)
        r->complete = r->finish != FINISH_NONE;
    return 0;
}

const struct provider *
provider_anthropic(void)
{
    static const struct provider row = {
        .name = "anthropic",
        .title = "Anthropic",
        .key_vars = {"ANTHROPIC_API_KEY"},
        .url_var = "ANTHROPIC_BASE_URL",
        .url = "https://api.anthropic.com",
        .strip = {"/messages", "/v1"},
        .models = "/v1/models?limit=1000",
        .key_header = "x-api-key: ",
        .header = "anthropic-version: 2023-06-01",
        .max_tokens = 16384, /* thought counts against it */
        .few_tokens = 4096,  /* the limit of its oldest models */
        .fallbacks = QUIRK_NO_SCHEMA | QUIRK_NO_TOOL | QUIRK_OTHER_LIMIT |
                     QUIRK_NO_STREAM | QUIRK_NO_SYSTEM | QUIRK_NO_TOOLS |
                     QUIRK_OBJECT_ROOT | QUIRK_NO_EFFORT,
        .dialect = SCHEMA_DIALECT_CLOSED | SCHEMA_DIALECT_FLAT |
                   SCHEMA_DIALECT_FLAT_ROOT,
        .path = put_anthropic_path,
        .body = put_anthropic_body,
        .event = read_anthropic_event,
    };

    return &row;
}

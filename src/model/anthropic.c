/* SPDX-License-Identifier: GPL-3.0-or-later */
/* anthropic.c - Anthropic's messages. */
#include <string.h>

#include "model/anthropic_turns.h"
#include "model/draft.h"
#include "model/provider.h"
#include "model/variant.h"

static const struct finish_row finishes[] = {
    {"end_turn", FINISH_STOP},
    {"stop_sequence", FINISH_STOP},
    {"max_tokens", FINISH_LENGTH},
    {"model_context_window_exceeded", FINISH_LENGTH},
    {"refusal", FINISH_REFUSED},
    {"tool_use", FINISH_TOOL},
    {NULL, FINISH_OTHER},
};

static void
put_path(const struct call *c, struct buf *out)
{
    (void)c;
    buf_str(out, "/v1/messages");
}

static void
put_schema(const struct call *c, struct json_writer *w)
{
    json_key(w, "output_config");
    json_open_object(w);
    json_key(w, "format");
    json_open_object(w);
    json_member_str(w, "type", "json_schema");
    json_key(w, "schema");
    variant_write(w, c->schema, VARIANT_CLOSED);
    json_close_object(w);
    json_close_object(w);
}

static void
put_body(const struct call *c, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "model", c->model);
    json_member_int(w, "max_tokens", call_limit(c));
    if (c->system && !(c->quirks & QUIRK_NO_SYSTEM))
        json_member_str(w, "system", c->system);
    anthropic_put_turns(c, w);
    json_member_bool(w, "stream", !(c->quirks & QUIRK_NO_STREAM));
    if (call_shape(c) == SHAPE_SCHEMA)
        put_schema(c, w);
    anthropic_put_tools(c, w);
    json_close_object(w);
}

/* A block, or the change of one: each kind has its member. index: the place
 * of the block, which is how a change names it. */
static int
take_block(struct draft *r, const struct json *index, const struct json *block,
           struct err *e)
{
    const char *type = json_get_str(block, "type");
    const struct json *input = json_get(block, "input");
    struct want_piece p = {.index = index};

    draft_keep(r, "thinking", json_get(block, "thinking"));
    draft_keep(r, "signature", json_get(block, "signature"));
    if (draft_str(r, json_get(block, "text"), e) < 0)
        return -1;
    p.args = json_get(block, "partial_json");
    if (p.args)
        return draft_call(r, &p, e);
    if (!type || strcmp(type, "tool_use") != 0)
        return 0;
    p.id = json_get(block, "id");
    p.name = json_get(block, "name");
    /* a stream begins a call with an input that is still empty */
    if (json_count(input) > 0)
        p.args = input;
    return draft_call(r, &p, e);
}

static void
take_usage(struct draft *r, const struct json *usage)
{
    draft_tokens(&r->tokens_in, json_get(usage, "input_tokens"));
    draft_tokens(&r->tokens_out, json_get(usage, "output_tokens"));
}

/* A message: whole, or at the head of a stream with no content yet. */
static int
take_message(struct draft *r, const struct json *m, struct err *e)
{
    const struct json *block;

    draft_model(r, json_get(m, "model"));
    take_usage(r, json_get(m, "usage"));
    for (block = json_first(json_get(m, "content")); block;
         block = json_next(block)) {
        if (take_block(r, NULL, block, e) < 0)
            return -1;
    }
    draft_finish(r, json_get(m, "stop_reason"), finishes);
    return 0;
}

static int
take_event(struct draft *r, const char *name, const struct json *v,
           struct err *e)
{
    const char *type = json_get_str(v, "type");
    const struct json *delta = json_get(v, "delta");
    const struct json *index = json_get(v, "index");

    if (!type)
        type = name;
    if (strcmp(type, "error") == 0 || json_get(v, "error"))
        return draft_fault(r, v, e);
    if (strcmp(type, "message") == 0)
        return take_message(r, v, e);
    if (strcmp(type, "message_start") == 0)
        return take_message(r, json_get(v, "message"), e);
    if (strcmp(type, "content_block_start") == 0)
        return take_block(r, index, json_get(v, "content_block"), e);
    if (strcmp(type, "content_block_delta") == 0)
        return take_block(r, index, delta, e);
    if (strcmp(type, "message_delta") == 0) {
        take_usage(r, json_get(v, "usage"));
        draft_finish(r, json_get(delta, "stop_reason"), finishes);
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
        .model = "claude-haiku-4-5",
        .key_header = "x-api-key: ",
        .header = "anthropic-version: 2023-06-01",
        .max_tokens = 8192,
        .few_tokens = 4096, /* what its oldest models allow */
        .fallbacks = QUIRK_NO_SCHEMA | QUIRK_NO_TOOL | QUIRK_OTHER_LIMIT |
                     QUIRK_NO_STREAM | QUIRK_NO_SYSTEM | QUIRK_NO_TOOLS,
        .schema_with_tools = true,
        .path = put_path,
        .body = put_body,
        .event = take_event,
    };

    return &row;
}

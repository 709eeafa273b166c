/* SPDX-License-Identifier: GPL-3.0-or-later */
/* responses.c - OpenAI's /responses: writes requests and reads their streams.
 */
#include "model/provider/responses.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "model/provider/effort.h"
#include "model/provider/host_features.h"
#include "model/provider/schema_dialect.h"
#include "model/provider/tool_declarations.h"

#define ARGS_TEXT_MAX (8 * MODEL_ARGS_MAX) /* escaped, as a string in JSON */

/* The member of a call's extra: the items of reasoning before it, a list. */
#define ITEMS "reasoning_items"

static void
put_responses_parts(const char *text, const struct model_images *m,
                    struct json_writer *w)
{
    json_key(w, "content");
    json_open_array(w);
    for (size_t i = 0; i < m->n; i++) {
        json_open_object(w);
        json_member_str(w, "type", "input_image");
        json_key(w, "image_url");
        provider_put_data_url(&m->v[i], w);
        json_close_object(w);
    }
    json_open_object(w);
    json_member_str(w, "type", "input_text");
    json_member_str(w, "text", text);
    json_close_object(w);
    json_close_array(w);
}

static void
put_responses_message(const char *role, const char *prefix,
                      const struct model_turn *t, struct json_writer *w)
{
    CLEANUP_BUF struct buf whole = buf_of(w->out->max);

    if (prefix)
        buf_printf(&whole, "%s\n", prefix);
    buf_str(&whole, t->text ? t->text : "");
    json_open_object(w);
    json_member_str(w, "role", role);
    if (t->images)
        put_responses_parts(whole.p, t->images, w);
    else
        json_member_str(w, "content", whole.p);
    json_close_object(w);
    w->out->bad |= whole.bad;
}

static void
put_responses_call(const struct model_tool_call *c, struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    CLEANUP_BUF struct buf args = buf_of(ARGS_TEXT_MAX);
    const struct json *item = json_first(
        tool_declarations_extra(c, ITEMS, &root));
    struct json_writer inner;

    for (; item; item = json_next(item))
        json_put_value(w, item);
    json_write_init(&inner, &args);
    tool_declarations_write_args(c, &inner);
    json_open_object(w);
    json_member_str(w, "type", "function_call");
    json_member_str(w, "call_id", c->id);
    json_key(w, "name");
    tool_declarations_write_name(c->name, w);
    json_key(w, "arguments");
    json_put_strn(w, args.p, args.len);
    json_close_object(w);
    w->out->bad |= args.bad;
}

static void
put_responses_result(const struct model_turn *t, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "type", "function_call_output");
    json_member_str(w, "call_id", t->call_id);
    json_member_str(w, "output", t->text);
    json_close_object(w);
}

static void
put_responses_turn(const struct provider_request *req, size_t i,
                   struct json_writer *w)
{
    const struct model_turn *t = &req->turns[i];
    const char *role = t->role == MODEL_ASSISTANT ? "assistant" : "user";

    if (t->role == MODEL_RESULT) {
        put_responses_result(t, w);
        return;
    }
    if (t->n_tool_calls == 0 || (t->text && *t->text))
        put_responses_message(role, provider_turn_prefix(req, i), t, w);
    for (size_t k = 0; k < t->n_tool_calls; k++)
        put_responses_call(&t->tool_calls[k], w);
}

static void
put_input(const struct provider_request *req, struct json_writer *w)
{
    if (req->system && !(req->quirks & QUIRK_NO_SYSTEM))
        json_member_str(w, "instructions", req->system);
    json_key(w, "input");
    json_open_array(w);
    for (size_t i = 0; i < req->n_turns; i++)
        put_responses_turn(req, i, w);
    json_close_array(w);
}

static void
put_responses_schema(const struct provider_request *req, struct json_writer *w)
{
    json_key(w, "text");
    json_open_object(w);
    json_key(w, "format");
    json_open_object(w);
    json_member_str(w, "type", "json_schema");
    json_member_str(w, "name", ANSWER_NAME);
    json_member_bool(w, "strict", true);
    json_key(w, "schema");
    schema_dialect_write(w, req->schema, provider_schema_dialect(req, false));
    json_close_object(w);
    json_close_object(w);
}

/* Opens a tool up to the value of its parameters. */
static void
open_tool(const char *name, const char *description, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "type", "function");
    json_member_str(w, "name", name);
    json_member_str(w, "description", description);
    json_member_bool(w, "strict", false);
    json_key(w, "parameters");
}

static void
put_responses_tool_choice(bool native, struct json_writer *w)
{
    json_key(w, "tool_choice");
    if (native) {
        json_put_str(w, "required");
        return;
    }
    json_open_object(w);
    json_member_str(w, "type", "function");
    json_member_str(w, "name", ANSWER_NAME);
    json_close_object(w);
}

static void
put_responses_tools(const struct provider_request *req, struct json_writer *w)
{
    bool answer = provider_answer_shape(req) == ANSWER_SHAPE_TOOL;
    bool native = tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE;

    if (!answer && !native)
        return;
    json_key(w, "tools");
    json_open_array(w);
    for (size_t i = 0; native && i < req->n_tools; i++) {
        open_tool(req->tools[i].name, req->tools[i].description, w);
        tool_declarations_write_schema(&req->tools[i], w);
        json_close_object(w);
    }
    if (answer) {
        open_tool(ANSWER_NAME, "Gives the answer.", w);
        schema_dialect_write(w, req->schema,
                             provider_schema_dialect(req, true));
        json_close_object(w);
    }
    json_close_array(w);
    if (answer)
        put_responses_tool_choice(native, w);
}

/* A model that takes no effort does not reason, and has nothing to encrypt. */
static void
put_responses_reasoning(const struct provider_request *req,
                        struct json_writer *w)
{
    const char *effort = effort_of(req);

    if (!effort)
        return;
    json_key(w, "reasoning");
    json_open_object(w);
    json_member_str(w, "effort", effort);
    json_close_object(w);
    json_key(w, "include");
    json_open_array(w);
    json_put_str(w, "reasoning.encrypted_content");
    json_close_array(w);
}

void
responses_write_body(const struct provider_request *req, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "model", req->model);
    put_input(req, w);
    json_member_bool(w, "stream", !(req->quirks & QUIRK_NO_STREAM));
    json_member_bool(w, "store", false);
    if (provider_token_limit(req) > 0)
        json_member_int(w, "max_output_tokens", provider_token_limit(req));
    put_responses_reasoning(req, w);
    if (provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA)
        put_responses_schema(req, w);
    put_responses_tools(req, w);
    if (provider_features(req) & HOST_CACHE_KEY)
        json_member_str(w, "prompt_cache_key", PROVIDER_CACHE_KEY);
    json_close_object(w);
}

static const struct finish_row finishes[] = {
    {"completed", FINISH_STOP},
    {"max_output_tokens", FINISH_LENGTH},
    {"content_filter", FINISH_REFUSED},
    {NULL, FINISH_OTHER},
};

static const char *
member_or_empty(const struct json *v, const char *name)
{
    const char *s = json_get_str(v, name);

    return s ? s : "";
}

/* Keeps an item of reasoning until the call comes that it led to. One without
 * encrypted content cannot go back: the server does not store it. */
static void
keep_reasoning(struct model_response *r, const struct json *item)
{
    static const char *const members[] = {"type", "id", "summary",
                                          "encrypted_content"};
    struct model_response_reasoning *kept = &r->reasoning[0];
    struct json_writer w;

    r->reasoned = true;
    if (!json_get_str(item, "encrypted_content"))
        return;
    kept->name = ITEMS;
    if (kept->text.len > 0)
        buf_ch(&kept->text, ',');
    json_write_init(&w, &kept->text);
    json_open_object(&w);
    for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
        if (!json_get(item, members[i]))
            continue;
        json_key(&w, members[i]);
        json_put_value(&w, json_get(item, members[i]));
    }
    json_close_object(&w);
}

/* The list of the items kept, which are kept no longer; NULL: none. */
static struct json *
take_reasoning(struct model_response *r)
{
    struct buf *kept = &r->reasoning[0].text;
    CLEANUP_BUF struct buf list = buf_of(TOOL_CALLS_EXTRA_MAX + 2);
    bool any = kept->len > 0 && !kept->bad;

    if (any)
        buf_printf(&list, "[%s]", kept->p);
    buf_clear(kept);
    return any ? json_parse(list.p, list.len, 0, NULL) : NULL;
}

static int
read_responses_call(struct model_response *r, const struct json *item,
                    const struct json *index, bool whole, struct err *e)
{
    CLEANUP(json_free_p) struct json *items = take_reasoning(r);
    const struct tool_calls_piece p = {
        .index = index,
        .id = json_get(item, "call_id"),
        .name = json_get(item, "name"),
        .args = whole ? json_get(item, "arguments") : NULL,
        .extra_name = ITEMS,
        .extra = items,
    };

    return model_response_add_call(r, &p, e);
}

/* A message may be said on the way to a call: it is no part of the answer. */
static bool
is_commentary(const struct json *item)
{
    return strcmp(member_or_empty(item, "phase"), "commentary") == 0;
}

static int
read_responses_message(struct model_response *r, const struct json *item,
                       struct err *e)
{
    const struct json *part = json_first(json_get(item, "content"));

    for (; part && !is_commentary(item); part = json_next(part)) {
        model_response_add_refusal(r, json_get(part, "refusal"));
        if (model_response_add_text(r, json_get(part, "text"), e) < 0)
            return -1;
    }
    return 0;
}

/* Reads an item of the output that is complete. */
static int
read_item(struct model_response *r, const struct json *item, struct err *e)
{
    const char *type = member_or_empty(item, "type");

    if (strcmp(type, "reasoning") == 0)
        keep_reasoning(r, item);
    if (strcmp(type, "function_call") == 0)
        return read_responses_call(r, item, NULL, true, e);
    return strcmp(type, "message") == 0 ? read_responses_message(r, item, e)
                                        : 0;
}

static const struct usage_row counts[] = {
    {offsetof(struct model_response, tokens_in), NULL, "input_tokens"},
    {offsetof(struct model_response, tokens_out), NULL, "output_tokens"},
    {offsetof(struct model_response, tokens_cached), "input_tokens_details",
     "cached_tokens"},
    {offsetof(struct model_response, tokens_reasoning), "output_tokens_details",
     "reasoning_tokens"},
    {0, NULL, NULL},
};

/* Reads how the answer ended, and what it cost. */
static int
read_end(struct model_response *r, const struct json *v, struct err *e)
{
    const struct json *details = json_get(v, "incomplete_details");
    const struct json *reason = json_get(details, "reason");

    if (json_type(json_get(v, "error")) == JSON_OBJECT)
        return model_response_set_error(r, v, e);
    model_response_set_model(r, json_get(v, "model"));
    model_response_read_usage(r, json_get(v, "usage"), counts);
    buf_clear(&r->reasoning[0].text); /* what led to no call */
    model_response_set_finish(r, reason ? reason : json_get(v, "status"),
                              finishes);
    return 0;
}

static int
read_responses_whole(struct model_response *r, const struct json *v,
                     struct err *e)
{
    const struct json *item = json_first(json_get(v, "output"));

    for (; item; item = json_next(item)) {
        if (read_item(r, item, e) < 0)
            return -1;
    }
    return read_end(r, v, e);
}

static int
on_text(struct model_response *r, const struct json *v, struct err *e)
{
    int64_t index = -1;

    (void)json_int(json_get(v, "output_index"), &index);
    if (r->commentary >= 0 && index == r->commentary)
        return 0;
    return model_response_add_text(r, json_get(v, "delta"), e);
}

static int
on_refusal(struct model_response *r, const struct json *v, struct err *e)
{
    (void)e;
    model_response_add_refusal(r, json_get(v, "delta"));
    return 0;
}

static int
on_reasoning(struct model_response *r, const struct json *v, struct err *e)
{
    (void)e;
    model_response_note_reasoning(r, json_get(v, "delta"));
    return 0;
}

static int
on_item_added(struct model_response *r, const struct json *v, struct err *e)
{
    const struct json *item = json_get(v, "item");
    const char *type = member_or_empty(item, "type");

    r->reasoned |= strcmp(type, "reasoning") == 0;
    if (strcmp(type, "message") == 0 && is_commentary(item))
        (void)json_int(json_get(v, "output_index"), &r->commentary);
    if (strcmp(type, "function_call") == 0)
        return read_responses_call(r, item, json_get(v, "output_index"), false,
                                   e);
    return 0;
}

static int
on_item_done(struct model_response *r, const struct json *v, struct err *e)
{
    const struct json *item = json_get(v, "item");

    (void)e;
    if (strcmp(member_or_empty(item, "type"), "reasoning") == 0)
        keep_reasoning(r, item);
    return 0;
}

static int
on_args(struct model_response *r, const struct json *v, struct err *e)
{
    const struct tool_calls_piece p = {.index = json_get(v, "output_index"),
                                       .args = json_get(v, "delta")};

    return model_response_add_call(r, &p, e);
}

static int
on_created(struct model_response *r, const struct json *v, struct err *e)
{
    (void)e;
    model_response_set_model(r, json_get(json_get(v, "response"), "model"));
    return 0;
}

static int
on_end(struct model_response *r, const struct json *v, struct err *e)
{
    if (read_end(r, json_get(v, "response"), e) < 0)
        return -1;
    r->complete = r->finish != FINISH_NONE;
    return 0;
}

static const struct {
    const char *type;
    int (*read)(struct model_response *r, const struct json *v, struct err *e);
} events[] = {
    {"response.created", on_created},
    {"response.output_item.added", on_item_added},
    {"response.output_item.done", on_item_done},
    {"response.output_text.delta", on_text},
    {"response.refusal.delta", on_refusal},
    {"response.reasoning_text.delta", on_reasoning},
    {"response.reasoning_summary_text.delta", on_reasoning},
    {"response.function_call_arguments.delta", on_args},
    {"response.completed", on_end},
    {"response.incomplete", on_end},
    {"response.failed", on_end},
};

bool
responses_is_event(const struct json *v)
{
    const char *type = member_or_empty(v, "type");

    return strncmp(type, "response.", 9) == 0 ||
           strcmp(member_or_empty(v, "object"), "response") == 0;
}

int
responses_read_event(struct model_response *r, const struct json *v,
                     struct err *e)
{
    const char *type = member_or_empty(v, "type");

    if (strcmp(member_or_empty(v, "object"), "response") == 0)
        return read_responses_whole(r, v, e);
    for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
        if (strcmp(events[i].type, type) == 0)
            return events[i].read(r, v, e);
    }
    return 0; /* of no use here */
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chat_messages.c - writes the conversation for OpenAI's chat completions and
 * for Ollama. */
#include "model/provider/chat_messages.h"

#include "base/array.h"
#include "model/provider/tool_calls.h"
#include "model/provider/tool_declarations.h"

#define ARGS_TEXT_MAX (8 * MODEL_ARGS_MAX) /* escaped, as a string in JSON */

static void
put_chat_images(const struct model_images *m, struct json_writer *w)
{
    for (size_t i = 0; i < m->n; i++) {
        json_open_object(w);
        json_member_str(w, "type", "image_url");
        json_key(w, "image_url");
        json_open_object(w);
        json_key(w, "url");
        provider_put_data_url(&m->v[i], w);
        json_close_object(w);
        json_close_object(w);
    }
}

/* Ollama's, beside the content: base64 without a type. */
static void
put_ollama_images(const struct model_images *m, struct json_writer *w)
{
    json_key(w, "images");
    json_open_array(w);
    for (size_t i = 0; i < m->n; i++)
        json_put_strn(w, m->v[i].data, m->v[i].n);
    json_close_array(w);
}

static void
put_chat_parts(const char *text, const struct model_images *m,
               struct json_writer *w)
{
    json_key(w, "content");
    json_open_array(w);
    put_chat_images(m, w);
    json_open_object(w);
    json_member_str(w, "type", "text");
    json_member_str(w, "text", text);
    json_close_object(w);
    json_close_array(w);
}

static void
put_chat_content(const char *prefix, const struct model_turn *t, bool openai,
                 struct json_writer *w)
{
    CLEANUP_BUF struct buf whole = buf_of(w->out->max);
    const char *text = t->text ? t->text : "";

    if (prefix)
        buf_printf(&whole, "%s\n%s", prefix, text);
    if (t->images && openai)
        put_chat_parts(prefix ? whole.p : text, t->images, w);
    else
        json_member_str(w, "content", prefix ? whole.p : text);
    if (t->images && !openai)
        put_ollama_images(t->images, w);
    w->out->bad |= whole.bad;
}

/* OpenAI wants the arguments as a string of JSON, Ollama as an object. */
static void
put_args(const struct model_tool_call *c, bool as_text, struct json_writer *w)
{
    CLEANUP_BUF struct buf text = buf_of(ARGS_TEXT_MAX);
    struct json_writer inner;

    json_key(w, "arguments");
    if (!as_text) {
        tool_declarations_write_args(c, w);
        return;
    }
    json_write_init(&inner, &text);
    tool_declarations_write_args(c, &inner);
    json_put_strn(w, text.p, text.len);
    w->out->bad |= text.bad;
}

static void
put_chat_call(const struct model_tool_call *c, bool as_text,
              struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *extra = tool_declarations_extra(c, "extra_content",
                                                       &root);

    json_open_object(w);
    if (as_text || !tool_calls_own_id(c->id))
        json_member_str(w, "id", c->id);
    if (as_text)
        json_member_str(w, "type", "function");
    json_key(w, "function");
    json_open_object(w);
    json_key(w, "name");
    tool_declarations_write_name(c->name, w);
    put_args(c, as_text, w);
    json_close_object(w);
    if (extra && as_text) {
        json_key(w, "extra_content");
        json_put_value(w, extra);
    }
    json_close_object(w);
}

static void
put_calls(const struct model_turn *t, bool as_text, struct json_writer *w)
{
    if (t->n_tool_calls == 0)
        return;
    json_key(w, "tool_calls");
    json_open_array(w);
    for (size_t i = 0; i < t->n_tool_calls; i++)
        put_chat_call(&t->tool_calls[i], as_text, w);
    json_close_array(w);
}

/* A model that reasons between calls wants its reasoning back, in the member in
 * which it came. */
static void
put_chat_reasoning(const struct model_turn *t, bool openai,
                   struct json_writer *w)
{
    static const char *const names[] = {"thinking", "reasoning_content",
                                        "reasoning", "reasoning_details"};
    size_t n = openai ? ARRAY_SIZE(names) : 1;

    for (size_t i = openai; t->n_tool_calls > 0 && i < n; i++) {
        CLEANUP(json_free_p) struct json *root = NULL;
        const struct json *v = tool_declarations_extra(&t->tool_calls[0],
                                                       names[i], &root);

        if (!v)
            continue;
        json_key(w, names[i]);
        json_put_value(w, v);
    }
}

static void
put_result_id(const struct model_turn *t, bool openai, struct json_writer *w)
{
    if (openai || !tool_calls_own_id(t->call_id))
        json_member_str(w, "tool_call_id", t->call_id);
    if (openai)
        return;
    json_key(w, "tool_name");
    tool_declarations_write_name(t->call_name, w);
}

void
chat_messages_write(const struct provider_request *req,
                    enum chat_messages_form form, struct json_writer *w)
{
    static const char *const roles[] = {"user", "assistant", "tool"};
    bool openai = form == CHAT_MESSAGES_OPENAI;

    json_key(w, "messages");
    json_open_array(w);
    if (req->system && !(req->quirks & QUIRK_NO_SYSTEM)) {
        json_open_object(w);
        json_member_str(w, "role", "system");
        json_member_str(w, "content", req->system);
        json_close_object(w);
    }
    for (size_t i = 0; i < req->n_turns; i++) {
        const struct model_turn *t = &req->turns[i];

        json_open_object(w);
        json_member_str(w, "role", roles[t->role]);
        put_chat_content(provider_turn_prefix(req, i), t, openai, w);
        put_chat_reasoning(t, openai, w);
        put_calls(t, openai, w);
        if (t->role == MODEL_RESULT)
            put_result_id(t, openai, w);
        json_close_object(w);
    }
    json_close_array(w);
}

void
chat_messages_open_tool(const char *name, const char *description,
                        struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "type", "function");
    json_key(w, "function");
    json_open_object(w);
    json_member_str(w, "name", name);
    json_member_str(w, "description", description);
    json_key(w, "parameters");
}

void
chat_messages_close_tool(struct json_writer *w)
{
    json_close_object(w);
    json_close_object(w);
}

void
chat_messages_write_tools(const struct provider_request *req,
                          struct json_writer *w)
{
    for (size_t i = 0; i < req->n_tools; i++) {
        chat_messages_open_tool(req->tools[i].name, req->tools[i].description,
                                w);
        tool_declarations_write_schema(&req->tools[i], w);
        chat_messages_close_tool(w);
    }
}

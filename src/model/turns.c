/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turns.c - the conversation as OpenAI's chat and Ollama's have it. */
#include "model/turns.h"

#include "model/offer.h"
#include "model/wants.h"

#define ARGS_TEXT_MAX (8 * MODEL_ARGS_MAX) /* escaped, in an object */

static void
put_content(const char *prefix, const char *text, struct json_writer *w)
{
    CLEANUP_BUF struct buf whole = buf_of(w->out->max);

    if (!text)
        text = "";
    if (prefix)
        buf_printf(&whole, "%s\n%s", prefix, text);
    json_member_str(w, "content", prefix ? whole.p : text);
    w->out->bad |= whole.bad;
}

/* OpenAI wants arguments as a text; the model's own where it is an object. */
static void
put_args(const struct model_wanted *c, bool as_text, struct json_writer *w)
{
    CLEANUP_BUF struct buf text = buf_of(ARGS_TEXT_MAX);
    struct json_writer inner;

    json_key(w, "arguments");
    if (!as_text) {
        offer_put_args(c, w);
        return;
    }
    json_write_init(&inner, &text);
    offer_put_args(c, &inner);
    json_put_strn(w, text.p, text.len);
    w->out->bad |= text.bad;
}

static void
put_call(const struct model_wanted *c, bool as_text, struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *extra = offer_extra(c, "extra_content", &root);

    json_open_object(w);
    if (as_text || !want_made(c->id))
        json_member_str(w, "id", c->id);
    if (as_text)
        json_member_str(w, "type", "function");
    json_key(w, "function");
    json_open_object(w);
    json_key(w, "name");
    offer_put_name(c->name, w);
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
    if (t->n_wanted == 0)
        return;
    json_key(w, "tool_calls");
    json_open_array(w);
    for (size_t i = 0; i < t->n_wanted; i++)
        put_call(&t->wanted[i], as_text, w);
    json_close_array(w);
}

/* Models that reason between calls want their reasoning back, under the name
 * that they gave it. */
static void
put_reasoning(const struct model_turn *t, bool openai, struct json_writer *w)
{
    static const char *const names[] = {"thinking", "reasoning_content",
                                        "reasoning"};

    for (size_t i = openai; t->n_wanted > 0 && i < (openai ? 3 : 1); i++) {
        CLEANUP(json_free_p) struct json *root = NULL;
        const struct json *v = offer_extra(&t->wanted[0], names[i], &root);

        if (!v)
            continue;
        json_key(w, names[i]);
        json_put_value(w, v);
    }
}

static void
put_result_of(const struct model_turn *t, bool openai, struct json_writer *w)
{
    if (openai || !want_made(t->call_id))
        json_member_str(w, "tool_call_id", t->call_id);
    if (openai)
        return;
    json_key(w, "tool_name");
    offer_put_name(t->call_name, w);
}

void
turns_put(const struct call *c, enum turns_form form, struct json_writer *w)
{
    static const char *const roles[] = {"user", "assistant", "tool"};
    bool openai = form == TURNS_OPENAI;

    json_key(w, "messages");
    json_open_array(w);
    if (c->system && !(c->quirks & QUIRK_NO_SYSTEM)) {
        json_open_object(w);
        json_member_str(w, "role", "system");
        json_member_str(w, "content", c->system);
        json_close_object(w);
    }
    for (size_t i = 0; i < c->n_turns; i++) {
        const struct model_turn *t = &c->turns[i];

        json_open_object(w);
        json_member_str(w, "role", roles[t->role]);
        put_content(call_turn_prefix(c, i), t->text, w);
        put_reasoning(t, openai, w);
        put_calls(t, openai, w);
        if (t->role == MODEL_RESULT)
            put_result_of(t, openai, w);
        json_close_object(w);
    }
    json_close_array(w);
}

void
turns_open_tool(const char *name, const char *description,
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
turns_close_tool(struct json_writer *w)
{
    json_close_object(w);
    json_close_object(w);
}

void
turns_put_tools(const struct call *c, struct json_writer *w)
{
    for (size_t i = 0; i < c->n_tools; i++) {
        turns_open_tool(c->tools[i].name, c->tools[i].description, w);
        offer_put_schema(&c->tools[i], w);
        turns_close_tool(w);
    }
}

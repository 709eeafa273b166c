/* SPDX-License-Identifier: GPL-3.0-or-later */
/* anthropic_turns.c - the conversation and its tools as Anthropic has them. */
#include "model/anthropic_turns.h"

#include <string.h>

#include "model/draft.h"
#include "model/offer.h"
#include "model/variant.h"

/* A text without a byte is refused. */
static void
put_text(const char *text, struct json_writer *w)
{
    if (!text || !*text)
        return;
    json_open_object(w);
    json_member_str(w, "type", "text");
    json_member_str(w, "text", text);
    json_close_object(w);
}

/* Servers whose models think want it back before the calls it led to. */
static void
put_thinking(const struct model_wanted *c, struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *thinking = offer_extra(c, "thinking", &root);
    const char *signature = json_get_str(root, "signature");

    if (!thinking)
        return;
    json_open_object(w);
    json_member_str(w, "type", "thinking");
    json_key(w, "thinking");
    json_put_value(w, thinking);
    json_member_str(w, "signature", signature ? signature : "");
    json_close_object(w);
}

static void
put_call(const struct model_wanted *c, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "type", "tool_use");
    json_member_str(w, "id", c->id);
    json_key(w, "name");
    offer_put_name(c->name, w);
    json_key(w, "input");
    offer_put_args(c, w);
    json_close_object(w);
}

static void
put_result(const struct model_turn *t, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "type", "tool_result");
    json_member_str(w, "tool_use_id", t->call_id);
    json_member_str(w, "content", t->text);
    if (t->failed)
        json_member_bool(w, "is_error", true);
    json_close_object(w);
}

/* Blocks from turn i on: a turn with its calls, or the results of one round,
 * which stand together, before what the user says after them. Returns the
 * turn after them. */
static size_t
put_blocks(const struct call *c, size_t i, struct json_writer *w)
{
    const struct model_turn *t = &c->turns[i];

    json_open_array(w);
    if (t->role == MODEL_RESULT) {
        while (i < c->n_turns && c->turns[i].role == MODEL_RESULT)
            put_result(&c->turns[i++], w);
        if (i < c->n_turns && c->turns[i].role == MODEL_USER)
            put_text(c->turns[i++].text, w);
    } else {
        put_text(call_turn_prefix(c, i), w);
        if (t->n_wanted > 0)
            put_thinking(&t->wanted[0], w);
        put_text(t->text, w);
        for (size_t k = 0; k < t->n_wanted; k++)
            put_call(&t->wanted[k], w);
        i++;
    }
    json_close_array(w);
    return i;
}

static size_t
put_message(const struct call *c, size_t i, struct json_writer *w)
{
    const struct model_turn *t = &c->turns[i];

    json_open_object(w);
    json_member_str(w, "role",
                    t->role == MODEL_ASSISTANT ? "assistant" : "user");
    json_key(w, "content");
    if (t->role == MODEL_RESULT || t->n_wanted > 0 || call_turn_prefix(c, i)) {
        i = put_blocks(c, i, w);
    } else {
        json_put_str(w, t->text);
        i++;
    }
    json_close_object(w);
    return i;
}

void
anthropic_put_turns(const struct call *c, struct json_writer *w)
{
    json_key(w, "messages");
    json_open_array(w);
    for (size_t i = 0; i < c->n_turns;)
        i = put_message(c, i, w);
    json_close_array(w);
}

static void
put_tool(const struct call_tool *t, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "name", t->name);
    json_member_str(w, "description", t->description);
    json_key(w, "input_schema");
    offer_put_schema(t, w);
    json_close_object(w);
}

static void
put_answer_tool(const struct call *c, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "name", ANSWER_NAME);
    json_member_str(w, "description", "Gives the answer.");
    json_key(w, "input_schema");
    variant_write(w, c->schema, VARIANT_CLOSED);
    json_close_object(w);
}

static bool
was_called_before(const struct call *c, const struct model_wanted *end)
{
    for (size_t i = 0; i < c->n_turns; i++) {
        for (size_t k = 0; k < c->turns[i].n_wanted; k++) {
            const struct model_wanted *call = &c->turns[i].wanted[k];

            if (call == end)
                return false;
            if (strcmp(call->name, end->name) == 0)
                return true;
        }
    }
    return false;
}

/* A conversation with calls is refused when the request has no tools; so a
 * question that offers none tells of those that were called. */
static void
put_called(const struct call *c, struct json_writer *w)
{
    for (size_t i = 0; i < c->n_turns; i++) {
        for (size_t k = 0; k < c->turns[i].n_wanted; k++) {
            const struct model_wanted *call = &c->turns[i].wanted[k];

            if (was_called_before(c, call))
                continue;
            json_open_object(w);
            json_key(w, "name");
            offer_put_name(call->name, w);
            json_key(w, "input_schema");
            offer_put_schema(NULL, w);
            json_close_object(w);
        }
    }
}

static void
put_choice(const struct call *c, struct json_writer *w)
{
    bool answer = call_shape(c) == SHAPE_TOOL;
    bool others = call_offer(c) == OFFER_TOOLS;

    if (!answer && others)
        return; /* as it likes */
    json_key(w, "tool_choice");
    json_open_object(w);
    json_member_str(w, "type", !answer ? "none" : others ? "any" : "tool");
    if (answer && !others)
        json_member_str(w, "name", ANSWER_NAME);
    json_close_object(w);
}

void
anthropic_put_tools(const struct call *c, struct json_writer *w)
{
    bool answer = call_shape(c) == SHAPE_TOOL;
    bool others = call_offer(c) == OFFER_TOOLS;

    if (!answer && !others && !call_has_calls(c))
        return;
    json_key(w, "tools");
    json_open_array(w);
    for (size_t i = 0; others && i < c->n_tools; i++)
        put_tool(&c->tools[i], w);
    if (!others)
        put_called(c, w);
    if (answer)
        put_answer_tool(c, w);
    json_close_array(w);
    put_choice(c, w);
}

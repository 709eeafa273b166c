/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemini_turns.c - the conversation and its tools as Gemini has them. */
#include "model/gemini_turns.h"

#include <string.h>

#include "model/offer.h"
#include "model/wants.h"

static void
put_text(const char *text, struct json_writer *w)
{
    if (!text)
        return;
    json_open_object(w);
    json_member_str(w, "text", text);
    json_close_object(w);
}

/* An id of our own is unknown to the other side. */
static void
put_id(const char *id, struct json_writer *w)
{
    if (!want_made(id))
        json_member_str(w, "id", id);
}

/* Newer models refuse a round whose first call has no signature; for calls
 * that were another model's, or were written as text, they take this word
 * instead. */
static bool
needs_signature(const struct call *c)
{
    static const char *const older[] = {"gemini-1", "gemini-2", "gemma"};

    for (size_t i = 0; i < sizeof(older) / sizeof(older[0]); i++) {
        if (strstr(c->model, older[i]))
            return false;
    }
    return true;
}

static void
put_signature(const struct model_wanted *c, bool needed, struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *v = offer_extra(c, "thoughtSignature", &root);

    if (!v && !needed)
        return;
    json_key(w, "thoughtSignature");
    if (v)
        json_put_value(w, v);
    else
        json_put_str(w, "skip_thought_signature_validator");
}

static void
put_call(const struct model_wanted *c, bool sign, struct json_writer *w)
{
    json_open_object(w);
    json_key(w, "functionCall");
    json_open_object(w);
    put_id(c->id, w);
    json_key(w, "name");
    offer_put_name(c->name, w);
    json_key(w, "args");
    offer_put_args(c, w);
    json_close_object(w);
    put_signature(c, sign, w);
    json_close_object(w);
}

static void
put_result(const struct model_turn *t, struct json_writer *w)
{
    json_open_object(w);
    json_key(w, "functionResponse");
    json_open_object(w);
    put_id(t->call_id, w);
    json_key(w, "name");
    offer_put_name(t->call_name, w);
    json_key(w, "response");
    json_open_object(w);
    json_member_str(w, t->failed ? "error" : "output", t->text);
    json_close_object(w);
    json_close_object(w);
    json_close_object(w);
}

static void
put_parts(const struct call *c, size_t i, struct json_writer *w)
{
    const struct model_turn *t = &c->turns[i];
    bool silent = t->n_wanted > 0 && (!t->text || !*t->text);

    put_text(call_turn_prefix(c, i), w);
    if (!silent)
        put_text(t->text ? t->text : "", w);
    for (size_t k = 0; k < t->n_wanted; k++)
        put_call(&t->wanted[k], k == 0 && needs_signature(c), w);
}

/* One content from turn i on: results of one round stand together. Returns
 * the turn after it. */
static size_t
put_content(const struct call *c, size_t i, struct json_writer *w)
{
    bool model = c->turns[i].role == MODEL_ASSISTANT;

    json_open_object(w);
    json_member_str(w, "role", model ? "model" : "user");
    json_key(w, "parts");
    json_open_array(w);
    if (c->turns[i].role != MODEL_RESULT)
        put_parts(c, i++, w);
    else
        while (i < c->n_turns && c->turns[i].role == MODEL_RESULT)
            put_result(&c->turns[i++], w);
    json_close_array(w);
    json_close_object(w);
    return i;
}

void
gemini_put_turns(const struct call *c, struct json_writer *w)
{
    if (c->system && !(c->quirks & QUIRK_NO_SYSTEM)) {
        json_key(w, "systemInstruction");
        json_open_object(w);
        json_key(w, "parts");
        json_open_array(w);
        put_text(c->system, w);
        json_close_array(w);
        json_close_object(w);
    }
    json_key(w, "contents");
    json_open_array(w);
    for (size_t i = 0; i < c->n_turns;)
        i = put_content(c, i, w);
    json_close_array(w);
}

void
gemini_put_tools(const struct call *c, struct json_writer *w)
{
    json_key(w, "tools");
    json_open_array(w);
    json_open_object(w);
    json_key(w, "functionDeclarations");
    json_open_array(w);
    for (size_t i = 0; i < c->n_tools; i++) {
        json_open_object(w);
        json_member_str(w, "name", c->tools[i].name);
        json_member_str(w, "description", c->tools[i].description);
        json_key(w, "parametersJsonSchema");
        offer_put_schema(&c->tools[i], w);
        json_close_object(w);
    }
    json_close_array(w);
    json_close_object(w);
    json_close_array(w);
}

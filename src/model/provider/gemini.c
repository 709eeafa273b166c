/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemini.c - the provider Gemini: writes requests to generateContent and reads
 * their streams. */
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "model/provider/effort.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "model/provider/response.h"
#include "model/provider/schema_dialect.h"
#include "model/provider/tool_calls.h"
#include "model/provider/tool_declarations.h"

static void
put_gemini_text(const char *text, struct json_writer *w)
{
    if (!text)
        return;
    json_open_object(w);
    json_member_str(w, "text", text);
    json_close_object(w);
}

static void
put_gemini_images(const struct model_images *m, struct json_writer *w)
{
    for (size_t i = 0; m && i < m->n; i++) {
        json_open_object(w);
        json_key(w, "inlineData");
        json_open_object(w);
        json_member_str(w, "mimeType", m->v[i].type);
        json_key(w, "data");
        json_put_strn(w, m->v[i].data, m->v[i].n);
        json_close_object(w);
        json_close_object(w);
    }
}

/* An id of our own is left out: Gemini does not know it. */
static void
put_id(const char *id, struct json_writer *w)
{
    if (!tool_calls_own_id(id))
        json_member_str(w, "id", id);
}

/* Newer models refuse a turn whose first call has no signature. For calls of
 * another model, or calls that were text, they accept the word that
 * put_signature() writes instead. */
static bool
needs_signature(const struct provider_request *req)
{
    static const char *const older[] = {"gemini-1", "gemini-2", "gemma"};

    for (size_t i = 0; i < ARRAY_SIZE(older); i++) {
        if (strstr(req->model, older[i]))
            return false;
    }
    return true;
}

static void
put_signature(const struct model_tool_call *c, bool needed,
              struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *root = NULL;
    const struct json *v = tool_declarations_extra(c, "thoughtSignature",
                                                   &root);

    if (!v && !needed)
        return;
    json_key(w, "thoughtSignature");
    if (v)
        json_put_value(w, v);
    else
        json_put_str(w, "skip_thought_signature_validator");
}

static void
put_gemini_call(const struct model_tool_call *c, bool sign,
                struct json_writer *w)
{
    json_open_object(w);
    json_key(w, "functionCall");
    json_open_object(w);
    put_id(c->id, w);
    json_key(w, "name");
    tool_declarations_write_name(c->name, w);
    json_key(w, "args");
    tool_declarations_write_args(c, w);
    json_close_object(w);
    put_signature(c, sign, w);
    json_close_object(w);
}

static void
put_gemini_result(const struct model_turn *t, struct json_writer *w)
{
    json_open_object(w);
    json_key(w, "functionResponse");
    json_open_object(w);
    put_id(t->call_id, w);
    json_key(w, "name");
    tool_declarations_write_name(t->call_name, w);
    json_key(w, "response");
    json_open_object(w);
    json_member_str(w, t->failed ? "error" : "output", t->text);
    json_close_object(w);
    json_close_object(w);
    json_close_object(w);
}

static void
put_parts(const struct provider_request *req, size_t i, struct json_writer *w)
{
    const struct model_turn *t = &req->turns[i];
    bool silent = t->n_tool_calls > 0 && (!t->text || !*t->text);

    put_gemini_images(t->images, w);
    put_gemini_text(provider_turn_prefix(req, i), w);
    if (!silent)
        put_gemini_text(t->text ? t->text : "", w);
    for (size_t k = 0; k < t->n_tool_calls; k++)
        put_gemini_call(&t->tool_calls[k], k == 0 && needs_signature(req), w);
}

/* Writes one content, from turn i on: the results of one answer share a
 * content. Returns the index of the next turn. */
static size_t
put_gemini_content(const struct provider_request *req, size_t i,
                   struct json_writer *w)
{
    bool model = req->turns[i].role == MODEL_ASSISTANT;

    json_open_object(w);
    json_member_str(w, "role", model ? "model" : "user");
    json_key(w, "parts");
    json_open_array(w);
    if (req->turns[i].role != MODEL_RESULT)
        put_parts(req, i++, w);
    else
        while (i < req->n_turns && req->turns[i].role == MODEL_RESULT)
            put_gemini_result(&req->turns[i++], w);
    json_close_array(w);
    json_close_object(w);
    return i;
}

static void
put_contents(const struct provider_request *req, struct json_writer *w)
{
    if (req->system && !(req->quirks & QUIRK_NO_SYSTEM)) {
        json_key(w, "systemInstruction");
        json_open_object(w);
        json_key(w, "parts");
        json_open_array(w);
        put_gemini_text(req->system, w);
        json_close_array(w);
        json_close_object(w);
    }
    json_key(w, "contents");
    json_open_array(w);
    for (size_t i = 0; i < req->n_turns;)
        i = put_gemini_content(req, i, w);
    json_close_array(w);
}

static void
put_gemini_tools(const struct provider_request *req, struct json_writer *w)
{
    json_key(w, "tools");
    json_open_array(w);
    json_open_object(w);
    json_key(w, "functionDeclarations");
    json_open_array(w);
    for (size_t i = 0; i < req->n_tools; i++) {
        json_open_object(w);
        json_member_str(w, "name", req->tools[i].name);
        json_member_str(w, "description", req->tools[i].description);
        json_key(w, "parametersJsonSchema");
        tool_declarations_write_schema(&req->tools[i], w);
        json_close_object(w);
    }
    json_close_array(w);
    json_close_object(w);
    json_close_array(w);
}

/* The model's name becomes part of the path. */
static void
put_gemini_path(const struct provider_request *req, struct buf *out)
{
    const char *p = req->model;

    if (strncmp(p, "models/", 7) == 0)
        p += 7;
    buf_str(out, "/v1beta/models/");
    for (; *p; p++) {
        unsigned char ch = (unsigned char)*p;

        if ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
            (ch >= '0' && ch <= '9') || strchr("-._~/", ch))
            buf_ch(out, *p);
        else
            buf_printf(out, "%%%02X", ch);
    }
    buf_str(out, req->quirks & QUIRK_NO_STREAM
                     ? ":generateContent"
                     : ":streamGenerateContent?alt=sse");
}

static void
put_config(const struct provider_request *req, struct json_writer *w)
{
    const char *effort = effort_of(req);

    json_key(w, "generationConfig");
    json_open_object(w);
    if (effort) {
        json_key(w, "thinkingConfig");
        json_open_object(w);
        json_member_str(w, "thinkingLevel", effort);
        json_close_object(w);
    }
    if (provider_token_limit(req) > 0)
        json_member_int(w, "maxOutputTokens", provider_token_limit(req));
    if (provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA) {
        json_member_str(w, "responseMimeType", "application/json");
        json_key(w, "responseJsonSchema");
        schema_dialect_write(w, req->schema,
                             provider_schema_dialect(req, false));
    }
    json_close_object(w);
}

static void
put_gemini_body(const struct provider_request *req, struct json_writer *w)
{
    json_open_object(w);
    put_contents(req, w);
    if (tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE)
        put_gemini_tools(req, w);
    put_config(req, w);
    json_close_object(w);
}

static const struct finish_row finishes[] = {
    {"STOP", FINISH_STOP},
    {"FUNCTION_CALL", FINISH_TOOL}, /* of compatible servers */
    {"MAX_TOKENS", FINISH_LENGTH},
    {"SAFETY", FINISH_REFUSED},
    {"RECITATION", FINISH_REFUSED},
    {"BLOCKLIST", FINISH_REFUSED},
    {"PROHIBITED_CONTENT", FINISH_REFUSED},
    {"SPII", FINISH_REFUSED},
    {"IMAGE_SAFETY", FINISH_REFUSED},
    {"LANGUAGE", FINISH_REFUSED},
    {"FINISH_REASON_UNSPECIFIED", FINISH_NONE},
    {NULL, FINISH_OTHER},
};

/* Any blockReason of a prompt is a refusal. */
static const struct finish_row blocked[] = {{NULL, FINISH_REFUSED}};

/* A call comes in one piece. Its signature is a member beside it. */
static int
read_gemini_call(struct model_response *r, const struct json *part,
                 struct err *e)
{
    const struct json *call = json_get(part, "functionCall");
    const struct tool_calls_piece p = {
        .id = json_get(call, "id"),
        .name = json_get(call, "name"),
        .args = json_get(call, "args"),
        .extra_name = "thoughtSignature",
        .extra = json_get(part, "thoughtSignature"),
    };

    return model_response_add_call(r, &p, e);
}

/* Whatever is not false there says that the part is reasoning. */
static bool
is_thought(const struct json *part)
{
    const struct json *v = json_get(part, "thought");
    bool thought = true;

    if (json_type(v) == JSON_NULL)
        return false;
    (void)json_bool(v, &thought);
    return thought;
}

static int
read_part(struct model_response *r, const struct json *part, struct err *e)
{
    if (json_get(part, "functionCall"))
        return read_gemini_call(r, part, e);
    if (is_thought(part)) {
        model_response_note_reasoning(r, json_get(part, "text"));
        return 0;
    }
    return model_response_add_text(r, json_get(part, "text"), e);
}

static const struct usage_row counts[] = {
    {offsetof(struct model_response, tokens_in), NULL, "promptTokenCount"},
    {offsetof(struct model_response, tokens_cached), NULL,
     "cachedContentTokenCount"},
    {offsetof(struct model_response, tokens_reasoning), NULL,
     "thoughtsTokenCount"},
    {0, NULL, NULL},
};

/* Reasoning tokens count against the limit like those of the answer, and stand
 * beside them; an answer may be nothing else. */
static void
read_gemini_usage(struct model_response *r, const struct json *usage)
{
    int64_t out = -1;

    model_response_read_usage(r, usage, counts);
    model_response_set_tokens(&out, json_get(usage, "candidatesTokenCount"));
    if (out < 0 && !json_get(usage, "thoughtsTokenCount"))
        return;
    r->tokens_out = out > 0 ? out : 0;
    if (r->tokens_reasoning > 0)
        r->tokens_out += r->tokens_reasoning;
}

static int
read_gemini_event(struct model_response *r, const char *name,
                  const struct json *v, struct err *e)
{
    const struct json *c = json_at(json_get(v, "candidates"), 0), *part;
    const struct json *feedback = json_get(v, "promptFeedback");

    if (json_get(v, "error") || strcmp(name, "error") == 0)
        return model_response_set_error(r, v, e);
    model_response_set_model(r, json_get(v, "modelVersion"));
    read_gemini_usage(r, json_get(v, "usageMetadata"));
    model_response_set_finish(r, json_get(feedback, "blockReason"), blocked);
    model_response_add_refusal(r, json_get(feedback, "blockReasonMessage"));
    part = json_first(json_get(json_get(c, "content"), "parts"));
    for (; part; part = json_next(part)) {
        if (read_part(r, part, e) < 0)
            return -1;
    }
    if (json_get_str(c, "finishMessage"))
        model_response_set_reason(r, json_get_str(c, "finishMessage"));
    model_response_set_finish(r, json_get(c, "finishReason"), finishes);
    return 0;
}

const struct provider *
provider_gemini(void)
{
    static const struct provider row = {
        .name = "gemini",
        .title = "Gemini",
        .key_vars = {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
        .url_var = "GEMINI_BASE_URL",
        .url = "https://generativelanguage.googleapis.com",
        .strip = {"/v1beta", "/v1"},
        .models = "/v1beta/models?pageSize=1000",
        .key_header = "x-goog-api-key: ",
        .max_tokens = 16384,
        .fallbacks = QUIRK_NO_SCHEMA | QUIRK_NO_LIMIT | QUIRK_NO_STREAM |
                     QUIRK_NO_SYSTEM | QUIRK_NO_TOOLS | QUIRK_NO_EFFORT,
        .dialect = SCHEMA_DIALECT_FLAT | SCHEMA_DIALECT_FLAT_ROOT |
                   SCHEMA_DIALECT_ENUM | SCHEMA_DIALECT_RANGES,
        .path = put_gemini_path,
        .body = put_gemini_body,
        .event = read_gemini_event,
    };

    return &row;
}

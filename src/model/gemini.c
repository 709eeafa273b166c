/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemini.c - Google's Gemini. */
#include <string.h>

#include "model/draft.h"
#include "model/gemini_turns.h"
#include "model/offer.h"
#include "model/provider.h"
#include "model/variant.h"

static const struct finish_row finishes[] = {
    {"STOP", FINISH_STOP},
    {"FUNCTION_CALL", FINISH_TOOL}, /* of servers that speak as it does */
    {"MAX_TOKENS", FINISH_LENGTH},
    {"SAFETY", FINISH_REFUSED},
    {"RECITATION", FINISH_REFUSED},
    {"BLOCKLIST", FINISH_REFUSED},
    {"PROHIBITED_CONTENT", FINISH_REFUSED},
    {"SPII", FINISH_REFUSED},
    {"LANGUAGE", FINISH_REFUSED},
    {"FINISH_REASON_UNSPECIFIED", FINISH_NONE},
    {NULL, FINISH_OTHER},
};

/* A prompt that was blocked: the reason stands where no finish can. */
static const struct finish_row blocked[] = {{NULL, FINISH_REFUSED}};

/* The model's name becomes part of the path. */
static void
put_path(const struct call *c, struct buf *out)
{
    const char *p = c->model;

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
    buf_str(out, c->quirks & QUIRK_NO_STREAM
                     ? ":generateContent"
                     : ":streamGenerateContent?alt=sse");
}

static void
put_config(const struct call *c, struct json_writer *w)
{
    json_key(w, "generationConfig");
    json_open_object(w);
    if (call_limit(c) > 0)
        json_member_int(w, "maxOutputTokens", call_limit(c));
    if (call_shape(c) == SHAPE_SCHEMA) {
        json_member_str(w, "responseMimeType", "application/json");
        json_key(w, "responseJsonSchema");
        variant_write(w, c->schema, 0);
    }
    json_close_object(w);
}

static void
put_body(const struct call *c, struct json_writer *w)
{
    json_open_object(w);
    gemini_put_turns(c, w);
    if (call_offer(c) == OFFER_TOOLS)
        gemini_put_tools(c, w);
    put_config(c, w);
    json_close_object(w);
}

/* Each comes whole. The signature stands beside it, in what goes back. */
static int
take_call(struct draft *r, const struct json *part, struct err *e)
{
    const struct json *call = json_get(part, "functionCall");
    const struct want_piece p = {
        .id = json_get(call, "id"),
        .name = json_get(call, "name"),
        .args = json_get(call, "args"),
        .extra_name = "thoughtSignature",
        .extra = json_get(part, "thoughtSignature"),
    };

    return draft_call(r, &p, e);
}

static int
take_part(struct draft *r, const struct json *part, struct err *e)
{
    bool thought = false;

    if (json_get(part, "functionCall"))
        return take_call(r, part, e);
    if (json_bool(json_get(part, "thought"), &thought) && thought) {
        draft_reasoning(r, json_get(part, "text"));
        return 0;
    }
    return draft_str(r, json_get(part, "text"), e);
}

/* Tokens of thought count against the limit like those of the answer. */
static void
take_usage(struct draft *r, const struct json *usage)
{
    int64_t out = -1, thought = -1;

    draft_tokens(&r->tokens_in, json_get(usage, "promptTokenCount"));
    draft_tokens(&out, json_get(usage, "candidatesTokenCount"));
    draft_tokens(&thought, json_get(usage, "thoughtsTokenCount"));
    if (out >= 0)
        r->tokens_out = out + (thought > 0 ? thought : 0);
}

static int
take_event(struct draft *r, const char *name, const struct json *v,
           struct err *e)
{
    const struct json *c = json_at(json_get(v, "candidates"), 0), *part;
    const struct json *feedback = json_get(v, "promptFeedback");

    if (json_get(v, "error") || strcmp(name, "error") == 0)
        return draft_fault(r, v, e);
    draft_model(r, json_get(v, "modelVersion"));
    take_usage(r, json_get(v, "usageMetadata"));
    draft_finish(r, json_get(feedback, "blockReason"), blocked);
    draft_refusal(r, json_get(feedback, "blockReasonMessage"));
    part = json_first(json_get(json_get(c, "content"), "parts"));
    for (; part; part = json_next(part)) {
        if (take_part(r, part, e) < 0)
            return -1;
    }
    draft_finish(r, json_get(c, "finishReason"), finishes);
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
        .model = "gemini-flash-latest",
        .key_header = "x-goog-api-key: ",
        .max_tokens = 16384,
        .fallbacks = QUIRK_NO_SCHEMA | QUIRK_NO_LIMIT | QUIRK_NO_STREAM |
                     QUIRK_NO_SYSTEM | QUIRK_NO_TOOLS,
        .path = put_path,
        .body = put_body,
        .event = take_event,
    };

    return &row;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fault_quirk.c - which parameter a server does not take. */
#include <string.h>

#include "model/fault.h"
#include "model/offer.h"
#include "model/provider.h"

/* A word of the message that names a parameter; no quirk: what is wrong is no
 * parameter. Rows stand in the order in
 * which they are tried: the longer name before the one that it contains. */
struct row {
    const char *word;
    unsigned quirk;
};

static const struct row rows[] = {
    {"tool_call_id", 0}, /* a conversation that does not fit together */
    {"tool_use_id", 0},
    {"tool_result", 0},
    {"thought_signature", 0},
    {"reasoning_content", 0},
    {"roles must alternate", QUIRK_NO_TOOLS},
    {"schema for function", QUIRK_NO_TOOLS},
    {"function_declarations", QUIRK_NO_TOOLS},
    {"functionDeclarations", QUIRK_NO_TOOLS},
    {"tools.", QUIRK_NO_TOOLS},
    {"tools[", QUIRK_NO_TOOLS},
    {"input_schema", QUIRK_NO_TOOLS},
    {"stream_options", QUIRK_NO_USAGE},
    {"include_usage", QUIRK_NO_USAGE},
    {"temperature", QUIRK_NO_TEMPERATURE},
    {"response_format", QUIRK_NO_SCHEMA},
    {"json_schema", QUIRK_NO_SCHEMA},
    {"output_config", QUIRK_NO_SCHEMA},
    {"output_format", QUIRK_NO_SCHEMA},
    {"output format", QUIRK_NO_SCHEMA},
    {"structured output", QUIRK_NO_SCHEMA},
    {"responseJsonSchema", QUIRK_NO_SCHEMA},
    {"response_json_schema", QUIRK_NO_SCHEMA},
    {"responseMimeType", QUIRK_NO_SCHEMA},
    {"response_mime_type", QUIRK_NO_SCHEMA},
    {"response mime type", QUIRK_NO_SCHEMA},
    {"JSON mode", QUIRK_NO_SCHEMA},
    {"additionalProperties", QUIRK_NO_SCHEMA},
    {"grammar", QUIRK_NO_SCHEMA},
    {"guided_json", QUIRK_NO_SCHEMA},
    {"schema", QUIRK_NO_SCHEMA},
    {"format", QUIRK_NO_SCHEMA},
    {"tool_choice", QUIRK_NO_TOOL},
    {"tool", QUIRK_NO_TOOLS},
    {"function call", QUIRK_NO_TOOLS},
    {"function", QUIRK_NO_TOOLS},
    {"tool", QUIRK_NO_TOOL},
    {"function", QUIRK_NO_TOOL},
    {"schema", QUIRK_NO_TOOL},
    {"max_completion_tokens", QUIRK_OTHER_LIMIT},
    {"max_tokens", QUIRK_OTHER_LIMIT},
    {"max_completion_tokens", QUIRK_NO_LIMIT},
    {"max_tokens", QUIRK_NO_LIMIT},
    {"maxOutputTokens", QUIRK_NO_LIMIT},
    {"max_output_tokens", QUIRK_NO_LIMIT},
    {"num_predict", QUIRK_NO_LIMIT},
    {"context length", QUIRK_NO_LIMIT},
    {"system role", QUIRK_NO_SYSTEM},
    {"system message", QUIRK_NO_SYSTEM},
    {"system_instruction", QUIRK_NO_SYSTEM},
    {"systemInstruction", QUIRK_NO_SYSTEM},
    {"Developer instruction", QUIRK_NO_SYSTEM},
    {"\"stream\"", QUIRK_NO_STREAM},
    {"'stream'", QUIRK_NO_STREAM},
    {"`stream`", QUIRK_NO_STREAM},
    {"streaming is not", QUIRK_NO_STREAM},
    {"stream is not", QUIRK_NO_STREAM},
};

/* Whether the call sends what the quirk would leave out. */
static bool
is_sent(const struct call *c, unsigned quirk)
{
    if (quirk && ((c->quirks & quirk) || !(c->provider->fallbacks & quirk)))
        return false;
    switch (quirk) {
    case 0:
        return call_has_calls(c);
    case QUIRK_NO_SCHEMA:
        return call_shape(c) == SHAPE_SCHEMA;
    case QUIRK_NO_TOOL:
        return call_shape(c) == SHAPE_TOOL;
    case QUIRK_NO_TOOLS:
        return call_offer(c) == OFFER_TOOLS || call_has_calls(c);
    case QUIRK_OTHER_LIMIT:
        return !(c->quirks & QUIRK_NO_LIMIT);
    case QUIRK_NO_SYSTEM:
        return c->system != NULL;
    default:
        return true;
    }
}

/* Some servers call a client's mistake an error of their own (500, 501). */
static bool
may_be_ours(int status)
{
    return status == 400 || status == 404 || status == 415 || status == 422 ||
           status == 500 || status == 501;
}

unsigned
fault_quirk(const struct fault *f, const struct call *c)
{
    if (!may_be_ours(f->status) || f->spent || f->page)
        return 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (is_sent(c, rows[i].quirk) &&
            (strcasestr(f->message, rows[i].word) ||
             strcasestr(f->kind, rows[i].word)))
            return rows[i].quirk;
    }
    return 0;
}

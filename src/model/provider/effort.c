/* SPDX-License-Identifier: GPL-3.0-or-later */
/* effort.c - how much a model is asked to think, in the provider's own words.
 */
#include "model/provider/effort.h"

#include <fnmatch.h>
#include <string.h>

#include "base/array.h"
#include "model/provider/tool_declarations.h"

struct effort_row {
    const char *provider;
    const char *host;   /* NULL: any address */
    const char *model;  /* a pattern of fnmatch(3) */
    const char *effort; /* NULL: the model takes none */
};

/* The first row that fits counts. Sources, looked up 2026-11-26: the types of
 * openai 7.57.0 and the table of models of @ai-sdk/openai 3.0.141, the page
 * "Effort" of Anthropic, ThinkingConfig of @google/genai 2.32.0, the page
 * "Thinking Mode" of DeepSeek. */
static const struct effort_row rows[] = {
    {"openai", "api.deepseek.com", "*", "low"},
    {"openai", PROVIDER_RESPONSES_HOST, "gpt-*-chat*", NULL},
    {"openai", PROVIDER_RESPONSES_HOST, "gpt-*-pro*",
     NULL}, /* none below "medium" */
    {"openai", PROVIDER_RESPONSES_HOST, "gpt-5-codex*", "low"},
    {"openai", PROVIDER_RESPONSES_HOST, "gpt-5", "minimal"},
    {"openai", PROVIDER_RESPONSES_HOST, "gpt-5-*", "minimal"},
    {"openai", PROVIDER_RESPONSES_HOST, "gpt-[5-9]*", "low"},
    {"openai", PROVIDER_RESPONSES_HOST, "o[1-9]*", "low"},
    {"anthropic", NULL, "claude-3*", NULL},
    {"anthropic", NULL, "claude-haiku-4*", NULL},
    {"anthropic", NULL, "claude-sonnet-4-[025]*", NULL},
    {"anthropic", NULL, "claude-opus-4-[012]*", NULL},
    {"anthropic", NULL, "claude-*", "low"},
    {"gemini", NULL, "gemini-[12]*", NULL}, /* these have a budget instead */
    {"gemini", NULL, "gemini-*", "low"},
};

static const char *
find_effort(const struct provider_request *req)
{
    const char *model = req->model;
    char host[128];

    provider_url_host(req->url, host, sizeof(host));
    if (strncmp(model, "models/", 7) == 0)
        model += 7; /* Gemini's full name of it */
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (strcmp(rows[i].provider, req->provider->name) == 0 &&
            (!rows[i].host || strcmp(rows[i].host, host) == 0) &&
            fnmatch(rows[i].model, model, 0) == 0)
            return rows[i].effort;
    }
    return NULL;
}

const char *
effort_of(const struct provider_request *req)
{
    bool chat = !provider_uses_responses(req);
    bool tools = tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE;
    char host[128];

    if (req->quirks & QUIRK_NO_EFFORT)
        return NULL;
    if (chat && tools && (req->quirks & QUIRK_EFFORT_NONE))
        return "none";
    provider_url_host(req->url, host, sizeof(host));
    /* beside tools, chat completions of OpenAI refuse any effort but "none",
     * which older models do not know: the answer says which it is */
    if (chat && tools && strcmp(host, PROVIDER_RESPONSES_HOST) == 0)
        return NULL;
    return find_effort(req);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider.h - what a provider is, and the HTTP request to one.
 *
 * provider/ knows the wire formats of OpenAI, Anthropic, Gemini and Ollama. It
 * is pure code without a network: the front uses it to show a request, the
 * model process to send it. A provider is one struct in a file of its own
 * (openai.c, anthropic.c, gemini.c, ollama.c): where its key and URL come
 * from, how a request body is written, how an event of its stream is read.
 * provider_table.h lists them. Servers differ from what their API promises: a
 * quirk is a feature that one server and model turned out not to take. The
 * functions fail with ERR_NOMEM when a limit is exceeded or memory runs out. */
#ifndef MODEL_PROVIDER_PROVIDER_H
#define MODEL_PROVIDER_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "model/client.h"
#include "json/json.h"
#include "json/write.h"

struct provider_request;
struct model_response;

struct provider {
    const char *name;        /* as --provider takes it */
    const char *title;       /* as a person knows it */
    const char *key_vars[2]; /* environment variables; the first set one wins */
    const char *url_var;     /* environment variable of the base URL */
    const char *url;         /* default base URL */
    const char *strip[2];    /* ends that people add to a base URL */
    const char *bare_port;   /* default port of a base URL without scheme;
                                NULL: the scheme is required */
    const char *models;      /* path of its list of models, after the URL */
    const char *key_header;  /* what stands before the key: "Name: scheme " */
    const char *header;      /* one more header; NULL: none */
    bool own_needs_no_key;   /* a key is optional with another base URL */
    int max_tokens;          /* limit that is sent with a request */
    int few_tokens;          /* limit for QUIRK_OTHER_LIMIT; 0: max_tokens */
    unsigned fallbacks;      /* quirks that its requests can work around */
    bool lines;              /* streams one JSON value a line, not SSE */
    unsigned dialect;        /* of its schemas: schema_dialect.h */
    bool cuts_prompts;       /* its servers may cut one that is too long */
    void (*path)(const struct provider_request *req, struct buf *out);
    void (*body)(const struct provider_request *req, struct json_writer *w);
    /* Reads one event of the stream, or a whole answer. -1 and ERR_ANSWER when
     * it makes the answer unusable. */
    int (*event)(struct model_response *r, const char *name,
                 const struct json *v, struct err *e);
};

enum quirk {
    QUIRK_NO_SCHEMA = 1 << 0, /* no structured output: use a forced tool */
    QUIRK_NO_TOOL = 1 << 1,   /* no forced tool: use the prompt alone */
    QUIRK_NO_TEMPERATURE = 1 << 2,
    QUIRK_OTHER_LIMIT = 1 << 3, /* the limit's other name, or a smaller one */
    QUIRK_NO_LIMIT = 1 << 4,
    QUIRK_NO_USAGE = 1 << 5, /* no stream_options */
    QUIRK_NO_STREAM = 1 << 6,
    QUIRK_NO_SYSTEM = 1 << 7, /* the system prompt goes into the user's turn */
    QUIRK_NO_TOOLS = 1 << 8,  /* no tools: the prompt describes them */
    QUIRK_OBJECT_ROOT = 1 << 9, /* no anyOf at the root of a schema */
    QUIRK_NO_CACHE_KEY = 1 << 10,
    QUIRK_EFFORT_NONE = 1 << 12, /* tools only beside the effort "none" */
    QUIRK_NO_EFFORT = 1 << 13,
    QUIRK_NO_RESPONSES = 1 << 14, /* no /responses: chat completions */
    QUIRK_JSON_OBJECT = 1 << 15,  /* JSON, but no schema of it */
};
#define QUIRKS_N   16               /* bits; not each has a quirk */
#define QUIRKS_END (1u << QUIRKS_N) /* the first bit that none has */

/* Names of quirks, as the quirk cache and ipc.h have them. */
const char *quirk_name(unsigned bit); /* of one bit; NULL: unknown */
unsigned quirk_bit(const char *name); /* 0: unknown */

/* A tool of a request, with its schema parsed. */
struct provider_tool {
    const char *name, *description;
    const struct json *schema;
};

/* One request to a provider. All pointers are borrowed. */
struct provider_request {
    const struct provider *provider;
    const char *url; /* base URL, as provider_base_url() returns it */
    const char
        *url_name; /* the setting it is from, for messages; NULL: url_var */
    const char *key_name; /* so for the key; NULL: none is sent */
    const char *model;
    unsigned quirks;
    const char *system;
    const struct model_turn *turns;
    size_t n_turns;
    const struct json *schema; /* NULL: free text */
    bool calls_in_schema;      /* it allows tool calls (tool_fallback.h) */
    const struct provider_tool *tools;
    size_t n_tools;
    const char *more_headers; /* the person's, each ended by "\n"; NULL: none */
};

/* How the answer is made to fit the schema: not at all (the prompt alone), by
 * structured output, or by a forced tool whose arguments are the answer. */
enum answer_shape { ANSWER_SHAPE_FREE, ANSWER_SHAPE_SCHEMA, ANSWER_SHAPE_TOOL };
enum answer_shape provider_answer_shape(const struct provider_request *req);

/* Requests with one key and one beginning are led to one cache. All of ours
 * begin alike, whoever sends them. */
#define PROVIDER_CACHE_KEY "agentsh"

/* Whether the request is for OpenAI's /responses (responses.h): at its own
 * address, unless that has none. */
#define PROVIDER_RESPONSES_HOST "api.openai.com"
bool provider_uses_responses(const struct provider_request *req);
/* How the schema of the answer is written in this request; forced_tool: as
 * that of a tool. */
unsigned provider_schema_dialect(const struct provider_request *req,
                                 bool forced_tool);

/* What the server at its address takes (host_features.h), less its quirks. */
unsigned provider_features(const struct provider_request *req);

/* The token limit that the request sends; 0: none. */
int provider_token_limit(const struct provider_request *req);

/* Normalises a base URL as people write it: without trailing slashes and
 * without the version at its end; for Ollama the scheme is optional. A query
 * (Azure's "?api-version=…") stays at its end, and is part of every request.
 * The caller frees it. ERR_CONFIG: it is no base URL; name, the setting that it
 * is from, says where. */
char *provider_base_url(const struct provider *p, const char *name,
                        const char *text, struct err *e);

/* What names the setting of the base URL in a message. */
const char *provider_url_name(const struct provider_request *req);

const char *provider_user_agent(void);
int provider_request_url(const struct provider_request *req, struct buf *out,
                         struct err *e);
/* The URL of the provider's list of models. */
int provider_models_url(const struct provider_request *req, struct buf *out,
                        struct err *e);
/* Appends the headers, each ended by "\n". key NULL: none. */
int provider_request_headers(const struct provider_request *req,
                             const char *key, struct buf *out, struct err *e);
int provider_request_body(const struct provider_request *req, struct buf *out,
                          struct err *e);

/* Copies "host" or "host:port" of a URL, for messages. */
void provider_url_host(const char *url, char *text, size_t size);

/* Writes an image as OpenAI's APIs take it: a string "data:TYPE;base64,…". */
void provider_put_data_url(const struct model_image *image,
                           struct json_writer *w);

/* The system prompt when it must stand at the head of this turn
 * (QUIRK_NO_SYSTEM); else NULL. */
const char *provider_turn_prefix(const struct provider_request *req,
                                 size_t turn);

#endif

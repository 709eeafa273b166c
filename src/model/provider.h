/* SPDX-License-Identifier: GPL-3.0-or-later */
/* provider.h - the providers: one row each, and what goes on the wire.
 *
 * Pure code without a network: the front uses it to show a request, the model
 * process to send it. A provider is a row of one file (openai.c,
 * anthropic.c, gemini.c, ollama.c): where its key and address come from, how
 * a body is built, how an event of its stream is read. Servers differ from
 * what their interface promises; a quirk is something that one server and
 * model turned out to want otherwise. */
#ifndef MODEL_PROVIDER_H
#define MODEL_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "model/client.h"
#include "json/json.h"
#include "json/write.h"

struct call;
struct draft;

struct provider {
    const char *name;        /* as --provider takes it */
    const char *title;       /* as a person knows it */
    const char *key_vars[2]; /* first that is set wins */
    const char *url_var;     /* variable of the base address */
    const char *url;         /* default base address */
    const char *strip[2];    /* ends of an address that people add */
    const char *bare_port;   /* its address may lack scheme and port; NULL */
    const char *model;       /* default model */
    const char *key_header;  /* "Name: " and scheme before the key */
    const char *header;      /* one more header; NULL: none */
    bool own_needs_no_key;   /* a server of one's own may go without */
    int max_tokens;          /* asked for; the answer may not reach it */
    int few_tokens;          /* for QUIRK_OTHER_LIMIT; 0: max_tokens */
    unsigned fallbacks;      /* quirks that its calls can take */
    bool lines;              /* one JSON value a line instead of SSE */
    bool schema_with_tools;  /* its own server takes both at once */
    void (*path)(const struct call *c, struct buf *out);
    void (*body)(const struct call *c, struct json_writer *w);
    /* One event of the stream, or a whole answer. -1 and ERR_ANSWER when it
     * makes the answer unusable. */
    int (*event)(struct draft *r, const char *name, const struct json *v,
                 struct err *e);
};

const struct provider *provider_openai(void);
const struct provider *provider_anthropic(void);
const struct provider *provider_gemini(void);
const struct provider *provider_ollama(void);

/* NULL: no such provider. provider_at(i) is NULL after the last; their order
 * is that in which keys in the environment are looked for. */
const struct provider *provider_find(const char *name);
const struct provider *provider_at(size_t i);

enum quirk {
    QUIRK_NO_SCHEMA = 1 << 0, /* no structured output: a forced tool */
    QUIRK_NO_TOOL = 1 << 1,   /* nor that: the prompt must do */
    QUIRK_NO_TEMPERATURE = 1 << 2,
    QUIRK_OTHER_LIMIT = 1 << 3, /* the limit's other name, or a smaller one */
    QUIRK_NO_LIMIT = 1 << 4,
    QUIRK_NO_USAGE = 1 << 5, /* no stream_options */
    QUIRK_NO_STREAM = 1 << 6,
    QUIRK_NO_SYSTEM = 1 << 7, /* rules go into the user's message */
    QUIRK_NO_TOOLS = 1 << 8,  /* to look with: the prompt tells of them */
};
#define QUIRKS_N 9

const char *quirk_name(unsigned bit); /* of one bit; NULL: unknown */
unsigned quirk_bit(const char *name); /* 0: unknown */

/* A tool as a call offers it: its schema is read. */
struct call_tool {
    const char *name, *description;
    const struct json *schema;
};

/* One request, all borrowed. */
struct call {
    const struct provider *provider;
    const char *url; /* base address, as call_base() left it */
    const char *model;
    unsigned quirks;
    const char *system;
    const struct model_turn *turns;
    size_t n_turns;
    const struct json *schema; /* NULL: free text */
    const struct call_tool *tools;
    size_t n_tools;
};

/* How the answer's shape is asked for; beside tools offer.h says more. */
enum call_shape { SHAPE_FREE, SHAPE_SCHEMA, SHAPE_TOOL };
enum call_shape call_shape(const struct call *c);

/* The token limit that the call sends; 0: none. */
int call_limit(const struct call *c);

/* A base address as people write it (trailing slashes, the version at its
 * end, no scheme for Ollama) in the one form that is used. ERR_CONFIG when it
 * is none. The caller frees it. */
char *call_base(const struct provider *p, const char *text, struct err *e);

const char *call_user_agent(void);
int call_url(const struct call *c, struct buf *out, struct err *e);
/* Header lines, each ended by "\n". key NULL: none. */
int call_headers(const struct call *c, const char *key, struct buf *out,
                 struct err *e);
int call_body(const struct call *c, struct buf *out, struct err *e);

/* "host" or "host:port" of an address, for a person. */
void call_host(const char *url, char *text, size_t size);

/* The first user message's text when the rules must stand in it. */
const char *call_turn_prefix(const struct call *c, size_t turn);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ollama.c - the provider Ollama: writes requests to /api/chat and reads their
 * streams. */
#include <string.h>

#include "model/provider/chat_messages.h"
#include "model/provider/provider.h"
#include "model/provider/provider_table.h"
#include "model/provider/response.h"
#include "model/provider/schema_dialect.h"
#include "model/provider/tool_declarations.h"

#define CONTEXT_MIN     8192   /* a common request, and a small machine */
#define CONTEXT_MAX     131072 /* more than most models were trained for */
#define ANSWER_TOKENS   4096   /* of an answer that has no limit */
#define TEMPLATE_TOKENS 256    /* that a template adds to messages and tools */
#define TOOL_BYTES      512    /* of a tool's schema, as templates write it */
#define IMAGE_BYTES     4800 /* of an image: 1,600 tokens, as large ones have */

/* A person reads, tries and asks again: the server's own 5 minutes are short
 * for that, and loading a model takes many seconds. */
#define KEEP_ALIVE "30m"

static const struct finish_row finishes[] = {
    {"stop", FINISH_STOP},
    {"length", FINISH_LENGTH},
    {NULL, FINISH_OTHER},
};

static void
put_ollama_path(const struct provider_request *req, struct buf *out)
{
    (void)req;
    buf_str(out, "/api/chat");
}

/* An upper guess at the tokens of what the model reads: few tokens have less
 * than three bytes. The schema is for the decoder alone. */
static int64_t
prompt_tokens(const struct provider_request *req)
{
    size_t bytes = req->system ? strlen(req->system) : 0;

    for (size_t i = 0; i < req->n_turns; i++) {
        const struct model_turn *t = &req->turns[i];

        bytes += t->text ? strlen(t->text) : 0;
        bytes += t->images ? t->images->n * IMAGE_BYTES : 0;
        for (size_t k = 0; k < t->n_tool_calls; k++)
            bytes += t->tool_calls[k].args_len;
    }
    for (size_t i = 0; i < req->n_tools; i++)
        bytes += TOOL_BYTES + strlen(req->tools[i].description);
    return (int64_t)(bytes / 3) + TEMPLATE_TOKENS;
}

/* The context that holds the prompt and the longest answer. It is a power of
 * two, because the server loads the model again when it changes. Without it the
 * server takes what it likes, often 4,096, and cuts what does not fit without a
 * word; and where an answer does not fit it forgets the prompt. */
static int64_t
context_tokens(const struct provider_request *req)
{
    int limit = provider_token_limit(req);
    int64_t wanted = prompt_tokens(req) + (limit > 0 ? limit : ANSWER_TOKENS);
    int64_t n = CONTEXT_MIN;

    while (n < wanted && n < CONTEXT_MAX)
        n *= 2;
    return n;
}

static void
put_options(const struct provider_request *req, struct json_writer *w)
{
    json_key(w, "options");
    json_open_object(w);
    json_member_int(w, "num_ctx", context_tokens(req));
    if (!(req->quirks & QUIRK_NO_TEMPERATURE))
        json_member_int(w, "temperature", 0);
    if (provider_token_limit(req) > 0)
        json_member_int(w, "num_predict", provider_token_limit(req));
    json_close_object(w);
}

static void
put_ollama_body(const struct provider_request *req, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "model", req->model);
    chat_messages_write(req, CHAT_MESSAGES_OLLAMA, w);
    json_member_bool(w, "stream", !(req->quirks & QUIRK_NO_STREAM));
    if (provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA) {
        json_key(w, "format");
        schema_dialect_write(w, req->schema,
                             provider_schema_dialect(req, false));
    }
    if (tool_declarations_form(req) == TOOL_DECLARATIONS_NATIVE) {
        json_key(w, "tools");
        json_open_array(w);
        chat_messages_write_tools(req, w);
        json_close_array(w);
    }
    json_member_str(w, "keep_alive", KEEP_ALIVE);
    put_options(req, w);
    json_close_object(w);
}

/* A call comes in one piece. Its index is that of the function: it is ignored.
 */
static int
read_ollama_calls(struct model_response *r, const struct json *list,
                  struct err *e)
{
    const struct json *v;

    for (v = json_first(list); v; v = json_next(v)) {
        const struct json *function = json_get(v, "function");
        const struct tool_calls_piece p = {
            .id = json_get(v, "id"),
            .name = json_get(function, "name"),
            .args = json_get(function, "arguments"),
        };

        if (model_response_add_call(r, &p, e) < 0)
            return -1;
    }
    return 0;
}

static int
read_ollama_event(struct model_response *r, const char *name,
                  const struct json *v, struct err *e)
{
    const struct json *m = json_get(v, "message"), *reason;
    bool done = false;

    (void)name;
    if (json_get(v, "error"))
        return model_response_set_error(r, v, e);
    model_response_set_model(r, json_get(v, "model"));
    model_response_keep_reasoning(r, "thinking", json_get(m, "thinking"));
    if (model_response_add_text(r, json_get(m, "content"), e) < 0 ||
        read_ollama_calls(r, json_get(m, "tool_calls"), e) < 0)
        return -1;
    if (!json_bool(json_get(v, "done"), &done) || !done)
        return 0;
    model_response_set_tokens(&r->tokens_in, json_get(v, "prompt_eval_count"));
    model_response_set_tokens(&r->tokens_out, json_get(v, "eval_count"));
    reason = json_get(v, "done_reason");
    if (reason)
        model_response_set_finish(r, reason, finishes);
    else
        r->finish = FINISH_STOP; /* servers before 0.3 give no reason */
    r->complete = true;
    return 0;
}

const struct provider *
provider_ollama(void)
{
    static const struct provider row = {
        .name = "ollama",
        .title = "Ollama",
        .url_var = "OLLAMA_HOST",
        .url = "http://127.0.0.1:11434",
        .strip = {"/api", "/v1"},
        .bare_port = "11434",
        .models = "/api/tags",
        .max_tokens = 8192,
        .fallbacks = QUIRK_NO_SCHEMA | QUIRK_NO_TEMPERATURE | QUIRK_NO_LIMIT |
                     QUIRK_NO_STREAM | QUIRK_NO_SYSTEM | QUIRK_NO_TOOLS,
        .dialect = SCHEMA_DIALECT_CLOSED | SCHEMA_DIALECT_BOUNDS |
                   SCHEMA_DIALECT_RANGES,
        .cuts_prompts = true,
        .lines = true,
        .path = put_ollama_path,
        .body = put_ollama_body,
        .event = read_ollama_event,
    };

    return &row;
}

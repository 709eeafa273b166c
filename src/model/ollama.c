/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ollama.c - Ollama's chat. */
#include <string.h>

#include "model/draft.h"
#include "model/offer.h"
#include "model/provider.h"
#include "model/turns.h"
#include "model/variant.h"

static const struct finish_row finishes[] = {
    {"stop", FINISH_STOP},
    {"length", FINISH_LENGTH},
    {NULL, FINISH_OTHER},
};

static void
put_path(const struct call *c, struct buf *out)
{
    (void)c;
    buf_str(out, "/api/chat");
}

static void
put_body(const struct call *c, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "model", c->model);
    turns_put(c, TURNS_OLLAMA, w);
    json_member_bool(w, "stream", !(c->quirks & QUIRK_NO_STREAM));
    if (call_shape(c) == SHAPE_SCHEMA) {
        json_key(w, "format");
        variant_write(w, c->schema, 0);
    }
    if (call_offer(c) == OFFER_TOOLS) {
        json_key(w, "tools");
        json_open_array(w);
        turns_put_tools(c, w);
        json_close_array(w);
    }
    json_key(w, "options");
    json_open_object(w);
    if (!(c->quirks & QUIRK_NO_TEMPERATURE))
        json_member_int(w, "temperature", 0);
    if (call_limit(c) > 0)
        json_member_int(w, "num_predict", call_limit(c));
    json_close_object(w);
    json_close_object(w);
}

/* Each comes whole; the place, where it is told, is the function's. */
static int
take_calls(struct draft *r, const struct json *list, struct err *e)
{
    const struct json *v;

    for (v = json_first(list); v; v = json_next(v)) {
        const struct json *function = json_get(v, "function");
        const struct want_piece p = {
            .id = json_get(v, "id"),
            .name = json_get(function, "name"),
            .args = json_get(function, "arguments"),
        };

        if (draft_call(r, &p, e) < 0)
            return -1;
    }
    return 0;
}

static int
take_event(struct draft *r, const char *name, const struct json *v,
           struct err *e)
{
    const struct json *m = json_get(v, "message"), *reason;
    bool done = false;

    (void)name;
    if (json_get(v, "error"))
        return draft_fault(r, v, e);
    draft_model(r, json_get(v, "model"));
    draft_keep(r, "thinking", json_get(m, "thinking"));
    if (draft_str(r, json_get(m, "content"), e) < 0 ||
        take_calls(r, json_get(m, "tool_calls"), e) < 0)
        return -1;
    if (!json_bool(json_get(v, "done"), &done) || !done)
        return 0;
    draft_tokens(&r->tokens_in, json_get(v, "prompt_eval_count"));
    draft_tokens(&r->tokens_out, json_get(v, "eval_count"));
    reason = json_get(v, "done_reason");
    if (reason)
        draft_finish(r, reason, finishes);
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
        .model = "qwen3:4b",
        .max_tokens = 8192,
        .fallbacks = QUIRK_NO_SCHEMA | QUIRK_NO_TEMPERATURE | QUIRK_NO_LIMIT |
                     QUIRK_NO_STREAM | QUIRK_NO_SYSTEM | QUIRK_NO_TOOLS,
        .lines = true,
        .path = put_path,
        .body = put_body,
        .event = take_event,
    };

    return &row;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_answer.c - the result of a tool, as a client gets it, and its schema. */
#include "server/mcp/mcp_answer.h"

#include <string.h>

#include "base/array.h"
#include "server/mcp/mcp_reply.h"

#define NOTE_MAX 2048 /* bytes of a line about the call */

/* A schema of an object that only names its members can be added to. */
static bool
is_plain_object(const struct json *schema)
{
    static const char *const known[] = {"type",        "required",
                                        "properties",  "definitions",
                                        "description", "additionalProperties"};
    const char *type = json_get_str(schema, "type");

    if (!type)
        return false; /* or no object */
    for (const struct json *m = json_first(schema); m; m = json_next(m)) {
        const char *name = json_name(m, &(size_t){0});
        size_t i = 0;

        while (i < ARRAY_SIZE(known) && strcmp(name, known[i]) != 0)
            i++;
        if (i == ARRAY_SIZE(known))
            return false;
    }
    return strcmp(type, "object") == 0;
}

/* What an MCP server's tool answers in structure is not known here. */
bool
mcp_answer_has_schema(const struct tool *t, const struct manifest_action *a)
{
    const struct json *members = json_get(a->meta, "properties");

    return !t->server && (!a->meta || is_plain_object(a->meta)) &&
           !json_get(members, "stdout") && !json_get(members, "stderr");
}

static void
put_text_schema(struct json_writer *w, const char *name, const char *what)
{
    json_key(w, name);
    json_open_object(w);
    json_member_str(w, "type", "string");
    json_member_str(w, "description", what);
    json_close_object(w);
}

static void
put_members(struct json_writer *w, const struct json *object)
{
    if (json_type(object) != JSON_OBJECT)
        return;
    for (const struct json *m = json_first(object); m; m = json_next(m)) {
        size_t n;
        const char *name = json_name(m, &n);

        json_keyn(w, name, n);
        json_put_value(w, m);
    }
}

void
mcp_answer_put_schema(struct json_writer *w, const struct manifest_action *a)
{
    const struct json *definitions = json_get(a->meta, "definitions");
    const struct json *required = json_get(a->meta, "required");

    json_open_object(w);
    json_member_str(w, "type", "object");
    json_key(w, "properties");
    json_open_object(w);
    put_text_schema(w, "stdout", "what the tool wrote");
    put_text_schema(w, "stderr", "what it wrote as errors and warnings");
    put_members(w, json_get(a->meta, "properties"));
    json_close_object(w);
    json_key(w, "required");
    json_open_array(w);
    json_put_str(w, "stdout");
    json_put_str(w, "stderr");
    for (const struct json *v = json_first(required); v; v = json_next(v))
        json_put_value(w, v);
    json_close_array(w);
    if (definitions) {
        json_key(w, "definitions");
        json_put_value(w, definitions);
    }
    json_close_object(w);
}

static void
put_text_block(struct json_writer *w, const char *text, size_t n)
{
    if (n == 0)
        return;
    json_open_object(w);
    json_member_str(w, "type", "text");
    json_key(w, "text");
    json_put_strn(w, text, n);
    json_close_object(w);
}

/* What the texts themselves do not tell. */
static void
put_call_note(struct json_writer *w, const struct tool_result *r,
              bool truncated)
{
    CLEANUP_BUF struct buf note = buf_of(NOTE_MAX);

    if (r->error_code)
        buf_printf(&note, "%s after %lld ms", r->error_code,
                   (long long)r->duration_ms);
    if (r->has_exit_code && r->exit_code != 0)
        buf_printf(&note, "%sexit status %d", note.len ? "; " : "",
                   r->exit_code);
    if (truncated)
        buf_printf(&note, "%sonly a part of the output is here",
                   note.len ? "; " : "");
    put_text_block(w, note.p, note.len);
}

static void
put_structured_result(struct json_writer *w, const struct tool_result *r,
                      const char *out, size_t n_out, const char *err,
                      size_t n_err)
{
    json_key(w, "structuredContent");
    json_open_object(w);
    json_key(w, "stdout");
    json_put_strn(w, out, n_out);
    json_key(w, "stderr");
    json_put_strn(w, err, n_err);
    put_members(w, r->meta);
    json_close_object(w);
}

void
mcp_answer_write(struct buf *out, enum mcp_era era, const struct tool *t,
                 const struct manifest_action *a, const struct tool_result *r,
                 const struct mcp_answer_texts *texts)
{
    bool all = !texts || !r->truncated;
    const char *o = all ? r->out : texts->out.p;
    const char *e = all ? r->err : texts->err.p;
    size_t n_o = all ? r->out_len : texts->out.len;
    size_t n_e = all ? r->err_len : texts->err.len;
    struct json_writer w;

    mcp_reply_open(&w, out, era, "complete");
    json_key(&w, "content");
    json_open_array(&w);
    put_text_block(&w, o, n_o);
    put_text_block(&w, e, n_e);
    put_call_note(&w, r, all ? r->truncated : texts->truncated);
    json_close_array(&w);
    if (r->ok && mcp_answer_has_schema(t, a))
        put_structured_result(&w, r, o, n_o, e, n_e);
    json_member_bool(&w, "isError", !r->ok);
    mcp_reply_close(&w, era);
}

void
mcp_answer_write_failure(struct buf *out, enum mcp_era era, const char *code,
                         const char *why, const struct mcp_answer_texts *texts)
{
    CLEANUP_BUF struct buf note = buf_of(NOTE_MAX);
    struct json_writer w;

    buf_printf(&note, "%s: %s", code, why);
    mcp_reply_open(&w, out, era, "complete");
    json_key(&w, "content");
    json_open_array(&w);
    if (texts) {
        put_text_block(&w, texts->out.p, texts->out.len);
        put_text_block(&w, texts->err.p, texts->err.len);
    }
    put_text_block(&w, note.p, note.len);
    json_close_array(&w);
    json_member_bool(&w, "isError", true);
    mcp_reply_close(&w, era);
}

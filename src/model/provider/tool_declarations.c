/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_declarations.c - writes tools and tool calls into a request, in what all
 * providers have in common. */
#include "model/provider/tool_declarations.h"

#include <string.h>

#include "model/provider/host_features.h"
#include "model/provider/schema_dialect.h"
#include "model/provider/tool_calls.h"
#include "json/schema.h"

#define NAME_LENGTH_MAX 64 /* the lowest limit of the providers */

bool
tool_declarations_has_calls(const struct provider_request *req)
{
    for (size_t i = 0; i < req->n_turns; i++) {
        if (req->turns[i].role == MODEL_RESULT ||
            req->turns[i].n_tool_calls > 0)
            return true;
    }
    return false;
}

unsigned
tool_declarations_last_own_id(const struct provider_request *req)
{
    unsigned last = 0;

    for (size_t i = 0; i < req->n_turns; i++) {
        for (size_t k = 0; k < req->turns[i].n_tool_calls; k++) {
            unsigned id = tool_calls_own_id(req->turns[i].tool_calls[k].id);

            if (id > last)
                last = id;
        }
    }
    return last;
}

bool
tool_declarations_are_text(const struct provider_request *req)
{
    if (req->quirks & QUIRK_NO_TOOLS)
        return true;
    return provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA &&
           !(provider_features(req) & HOST_TOOLS_WITH_SCHEMA);
}

enum tool_declarations_form
tool_declarations_form(const struct provider_request *req)
{
    if (req->n_tools == 0)
        return TOOL_DECLARATIONS_NONE;
    return tool_declarations_are_text(req) ? TOOL_DECLARATIONS_TEXT
                                           : TOOL_DECLARATIONS_NATIVE;
}

void
tool_declarations_write_schema(const struct provider_tool *t,
                               struct json_writer *w)
{
    if (t && json_count(json_get(t->schema, "properties")) > 0) {
        schema_dialect_write(w, t->schema, SCHEMA_DIALECT_ONE_TYPE);
        return;
    }
    json_open_object(w);
    json_member_str(w, "type", "object");
    json_key(w, "properties");
    json_open_object(w);
    json_close_object(w);
    json_close_object(w);
}

static void
put_choices(const struct json *list, struct buf *out)
{
    const struct json *v = json_first(list);
    const char *word;

    for (bool first = true; v; v = json_next(v)) {
        word = json_str(v, NULL);
        if (word)
            buf_printf(out, "%s%s", first ? "=" : "|", word);
        first = first && !word;
    }
}

void
tool_declarations_write_members(const struct json *schema, unsigned flags,
                                struct buf *out)
{
    const struct json *p = json_first(json_get(schema, "properties")), *list;
    const char *comma = "";

    buf_ch(out, '{');
    for (; p; p = json_next(p)) {
        const char *name = json_name(p, NULL);
        const char *type = json_get_str(p, "type");
        bool array = type && strcmp(type, "array") == 0;
        bool required = json_schema_requires(schema, name);

        if (!required && (flags & TOOL_MEMBERS_REQUIRED))
            continue;
        buf_printf(out, "%s%s%s%s", comma, name, array ? "[]" : "",
                   required ? "" : "?");
        list = json_get(array ? json_get(p, "items") : p, "enum");
        if (flags & TOOL_MEMBERS_WORDS)
            put_choices(list, out);
        comma = ",";
    }
    buf_ch(out, '}');
}

void
tool_declarations_write_name(const char *name, struct json_writer *w)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    char safe[NAME_LENGTH_MAX + 1];
    size_t n = 0;

    for (; n < NAME_LENGTH_MAX && name[n]; n++)
        safe[n] = strchr(allowed, name[n]) ? name[n] : '_';
    if (n == 0)
        safe[n++] = '_';
    safe[n] = '\0';
    json_put_str(w, safe);
}

void
tool_declarations_write_args(const struct model_tool_call *c,
                             struct json_writer *w)
{
    CLEANUP(json_free_p) struct json *v = NULL;

    v = json_parse(c->args, c->args_len, 0, NULL);
    if (json_type(v) == JSON_OBJECT) {
        json_put_value(w, v);
        return;
    }
    json_open_object(w);
    if (c->args_len > 0) {
        json_key(w, "not_an_object");
        json_put_strn(w, c->args, c->args_len);
    }
    json_close_object(w);
}

const struct json *
tool_declarations_extra(const struct model_tool_call *c, const char *name,
                        struct json **root)
{
    *root = c->extra ? json_parse(c->extra, strlen(c->extra), 0, NULL) : NULL;
    return json_get(*root, name);
}

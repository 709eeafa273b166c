/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer_schema.c - writes the JSON Schema of the answers that a verb takes.
 */
#include "action/answer_schema.h"

#include <string.h>

#include "action/step_tools.h"
#include "model/provider/schema_dialect.h"
#include "model/provider/tool_declarations.h"

/* The members of a step in the order in which a decoder writes them: the
 * command before what depends on it. */
static const char step_members[] =
    "\"id\":{\"type\":\"string\",\"minLength\":1},"
    "\"description\":{\"type\":\"string\"},"
    "\"shell_command\":{\"type\":\"string\",\"minLength\":1},";
static const char step_flags[] =
    "\"is_destructive\":{\"type\":\"boolean\"},"
    "\"requires_sudo\":{\"type\":\"boolean\"},"
    "\"needs_confirmation\":{\"type\":\"boolean\"}";
static const char step_directory[] =
    ",\"working_directory\":{\"type\":\"string\"}";
static const char step_end[] =
    "},\"required\":[\"id\",\"description\",\"shell_command\"";

/* Writes what begins both kinds of answers. */
static void
open_answer(struct buf *out, enum aiaction_kind kind)
{
    buf_printf(out,
               "{\"type\":\"object\",\"properties\":{"
               "\"kind\":{\"type\":\"string\",\"const\":\"%s\"},"
               "\"summary\":{\"type\":\"string\"%s}",
               aiaction_kind_name(kind),
               kind == ANSWER_ONLY ? ",\"minLength\":1" : "");
}

/* Writes the words as a constant, or as an enum. */
static void
put_enum_words(struct buf *out, const char *const *words, size_t n)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_member_str(&w, "type", "string");
    json_key(&w, "enum");
    json_open_array(&w);
    for (size_t i = 0; i < n; i++)
        json_put_str(&w, words[i]);
    json_close_array(&w);
    json_close_object(&w);
}

/* A step that names a tool: it has no working directory of its own. */
static void
put_tool_step_schema(void *arg, const struct tool *t,
                     const char *const *actions, size_t n,
                     const struct json *args)
{
    struct buf *out = arg;
    struct json_writer w;

    buf_printf(
        out, ",{\"type\":\"object\",\"properties\":{%s\"tool\":", step_members);
    put_enum_words(out, &t->name, 1);
    buf_str(out, ",\"action\":");
    put_enum_words(out, actions, n);
    buf_str(out, ",\"args\":");
    json_write_init(&w, out);
    if (json_count(json_get(args, "properties")) > 0)
        schema_dialect_write(&w, args,
                             SCHEMA_DIALECT_ONE_TYPE | SCHEMA_DIALECT_BOUNDS |
                                 SCHEMA_DIALECT_RANGES);
    else
        tool_declarations_write_schema(NULL, &w);
    buf_printf(out, ",%s%s,\"tool\",\"action\",\"args\"]}", step_flags,
               step_end);
}

static void
put_steps(enum aiaction_kind kind, struct registry *r, struct buf *out)
{
    buf_ch(out, ',');
    open_answer(out, kind);
    buf_printf(out,
               ",\"steps\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":%d,"
               "\"items\":{\"anyOf\":[{\"type\":\"object\",\"properties\":{",
               AIACTION_STEPS_MAX);
    buf_printf(out, "%s%s%s%s]}", step_members, step_flags, step_directory,
               step_end);
    if (r)
        step_tools_each(r, put_tool_step_schema, out);
    buf_str(out, "]}},\"wants_results\":{\"type\":\"boolean\"}},"
                 "\"required\":[\"kind\",\"summary\",\"steps\"]}");
}

int
answer_schema_write(enum aiaction_mode mode, struct registry *r,
                    struct buf *out, struct err *e)
{
    buf_str(out, "{\"anyOf\":[");
    open_answer(out, ANSWER_ONLY);
    buf_str(out, "},\"required\":[\"kind\",\"summary\"]}");
    if (mode != AIACTION_EXPLAIN)
        put_steps(mode == AIACTION_RUN ? COMMAND_SEQUENCE : PLAN_AND_COMMANDS,
                  r, out);
    buf_str(out, "]}");
    return buf_ok(out, "the schema", e);
}

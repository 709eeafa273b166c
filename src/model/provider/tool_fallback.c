/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_fallback.c - writes tools and calls as text into a request, and reads
 * calls from the text of an answer. */
#include "model/provider/tool_fallback.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "model/ipc.h"
#include "model/prompt/prompt.h"
#include "model/provider/schema_dialect.h"
#include "model/provider/tool_calls.h"
#include "model/provider/tool_declarations.h"

static const char call_members[] = "[\"tool\",\"args\"]";

/* Whether tools or calls become text. */
static bool
has_text_calls(const struct provider_request *req)
{
    return tool_declarations_are_text(req) &&
           (req->n_tools > 0 || tool_declarations_has_calls(req));
}

/* Whether the answer's shape is known from the prompt alone. */
static bool
needs_example(const struct provider_request *req)
{
    return req->schema && provider_answer_shape(req) == ANSWER_SHAPE_FREE;
}

bool
tool_fallback_is_needed(const struct provider_request *req)
{
    return has_text_calls(req) || needs_example(req);
}

/* Whether a line of names tells all that the schema does: it describes none of
 * its members, and none is an object. */
static bool
is_told_by_names(const struct json *schema)
{
    const struct json *p = json_first(json_get(schema, "properties"));

    for (; p; p = json_next(p)) {
        if (json_get(p, "description") || json_get(p, "properties") ||
            json_get(json_get(p, "items"), "properties"))
            return false;
    }
    return true;
}

static void
describe_tools(struct tool_fallback *f, const struct provider_request *req)
{
    struct json_writer w;

    buf_str(&f->system, prompt_text(PROMPT_OFFER));
    for (size_t i = 0; i < req->n_tools; i++) {
        const struct provider_tool *t = &req->tools[i];

        buf_printf(&f->system, "- %s ", t->name);
        if (is_told_by_names(t->schema)) {
            tool_declarations_write_members(t->schema, TOOL_MEMBERS_WORDS,
                                            &f->system);
        } else {
            json_write_init(&w, &f->system);
            tool_declarations_write_schema(t, &w);
        }
        buf_printf(&f->system, ": %s\n", t->description);
    }
}

static void
write_system_prompt(struct tool_fallback *f, const struct provider_request *req)
{
    bool tools = req->n_tools > 0 && tool_declarations_are_text(req);

    if (!tools && !needs_example(req))
        return;
    if (req->system)
        buf_printf(&f->system, "%s\n", req->system);
    if (needs_example(req))
        buf_str(&f->system, prompt_text(PROMPT_EXAMPLE));
    if (tools)
        describe_tools(f, req);
    f->request.system = f->system.p;
}

/* Writes {"tool":NAME,"args":…} as a schema. */
static void
put_call_schema(const struct provider_tool *t, struct json_writer *w)
{
    json_open_object(w);
    json_member_str(w, "type", "object");
    json_key(w, "properties");
    json_open_object(w);
    json_key(w, "tool");
    json_open_object(w);
    json_member_str(w, "type", "string");
    json_member_str(w, "const", t->name);
    json_close_object(w);
    json_key(w, "args");
    if (json_count(json_get(t->schema, "properties")) > 0)
        schema_dialect_write(w, t->schema,
                             SCHEMA_DIALECT_ONE_TYPE | SCHEMA_DIALECT_BOUNDS |
                                 SCHEMA_DIALECT_RANGES);
    else
        tool_declarations_write_schema(NULL, w);
    json_close_object(w);
    json_key(w, "required");
    json_put_raw(w, call_members, strlen(call_members));
    json_close_object(w);
}

/* References of a schema are looked up at its root. */
static void
put_definitions(const struct json *schema, struct json_writer *w)
{
    const struct json *definitions = json_get(schema, "definitions");

    if (!definitions)
        return;
    json_key(w, "definitions");
    json_put_value(w, definitions);
}

/* Makes a schema that allows a call of each tool, or what the request's schema
 * allows. */
static int
write_schema(struct tool_fallback *f, const struct provider_request *req,
             struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(IPC_LINE_MAX);
    const struct json *answers = json_get(req->schema, "anyOf");
    const struct json *answer = answers ? json_first(answers) : req->schema;
    struct json_writer w;

    json_write_init(&w, &text);
    json_open_object(&w);
    json_key(&w, "anyOf");
    json_open_array(&w);
    for (size_t i = 0; i < req->n_tools; i++)
        put_call_schema(&req->tools[i], &w);
    for (; answer; answer = answers ? json_next(answer) : NULL)
        json_put_value(&w, answer);
    json_close_array(&w);
    put_definitions(req->schema, &w);
    json_close_object(&w);
    if (buf_ok(&text, "the schema", e) < 0)
        return -1;
    f->schema = json_parse(text.p, text.len, JSON_UNIQUE, e);
    f->request.schema = f->schema;
    f->request.calls_in_schema = true;
    return f->schema ? 0 : err_wrap(e, "schema");
}

/* Appends a call as the prompt asks the model to write it. */
static void
add_call(const struct model_tool_call *c, struct buf *out)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    json_key(&w, "tool");
    tool_declarations_write_name(c->name, &w);
    json_key(&w, "args");
    tool_declarations_write_args(c, &w);
    json_close_object(&w);
    buf_ch(out, '\n');
}

static int
add_result(const struct model_turn *t, struct buf *out, struct err *e)
{
    CLEANUP_BUF struct buf heading = buf_of(TOOL_CALLS_NAME_MAX);
    struct json_writer w;

    json_write_init(&w, &heading);
    tool_declarations_write_name(t->call_name, &w);
    buf_str(&heading, t->failed ? " failed:\n" : " answered:\n");
    if (buf_ok(&heading, "a result", e) < 0)
        return -1;
    return prompt_quote(heading.p, t->text, strlen(t->text), out, e);
}

static int
add_turn(const struct model_turn *t, struct buf *out, struct err *e)
{
    if (t->role == MODEL_RESULT)
        return add_result(t, out, e);
    if (t->text)
        buf_str(out, t->text);
    if (out->len > 0 && out->p[out->len - 1] != '\n' && t->n_tool_calls > 0)
        buf_ch(out, '\n');
    for (size_t i = 0; i < t->n_tool_calls; i++)
        add_call(&t->tool_calls[i], out);
    return 0;
}

/* Joins the turns from *i on that become one, results and the user's text after
 * them: some servers require that user and assistant alternate. */
static int
join_turns(const struct provider_request *req, size_t *i, struct buf *out,
           struct model_images **images, struct err *e)
{
    bool assistant = req->turns[*i].role == MODEL_ASSISTANT;

    do {
        if (req->turns[*i].images) /* of two that were joined, the later ones */
            *images = req->turns[*i].images;
        if (add_turn(&req->turns[(*i)++], out, e) < 0)
            return -1;
    } while (!assistant && *i < req->n_turns &&
             req->turns[*i].role != MODEL_ASSISTANT);
    return buf_ok(out, "the conversation", e);
}

static int
write_turns(struct tool_fallback *f, const struct provider_request *req,
            struct err *e)
{
    f->turns = calloc(req->n_turns + 1, sizeof(*f->turns));
    if (!f->turns)
        return err_sys(e, "request");
    f->request.turns = f->turns;
    for (size_t i = 0; i < req->n_turns;) {
        CLEANUP_BUF struct buf text = buf_of(IPC_LINE_MAX);
        struct model_turn *t = &f->turns[f->request.n_turns];

        t->role = req->turns[i].role == MODEL_ASSISTANT ? MODEL_ASSISTANT
                                                        : MODEL_USER;
        if (join_turns(req, &i, &text, &t->images, e) < 0)
            return -1;
        t->text = buf_take(&text);
        if (!t->text)
            return err_sys(e, "request");
        f->request.n_turns++;
    }
    return 0;
}

int
tool_fallback_init(struct tool_fallback *f, const struct provider_request *req,
                   struct err *e)
{
    bool calls = has_text_calls(req);

    *f = (struct tool_fallback){.request = *req};
    buf_init(&f->system, IPC_LINE_MAX);
    write_system_prompt(f, req);
    if (buf_ok(&f->system, "the system prompt", e) < 0)
        return -1;
    if (!calls)
        return 0;
    if (req->n_tools > 0 && provider_answer_shape(req) == ANSWER_SHAPE_SCHEMA &&
        write_schema(f, req, e) < 0)
        return -1;
    f->request.n_turns = f->request.n_tools = 0;
    return write_turns(f, req, e);
}

void
tool_fallback_done(struct tool_fallback *f)
{
    if (!f)
        return;
    for (size_t i = 0; f->turns && i < f->request.n_turns; i++)
        free((char *)(uintptr_t)f->turns[i].text);
    free(f->turns);
    json_free(f->schema);
    buf_done(&f->system);
}

static const char call_open[] = "<tool_call>";
static const char call_close[] = "</tool_call>";

struct slice {
    const char *p;
    size_t n;
};

static void
trim_answer(struct slice *t)
{
    while (t->n > 0 && ascii_is_space(t->p[0])) {
        t->p++;
        t->n--;
    }
    while (t->n > 0 && ascii_is_space(t->p[t->n - 1]))
        t->n--;
}

static void
skip_bytes(struct slice *t, size_t n)
{
    t->p += n;
    t->n -= n;
}

/* Removes a code fence around the whole text, with or without a language. */
static void
drop_fence(struct slice *t)
{
    const char *line;

    if (t->n < 6 || memcmp(t->p, "```", 3) != 0 ||
        memcmp(t->p + t->n - 3, "```", 3) != 0)
        return;
    line = memchr(t->p, '\n', t->n - 3);
    if (!line)
        return;
    t->n -= 3;
    skip_bytes(t, (size_t)(line - t->p) + 1);
    trim_answer(t);
}

/* Adds the call when the text is an object of exactly these two members.
 * Returns as tool_fallback_read_calls() does. */
static int
read_call_object(struct tool_calls *calls, struct slice t, const char *name_key,
                 const char *args_key, struct err *e)
{
    CLEANUP(json_free_p) struct json *v = NULL;
    const struct json *args;
    const char *name;

    if (t.n == 0 || t.p[0] != '{')
        return 0;
    v = json_parse(t.p, t.n, JSON_UNIQUE, NULL);
    name = json_get_str(v, name_key);
    args = json_get(v, args_key);
    if (json_count(v) != 2 || !name || !*name || json_type(args) != JSON_OBJECT)
        return 0;
    return tool_calls_add_whole(calls, name, args, e) < 0 ? -1 : 1;
}

/* Reads the next <tool_call>, and leaves the rest of the text in t. */
static int
read_marked_call(struct tool_calls *calls, struct slice *t, struct err *e)
{
    const size_t n_open = sizeof(call_open) - 1;
    const size_t n_close = sizeof(call_close) - 1;
    struct slice inner;
    const char *end;

    if (t->n < n_open || memcmp(t->p, call_open, n_open) != 0)
        return 0;
    skip_bytes(t, n_open);
    end = memmem(t->p, t->n, call_close, n_close);
    if (!end)
        return 0;
    inner = (struct slice){t->p, (size_t)(end - t->p)};
    skip_bytes(t, inner.n + n_close);
    trim_answer(t);
    trim_answer(&inner);
    return read_call_object(calls, inner, "name", "arguments", e);
}

/* Whether one of the two begins with the other. Reads no more of the text than
 * it must, since it runs for each piece that arrives. */
static bool
may_begin_with(const char *text, const char *word)
{
    size_t n = strnlen(text, strlen(word));

    return memcmp(text, word, n) == 0;
}

bool
tool_fallback_may_be_call(bool prompted, const char *text)
{
    static const char blanks[] = " \t\r\n";

    text += strspn(text, blanks);
    if (may_begin_with(text, call_open) || may_begin_with(text, "```"))
        return true;
    if (!prompted || *text != '{')
        return false;
    text++;
    text += strspn(text, blanks);
    return may_begin_with(text, "\"tool\"") || may_begin_with(text, "\"args\"");
}

int
tool_fallback_read_calls(struct tool_calls *calls, bool prompted,
                         const char *text, size_t n, struct err *e)
{
    struct slice t = {text, n};
    int rc = 0;

    if (!tool_fallback_may_be_call(prompted, text))
        return 0; /* it has been shown as text */
    trim_answer(&t);
    drop_fence(&t);
    if (prompted)
        rc = read_call_object(calls, t, "tool", "args", e);
    if (rc != 0)
        return rc;
    do {
        rc = read_marked_call(calls, &t, e);
    } while (rc > 0 && t.n > 0);
    while (rc == 0 && calls->n > 0)
        tool_calls_remove(
            calls, calls->n - 1); /* there is text between or behind them */
    return rc;
}

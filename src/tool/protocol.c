/* SPDX-License-Identifier: GPL-3.0-or-later */
/* protocol.c - writes the requests and reads the lines of the Plugin Tool
 * API. */
#include "tool/protocol.h"

#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "json/write.h"

/* Of one command line; more than the packages that a person names at once. */
#define NEED_WORDS_MAX 1024

static int
check_call_arguments(const struct manifest_action *a, const struct json *args,
                     struct err *e)
{
    CLEANUP(json_free_p) struct json *none = NULL;

    if (!args && !(args = none = json_parse("{}", 2, 0, e)))
        return -1;
    if (json_type(args) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "must be an object");
    if (!a->args_check)
        return 0;
    return json_schema_check(a->args_check, args, 0, e);
}

const struct manifest_action *
protocol_check_request(const struct tool *t, const struct tool_request *rq,
                       struct err *e)
{
    const struct manifest_action *a = t->manifest ? manifest_action(t->manifest,
                                                                    rq->action)
                                                  : NULL;

    if (!a) {
        err_set(e, ERR_INVALID, "%s has no action '%.64s'", t->name,
                rq->action);
        return NULL;
    }
    if (check_call_arguments(a, rq->args, e) < 0) {
        err_wrap(e, "%s %s: args", t->name, rq->action);
        return NULL;
    }
    return a;
}

int64_t
protocol_time_limit(const struct tool *t, const struct tool_request *rq,
                    const struct tool_setting *s)
{
    const int64_t limits[] = {t->manifest->needs.time_limit_ms,
                              s->sandbox->limit_ms};
    int64_t least = rq->timeout_ms;

    for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
        if (limits[i] > 0 && (least < 0 || limits[i] < least))
            least = limits[i];
    }
    return least;
}

static void
put_string_list(struct json_writer *w, const char *name,
                const char *const *list)
{
    json_key(w, name);
    json_open_array(w);
    for (; list && *list; list++)
        json_put_str(w, *list);
    json_close_array(w);
}

static void
put_call_args(struct json_writer *w, const struct json *args)
{
    json_key(w, "args");
    if (args) {
        json_put_value(w, args);
        return;
    }
    json_open_object(w);
    json_close_object(w);
}

void
protocol_begin_request(struct buf *out, const struct json *args)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    put_call_args(&w, args);
}

void
protocol_write_request(struct buf *out, const struct tool *t,
                       const struct tool_request *rq,
                       const struct tool_setting *s, int64_t id,
                       int64_t limit_ms)
{
    bool begun = out->len > 0;
    struct json_writer w;

    json_write_init(&w, out);
    if (begun)
        w.comma = true; /* behind the args */
    else
        json_open_object(&w);
    json_member_int(&w, "id", id);
    json_member_str(&w, "tool", t->name);
    json_member_str(&w, "action", rq->action);
    if (!begun)
        put_call_args(&w, rq->args);
    if (rq->step_id)
        json_member_str(&w, "step_id", rq->step_id);
    json_member_bool(&w, "stream", rq->stream);
    if (limit_ms >= 0)
        json_member_int(&w, "timeout_ms", limit_ms);
    if (s->argv)
        put_string_list(&w, "argv", s->argv);
    if (s->input) {
        json_key(&w, "input");
        json_put_strn(&w, s->input->p, s->input->len);
    }
    json_key(&w, "roots");
    json_open_object(&w);
    put_string_list(&w, "read", s->read_roots);
    put_string_list(&w, "write", s->write_roots);
    json_close_object(&w);
    json_close_object(&w);
}

void
protocol_message_done(struct protocol_message *r)
{
    if (!r)
        return;
    json_free(r->root);
    *r = (struct protocol_message){0};
}

static int
parse_output(struct protocol_message *r, struct err *e)
{
    r->kind = PROTOCOL_OUTPUT;
    r->stream = json_get_str(r->root, "stream");
    r->data = json_str(json_get(r->root, "data"), &r->data_len);
    if (!r->stream || !r->data ||
        (strcmp(r->stream, "stdout") != 0 && strcmp(r->stream, "stderr") != 0))
        return err_set(e, ERR_PEER, "an output event without stream and data");
    return 0;
}

static int
parse_elevate(struct protocol_message *r, struct err *e)
{
    bool privileged = false;
    size_t n;

    r->kind = PROTOCOL_ELEVATE;
    r->argv = json_get(r->root, "argv");
    if (json_type(r->argv) != JSON_ARRAY || json_count(r->argv) == 0 ||
        json_count(r->argv) > NEED_WORDS_MAX)
        return err_set(e, ERR_PEER, "a need event without argv");
    for (const struct json *v = json_first(r->argv); v; v = json_next(v)) {
        const char *word = json_str(v, &n);

        if (!word || strlen(word) != n)
            return err_set(e, ERR_PEER,
                           "a need event with a word that is not a string");
    }
    if (!json_bool(json_get(r->root, "privileged"), &privileged) || !privileged)
        return err_set(e, ERR_PEER,
                       "a need event that is not privileged: "
                       "true");
    return 0;
}

static int
parse_event(struct protocol_message *r, struct err *e)
{
    static const struct {
        const char *name;
        int (*parse)(struct protocol_message *r, struct err *e);
    } rows[] = {{"output", parse_output}, {"need", parse_elevate}};
    const char *name = json_get_str(r->root, "event");

    for (size_t i = 0; name && i < ARRAY_SIZE(rows); i++) {
        if (strcmp(name, rows[i].name) == 0)
            return rows[i].parse(r, e);
    }
    return err_set(e, ERR_PEER, "an unknown event");
}

const char *
protocol_error_code(size_t i)
{
    static const char *const codes[] = {
        "PERMISSION_DENIED", "NOT_FOUND",   "TIMEOUT",
        "INVALID_ARGS",      "IO_ERROR",    "PARSE_ERROR",
        "POLICY_DENIED",     "UNSUPPORTED", "SANDBOX_UNAVAILABLE"};

    return i < ARRAY_SIZE(codes) ? codes[i] : NULL;
}

static bool
is_error_code(const char *code)
{
    for (size_t i = 0; protocol_error_code(i); i++) {
        if (strcmp(code, protocol_error_code(i)) == 0)
            return true;
    }
    return false;
}

static int
parse_numbers(struct protocol_message *r, const struct json *meta,
              struct err *e)
{
    struct tool_result *t = &r->result;
    const struct json *code = json_get(meta, "exit_code");
    const struct json *duration = json_get(meta, "duration_ms");
    int64_t v;

    if (code) {
        if (!json_int(code, &v) || v < INT_MIN || v > INT_MAX)
            return err_set(e, ERR_PEER, "exit_code must be an integer");
        t->has_exit_code = true;
        t->exit_code = (int)v;
    }
    if (duration) {
        if (!json_int(duration, &t->duration_ms) || t->duration_ms < 0)
            return err_set(e, ERR_PEER,
                           "duration_ms must be an integer, 0 or more");
        r->has_duration = true;
    }
    return 0;
}

static int
parse_meta(struct protocol_message *r, const struct json *meta, struct err *e)
{
    struct tool_result *t = &r->result;
    const struct json *code = json_get(meta, "error_code");
    const struct json *cut = json_get(meta, "truncated");

    if (json_type(meta) != JSON_OBJECT)
        return err_set(e, ERR_PEER, "a response without meta");
    t->meta = meta;
    t->error_code = json_get_str(meta, "error_code");
    if (code && (!t->error_code || !is_error_code(t->error_code)))
        return err_set(e, ERR_PEER, "error_code is not one of the API's");
    if (!t->ok && !code)
        return err_set(e, ERR_PEER, "ok is false, and error_code is missing");
    if (cut && !json_bool(cut, &t->truncated))
        return err_set(e, ERR_PEER, "truncated must be true or false");
    return parse_numbers(r, meta, e);
}

static int
parse_text(struct protocol_message *r, const char *name, const char **text,
           size_t *n, struct err *e)
{
    *text = json_str(json_get(r->root, name), n);
    if (!*text)
        return err_set(e, ERR_PEER, "a response without %s", name);
    if (*n > PROTOCOL_TEXT_MAX)
        return err_set(e, ERR_PEER, "%s is over %u bytes", name,
                       PROTOCOL_TEXT_MAX);
    return 0;
}

static int
parse_answer(struct protocol_message *r, struct err *e)
{
    struct tool_result *t = &r->result;
    const struct json *id = json_get(r->root, "id");

    r->kind = PROTOCOL_RESPONSE;
    r->has_id = id != NULL;
    if (id && !json_int(id, &r->id))
        return err_set(e, ERR_PEER, "id must be an integer");
    if (!json_bool(json_get(r->root, "ok"), &t->ok))
        return err_set(e, ERR_PEER, "a response without ok");
    if (parse_text(r, "stdout", &t->out, &t->out_len, e) < 0 ||
        parse_text(r, "stderr", &t->err, &t->err_len, e) < 0)
        return -1;
    return parse_meta(r, json_get(r->root, "meta"), e);
}

int
protocol_parse(const char *line, size_t n, struct protocol_message *r,
               struct err *e)
{
    struct err why = {0};

    *r = (struct protocol_message){
        .root = json_parse(line, n, JSON_UNIQUE, &why)};
    if (!r->root)
        return err_set(e, why.code == ERR_PARSE ? ERR_PARSE : ERR_PEER,
                       "not a response: %s", why.text);
    if (json_type(r->root) != JSON_OBJECT)
        return err_set(e, ERR_PEER, "not a response: not an object");
    if (json_get(r->root, "event"))
        return parse_event(r, e);
    return parse_answer(r, e);
}

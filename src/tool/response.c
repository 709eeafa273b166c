/* SPDX-License-Identifier: GPL-3.0-or-later */
/* response.c - checks what a plugin wrote before anyone else sees it. */
#include "tool/response.h"

#include <limits.h>
#include <string.h>

#define NEED_WORDS_MAX                                                         \
    1024 /* of a command line; more than packages a person                     \
            names at once */

void
response_done(struct response *r)
{
    if (!r)
        return;
    json_free(r->root);
    *r = (struct response){0};
}

static int
parse_output(struct response *r, struct err *e)
{
    r->kind = RESPONSE_OUTPUT;
    r->stream = json_get_str(r->root, "stream");
    r->data = json_str(json_get(r->root, "data"), &r->data_len);
    if (!r->stream || !r->data ||
        (strcmp(r->stream, "stdout") != 0 && strcmp(r->stream, "stderr") != 0))
        return err_set(e, ERR_PEER, "an output event without stream and data");
    return 0;
}

static int
parse_need(struct response *r, struct err *e)
{
    bool privileged = false;
    size_t n;

    r->kind = RESPONSE_NEED;
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
parse_event(struct response *r, struct err *e)
{
    static const struct {
        const char *name;
        int (*parse)(struct response *r, struct err *e);
    } rows[] = {{"output", parse_output}, {"need", parse_need}};
    const char *name = json_get_str(r->root, "event");

    for (size_t i = 0; name && i < sizeof(rows) / sizeof(*rows); i++) {
        if (strcmp(name, rows[i].name) == 0)
            return rows[i].parse(r, e);
    }
    return err_set(e, ERR_PEER, "an unknown event");
}

const char *
response_code(size_t i)
{
    static const char *const codes[] = {
        "PERMISSION_DENIED", "NOT_FOUND",   "TIMEOUT",
        "INVALID_ARGS",      "IO_ERROR",    "PARSE_ERROR",
        "POLICY_DENIED",     "UNSUPPORTED", "SANDBOX_UNAVAILABLE"};

    return i < sizeof(codes) / sizeof(*codes) ? codes[i] : NULL;
}

static bool
is_error_code(const char *code)
{
    for (size_t i = 0; response_code(i); i++) {
        if (strcmp(code, response_code(i)) == 0)
            return true;
    }
    return false;
}

static int
parse_numbers(struct response *r, const struct json *meta, struct err *e)
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
parse_meta(struct response *r, const struct json *meta, struct err *e)
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
parse_text(struct response *r, const char *name, const char **text, size_t *n,
           struct err *e)
{
    *text = json_str(json_get(r->root, name), n);
    if (!*text)
        return err_set(e, ERR_PEER, "a response without %s", name);
    if (*n > RESPONSE_TEXT_MAX)
        return err_set(e, ERR_PEER, "%s is over %u bytes", name,
                       RESPONSE_TEXT_MAX);
    return 0;
}

static int
parse_answer(struct response *r, struct err *e)
{
    struct tool_result *t = &r->result;
    const struct json *id = json_get(r->root, "id");

    r->kind = RESPONSE_ANSWER;
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
response_parse(const char *line, size_t n, struct response *r, struct err *e)
{
    struct err why = {0};

    *r = (struct response){.root = json_parse(line, n, JSON_UNIQUE, &why)};
    if (!r->root)
        return err_set(e, why.code == ERR_PARSE ? ERR_PARSE : ERR_PEER,
                       "not a response: %s", why.text);
    if (json_type(r->root) != JSON_OBJECT)
        return err_set(e, ERR_PEER, "not a response: not an object");
    if (json_get(r->root, "event"))
        return parse_event(r, e);
    return parse_answer(r, e);
}

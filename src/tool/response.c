/* SPDX-License-Identifier: GPL-3.0-or-later */
/* response.c - checks what a plugin wrote before anyone else sees it. */
#include "tool/response.h"

#include <limits.h>
#include <string.h>

void
response_done(struct response *r)
{
    json_free(r->root);
    *r = (struct response){0};
}

static int
parse_event(struct response *r, struct err *e)
{
    const char *name = json_get_str(r->root, "event");

    if (!name || strcmp(name, "output") != 0)
        return err_set(e, ERR_PEER, "an unknown event");
    r->is_event = true;
    r->stream = json_get_str(r->root, "stream");
    r->data = json_str(json_get(r->root, "data"), &r->data_len);
    if (!r->stream || !r->data ||
        (strcmp(r->stream, "stdout") != 0 && strcmp(r->stream, "stderr") != 0))
        return err_set(e, ERR_PEER, "an output event without stream and data");
    return 0;
}

static int
parse_meta(struct response *r, const struct json *meta, struct err *e)
{
    struct tool_result *t = &r->result;
    const struct json *code = json_get(meta, "exit_code");
    int64_t v;

    if (json_type(meta) != JSON_OBJECT)
        return err_set(e, ERR_PEER, "a response without meta");
    (void)json_int(json_get(meta, "duration_ms"), &t->duration_ms);
    (void)json_bool(json_get(meta, "truncated"), &t->truncated);
    t->error_code = json_get_str(meta, "error_code");
    if (code) {
        if (!json_int(code, &v) || v < INT_MIN || v > INT_MAX)
            return err_set(e, ERR_PEER, "exit_code must be an integer");
        t->has_exit_code = true;
        t->exit_code = (int)v;
    }
    return 0;
}

static int
parse_response(struct response *r, struct err *e)
{
    struct tool_result *t = &r->result;

    if (!json_bool(json_get(r->root, "ok"), &t->ok))
        return err_set(e, ERR_PEER, "a response without ok");
    t->out = json_str(json_get(r->root, "stdout"), &t->out_len);
    t->err = json_str(json_get(r->root, "stderr"), &t->err_len);
    if (!t->out || !t->err)
        return err_set(e, ERR_PEER, "a response without stdout and stderr");
    return parse_meta(r, json_get(r->root, "meta"), e);
}

int
response_parse(const char *line, size_t n, struct response *r, struct err *e)
{
    struct err why = {0};

    *r = (struct response){.root = json_parse(line, n, JSON_UNIQUE, &why)};
    if (!r->root)
        return err_set(e, ERR_PEER, "not an answer: %s", why.text);
    if (json_type(r->root) != JSON_OBJECT)
        return err_set(e, ERR_PEER, "not an answer: no object");
    if (json_get(r->root, "event"))
        return parse_event(r, e);
    return parse_response(r, e);
}

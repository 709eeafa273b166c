/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jsonrpc.c - reads and writes the messages of JSON-RPC 2.0. */
#include "wire/jsonrpc.h"

#include <stdio.h>
#include <string.h>

void
jsonrpc_done(struct jsonrpc *m)
{
    if (!m)
        return;
    free(m->id);
    json_free(m->root);
    *m = (struct jsonrpc){0};
}

static int
refuse_as(struct jsonrpc *m, int fault, struct err *e, const char *why)
{
    m->fault = fault;
    return err_set(e, fault == JSONRPC_PARSE ? ERR_PARSE : ERR_INVALID, "%s",
                   why);
}

static int
no_request(struct jsonrpc *m, struct err *e, const char *why)
{
    return refuse_as(m, JSONRPC_INVALID_REQUEST, e, why);
}

/* The bytes of a value, without the blanks before it. */
static const char *
value_at(const char **at, const char *end, size_t *n)
{
    size_t span = json_span(*at, (size_t)(end - *at), NULL);
    size_t blanks = strspn(*at, " \t\r\n");
    const char *from = *at + blanks;

    *n = span > blanks ? span - blanks : 0;
    *at += span;
    return from;
}

static bool
is_string_of(const char *text, size_t n, const char *name)
{
    CLEANUP(json_free_p) struct json *v = json_parse(text, n, 0, NULL);
    size_t len;
    const char *s = json_str(v, &len);

    return s && len == strlen(name) && memcmp(s, name, len) == 0;
}

/* A colon follows each name, and a comma or the end each value. */
size_t
jsonrpc_find(const char *text, size_t size, const char *name, size_t most,
             const char **value, size_t *n)
{
    const char *end = text + size, *at = memchr(text, '{', size);
    size_t found = 0;

    while (at && end - at > 1 && found < most) {
        size_t key_len, value_len;
        const char *key, *from;

        at++; /* the brace or the comma */
        key = value_at(&at, end, &key_len);
        if (key_len == 0 || !(at = memchr(at, ':', (size_t)(end - at))))
            break;
        at++;
        from = value_at(&at, end, &value_len);
        if (is_string_of(key, key_len, name) && found++ == 0) {
            *value = from;
            *n = value_len;
        }
        at = memchr(at, ',', (size_t)(end - at));
    }
    return found;
}

static bool
is_whole_number(const struct json *v)
{
    size_t n;
    const char *digits = json_digits(v, &n);

    return digits && !memchr(digits, '.', n) && !memchr(digits, 'e', n) &&
           !memchr(digits, 'E', n);
}

/* Without a valid id m->id stays NULL. -1: there is one, and it is wrong. */
static int
read_id(struct jsonrpc *m, const char *line, size_t size, struct err *e)
{
    const struct json *v = json_get(m->root, "id");
    const char *raw;
    size_t n;

    if (!v)
        return 0;
    if (json_type(v) != JSON_STRING && !is_whole_number(v))
        return err_set(e, ERR_INVALID, "id: must be a string or an integer");
    raw = json_digits(v, &n); /* as it is written, which a string may not be */
    if (!raw)
        (void)jsonrpc_find(line, size, "id", 1, &raw, &n);
    if (raw && n > JSONRPC_ID_MAX)
        return err_set(e, ERR_INVALID, "id: has more than %d bytes",
                       JSONRPC_ID_MAX);
    if (!raw || !(m->id = strndup(raw, n)))
        return err_nomem(e);
    return 0;
}

bool
jsonrpc_has_id(const struct jsonrpc *m, int64_t id)
{
    char text[24];

    snprintf(text, sizeof(text), "%lld", (long long)id);
    return m->id && strcmp(m->id, text) == 0;
}

static int
read_rpc_request(struct jsonrpc *m, struct err *e)
{
    const struct json *params = json_get(m->root, "params");

    m->kind = m->id ? JSONRPC_REQUEST : JSONRPC_NOTIFICATION;
    m->method = json_get_str(m->root, "method");
    if (!m->method)
        return no_request(m, e, "method: must be a string without a NUL");
    if (json_get(m->root, "result") || json_get(m->root, "error"))
        return no_request(m, e, "both a request and a response");
    if (params && json_type(params) != JSON_OBJECT &&
        json_type(params) != JSON_ARRAY)
        return refuse_as(m, JSONRPC_INVALID_PARAMS, e,
                         "params: must be an object or an array");
    m->params = params;
    return 0;
}

static int
read_rpc_error(struct jsonrpc *m, const struct json *error, struct err *e)
{
    m->kind = JSONRPC_ERROR;
    m->message = json_get_str(error, "message");
    if (!json_int(json_get(error, "code"), &m->code) || !m->message)
        return no_request(m, e,
                          "error: must have an integer as its code and a "
                          "message");
    return 0;
}

static int
read_response(struct jsonrpc *m, struct err *e)
{
    const struct json *error = json_get(m->root, "error");
    const struct json *id = json_get(m->root, "id");

    m->result = json_get(m->root, "result");
    if (!m->result == !error)
        return no_request(m, e, "neither a request nor a response");
    /* an error may answer invalid input, which has no id */
    if (!m->id && (m->result || !id || json_type(id) != JSON_NULL))
        return no_request(m, e, "a response without the id of a request");
    m->kind = JSONRPC_RESULT;
    return error ? read_rpc_error(m, error, e) : 0;
}

static int
read_rpc_message(struct jsonrpc *m, const char *line, size_t n, struct err *e)
{
    const char *version = json_get_str(m->root, "jsonrpc");
    bool asks = json_get(m->root, "method") != NULL;
    struct err why;

    if (json_type(m->root) == JSON_ARRAY)
        return no_request(m, e, "batches are not supported");
    if (json_type(m->root) != JSON_OBJECT)
        return no_request(m, e, "a message must be an object");
    if (read_id(m, line, n, &why) < 0 && asks)
        return no_request(m, e, why.text);
    if (!version || strcmp(version, "2.0") != 0)
        return no_request(m, e, "jsonrpc: must be \"2.0\"");
    return asks ? read_rpc_request(m, e) : read_response(m, e);
}

int
jsonrpc_parse(const char *line, size_t n, struct jsonrpc *m, struct err *e)
{
    struct err why = {0};

    *m = (struct jsonrpc){.root = json_parse(line, n, JSON_UNIQUE, &why)};
    if (m->root)
        return read_rpc_message(m, line, n, e);
    if (why.code == ERR_INVALID)
        return no_request(m, e, why.text);
    return refuse_as(m, JSONRPC_PARSE, e, why.text);
}

static void
begin_message(struct json_writer *w, struct buf *out)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "jsonrpc", "2.0");
}

static void
put_request_id(struct json_writer *w, const char *id)
{
    json_key(w, "id");
    if (id)
        json_put_raw(w, id, strlen(id));
    else
        json_put_null(w);
}

void
jsonrpc_begin_request(struct json_writer *w, struct buf *out, int64_t id,
                      const char *method)
{
    begin_message(w, out);
    json_member_int(w, "id", id);
    json_member_str(w, "method", method);
}

void
jsonrpc_begin_notification(struct json_writer *w, struct buf *out,
                           const char *method)
{
    begin_message(w, out);
    json_member_str(w, "method", method);
}

void
jsonrpc_begin_result(struct buf *out, const char *id)
{
    buf_str(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buf_str(out, id);
    buf_str(out, ",\"result\":");
}

void
jsonrpc_params(struct json_writer *w)
{
    json_key(w, "params");
}

void
jsonrpc_end(struct json_writer *w)
{
    json_close_object(w);
}

void
jsonrpc_put_error(struct buf *out, const char *id, int code,
                  const char *message, const struct buf *data)
{
    struct json_writer w;

    begin_message(&w, out);
    put_request_id(&w, id);
    json_key(&w, "error");
    json_open_object(&w);
    json_member_int(&w, "code", code);
    json_member_str(&w, "message", message);
    if (data) {
        json_key(&w, "data");
        json_put_raw(&w, data->p, data->len);
    }
    json_close_object(&w);
    json_close_object(&w);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_result.c - makes a tool's result of an MCP server's answer. */
#include "tool/mcp/mcp_result.h"

#include <string.h>

#include "base/utf8.h"
#include "tool/protocol.h"
#include "json/write.h"

#define LINE_BYTES 1024 /* of a line about content that is not text */
#define META_MAX   (PROTOCOL_TEXT_MAX + 4096)

void
mcp_result_done(struct mcp_result *a)
{
    if (!a)
        return;
    buf_done(&a->out);
    buf_done(&a->err);
    json_free(a->meta);
    *a = (struct mcp_result){0};
}

/* Appends as much of a text as there is room for. */
static void
put_result_text(struct mcp_result *a, const char *s, size_t n)
{
    size_t room = PROTOCOL_TEXT_MAX - a->out.len;

    if (n > room) {
        a->result.truncated = true;
        n = utf8_boundary(s, n, room);
    }
    buf_add(&a->out, s, n);
}

static void
put_content_member(struct buf *line, const char *before,
                   const struct json *part, const char *name)
{
    const char *s = json_get_str(part, name);

    if (s)
        buf_printf(line, "%s%.200s", before, s);
}

/* Appends the size of base64 data. */
static void
put_base64_size(struct buf *line, const struct json *data)
{
    size_t n;
    const char *s = json_str(data, &n);

    while (s && n > 0 && s[n - 1] == '=')
        n--;
    if (s)
        buf_printf(line, ", %zu bytes", n / 4 * 3 + n % 4 * 3 / 4);
}

static void
describe_content(const struct json *part, const char *type, struct buf *line)
{
    const struct json *in = json_get(part, "resource");
    const struct json *of = in ? in : part;
    size_t n;

    buf_printf(line, "[%.40s", type);
    put_content_member(line, " ", of, "uri");
    put_content_member(line, " ", of, "name");
    put_content_member(line, ", ", of, "mimeType");
    put_base64_size(line, json_get(of, in ? "blob" : "data"));
    if (json_str(json_get(in, "text"), &n))
        buf_printf(line, ", text of %zu bytes", n);
    put_content_member(line, ": ", of, "description");
    buf_ch(line, ']');
}

static int
put_content_part(struct mcp_result *a, const struct json *part, struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(LINE_BYTES);
    const char *type = json_get_str(part, "type");
    size_t n;
    const char *text = json_str(json_get(part, "text"), &n);

    if (!type)
        return err_set(e, ERR_PEER, "content without a type");
    if (a->out.len > 0 && a->out.p[a->out.len - 1] != '\n')
        put_result_text(a, "\n", 1);
    if (strcmp(type, "text") == 0) {
        if (!text)
            return err_set(e, ERR_PEER, "a text without its text");
        put_result_text(a, text, n);
        return 0;
    }
    describe_content(part, type, &line);
    for (size_t i = 0; i < line.len; i++)
        if ((unsigned char)line.p[i] < ' ')
            line.p[i] = ' ';
    put_result_text(a, line.p, line.len);
    return 0;
}

static int
put_structured(struct mcp_result *a, const struct json *structured,
               struct err *e)
{
    CLEANUP_BUF struct buf text = buf_of(META_MAX);
    CLEANUP_BUF struct buf more = buf_of(PROTOCOL_TEXT_MAX);
    struct tool_result *r = &a->result;
    struct json_writer w;

    json_write_init(&w, &more);
    if (structured)
        json_put_value(&w, structured);
    r->truncated = r->truncated || more.bad;
    json_write_init(&w, &text);
    json_open_object(&w);
    if (structured && !more.bad) {
        json_key(&w, "structuredContent");
        json_put_raw(&w, more.p, more.len);
    }
    if (r->error_code)
        json_member_str(&w, "error_code", r->error_code);
    if (r->truncated)
        json_member_bool(&w, "truncated", true);
    json_member_int(&w, "duration_ms", r->duration_ms);
    json_close_object(&w);
    a->meta = json_parse(text.p, text.len, 0, e);
    r->meta = a->meta;
    return a->meta ? 0 : -1;
}

static int
read_result(struct mcp_result *a, const struct json *result, struct err *e)
{
    const struct json *content = json_get(result, "content");
    bool failed = false;

    if (json_type(content) != JSON_ARRAY)
        return err_set(e, ERR_PEER, "an answer without content");
    for (const struct json *v = json_first(content); v; v = json_next(v))
        if (put_content_part(a, v, e) < 0)
            return -1;
    (void)json_bool(json_get(result, "isError"), &failed);
    a->result.ok = !failed;
    a->result.error_code = failed ? "IO_ERROR" : NULL;
    return 0;
}

static void
read_call_error(struct mcp_result *a, const struct jsonrpc *m)
{
    a->result.error_code = m->code == JSONRPC_INVALID_PARAMS ? "INVALID_ARGS"
                           : m->code == JSONRPC_NO_METHOD    ? "UNSUPPORTED"
                                                             : "IO_ERROR";
    if (a->err.len > 0 && a->err.p[a->err.len - 1] != '\n')
        buf_ch(&a->err, '\n');
    buf_add(&a->err, m->message,
            utf8_boundary(m->message, strlen(m->message), LINE_BYTES));
}

int
mcp_result_make(struct mcp_result *a, const struct jsonrpc *m,
                const struct buf *log, int64_t duration_ms, struct err *e)
{
    const struct json *structured = json_get(m->result, "structuredContent");

    *a = (struct mcp_result){.out = buf_of(PROTOCOL_TEXT_MAX),
                             .err = buf_of(PROTOCOL_TEXT_MAX)};
    a->result.duration_ms = duration_ms;
    buf_add(&a->err, log->p, log->len);
    if (m->kind == JSONRPC_ERROR)
        read_call_error(a, m);
    else if (read_result(a, m->result, e) < 0)
        return -1;
    if (put_structured(a, structured, e) < 0 ||
        buf_ok(&a->out, "its text", e) < 0 || buf_ok(&a->err, "its log", e) < 0)
        return -1;
    a->result.out = a->out.p;
    a->result.out_len = a->out.len;
    a->result.err = a->err.p;
    a->result.err_len = a->err.len;
    return 0;
}

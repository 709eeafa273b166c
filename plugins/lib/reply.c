/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.c - requests and responses of the Plugin Tool API. */
#include "plugins/lib/reply.h"

#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/linebuf.h"

void
request_done(struct request *r)
{
    json_free(r->root);
    *r = (struct request){0};
}

static int
parse_members(struct request *r, struct err *e)
{
    const struct json *args = json_get(r->root, "args");

    if (json_type(r->root) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "a request is an object");
    r->tool = json_get_str(r->root, "tool");
    r->action = json_get_str(r->root, "action");
    r->step_id = json_get_str(r->root, "step_id");
    if (!r->tool || !r->action)
        return err_set(e, ERR_INVALID, "%s must be a string",
                       r->tool ? "action" : "tool");
    if (args && json_type(args) != JSON_OBJECT && json_type(args) != JSON_NULL)
        return err_set(e, ERR_INVALID, "args must be an object");
    r->args = args;
    (void)json_bool(json_get(r->root, "stream"), &r->stream);
    return 0;
}

int
request_parse(const char *line, size_t n, struct request *r, struct err *e)
{
    *r = (struct request){.root = json_parse(line, n, JSON_UNIQUE, e)};
    if (!r->root)
        return -1;
    return parse_members(r, e);
}

void
reply_begin(struct json_writer *w, struct buf *out, bool ok, const char *text,
            size_t n, const char *err_text, size_t err_n)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_bool(w, "ok", ok);
    json_key(w, "stdout");
    json_put_strn(w, text, n);
    json_key(w, "stderr");
    json_put_strn(w, err_text, err_n);
    json_key(w, "meta");
    json_open_object(w);
}

static int
send_line(struct buf *out, struct err *e)
{
    buf_ch(out, '\n');
    if (buf_ok(out, "the response", e) < 0)
        return -1;
    /* as long as the reader likes: a person may have stopped the screen */
    return fd_write_all(STDOUT_FILENO, out->p, out->len, -1, e);
}

int
reply_send(struct json_writer *w, struct err *e)
{
    json_close_object(w);
    json_close_object(w);
    return send_line(w->out, e);
}

int
reply_error(const struct err *why, int64_t duration_ms)
{
    CLEANUP_BUF struct buf out = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    reply_begin(&w, &out, false, "", 0, why->text, strlen(why->text));
    json_member_str(&w, "error_code", err_tool_code(why->code));
    json_member_int(&w, "duration_ms", duration_ms);
    return reply_send(&w, NULL);
}

int
reply_event(const struct request *r, const char *stream, const char *bytes,
            size_t n, struct err *e)
{
    CLEANUP_BUF struct buf out = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    json_write_init(&w, &out);
    json_open_object(&w);
    json_member_str(&w, "event", "output");
    json_member_str(&w, "step_id", r->step_id ? r->step_id : "");
    json_member_str(&w, "stream", stream);
    json_key(&w, "data");
    json_put_strn(&w, bytes, n);
    json_close_object(&w);
    return send_line(&out, e);
}

static void
serve_line(const char *tool, const char *line, size_t n,
           void (*handle)(const struct request *r))
{
    CLEANUP(request_done) struct request r = {0};
    struct err e = {0};

    if (request_parse(line, n, &r, &e) == 0 && strcmp(r.tool, tool) != 0)
        err_set(&e, ERR_INVALID, "this is %s, not the tool asked for", tool);
    if (e.code != ERR_NONE)
        reply_error(&e, 0);
    else
        handle(&r);
}

int
plugin_serve(const char *tool, void (*handle)(const struct request *r))
{
    struct err e = {0};
    CLEANUP(linebuf_free_p)
    struct linebuf *lb = linebuf_new(REPLY_LINE_MAX, &e);
    const char *line;
    size_t n;
    long got = 1;

    while (lb && got > 0) {
        while ((line = linebuf_next(lb, &n)) != NULL) {
            if (n > 0)
                serve_line(tool, line, n, handle);
        }
        got = linebuf_read(lb, STDIN_FILENO, &e);
    }
    if (lb && got == 0 && (line = linebuf_rest(lb, &n)) != NULL)
        serve_line(tool, line, n, handle);
    if (!lb || got < 0)
        reply_error(&e, 0);
    return !lb || got < 0;
}

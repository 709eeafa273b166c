/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reply.c - requests and responses of the Plugin Tool API. */
#include "plugins/lib/reply.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/linebuf.h"

void
reply_begin(const struct request *r, struct json_writer *w, struct buf *out,
            bool ok, const char *text, size_t n, const char *err_text,
            size_t err_n)
{
    json_write_init(w, out);
    json_open_object(w);
    if (r->id) {
        json_key(w, "id");
        json_put_value(w, r->id);
    }
    json_member_bool(w, "ok", ok);
    json_key(w, "stdout");
    json_put_strn(w, text, n);
    json_key(w, "stderr");
    json_put_strn(w, err_text, err_n);
    json_key(w, "meta");
    json_open_object(w);
    json_member_int(w, "duration_ms", clock_ms() - r->began_ms);
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
reply_error(const struct request *r, const struct err *why)
{
    CLEANUP_BUF struct buf out = buf_of(REPLY_LINE_MAX);
    struct json_writer w;

    reply_begin(r, &w, &out, false, "", 0, why->text, strlen(why->text));
    json_member_str(&w, "error_code", err_tool_code(why->code));
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
        err_set(&e, ERR_INVALID, "this is %s, not the requested tool", tool);
    if (e.code != ERR_NONE)
        reply_error(&r, &e);
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
        reply_error(&(struct request){.began_ms = clock_ms()}, &e);
    return !lb || got < 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c - writes the events of the model process to its standard output. */
#include "model/process/events.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/utf8.h"
#include "model/ipc.h"
#include "model/provider/api_error.h"
#include "json/write.h"

#define PIECE_BYTES 65536u /* text in one event */

static void
begin_event(struct json_writer *w, struct buf *out, int64_t id,
            const char *event)
{
    json_write_init(w, out);
    json_open_object(w);
    json_member_str(w, "event", event);
    json_member_int(w, "id", id);
}

static void
end_event(struct json_writer *w, struct buf *out)
{
    json_close_object(w);
    buf_ch(out, '\n');
    if (!out->bad)
        (void)fd_write_all(STDOUT_FILENO, out->p, out->len, -1, NULL);
}

static void
write_text_event(int64_t id, const char *p, size_t n)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, "text");
    json_key(&w, "text");
    json_put_strn(&w, p, n);
    end_event(&w, &out);
}

void
events_write_text(int64_t id, const char *p, size_t n)
{
    while (n > 0) {
        size_t part = n;

        if (n > PIECE_BYTES)
            part = utf8_boundary(p, n, PIECE_BYTES);
        write_text_event(id, p, part);
        p += part;
        n -= part;
    }
}

void
events_write_plain(int64_t id, const char *event)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, event);
    end_event(&w, &out);
}

void
events_write_line(int64_t id, const char *event, const char *name,
                  const char *text)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, event);
    json_member_str(&w, name, text);
    end_event(&w, &out);
}

static void
write_tool_call(int64_t id, const struct tool_calls_entry *c)
{
    const struct model_tool_call call = tool_calls_view(c);
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, "wanted");
    json_key(&w, "call");
    ipc_tool_call_write(&call, &w);
    end_event(&w, &out);
}

void
events_write_answer(int64_t id, const struct model_response *r, int64_t ms)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    for (size_t i = 0; i < r->tool_calls.n; i++)
        write_tool_call(id, &r->tool_calls.rows[i]);
    begin_event(&w, &out, id, "answer");
    if (*r->model)
        json_member_str(&w, "model", r->model);
    json_member_int(&w, "bytes", (int64_t)r->text.len);
    json_member_int(&w, "wanted", (int64_t)r->tool_calls.n);
    json_member_int(&w, "tokens_in", r->tokens_in);
    json_member_int(&w, "tokens_out", r->tokens_out);
    json_member_int(&w, "tokens_cached", r->tokens_cached);
    json_member_int(&w, "tokens_cache_written", r->tokens_cache_written);
    json_member_int(&w, "tokens_reasoning", r->tokens_reasoning);
    json_member_int(&w, "ms", ms);
    end_event(&w, &out);
}

void
events_write_failed(int64_t id, const struct err *why, const char *key)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;
    char text[sizeof(why->text)];

    api_error_clean(text, sizeof(text), why->text, key);
    begin_event(&w, &out, id, "failed");
    json_member_int(&w, "code", why->code);
    json_member_int(&w, "kind", why->kind);
    json_member_str(&w, "text", text);
    end_event(&w, &out);
}

void
events_write_servers(int64_t id, const char *list, size_t n)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, "servers");
    json_key(&w, "servers");
    json_put_raw(&w, list, n);
    end_event(&w, &out);
}

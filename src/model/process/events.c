/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c - writes the events of the model process. */
#include "model/process/events.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "model/ipc.h"
#include "model/provider/api_error.h"
#include "wire/sender.h"
#include "json/write.h"

#define LAST_MS 1000 /* for the event before the end of the process */

struct events {
    struct sender *sender;
    enum sender_state state;
    void (*changed)(void *arg);
    void *arg;
};

static void
on_state(void *arg, enum sender_state state)
{
    struct events *o = arg;

    o->state = state;
    if (state != SENDER_FULL)
        o->changed(o->arg);
}

struct events *
events_new(struct loop *l, int fd, void (*changed)(void *arg), void *arg,
           struct err *e)
{
    CLEANUP(events_free_p) struct events *o = calloc(1, sizeof(*o));

    if (!o) {
        err_nomem(e);
        return NULL;
    }
    o->changed = changed;
    o->arg = arg;
    o->sender = sender_new(l, fd, SENDER_MAX, on_state, o, e);
    return o->sender ? TAKE_PTR(o) : NULL;
}

void
events_free(struct events *o)
{
    if (!o)
        return;
    sender_free(o->sender);
    free(o);
}

bool
events_are_full(const struct events *o)
{
    return o->state == SENDER_FULL;
}

bool
events_are_lost(const struct events *o)
{
    return o->state == SENDER_GONE;
}

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
end_event(struct events *o, struct json_writer *w, struct buf *out)
{
    json_close_object(w);
    buf_ch(out, '\n');
    if (!out->bad)
        sender_add(o->sender, out->p, out->len);
}

void
events_write_text(struct events *o, int64_t id, const char *p, size_t n)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, "text");
    json_key(&w, "text");
    json_put_strn(&w, p, n);
    end_event(o, &w, &out);
}

void
events_write_plain(struct events *o, int64_t id, const char *event)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, event);
    end_event(o, &w, &out);
}

void
events_write_line(struct events *o, int64_t id, const char *event,
                  const char *name, const char *text)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, event);
    json_member_str(&w, name, text);
    end_event(o, &w, &out);
}

static void
write_tool_call(struct events *o, int64_t id, const struct tool_calls_entry *c)
{
    const struct model_tool_call call = tool_calls_view(c);
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, "wanted");
    json_key(&w, "call");
    ipc_tool_call_write(&call, &w);
    end_event(o, &w, &out);
}

void
events_write_answer(struct events *o, int64_t id,
                    const struct model_response *r, int64_t ms)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    for (size_t i = 0; i < r->tool_calls.n; i++)
        write_tool_call(o, id, &r->tool_calls.rows[i]);
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
    end_event(o, &w, &out);
}

static void
begin_failed(struct json_writer *w, struct buf *out, int64_t id,
             const struct err *why, const char *key)
{
    char text[sizeof(why->text)];

    api_error_clean(text, sizeof(text), why->text, key);
    begin_event(w, out, id, "failed");
    json_member_int(w, "code", why->code);
    json_member_int(w, "kind", why->kind);
    json_member_str(w, "text", text);
}

void
events_write_failed(struct events *o, int64_t id, const struct err *why,
                    const char *key)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_failed(&w, &out, id, why, key);
    end_event(o, &w, &out);
}

void
events_write_last(const struct err *why)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_failed(&w, &out, 0, why, NULL);
    json_close_object(&w);
    buf_ch(&out, '\n');
    (void)fd_write_all(STDOUT_FILENO, out.p, out.len, LAST_MS, NULL);
}

void
events_write_servers(struct events *o, int64_t id, const char *list, size_t n)
{
    CLEANUP_BUF struct buf out = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    begin_event(&w, &out, id, "servers");
    json_key(&w, "servers");
    json_put_raw(&w, list, n);
    end_event(o, &w, &out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_listeners.c - the clients of a stream: each gets every message. */
#include "server/agentctl/agentctl_listeners.h"

#include <stdlib.h>

#include "base/utf8.h"

struct agentctl_listener {
    struct agentctl_listeners *all;
    struct agentctl_listener *prev, *next;
    struct websocket *ws;            /* NULL: it is not open yet */
    struct agentctl_reading reading; /* of its message */
    bool listed;
    size_t before;
};

static void
list_listener(struct agentctl_listener *l)
{
    struct agentctl_listeners *s = l->all;

    l->next = s->first;
    if (s->first)
        s->first->prev = l;
    s->first = l;
    s->n++;
    l->listed = true;
}

static void
listener_drop(struct agentctl_listener *l)
{
    if (l->listed) {
        *(l->prev ? &l->prev->next : &l->all->first) = l->next;
        if (l->next)
            l->next->prev = l->prev;
        l->all->n--;
    }
    agentctl_reading_done(&l->reading);
    free(l);
}

static void
on_listener_parsed(void *arg, struct jsonrpc *m, int rc, struct err *e)
{
    struct agentctl_listener *l = arg;

    if (l->reading.thread) {
        parse_thread_free(l->reading.thread);
        l->reading.thread = NULL;
        websocket_pause(l->ws, false);
    }
    l->all->message(l->all->arg, l, &l->reading, m, rc, e);
    agentctl_reading_done(&l->reading);
}

static void
on_listener_message(void *owner, struct websocket *ws, char *bytes, size_t n,
                    bool text)
{
    struct agentctl_listener *l = owner;
    CLEANUP_BUF struct buf whole = buf_of(0);
    struct buf *memory = NULL;

    (void)text;
    if (!l->all->message)
        return;
    if (n > PARSE_THREAD_LEAST && websocket_take_message(ws, &whole))
        memory = &whole;
    if (agentctl_message_parse(&l->reading, l->all->loop, bytes, n, memory,
                               on_listener_parsed, l))
        websocket_pause(ws, true);
}

static void
on_listener_ended(void *owner, struct websocket *ws, unsigned status,
                  const char *reason)
{
    struct agentctl_listener *l = owner;

    (void)ws;
    (void)status;
    (void)reason;
    if (l->all->left)
        l->all->left(l->all->arg, l);
    listener_drop(l);
}

static void
on_listener_opened(void *owner, struct websocket *ws)
{
    struct agentctl_listener *l = owner;

    if (!ws) {
        listener_drop(l);
        return;
    }
    l->ws = ws;
    list_listener(l);
    if (l->all->opened)
        l->all->opened(l->all->arg, l);
}

void
agentctl_listeners_open(struct agentctl_listeners *s, struct http_connection *c,
                        size_t before)
{
    static const struct websocket_events events = {
        .message = on_listener_message, .ended = on_listener_ended};
    struct agentctl_listener *l = calloc(1, sizeof(*l));

    if (!l) {
        http_answer_text(c, 503, NULL, "out of memory");
        return;
    }
    l->all = s;
    agentctl_reading_init(&l->reading);
    l->before = before;
    if (!server_http_open_websocket(s->http, c, &events, l, on_listener_opened))
        listener_drop(l);
}

size_t
agentctl_listener_before(const struct agentctl_listener *l)
{
    return l->before;
}

void
agentctl_listener_send(struct agentctl_listener *l, const char *text, size_t n)
{
    CLEANUP_BUF struct buf repaired = buf_of(3 * n + 1);

    if (!utf8_valid(text, n)) {
        utf8_repair(&repaired, text, n);
        text = repaired.p;
        n = repaired.len;
    }
    websocket_send_text(l->ws, text, n);
}

void
agentctl_listeners_send(struct agentctl_listeners *s, const char *text,
                        size_t n)
{
    for (struct agentctl_listener *l = s->first; l; l = l->next)
        agentctl_listener_send(l, text, n);
}

void
agentctl_listeners_close(struct agentctl_listeners *s, unsigned status,
                         const char *reason)
{
    for (struct agentctl_listener *l = s->first; l; l = l->next)
        websocket_close(l->ws, status, reason);
}

void
agentctl_listeners_done(struct agentctl_listeners *s)
{
    while (s->first) {
        websocket_leave(s->first->ws, WEBSOCKET_GOING_AWAY, NULL);
        listener_drop(s->first);
    }
}

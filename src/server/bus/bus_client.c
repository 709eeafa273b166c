/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_client.c - a client of a bus: connects, initializes, asks, is sent. */
#include "server/bus/bus_client.h"

#include <stdlib.h>
#include <string.h>

#include "wire/websocket_client.h"

#define CONNECT_MS   10000
#define ANSWER_MS    60000 /* longer than a bus waits for one subscriber */
#define QUEUED_BYTES (4u << 20)
#define PING_MS      30000
#define PONG_MS      20000

enum { INITIALIZE_ID = 1, ASK_ID = 2 };

struct bus_client {
    struct bus_client_setup set;
    struct websocket_shared shared;
    struct websocket_client *connecting;
    struct websocket *ws;
    struct watch *deadline; /* of the answer that is waited for */
    struct buf ask;         /* what is sent once the bus knows the client */
    bool known, closed, over;
};

static void
end_client(struct bus_client *c, const struct err *why)
{
    if (c->over)
        return;
    c->over = true;
    watch_stop(c->deadline);
    c->set.ended(c->set.arg, why);
}

static void
end_by(struct bus_client *c, enum err_code code, const char *why)
{
    struct err e = {0};

    err_set(&e, code, "%s", why);
    end_client(c, &e);
}

static void
send_ask(struct bus_client *c)
{
    if (!c->known || c->ask.len == 0 || !c->ws)
        return;
    websocket_send_text(c->ws, c->ask.p, c->ask.len);
    buf_clear(&c->ask);
    watch_again(c->deadline, ANSWER_MS);
}

static void
take_client_answer(struct bus_client *c, const struct jsonrpc *m)
{
    struct err e = {0};

    if (jsonrpc_has_id(m, ASK_ID)) {
        watch_stop(c->deadline);
        c->set.answered(c->set.arg, m);
    } else if (jsonrpc_has_id(m, INITIALIZE_ID) && m->kind == JSONRPC_RESULT) {
        watch_stop(c->deadline);
        c->known = true;
        send_ask(c);
    } else if (m->kind == JSONRPC_ERROR) {
        err_set(&e, ERR_PEER, "the bus refuses: %.180s (%lld)", m->message,
                (long long)m->code);
        end_client(c, &e);
    }
}

static void
on_client_message(void *owner, struct websocket *ws, char *bytes, size_t n,
                  bool text)
{
    struct bus_client *c = owner;
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};

    (void)ws;
    (void)text;
    if (c->over)
        return;
    if (jsonrpc_parse(bytes, n, &m, &e) < 0) {
        err_wrap(&e, "a message of the bus that is none");
        e.code = ERR_PEER;
        end_client(c, &e);
    } else if (m.kind == JSONRPC_RESULT || m.kind == JSONRPC_ERROR) {
        take_client_answer(c, &m);
    } else if (m.kind == JSONRPC_REQUEST && c->set.message &&
               strcmp(m.method, "sendMessage") == 0) {
        c->set.message(c->set.arg, m.id, m.params);
    }
}

static void
on_client_ended(void *owner, struct websocket *ws, unsigned status,
                const char *reason)
{
    struct bus_client *c = owner;
    struct err e = {0};

    (void)ws;
    c->ws = NULL;
    if (c->closed) {
        end_client(c, NULL);
        return;
    }
    err_set(&e, ERR_PEER, "the bus closed the connection%s%.120s (%u)",
            *reason ? ": " : "", reason, status);
    end_client(c, &e);
}

static void
on_client_opened(void *owner, struct websocket *ws, const struct err *why)
{
    struct bus_client *c = owner;
    CLEANUP_BUF struct buf text = buf_of(4096);
    struct json_writer w;

    c->connecting = NULL;
    c->ws = ws;
    if (!ws) {
        end_client(c, why);
        return;
    }
    jsonrpc_begin_request(&w, &text, INITIALIZE_ID, "initialize");
    jsonrpc_params(&w);
    json_open_object(&w);
    json_member_str(&w, "clientId", c->set.name);
    json_key(&w, "clientInfo");
    json_open_object(&w);
    json_member_str(&w, "name", "agentsh");
    json_member_str(&w, "version", PACKAGE_VERSION);
    json_close_object(&w);
    json_close_object(&w);
    jsonrpc_end(&w);
    websocket_send_text(ws, text.p, text.len);
    watch_again(c->deadline, ANSWER_MS);
}

static void
on_client_late(void *arg, unsigned events)
{
    (void)events;
    end_by(arg, ERR_TIMEOUT, "the bus does not answer");
}

struct bus_client *
bus_client_new(const struct bus_client_setup *set, struct err *e)
{
    static const struct websocket_events events = {.message = on_client_message,
                                                   .ended = on_client_ended};
    CLEANUP(bus_client_free_p) struct bus_client *c = calloc(1, sizeof(*c));
    struct websocket_client_setup to = {.url = set->url,
                                        .token = set->token,
                                        .timeout_ms = CONNECT_MS,
                                        .events = &events,
                                        .opened = on_client_opened};

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->set = *set;
    buf_init(&c->ask, BUS_CLIENT_BYTES);
    c->shared = (struct websocket_shared){
        .loop = set->loop,
        .limits = {.message_bytes = BUS_CLIENT_BYTES,
                   .queued_bytes = QUEUED_BYTES,
                   .ping_ms = PING_MS,
                   .pong_ms = PONG_MS}};
    to.shared = &c->shared;
    to.owner = c;
    if (!(c->shared.buffer = read_buffer_new(e)) ||
        !(c->deadline = loop_timer(set->loop, ANSWER_MS, on_client_late, c,
                                   e)) ||
        !(c->connecting = websocket_client_new(&to, e)))
        return NULL;
    watch_stop(c->deadline);
    return TAKE_PTR(c);
}

void
bus_client_free(struct bus_client *c)
{
    if (!c)
        return;
    websocket_client_free(c->connecting);
    websocket_drop_all(&c->shared);
    read_buffer_free(c->shared.buffer);
    watch_free(c->deadline);
    buf_done(&c->ask);
    free(c);
}

int
bus_client_ask(struct bus_client *c, const char *method,
               const struct buf *params, struct err *e)
{
    struct json_writer w;

    buf_clear(&c->ask);
    jsonrpc_begin_request(&w, &c->ask, ASK_ID, method);
    jsonrpc_params(&w);
    json_put_raw(&w, params->p, params->len);
    jsonrpc_end(&w);
    if (buf_ok(params, "the request", e) < 0 ||
        buf_ok(&c->ask, "the request", e) < 0)
        return -1;
    send_ask(c);
    return 0;
}

void
bus_client_answer(struct bus_client *c, const char *id,
                  enum relay_outcome outcome, const char *why)
{
    CLEANUP_BUF struct buf text = buf_of(8192);

    if (!c->ws)
        return;
    if (outcome == RELAY_FAILED) {
        jsonrpc_put_error(&text, id, -32000, why, NULL);
    } else {
        jsonrpc_begin_result(&text, id);
        buf_printf(&text, "{\"success\":true,\"stopPropagation\":%s}}",
                   outcome == RELAY_STOPS ? "true" : "false");
    }
    if (!text.bad)
        websocket_send_text(c->ws, text.p, text.len);
}

void
bus_client_pause(struct bus_client *c, bool paused)
{
    if (c->ws)
        websocket_pause(c->ws, paused);
}

void
bus_client_close(struct bus_client *c)
{
    c->closed = true;
    if (c->ws)
        websocket_close(c->ws, WEBSOCKET_NORMAL, NULL);
    else
        end_client(c, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_client.c - the WebSocket of one client: its messages, its end. */
#include "server/gateway/gateway_client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/gateway/gateway_action.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_watch.h"
#include "wire/address.h"

#define PEER_MAX 64 /* bytes of a peer's address */

static void
free_client(struct gateway_client *c)
{
    struct gateway_client **at = &c->g->clients;

    while (*at && *at != c)
        at = &(*at)->next;
    if (*at)
        *at = c->next;
    gateway_watch_remove_all(c);
    for (struct gateway_request *r = c->g->requests; r; r = r->next)
        if (r->client == c)
            r->client = NULL;
    free(c);
}

void
gateway_client_free_all(struct gateway *g)
{
    while (g->clients)
        free_client(g->clients);
}

static void
take_client_message(struct gateway_client *c, const char *text, size_t n)
{
    struct gateway_request *r = calloc(1, sizeof(*r));
    const struct gateway_message none = {0};
    struct err e = {0};

    if (!r) {
        gateway_refuse_message(c, &none, GATEWAY_INTERNAL_ERROR,
                               "out of memory");
        return;
    }
    *r = (struct gateway_request){.next = c->g->requests, .g = c->g};
    r->client = c;
    r->answer = buf_of(GATEWAY_ANSWER_MAX);
    c->g->requests = r;
    if (++c->n_requests == GATEWAY_REQUESTS_MAX)
        websocket_pause(c->ws, true);
    if (gateway_message_read(text, n, &r->m, &e) == 0) {
        gateway_action_take(r);
        return;
    }
    gateway_refuse_message(c, &none, GATEWAY_BAD_REQUEST,
                           "Invalid message format");
    gateway_request_free(r);
}

/* Some clients put several messages into one text, with newlines. Of a text
 * that is one message with newlines in it, such as an indented one, the lines
 * are none. */
static void
on_gateway_message(void *owner, struct websocket *ws, char *bytes, size_t n,
                   bool text)
{
    struct gateway_client *c = owner;
    const struct gateway_message none = {0};
    size_t at = 0, len;

    if (!text) {
        websocket_close(ws, WEBSOCKET_POLICY, "messages are text");
        return;
    }
    if (n > 0 && json_span(bytes, n, NULL) == 0) {
        gateway_refuse_message(c, &none, GATEWAY_BAD_REQUEST,
                               "Invalid message format");
        return;
    }
    while (at < n && (len = json_span(bytes + at, n - at, NULL)) > 0) {
        size_t after = at + len;

        while (after < n && strchr(" \t\r", bytes[after]))
            after++;
        if (after < n && bytes[after] != '\n')
            break;
        take_client_message(c, bytes + at, len);
        at = after;
    }
    at += strspn(bytes + at, " \t\r\n");
    if (at < n || n == 0)
        gateway_refuse_message(c, &none, GATEWAY_BAD_REQUEST,
                               "Invalid message format");
}

static void
on_gateway_full(void *owner, struct websocket *ws, bool full)
{
    struct gateway_client *c = owner;

    (void)ws;
    c->full = full;
    if (!full)
        gateway_watch_resume(c);
}

static void
on_gateway_closed(void *owner, struct websocket *ws, unsigned status,
                  const char *reason)
{
    (void)ws;
    (void)status;
    (void)reason;
    free_client(owner);
}

static void
on_gateway_opened(void *owner, struct websocket *ws)
{
    struct gateway_client *c = owner;

    if (!ws) {
        free_client(c);
        return;
    }
    c->ws = ws;
    if (!c->g->ready)
        websocket_pause(ws, true);
}

void
gateway_client_resume_all(struct gateway *g)
{
    for (struct gateway_client *c = g->clients; c; c = c->next)
        if (c->ws)
            websocket_pause(c->ws, false);
}

static void
name_client(struct gateway_client *c, int fd)
{
    CLEANUP_BUF struct buf b = buf_of(PEER_MAX);
    struct address peer = {.len = sizeof(peer.at), .fd = -1};

    if (getpeername(fd, (struct sockaddr *)&peer.at, &peer.len) == 0)
        address_put(&b, &peer);
    snprintf(c->name, sizeof(c->name), "client %" PRIu64 " (%s)",
             ++c->g->n_clients, b.len > 0 ? b.p : "unix");
}

void
gateway_client_open(struct gateway *g, struct http_connection *http)
{
    static const struct websocket_events events = {
        .message = on_gateway_message,
        .full = on_gateway_full,
        .ended = on_gateway_closed};
    struct gateway_client *c = calloc(1, sizeof(*c));

    if (!c) {
        http_answer_text(http, 503, NULL, "out of memory");
        return;
    }
    *c = (struct gateway_client){.next = g->clients, .g = g};
    g->clients = c;
    name_client(c, http_connection_fd(http));
    if (!server_http_open_websocket(g->http, http, &events, c,
                                    on_gateway_opened))
        free_client(c);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_peer.c - one connection of a bus, or a subscriber of another node. */
#include "server/bus/bus_peer.h"

#include <stdlib.h>
#include <string.h>

#include "wire/jsonrpc.h"

#define ERROR_MAX (64u << 10)

struct bus_peer *
bus_peer_new(struct bus_hub *hub, uint64_t place, struct err *e)
{
    struct bus_peer *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->hub = hub;
    p->refs = 1;
    p->place = place;
    return p;
}

struct bus_peer *
bus_peer_ref(struct bus_peer *p)
{
    p->refs++;
    return p;
}

void
bus_peer_unref(struct bus_peer *p)
{
    if (!p || --p->refs > 0)
        return;
    free(p->patterns);
    free(p->client_id);
    free(p);
}

void
bus_peer_answer(struct bus_peer *p, const char *id, size_t id_n,
                const char *result)
{
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"result\":";
    static const char middle[] = ",\"id\":";
    CLEANUP_BUF struct buf b = buf_of(ERROR_MAX);

    if (!p->ws)
        return;
    buf_add(&b, head, sizeof(head) - 1);
    buf_str(&b, result);
    buf_add(&b, middle, sizeof(middle) - 1);
    buf_add(&b, id, id_n);
    buf_ch(&b, '}');
    if (!b.bad)
        websocket_send_text(p->ws, b.p, b.len);
}

void
bus_peer_refuse(struct bus_peer *p, const char *id, int code,
                const char *message, const struct buf *data)
{
    CLEANUP_BUF struct buf b = buf_of(ERROR_MAX);

    if (!p->ws)
        return;
    jsonrpc_put_error(&b, id, code, message, data);
    if (!b.bad)
        websocket_send_text(p->ws, b.p, b.len);
}

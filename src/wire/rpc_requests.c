/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_requests.c - the requests of a peer that have no answer yet. */
#include "wire/rpc_requests.h"

#include <stdlib.h>
#include <string.h>

#include "json/write.h"

#define KEY_MAX (64u << 10) /* bytes: an id is shorter (jsonrpc.c) */

/* The value of an id, in the same bytes however it was written. */
static char *
id_key(const struct json *id)
{
    CLEANUP_BUF struct buf key = buf_of(KEY_MAX);
    struct json_writer w;

    json_write_init(&w, &key);
    json_put_canonical(&w, id);
    return buf_take(&key);
}

/* Whether it is the request with that key. Its own is made when it is first
 * asked for: few requests are ever cancelled. */
static bool
has_key(struct rpc_request *rq, const char *key)
{
    CLEANUP(json_free_p) struct json *id = NULL;

    if (!rq->key) {
        id = json_parse(rq->id, strlen(rq->id), 0, NULL);
        rq->key = id ? id_key(id) : NULL;
    }
    return rq->key && strcmp(rq->key, key) == 0;
}

struct rpc_request *
rpc_requests_add(struct rpc_requests *l, struct rpc *rpc, char **id)
{
    struct rpc_request *rq = calloc(1, sizeof(*rq));

    if (!rq)
        return NULL;
    rq->id = TAKE_PTR(*id);
    rq->rpc = rpc;
    rq->list = l;
    rq->prev = l->last;
    *(rq->prev ? &rq->prev->next : &l->first) = rq;
    l->last = rq;
    l->n++;
    return rq;
}

static void
unlink_request(struct rpc_request *rq)
{
    struct rpc_requests *l = rq->list;

    *(rq->prev ? &rq->prev->next : &l->first) = rq->next;
    *(rq->next ? &rq->next->prev : &l->last) = rq->prev;
    rq->prev = rq->next = NULL;
    rq->list = NULL;
    rq->rpc = NULL;
    l->n--;
}

void
rpc_request_free(struct rpc_request *rq)
{
    if (!rq)
        return;
    if (rq->list)
        unlink_request(rq);
    free(rq->id);
    free(rq->key);
    free(rq);
}

void
rpc_requests_leave(struct rpc_requests *l)
{
    while (l->first)
        unlink_request(l->first);
}

struct rpc_request *
rpc_requests_find(const struct rpc_requests *l, const struct json *id)
{
    CLEANUP(free_p) char *key = id ? id_key(id) : NULL;
    struct rpc_request *rq = id && !key ? NULL : l->first;

    while (rq && (rq->cancelled || (key && !has_key(rq, key))))
        rq = rq->next;
    return rq;
}

void
rpc_request_cancel(struct rpc_request *rq)
{
    if (rq->cancelled)
        return;
    rq->cancelled = true;
    if (rq->on_cancel)
        rq->on_cancel(rq->arg);
}

void
rpc_requests_cancel(const struct rpc_requests *l, const struct json *id)
{
    struct rpc_request *rq = id ? rpc_requests_find(l, id) : NULL;

    if (rq)
        rpc_request_cancel(rq);
}

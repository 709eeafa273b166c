/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_pool.c - keeps MCP servers between two calls. */
#include "tool/mcp/mcp_pool.h"

#include <string.h>

#define IDLE_MAX 16 /* servers that wait: each has tens of megabytes */

struct mcp_pool {
    struct mcp_pool **list, *next; /* the most recently used one is first */
    struct mcp_session *session;
    struct buf key;
};

static struct mcp_pool *
unlink_server(struct mcp_pool **at)
{
    struct mcp_pool *i = *at;

    *at = i->next;
    return i;
}

static void
idle_server_free(struct mcp_pool *i)
{
    mcp_session_free(i->session);
    buf_done(&i->key);
    free(i);
}

static void
drop_idle_server(struct mcp_pool *i)
{
    struct mcp_pool **at = i->list;

    while (*at != i)
        at = &(*at)->next;
    idle_server_free(unlink_server(at));
}

static void
on_gone(void *arg, struct err *why)
{
    (void)why; /* no call waits for it; the next one starts another */
    drop_idle_server(arg);
}

static void
on_ended(void *arg, unsigned none)
{
    (void)none;
    drop_idle_server(arg);
}

static const struct mcp_session_events events = {.gone = on_gone};

static void
drop_oldest_server(struct mcp_pool **list)
{
    size_t n = 1;

    for (; *list && (*list)->next; list = &(*list)->next)
        n++;
    if (n > IDLE_MAX)
        idle_server_free(unlink_server(list));
}

void
mcp_pool_give(struct mcp_pool **list, struct mcp_session *s, struct buf *key)
{
    struct mcp_pool *i = calloc(1, sizeof(*i));

    if (!i || !mcp_session_is_alive(s)) {
        free(i);
        mcp_session_free(s);
        return;
    }
    *i = (struct mcp_pool){
        .list = list, .next = *list, .session = s, .key = *key};
    buf_init(key, key->max);
    mcp_session_set_events(s, &events, i);
    *list = i;
    drop_oldest_server(list);
}

struct mcp_session *
mcp_pool_take(struct mcp_pool **list, const struct buf *key)
{
    struct mcp_session *s;
    struct mcp_pool *i;

    while (*list && ((*list)->key.len != key->len ||
                     memcmp((*list)->key.p, key->p, key->len) != 0))
        list = &(*list)->next;
    if (!*list)
        return NULL;
    i = unlink_server(list);
    s = TAKE_PTR(i->session);
    idle_server_free(i);
    if (mcp_session_is_alive(s))
        return s;
    mcp_session_free(s);
    return NULL;
}

void
mcp_pool_end(struct mcp_pool **list, const struct mcp_config *of)
{
    struct mcp_pool *next;

    for (struct mcp_pool *i = *list; i; i = next) {
        next = i->next;
        if (!mcp_config_has(of, mcp_session_server(i->session)))
            continue;
        buf_clear(&i->key); /* nobody takes it */
        if (mcp_session_end(i->session, on_ended, i, NULL) < 0)
            drop_idle_server(i);
    }
}

void
mcp_pool_terminate(struct mcp_pool *list)
{
    for (; list; list = list->next)
        mcp_session_terminate(list->session);
}

void
mcp_pool_free(struct mcp_pool **list)
{
    if (!list)
        return;
    while (*list)
        idle_server_free(unlink_server(list));
}

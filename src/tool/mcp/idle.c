/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle.c - servers between two calls. */
#include "tool/mcp/idle.h"

#include <string.h>

#define IDLE_MAX 16 /* servers that wait: each holds tens of megabytes */

struct mcp_idle {
    struct mcp_idle **list, *next; /* the one that was used last is first */
    struct mcp_session *session;
    struct buf key;
};

static struct mcp_idle *
unlink_at(struct mcp_idle **at)
{
    struct mcp_idle *i = *at;

    *at = i->next;
    return i;
}

static void
idle_free(struct mcp_idle *i)
{
    mcp_session_free(i->session);
    buf_done(&i->key);
    free(i);
}

static void
on_gone(void *arg, struct err *why)
{
    struct mcp_idle *i = arg, **at = i->list;

    (void)why; /* nobody waits for it; the next call starts another */
    while (*at != i)
        at = &(*at)->next;
    idle_free(unlink_at(at));
}

static const struct mcp_events events = {.gone = on_gone};

static void
drop_oldest(struct mcp_idle **list)
{
    size_t n = 1;

    for (; *list && (*list)->next; list = &(*list)->next)
        n++;
    if (n > IDLE_MAX)
        idle_free(unlink_at(list));
}

void
mcp_idle_give(struct mcp_idle **list, struct mcp_session *s, struct buf *key)
{
    struct mcp_idle *i = calloc(1, sizeof(*i));

    if (!i || !mcp_session_is_alive(s)) {
        free(i);
        mcp_session_free(s);
        return;
    }
    *i = (struct mcp_idle){
        .list = list, .next = *list, .session = s, .key = *key};
    buf_init(key, key->max);
    mcp_session_attend(s, &events, i);
    *list = i;
    drop_oldest(list);
}

struct mcp_session *
mcp_idle_take(struct mcp_idle **list, const struct buf *key)
{
    struct mcp_session *s;
    struct mcp_idle *i;

    while (*list && ((*list)->key.len != key->len ||
                     memcmp((*list)->key.p, key->p, key->len) != 0))
        list = &(*list)->next;
    if (!*list)
        return NULL;
    i = unlink_at(list);
    s = TAKE_PTR(i->session);
    idle_free(i);
    if (mcp_session_is_alive(s))
        return s;
    mcp_session_free(s);
    return NULL;
}

void
mcp_idle_tell_end(struct mcp_idle *list)
{
    for (; list; list = list->next)
        mcp_session_tell_end(list->session);
}

void
mcp_idle_free(struct mcp_idle **list)
{
    if (!list)
        return;
    while (*list)
        idle_free(unlink_at(list));
}

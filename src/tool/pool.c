/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.c - persistent plugins between two requests. */
#include "tool/pool.h"

#include <string.h>

#include "base/path.h"

#define IDLE_MAX 8 /* processes that wait: more than a session's tools */
#define WAITING  "plugins/cmd.run/cmd.run" /* a launcher, too */

struct idle {
    struct tool_pool *pool;
    struct idle *next;
    struct peer *peer;
    struct buf key;
    bool step;
};

struct tool_pool {
    struct loop *loop;
    struct idle *idle; /* the one that was used last stands first */
    size_t n;
    int64_t asked;
    struct mcp_idle *servers;
    struct zygote_client *spare;
    unsigned starts; /* of processes so far */
};

static void
idle_free(struct idle *i)
{
    peer_free(i->peer);
    buf_done(&i->key);
    free(i);
}

/* Out of the list; the caller's. */
static struct idle *
unlink_at(struct idle **at)
{
    struct idle *i = *at;

    *at = i->next;
    i->pool->n--;
    return i;
}

static void
drop(struct idle *i)
{
    struct idle **at = &i->pool->idle;

    while (*at != i)
        at = &(*at)->next;
    idle_free(unlink_at(at));
}

/* Nobody asked it: whatever it says, it is not to be used again. */
static bool
on_line(void *arg, const char *line, size_t n)
{
    (void)line;
    (void)n;
    drop(arg);
    return false;
}

static void
on_closed(void *arg)
{
    drop(arg);
}

static void
on_gone(void *arg, struct err *why)
{
    (void)why;
    drop(arg);
}

static const struct peer_events idle_events = {
    .line = on_line, .closed = on_closed, .gone = on_gone};

struct tool_pool *
tool_pool_new(struct loop *l, struct err *e)
{
    struct tool_pool *p = calloc(1, sizeof(*p));

    if (p)
        p->loop = l;
    else
        err_set(e, ERR_NOMEM, "persistent tools: out of memory");
    return p;
}

void
tool_pool_free(struct tool_pool *p)
{
    if (!p)
        return;
    for (struct idle *i = p->idle; i; i = i->next)
        peer_tell_end(i->peer);
    mcp_idle_tell_end(p->servers);
    while (p->idle)
        idle_free(unlink_at(&p->idle));
    mcp_idle_free(&p->servers);
    zygote_client_free(p->spare);
    free(p);
}

/* A command leaves nothing behind where its processes are a namespace's. */
static bool
ends_processes(const struct sandbox_spec *s)
{
    enum profile p = s->profile;

    if (spec_is_reduced(s))
        return false;
    return p == PROFILE_READ_ONLY || p == PROFILE_WORKSPACE_WRITE ||
           p == PROFILE_PLUGIN;
}

bool
pool_keeps(const struct tool *t, const struct tool_setting *s)
{
    /* what a preview changed is looked at when its process is gone */
    if (!s->pool || !t->manifest->persistent || s->sandbox->preview)
        return false;
    return !t->manifest->step || ends_processes(s->sandbox);
}

static bool
same_key(const struct buf *a, const struct buf *b)
{
    return a->len == b->len && memcmp(a->p, b->p, a->len) == 0;
}

struct zygote_client *
pool_spare(struct tool_pool *p)
{
    CLEANUP(free_p) char *launcher = NULL;

    /* who starts one process may start no other; where no spare can be had, it
     * is not tried again */
    if (p->starts++ != 1)
        return p->spare;
    if ((launcher = path_libexec(WAITING, NULL)))
        p->spare = zygote_client_new(launcher, NULL);
    return NULL;
}

struct mcp_idle **
pool_servers(struct tool_pool *p)
{
    return &p->servers;
}

int64_t
pool_next_id(struct tool_pool *p)
{
    return ++p->asked;
}

struct peer *
pool_take(struct tool_pool *p, const struct buf *key)
{
    struct idle **at = &p->idle;
    struct peer *peer;
    struct idle *i;

    while (*at && !same_key(&(*at)->key, key))
        at = &(*at)->next;
    if (!*at)
        return NULL;
    i = unlink_at(at);
    peer = TAKE_PTR(i->peer);
    idle_free(i);
    if (peer_is_quiet(peer))
        return peer;
    peer_free(peer);
    return NULL;
}

static bool
is_other_step(const struct idle *i, const struct buf *key)
{
    return i->step && (!key || !same_key(&i->key, key));
}

void
pool_end_steps(struct tool_pool *p, const struct buf *key)
{
    struct idle **at = &p->idle;

    for (struct idle *i = p->idle; i; i = i->next)
        if (is_other_step(i, key))
            peer_tell_end(i->peer);
    while (*at) {
        if (is_other_step(*at, key))
            idle_free(unlink_at(at));
        else
            at = &(*at)->next;
    }
}

static void
drop_oldest(struct tool_pool *p)
{
    struct idle *i = p->idle;

    while (i->next)
        i = i->next;
    drop(i);
}

void
pool_give(struct tool_pool *p, struct peer *peer, struct buf *key, bool step)
{
    struct idle *i = calloc(1, sizeof(*i));

    if (!i || !peer_is_quiet(peer)) {
        free(i);
        peer_free(peer);
        return;
    }
    *i = (struct idle){
        .pool = p, .next = p->idle, .peer = peer, .key = *key, .step = step};
    buf_init(key, key->max);
    peer_attend(peer, &idle_events, i);
    p->idle = i;
    if (++p->n > IDLE_MAX)
        drop_oldest(p);
}

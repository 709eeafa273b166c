/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool_listing.c - asks MCP servers for their tools. */
#include "ui/tool_listing.h"

#include <stdlib.h>

#include "tool/registry_listing.h"

struct tool_listing {
    struct registry_listing *servers; /* NULL: there are none to ask */
    struct watch *soon;
    void (*cb)(void *arg);
    void *arg;
};

void
tool_listing_close(struct tool_listing *t)
{
    if (!t)
        return;
    watch_free(t->soon);
    registry_listing_free(t->servers);
    free(t);
}

static void
on_done(void *arg)
{
    struct tool_listing *t = arg;

    registry_listing_free(t->servers);
    t->servers = NULL;
    t->cb(t->arg);
}

static void
on_soon(void *arg, unsigned events)
{
    (void)events;
    on_done(arg);
}

struct tool_listing *
tool_listing_open(struct app *a, struct registry *r, const char *tool,
                  void (*cb)(void *arg), void *arg, struct err *e)
{
    static const struct registry_listing_events events = {.done = on_done};
    const struct registry_listing_params params = {.tool = tool};
    const struct tool *servers[REGISTRY_SERVERS_MAX];
    CLEANUP(tool_listing_close_p)
    struct tool_listing *t = calloc(1, sizeof(*t));

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    t->cb = cb;
    t->arg = arg;
    if (registry_unlisted(r, tool, servers) == 0)
        t->soon = loop_soon(a->loop, on_soon, t, e);
    else
        t->servers = registry_listing_start(a->loop, r, &params, &events, t, e);
    return t->soon || t->servers ? TAKE_PTR(t) : NULL;
}

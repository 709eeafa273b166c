/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry_listing.c - asks the MCP servers of a registry for their tools. */
#include "tool/registry_listing.h"

#include <string.h>

#include "tool/mcp/mcp_listing.h"

struct listed_server {
    struct registry_listing *of;
    const struct tool *tool;
    struct mcp_listing *listing; /* NULL: not started, or ended */
};

struct registry_listing {
    struct loop *loop;
    struct registry *registry;
    const struct registry_listing_events *ev;
    void *arg;
    char *workspace;
    int64_t limit_ms;
    struct watch *next; /* starts one a turn: that takes some milliseconds */
    size_t n, started;
    size_t open; /* processes, and the one that starts them */
    struct listed_server all[];
};

void
registry_listing_free(struct registry_listing *l)
{
    if (!l)
        return;
    watch_free(l->next);
    for (size_t i = 0; i < l->n; i++)
        mcp_listing_terminate(l->all[i].listing);
    for (size_t i = 0; i < l->n; i++)
        mcp_listing_free(l->all[i].listing);
    free(l->workspace);
    free(l);
}

static void
report_server(const struct listed_server *s, const struct json *list,
              const struct err *why)
{
    const struct registry_listing *l = s->of;
    size_t n = registry_set_list(l->registry, s->tool, list, why);

    if (l->ev->listed)
        l->ev->listed(l->arg, s->tool, n);
}

/* The callback may free the listing. */
static void
close_one(struct registry_listing *l)
{
    if (--l->open == 0)
        l->ev->done(l->arg);
}

static void
on_listed(void *arg, const struct json *list, const struct err *why)
{
    report_server(arg, list, why);
}

static void
on_ended(void *arg)
{
    struct listed_server *s = arg;

    mcp_listing_free(TAKE_PTR(s->listing));
    close_one(s->of);
}

static void
start_server_listing(struct registry_listing *l, struct listed_server *s)
{
    static const struct mcp_listing_events events = {.listed = on_listed,
                                                     .ended = on_ended};
    const struct mcp_listing_params params = {
        .tool = s->tool,
        .config = registry_config(l->registry),
        .workspace = l->workspace,
        .limit_ms = l->limit_ms};
    struct err why = {0};

    s->listing = mcp_listing_start(l->loop, &params, &events, s, &why);
    if (s->listing)
        l->open++;
    else
        report_server(s, NULL, &why);
}

static void
on_next(void *arg, unsigned events)
{
    struct registry_listing *l = arg;

    (void)events;
    if (l->started == l->n) {
        close_one(l);
        return;
    }
    watch_again(l->next, 0);
    start_server_listing(l, &l->all[l->started++]);
}

struct registry_listing *
registry_listing_start(struct loop *l, struct registry *r,
                       const struct registry_listing_params *p,
                       const struct registry_listing_events *ev, void *arg,
                       struct err *e)
{
    const struct tool *servers[REGISTRY_SERVERS_MAX];
    size_t n = registry_unlisted(r, p->tool, servers);
    CLEANUP(registry_listing_free_p) struct registry_listing *out = NULL;

    out = calloc(1, sizeof(*out) + n * sizeof(*out->all));
    if (!out || (p->workspace && !(out->workspace = strdup(p->workspace)))) {
        err_nomem(e);
        return NULL;
    }
    out->loop = l;
    out->registry = r;
    out->ev = ev;
    out->arg = arg;
    out->limit_ms = p->limit_ms ? p->limit_ms : REGISTRY_LISTING_MS;
    out->open = 1;
    out->n = n;
    for (size_t i = 0; i < n; i++)
        out->all[i] = (struct listed_server){.of = out, .tool = servers[i]};
    return (out->next = loop_soon(l, on_next, out, e)) ? TAKE_PTR(out) : NULL;
}

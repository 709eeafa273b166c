/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_listing.c - asks one MCP server for its tools, from the loop. */
#include "tool/mcp/mcp_listing.h"

#include <string.h>

#include "tool/confinement.h"
#include "tool/mcp/mcp_hash.h"
#include "tool/mcp/mcp_spawn.h"
#include "tool/mcp/mcp_tools.h"

struct mcp_listing {
    struct loop *loop;
    const struct tool *tool;
    const struct mcp_listing_events *ev;
    void *arg;
    char *workspace;
    struct confinement confined;
    struct spawn how;
    struct mcp_session *session;
    struct mcp_tools list;
    struct watch *limit;
    int64_t limit_ms;
};

void
mcp_listing_terminate(struct mcp_listing *l)
{
    if (l && l->session)
        mcp_session_terminate(l->session);
}

void
mcp_listing_free(struct mcp_listing *l)
{
    if (!l)
        return;
    watch_free(l->limit);
    mcp_session_free(l->session);
    mcp_tools_done(&l->list);
    spawn_done(&l->how);
    confinement_done(&l->confined);
    free(l->workspace);
    free(l);
}

static void
on_ended(void *arg, unsigned events)
{
    struct mcp_listing *l = arg;

    (void)events;
    l->ev->ended(l->arg);
}

/* Reports the list, or why there is none, and ends the server. */
static void
finish_listing(struct mcp_listing *l, struct err *why)
{
    const struct seat *s = l->tool->server->seat;
    const struct buf *text = &l->list.text;
    CLEANUP(json_free_p) struct json *list = NULL;

    watch_free(l->limit);
    l->limit = NULL;
    if (why->code == ERR_NONE)
        list = json_parse(text->p, text->len, JSON_UNIQUE, why);
    if (list)
        mcp_tools_cache(s, l->tool->hash, &l->list);
    else
        mcp_tools_cache_error(s, l->tool->hash, why,
                              l->session ? mcp_session_era(l->session)
                                         : MCP_ERA_UNKNOWN);
    l->ev->listed(l->arg, list, list ? NULL : why);
    if (!l->session || mcp_session_end(l->session, on_ended, l, NULL) < 0)
        l->ev->ended(l->arg);
}

static void
on_ready(void *arg)
{
    struct mcp_listing *l = arg;
    struct err why = {0};

    if (mcp_tools_request(&l->list, l->session, &why) < 0)
        finish_listing(l, &why);
}

static void
on_answer(void *arg, const struct jsonrpc *m)
{
    struct mcp_listing *l = arg;
    struct err why = {0};

    if (mcp_tools_on_answer(&l->list, l->session, m, &why) != 0)
        finish_listing(l, &why);
}

static void
on_limit(void *arg, unsigned events)
{
    struct mcp_listing *l = arg;
    struct err why = {0};

    (void)events;
    err_set(&why, ERR_TIMEOUT, "did not list its tools within %g s",
            (double)l->limit_ms / 1000);
    mcp_session_explain(l->session, &why);
    finish_listing(l, &why);
}

static int start_listed_server(struct mcp_listing *l, enum mcp_era era,
                               struct err *e);

/* It is started anew, for the handshake. */
static void
on_died(void *arg, unsigned events)
{
    struct mcp_listing *l = arg;
    struct err why = {0};

    (void)events;
    mcp_session_free(TAKE_PTR(l->session));
    if (start_listed_server(l, MCP_ERA_HANDSHAKE, &why) < 0)
        finish_listing(l, &why);
}

static void
on_gone(void *arg, struct err *why)
{
    struct mcp_listing *l = arg;

    if (!mcp_session_may_shake(l->session) ||
        mcp_session_end(l->session, on_died, l, NULL) < 0)
        finish_listing(l, why);
}

static int
start_listed_server(struct mcp_listing *l, enum mcp_era era, struct err *e)
{
    static const struct mcp_session_events events = {
        .ready = on_ready, .answer = on_answer, .gone = on_gone};
    const struct mcp_session_params params = {
        .server = l->tool->server,
        .how = &l->how,
        .workspace = l->confined.setup.spec.workspace,
        .era = era};

    l->session = mcp_session_new(l->loop, &params, e);
    if (!l->session)
        return -1;
    mcp_session_set_events(l->session, &events, l);
    return 0;
}

static int
start_listing(struct mcp_listing *l, const struct config *c, struct err *e)
{
    const struct mcp_server *m = l->tool->server;
    const struct confinement_params params = {.tool = l->tool,
                                              .seat = m->seat,
                                              .workspace = l->workspace,
                                              .config = c};

    if (mcp_hash_check(m, l->tool->hash, e) < 0 ||
        confinement_fill(&params, &l->confined, e) < 0 ||
        mcp_spawn_prepare(&l->how, m, &l->confined.setting, e) < 0 ||
        !(l->limit = loop_timer(l->loop, l->limit_ms, on_limit, l, e)))
        return -1;
    return start_listed_server(l, mcp_tools_read_era(m->seat, l->tool->hash),
                               e);
}

struct mcp_listing *
mcp_listing_start(struct loop *l, const struct mcp_listing_params *p,
                  const struct mcp_listing_events *ev, void *arg, struct err *e)
{
    const struct seat *s = p->tool->server->seat;
    const char *dir = p->workspace ? p->workspace : seat_dir(s);
    CLEANUP(mcp_listing_free_p) struct mcp_listing *out = NULL;
    struct err why = {0};

    if (!(out = calloc(1, sizeof(*out)))) {
        err_nomem(e);
        return NULL;
    }
    *out = (struct mcp_listing){.loop = l,
                                .tool = p->tool,
                                .ev = ev,
                                .arg = arg,
                                .limit_ms = p->limit_ms};
    out->workspace = dir ? strdup(dir) : NULL;
    if (start_listing(out, p->config, &why) == 0)
        return TAKE_PTR(out);
    mcp_tools_cache_error(s, p->tool->hash, &why, MCP_ERA_UNKNOWN);
    if (e)
        *e = why;
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_mcp.c - agentsh mcp: a server of the Model Context Protocol. */
#include "server/mcp/mcp_http_server.h"
#include "server/server_commands.h"
#include "server/server_http.h"
#include "server/server_listen.h"
#include "server/server_token.h"
#include "server/service.h"

struct mcp_run {
    struct service service;
    struct server_listen listen;
    struct buf token;
    struct mcp_service *mcp; /* on standard input and output; or */
    struct mcp_http_server *http;
};

static void
mcp_run_done(struct mcp_run *r)
{
    mcp_service_free(r->mcp);
    mcp_http_server_free(r->http);
    service_done(&r->service);
    buf_done(&r->token);
}

static void
stop_mcp(void *arg)
{
    const struct mcp_run *r = arg;

    if (r->http)
        mcp_http_server_stop(r->http);
    else
        mcp_service_stop(r->mcp);
}

static int
open_mcp_server(struct mcp_run *r, const struct mcp_service_setup *service,
                const struct options *o, struct err *e)
{
    struct mcp_http_server_setup set = {
        .service = *service,
        .listen = r->listen.at,
        .token = r->token.len > 0 ? r->token.p : NULL,
        .origins = o->allow_origin,
        .max_connections = SERVER_HTTP_CONNECTIONS};

    if (server_listen_connections(o->max_connections, &set.max_connections, e) <
        0)
        return -1;
    r->http = mcp_http_server_new(&set, e);
    return r->http ? 0 : -1;
}

static int
open_mcp_run(struct mcp_run *r, const struct command_args *c, struct err *e)
{
    const struct options *o = &c->options;
    struct mcp_service_setup set = {.loop = c->app->loop,
                                    .seat = c->app->seat,
                                    .policy = o->policy,
                                    .log = service_log,
                                    .ended = service_over,
                                    .arg = &r->service};

    server_listen_choose(&r->listen, c->app->seat, o->listen);
    if (r->listen.n == 0 &&
        (o->token_file || o->allow_origin || o->max_connections))
        return err_set(e, ERR_USAGE,
                       "--token-file, --allow-origin and --max-connections go "
                       "with --listen");
    if (server_token_read(o->token_file, &r->token, e) < 0 ||
        service_open(&r->service, c->app, "agentsh mcp", stop_mcp, r, e) < 0)
        return -1;
    set.config = c->app->config;
    set.journal = service_journal(&r->service);
    if (r->listen.n > 0)
        return open_mcp_server(r, &set, o, e);
    set.in = r->listen.in;
    set.out = r->listen.out;
    r->mcp = mcp_service_new(&set, e);
    return r->mcp ? 0 : -1;
}

int
cmd_run_mcp(struct command_args *c)
{
    CLEANUP(mcp_run_done) struct mcp_run r = {0};
    struct err e = {0};
    int status;

    r.token = buf_of_secret(SERVER_TOKEN_MAX);
    if (c->n > 0) {
        err_set(&e, ERR_USAGE, "mcp takes no words");
        return app_fail(c->app, &e);
    }
    if (open_mcp_run(&r, c, &e) < 0 ||
        (status = service_run(&r.service, &e)) < 0)
        return app_fail(c->app, &e);
    return status;
}

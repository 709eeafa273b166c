/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_mcp.c - agentsh mcp: a server of the Model Context Protocol. */
#include "server/mcp/mcp_http_server.h"
#include "server/server_commands.h"
#include "server/server_options.h"
#include "server/service.h"

struct mcp_run {
    struct service service;
    struct server_options options;
    struct mcp_service *mcp; /* serves standard input and output; or */
    struct mcp_http_server *http;
};

static void
mcp_run_done(struct mcp_run *r)
{
    mcp_service_free(r->mcp);
    mcp_http_server_free(r->http);
    service_done(&r->service);
    server_options_done(&r->options);
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
load_mcp(void *arg, struct config *fresh, struct err *e)
{
    const struct mcp_run *r = arg;

    return mcp_http_server_load(r->http, fresh, e);
}

static int
open_mcp_server(struct mcp_run *r, const struct mcp_service_setup *service,
                const struct options *o, struct err *e)
{
    const struct mcp_http_server_setup set = {
        .service = *service,
        .options = &r->options,
        .authorization_server = o->authorization_server};

    r->http = mcp_http_server_new(&set, e);
    return r->http ? service_listens(&r->service, load_mcp, e) : -1;
}

static int
open_mcp_run(struct mcp_run *r, const struct command_args *c, struct err *e)
{
    static const struct server_options_defaults defaults = {
        .max_connections = SERVER_HTTP_CONNECTIONS};
    struct mcp_service_setup set = {.loop = c->app->loop,
                                    .seat = c->app->seat,
                                    .policy = c->options.policy,
                                    .log = service_log,
                                    .ended = service_over,
                                    .arg = &r->service};

    if (server_options_read(&r->options, &c->options, c->app->seat, &defaults,
                            e) < 0 ||
        service_open(&r->service, c->app, "agentsh mcp", stop_mcp, r, e) < 0)
        return -1;
    service_use_log(&r->service, c->options.log_format);
    set.config = c->app->config;
    set.journal = service_journal(&r->service);
    if (r->options.listen.n > 0)
        return open_mcp_server(r, &set, &c->options, e);
    set.in = r->options.listen.in;
    set.out = r->options.listen.out;
    r->mcp = mcp_service_new(&set, e);
    return r->mcp ? 0 : -1;
}

int
cmd_run_mcp(struct command_args *c)
{
    CLEANUP(mcp_run_done) struct mcp_run r = {0};
    struct err e = {0};
    int status;

    if (c->n > 0) {
        err_set(&e, ERR_USAGE, "mcp takes no words");
        return app_fail(c->app, &e);
    }
    if (open_mcp_run(&r, c, &e) < 0 ||
        (status = service_run(&r.service, &e)) < 0)
        return app_fail(c->app, &e);
    return status;
}

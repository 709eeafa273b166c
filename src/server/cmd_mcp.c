/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_mcp.c - agentsh mcp: a server of the Model Context Protocol. */
#include <unistd.h>

#include "server/mcp/mcp_service.h"
#include "server/server_commands.h"
#include "server/service.h"

struct mcp_run {
    struct service service;
    struct mcp_service *mcp;
};

static void
mcp_run_done(struct mcp_run *r)
{
    mcp_service_free(r->mcp);
    service_done(&r->service);
}

static void
stop_mcp(void *arg)
{
    const struct mcp_run *r = arg;

    mcp_service_stop(r->mcp);
}

static int
open_mcp_run(struct mcp_run *r, const struct command_args *c, struct err *e)
{
    struct mcp_service_setup set = {.loop = c->app->loop,
                                    .seat = c->app->seat,
                                    .policy = c->options.policy,
                                    .in = STDIN_FILENO,
                                    .out = STDOUT_FILENO,
                                    .log = service_log,
                                    .ended = service_over,
                                    .arg = &r->service};

    if (service_open(&r->service, c->app, "agentsh mcp", stop_mcp, r, e) < 0)
        return -1;
    set.config = c->app->config;
    set.journal = service_journal(&r->service);
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

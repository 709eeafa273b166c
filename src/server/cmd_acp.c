/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_acp.c - agentsh acp: the agent of the editor that starts it, or of the
 * editors that connect to its port. */
#include "record/session_writer.h"
#include "server/acp/acp.h"
#include "server/acp/acp_server.h"
#include "server/server_commands.h"
#include "server/server_options.h"
#include "server/service.h"

struct acp_run {
    struct service service;
    struct server_options options;
    struct acp *acp; /* serves standard input and output; or */
    struct acp_server *server;
    struct session_store *store;   /* NULL: no sessions are stored */
    struct session_writer *writer; /* NULL without --listen */
};

static void
acp_run_done(struct acp_run *r)
{
    acp_free(r->acp);
    acp_server_free(r->server);
    session_writer_free(r->writer);
    session_store_close(r->store);
    service_done(&r->service);
    server_options_done(&r->options);
}

static void
on_lost(void *arg, const struct err *why)
{
    struct acp_run *r = arg;

    service_log(&r->service, why->text);
}

static void
stop_acp(void *arg)
{
    const struct acp_run *r = arg;

    if (r->server)
        acp_server_stop(r->server);
    else
        acp_stop(r->acp);
}

/* Without the store sessions end with this process; the log says so. */
static void
open_acp_store(struct acp_run *r)
{
    struct app *a = r->service.app;
    struct err e = {0};

    if (!config_bool(a->config, CONFIG_RECORD_JOURNAL))
        return;
    r->store = session_store_open(&e);
    if (r->store)
        r->writer = session_writer_new(a->loop, r->store, on_lost, r, &e);
    if (!r->writer ||
        session_writer_expire(
            r->writer, config_int(a->config, CONFIG_RECORD_KEEP_DAYS), &e) < 0)
        service_log(&r->service, e.text);
}

static int
load_acp(void *arg, struct config *fresh, struct err *e)
{
    const struct acp_run *r = arg;

    return acp_server_load(r->server, fresh, e);
}

static int
open_acp_server(struct acp_run *r, const struct acp_agent_setup *agent,
                struct err *e)
{
    const struct acp_server_setup set = {.agent = *agent,
                                         .options = &r->options,
                                         .log_lost = service_log_lost,
                                         .ended = service_over};

    r->server = acp_server_new(&set, e);
    return r->server ? service_listens(&r->service, load_acp, e) : -1;
}

static int
open_acp_run(struct acp_run *r, const struct command_args *c, struct err *e)
{
    static const struct server_options_defaults defaults = {
        .max_connections = SERVER_HTTP_CONNECTIONS};
    struct acp_agent_setup agent = {.loop = c->app->loop,
                                    .seat = c->app->seat,
                                    .policy = c->options.policy,
                                    .log = service_log,
                                    .arg = &r->service};
    struct acp_setup set = {.ended = service_over};

    if (server_options_read(&r->options, &c->options, c->app->seat, &defaults,
                            e) < 0 ||
        service_open(&r->service, c->app, "agentsh acp", stop_acp, r, e) < 0)
        return -1;
    service_use_log(&r->service, c->options.log_format);
    open_acp_store(r);
    agent.config = c->app->config;
    agent.journal = service_journal(&r->service);
    agent.store = r->writer;
    if (r->options.listen.n > 0)
        return open_acp_server(r, &agent, e);
    set.agent = agent;
    set.in = r->options.listen.in;
    set.out = r->options.listen.out;
    r->acp = acp_new(&set, e);
    return r->acp ? 0 : -1;
}

int
cmd_run_acp(struct command_args *c)
{
    CLEANUP(acp_run_done) struct acp_run r = {0};
    struct err e = {0};
    int status;

    if (c->n > 0) {
        err_set(&e, ERR_USAGE, "acp takes no words");
        return app_fail(c->app, &e);
    }
    if (open_acp_run(&r, c, &e) < 0 ||
        (status = service_run(&r.service, &e)) < 0)
        return app_fail(c->app, &e);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_acp.c - agentsh acp: the agent of an editor that starts it. */
#include <unistd.h>

#include "record/session_writer.h"
#include "server/acp/acp.h"
#include "server/server_commands.h"
#include "server/service.h"

struct acp_run {
    struct service service;
    struct acp *acp;
    struct session_store *store;   /* NULL: none is kept */
    struct session_writer *writer; /* NULL without it */
};

static void
acp_run_done(struct acp_run *r)
{
    acp_free(r->acp);
    session_writer_free(r->writer);
    session_store_close(r->store);
    service_done(&r->service);
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

    acp_stop(r->acp);
}

/* Without the store sessions live as long as this process, which is said in the
 * log. */
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
open_acp_run(struct acp_run *r, const struct command_args *c, struct err *e)
{
    struct acp_setup set = {.loop = c->app->loop,
                            .seat = c->app->seat,
                            .policy = c->options.policy,
                            .in = STDIN_FILENO,
                            .out = STDOUT_FILENO,
                            .log = service_log,
                            .ended = service_over,
                            .arg = &r->service};

    if (service_open(&r->service, c->app, "agentsh acp", stop_acp, r, e) < 0)
        return -1;
    open_acp_store(r);
    set.config = c->app->config;
    set.journal = service_journal(&r->service);
    set.store = r->writer;
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

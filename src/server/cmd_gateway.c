/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_gateway.c - agentsh gateway: tasks, and the agents that do them. */
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "record/session_writer.h"
#include "server/acp/acp_port.h"
#include "server/gateway/gateway.h"
#include "server/server_commands.h"
#include "server/server_options.h"
#include "server/server_policy.h"
#include "server/service.h"

#define USUAL_ADDRESS   "127.0.0.1:8080"
#define USUAL_RETENTION "90d"

struct gateway_run {
    struct service service;
    struct server_options options;
    struct gateway *gateway;
    /* the agent for editors, at /acp; opened by the first connection */
    struct gateway_mount mount;
    struct acp_port *editors;
    struct session_store *store; /* its sessions; NULL: they are not stored */
    struct session_writer *writer;
    const char *policy; /* of their sessions; NULL: the person's */
    bool editors_over;
};

static void
gateway_run_done(struct gateway_run *r)
{
    acp_port_free(r->editors);
    gateway_free(r->gateway);
    session_writer_free(r->writer);
    session_store_close(r->store);
    service_done(&r->service);
    server_options_done(&r->options);
}

static void
on_session_lost(void *arg, const struct err *why)
{
    struct gateway_run *r = arg;

    service_log(&r->service, why->text);
}

static void
open_editors(struct gateway_run *r, struct err *e)
{
    struct app *a = r->service.app;
    struct acp_agent_setup set = {.loop = a->loop,
                                  .seat = a->seat,
                                  .config = a->config,
                                  .policy = r->policy,
                                  .journal = service_journal(&r->service),
                                  .log = service_log,
                                  .arg = &r->service};

    if (config_bool(a->config, CONFIG_RECORD_JOURNAL) && !r->store &&
        (r->store = session_store_open(e)))
        r->writer = session_writer_new(a->loop, r->store, on_session_lost, r,
                                       e);
    if (e->code != ERR_NONE)
        service_log(&r->service, e->text);
    set.store = r->writer;
    r->editors = acp_port_new(&set, e);
}

static void
on_editor_request(void *arg, struct server_http *h, struct http_connection *c)
{
    struct gateway_run *r = arg;
    struct err e = {0};

    if (!r->editors)
        open_editors(r, &e);
    if (r->editors)
        acp_port_request(r->editors, h, c);
    else
        http_answer_text(c, 503, NULL, e.text);
}

static void
put_editor_metrics(void *arg, struct buf *out)
{
    const struct gateway_run *r = arg;

    if (r->editors)
        acp_port_put_metrics(r->editors, out);
}

static bool
are_editors_over(void *arg)
{
    const struct gateway_run *r = arg;

    return !r->editors || r->editors_over;
}

static void
on_editors_over(void *arg)
{
    struct gateway_run *r = arg;

    r->editors_over = true;
}

static void
stop_gateway(void *arg)
{
    struct gateway_run *r = arg;

    if (r->editors)
        acp_port_stop(r->editors, on_editors_over, r);
    gateway_stop(r->gateway);
}

/* The editors' agent reads it when the first of them comes; that it can be read
 * is seen now. */
static int
check_editor_policy(const struct gateway_run *r, const struct seat *s,
                    struct err *e)
{
    CLEANUP(policy_free_p)
    struct policy *p = server_policy_load(r->policy, s, e);

    return p ? 0 : -1;
}

static int
load_gateway(void *arg, struct config *fresh, struct err *e)
{
    const struct gateway_run *r = arg;

    if (r->editors ? acp_port_load(r->editors, fresh, e) < 0
                   : check_editor_policy(r, r->service.app->seat, e) < 0)
        return -1;
    return gateway_load(r->gateway, fresh, e);
}

static int
read_max_agents(const char *text, unsigned *out, struct err *e)
{
    char *end;
    long n;

    if (!text)
        return 0;
    n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > GATEWAY_AGENTS_MOST)
        return err_set(e, ERR_USAGE, "--max-agents is from 1 to %d",
                       GATEWAY_AGENTS_MOST);
    *out = (unsigned)n;
    return 0;
}

/* NULL: the usual time. */
static int
read_retention(const char *text, int64_t *out, struct err *e)
{
    if (text && strcmp(text, "forever") == 0) {
        *out = 0;
        return 0;
    }
    if (duration_read(text ? text : USUAL_RETENTION, out, e) == 0)
        return 0;
    err_wrap(e, "--retain (or forever)");
    if (e)
        e->code = ERR_USAGE;
    return -1;
}

static int
read_approval_expiry(const char *text, int64_t *out, struct err *e)
{
    if (text && duration_read(text, out, e) < 0) {
        err_wrap(e, "--approval-expiry");
        if (e)
            e->code = ERR_USAGE;
        return -1;
    }
    return 0;
}

static int
open_gateway_run(struct gateway_run *r, const struct command_args *c,
                 struct err *e)
{
    static const struct server_options_defaults defaults = {
        .listen = USUAL_ADDRESS, .max_connections = SERVER_HTTP_CONNECTIONS};
    struct gateway_setup set = {.loop = c->app->loop,
                                .seat = c->app->seat,
                                .options = &r->options,
                                .mount = &r->mount,
                                .max_agents = GATEWAY_AGENTS_USUAL,
                                .nats = c->options.nats,
                                .log = service_log,
                                .log_lost = service_log_lost,
                                .ended = service_over,
                                .arg = &r->service};

    r->policy = c->options.policy;
    if (server_options_read(&r->options, &c->options, c->app->seat, &defaults,
                            e) < 0 ||
        read_max_agents(c->options.max_agents, &set.max_agents, e) < 0 ||
        read_approval_expiry(c->options.approval_expiry, &set.approval_ms, e) <
            0 ||
        read_retention(c->options.retain, &set.retain_ms, e) < 0 ||
        (r->policy && check_editor_policy(r, c->app->seat, e) < 0) ||
        service_open(&r->service, c->app, "agentsh gateway", stop_gateway, r,
                     e) < 0)
        return -1;
    service_use_log(&r->service, c->options.log_format);
    r->mount = (struct gateway_mount){.path = ACP_PORT_PATH,
                                      .methods = ACP_PORT_METHODS,
                                      .request = on_editor_request,
                                      .metrics = put_editor_metrics,
                                      .is_over = are_editors_over,
                                      .arg = r};
    set.config = c->app->config;
    set.journal = service_journal(&r->service);
    r->gateway = gateway_new(&set, e);
    return r->gateway ? service_listens(&r->service, load_gateway, e) : -1;
}

int
cmd_run_gateway(struct command_args *c)
{
    CLEANUP(gateway_run_done) struct gateway_run r = {0};
    struct err e = {0};
    int status;

    if (c->n > 0) {
        err_set(&e, ERR_USAGE, "gateway takes no words");
        return app_fail(c->app, &e);
    }
    if (open_gateway_run(&r, c, &e) < 0 ||
        (status = service_run(&r.service, &e)) < 0)
        return app_fail(c->app, &e);
    return status;
}

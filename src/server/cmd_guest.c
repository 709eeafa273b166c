/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_guest.c - agentsh guest: run commands and move files for a peer. */
#include "base/duration.h"
#include "server/guest/guest.h"
#include "server/server_commands.h"
#include "server/server_listen.h"
#include "server/server_policy.h"
#include "server/server_token.h"
#include "server/service.h"

struct guest_run {
    struct service service;
    struct guest *guest;
    struct policy *policy; /* NULL: everything is allowed */
    struct buf token;
    struct guest_setup set;
    struct server_listen listen;
};

static void
guest_run_done(struct guest_run *r)
{
    guest_free(r->guest);
    service_done(&r->service);
    policy_free(r->policy);
    buf_done(&r->token);
}

static void
stop_guest(void *arg)
{
    const struct guest_run *r = arg;

    guest_stop(r->guest);
}

static int
read_guest_limits(struct guest_setup *set, const struct options *o,
                  struct err *e)
{
    if (o->exec_timeout &&
        duration_read(o->exec_timeout, &set->exec_timeout_ms, e) < 0) {
        e->code = ERR_USAGE;
        return err_wrap(e, "--exec-timeout");
    }
    set->max_connections = GUEST_CONNECTIONS_MAX;
    return server_listen_connections(o->max_connections, &set->max_connections,
                                     e);
}

static int
open_guest_run(struct guest_run *r, const struct command_args *c, struct err *e)
{
    const struct options *o = &c->options;

    r->set.loop = c->app->loop;
    r->set.seat = c->app->seat;
    r->set.profile = o->profile;
    r->set.root = o->root;
    r->set.log = service_log;
    r->set.ended = service_over;
    r->set.arg = &r->service;
    server_listen_choose(&r->listen, c->app->seat, o->listen);
    r->set.in = r->listen.in;
    r->set.out = r->listen.out;
    r->set.listen = r->listen.n > 0 ? r->listen.at : NULL;
    if (server_token_read(o->token_file, &r->token, e) < 0 ||
        read_guest_limits(&r->set, o, e) < 0 ||
        (o->policy &&
         !(r->policy = server_policy_load(o->policy, c->app->seat, e))) ||
        service_open(&r->service, c->app, "agentsh guest", stop_guest, r, e) <
            0)
        return -1;
    r->set.token = r->token.len > 0 ? r->token.p : NULL;
    r->set.policy = r->policy;
    r->set.config = c->app->config;
    r->set.journal = service_journal;
    r->guest = guest_new(&r->set, e);
    return r->guest ? 0 : -1;
}

int
cmd_run_guest(struct command_args *c)
{
    CLEANUP(guest_run_done) struct guest_run r = {0};
    struct err e = {0};
    int status;

    r.token = buf_of_secret(SERVER_TOKEN_MAX);
    if (c->n > 0) {
        err_set(&e, ERR_USAGE, "guest takes no words");
        return app_fail(c->app, &e);
    }
    if (open_guest_run(&r, c, &e) < 0 ||
        (status = service_run(&r.service, &e)) < 0)
        return app_fail(c->app, &e);
    return status;
}

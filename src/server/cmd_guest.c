/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_guest.c - agentsh guest: run commands and move files for a peer. */
#include "base/duration.h"
#include "server/guest/guest.h"
#include "server/server_commands.h"
#include "server/server_options.h"
#include "server/server_policy.h"
#include "server/server_token.h"
#include "server/service.h"

struct guest_run {
    struct service service;
    struct guest *guest;
    const char *rules;     /* --policy; NULL: everything is allowed */
    struct policy *policy; /* when the process started */
    struct guest_setup set;
    struct server_options options;
};

static void
guest_run_done(struct guest_run *r)
{
    guest_free(r->guest);
    service_done(&r->service);
    policy_free(r->policy);
    server_options_done(&r->options);
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
    return 0;
}

static int
load_guest(void *arg, struct config *fresh, struct err *e)
{
    struct guest_run *r = arg;
    CLEANUP(policy_free_p) struct policy *policy = NULL;

    if (r->rules && !(policy = server_policy_load(r->rules, r->set.seat, e)))
        return -1;
    return guest_load(r->guest, fresh, policy, e);
}

static int
open_guest_run(struct guest_run *r, const struct command_args *c, struct err *e)
{
    static const struct server_options_defaults defaults = {
        .max_connections = GUEST_CONNECTIONS_MAX, .token_without_listen = true};
    const struct options *o = &c->options;
    const struct server_listen *listen;

    r->set.loop = c->app->loop;
    r->set.seat = c->app->seat;
    r->set.profile = o->profile;
    r->set.root = o->root;
    r->rules = o->policy;
    r->set.log = service_log;
    r->set.ended = service_over;
    r->set.arg = &r->service;
    if (server_options_read(&r->options, o, c->app->seat, &defaults, e) < 0 ||
        read_guest_limits(&r->set, o, e) < 0 ||
        (o->policy &&
         !(r->policy = server_policy_load(o->policy, c->app->seat, e))) ||
        service_open(&r->service, c->app, "agentsh guest", stop_guest, r, e) <
            0)
        return -1;
    service_use_log(&r->service, o->log_format);
    listen = &r->options.listen;
    r->set.in = listen->in;
    r->set.out = listen->out;
    r->set.listen = listen->n > 0 ? listen->at : NULL;
    r->set.max_connections = r->options.max_connections;
    r->set.token = server_options_token(&r->options);
    server_token_log_seen(r->options.token_seen, service_log, &r->service);
    r->set.tls_cert = r->options.tls_cert;
    r->set.tls_key = r->options.tls_key;
    r->set.policy = r->policy;
    r->set.config = c->app->config;
    r->set.journal = service_journal;
    r->guest = guest_new(&r->set, e);
    if (!r->guest)
        return -1;
    return listen->n > 0 ? service_listens(&r->service, load_guest, e) : 0;
}

int
cmd_run_guest(struct command_args *c)
{
    CLEANUP(guest_run_done) struct guest_run r = {0};
    struct err e = {0};
    int status;

    if (c->n > 0) {
        err_set(&e, ERR_USAGE, "guest takes no words");
        return app_fail(c->app, &e);
    }
    if (open_guest_run(&r, c, &e) < 0 ||
        (status = service_run(&r.service, &e)) < 0)
        return app_fail(c->app, &e);
    return status;
}

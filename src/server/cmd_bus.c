/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_bus.c - agentsh bus: carry messages between agents. */
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/str.h"
#include "server/bus/bus.h"
#include "server/server_commands.h"
#include "server/service.h"

#define KEEP_MOST 10000000 /* messages of a topic */

struct bus_run {
    struct service service;
    struct server_options options;
    struct bus *bus;
};

static void
bus_run_done(struct bus_run *r)
{
    bus_free(r->bus);
    service_done(&r->service);
    server_options_done(&r->options);
}

static void
stop_bus(void *arg)
{
    const struct bus_run *r = arg;

    bus_stop(r->bus);
}

/* A number of messages, or a duration. */
static int
read_keep(const char *text, struct bus_setup *set, struct err *e)
{
    size_t digits = text ? strspn(text, "0123456789") : 0;
    long long n;

    if (!text)
        return 0;
    set->keeps = true;
    if (text[digits] || digits == 0) {
        if (duration_read(text, &set->keep.age_ms, e) == 0)
            return 0;
        e->code = ERR_USAGE;
        return err_wrap(e, "--keep, a number of messages or a duration");
    }
    n = digits < 10 ? strtoll(text, NULL, 10) : 0;
    if (n < 1 || n > KEEP_MOST)
        return err_set(e, ERR_USAGE, "--keep is from 1 to %d messages",
                       KEEP_MOST);
    set->keep.messages = (uint64_t)n;
    return 0;
}

static int
load_bus(void *arg, struct config *fresh, struct err *e)
{
    const struct bus_run *r = arg;

    (void)fresh;
    return bus_load(r->bus, e);
}

/* The NATS library would try a URL of another scheme for ever. */
static int
check_nats(const char *url, struct err *e)
{
    if (!url || str_begins(url, "nats://") || str_begins(url, "tls://"))
        return 0;
    return err_set(e, ERR_USAGE, "--nats %.100s: it is nats://HOST:PORT", url);
}

static int
open_bus_run(struct bus_run *r, const struct command_args *c, struct err *e)
{
    static const struct server_options_defaults defaults = {
        .listen = BUS_LISTEN, .max_connections = BUS_CONNECTIONS};
    struct bus_setup set = {.loop = c->app->loop,
                            .options = &r->options,
                            .nats = c->options.nats,
                            .lifecycle = c->options.lifecycle,
                            .log = service_log,
                            .log_lost = service_log_lost,
                            .ended = service_over,
                            .arg = &r->service};

    if (read_keep(c->options.keep, &set, e) < 0 ||
        check_nats(c->options.nats, e) < 0 ||
        server_options_read(&r->options, &c->options, c->app->seat, &defaults,
                            e) < 0 ||
        service_open(&r->service, c->app, "agentsh bus", stop_bus, r, e) < 0)
        return -1;
    service_use_log(&r->service, c->options.log_format);
    r->bus = bus_new(&set, e);
    return r->bus ? service_listens(&r->service, load_bus, e) : -1;
}

int
cmd_run_bus(struct command_args *c)
{
    CLEANUP(bus_run_done) struct bus_run r = {0};
    struct err e = {0};
    int status;

    if (c->n > 0) {
        err_set(&e, ERR_USAGE, "bus takes no words, but pub and sub");
        return app_fail(c->app, &e);
    }
    if (open_bus_run(&r, c, &e) < 0 ||
        (status = service_run(&r.service, &e)) < 0)
        return app_fail(c->app, &e);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_command.c - what agentsh spaces and agentsh approvals share. */
#include "server/spaces_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/passwd.h"
#include "server/server_policy.h"

static void
stop_spaces(void *arg)
{
    const struct spaces_command *r = arg;

    if (r->spaces)
        spaces_stop(r->spaces);
    else
        service_over(arg);
}

static void
find_person(struct spaces_command *r)
{
    struct passwd_user user;

    if (passwd_find_uid(getuid(), &user))
        snprintf(r->by, sizeof(r->by), "%.40s", user.name);
    else
        snprintf(r->by, sizeof(r->by), "uid %ld", (long)getuid());
}

int
spaces_command_open(struct spaces_command *r, struct command_args *c,
                    const char *name, bool store, struct err *e)
{
    find_person(r);
    if (service_open(&r->service, c->app, name, stop_spaces, r, e) < 0)
        return -1;
    service_use_log(&r->service, c->options.log_format);
    (void)service_journal(&r->service);
    if (store && !(r->store = spaces_store_open(
                       config_int(c->app->config, CONFIG_RECORD_KEEP_DAYS), e)))
        return -1;
    return 0;
}

void
spaces_command_done(struct spaces_command *r)
{
    if (!r)
        return;
    spaces_free(r->spaces);
    spaces_store_close(r->store);
    free(r->policy);
    free(r->workspace);
    if (r->in >= 0)
        close(r->in);
    service_done(&r->service);
}

/* Makes a file's name absolute, so that a later process in another directory
 * finds it. */
static void
take_policy(struct spaces_command *r, const struct command_args *c)
{
    const char *option = c->options.policy;

    if (!option)
        return;
    free(r->policy);
    r->policy = server_policy_is_preset(option)
                    ? strdup(option)
                    : seat_resolve(c->app->seat, option);
}

struct spaces_setup
spaces_command_setup(struct spaces_command *r, struct command_args *c)
{
    take_policy(r, c);
    return (struct spaces_setup){
        .loop = c->app->loop,
        .seat = c->app->seat,
        .config = c->app->config,
        .journal = r->service.journal,
        .workspace = c->options.workspace ? c->options.workspace : r->workspace,
        .policy = r->policy,
        .in = -1,
        .out = STDOUT_FILENO,
        .log = service_log,
        .ended = service_over,
        .arg = &r->service};
}

int
spaces_command_run(struct spaces_command *r, struct err *e)
{
    int status = service_run(&r->service, e);

    return status != 0 ? status : spaces_exit_status(r->spaces);
}

/* A run goes on by the rules and in the workspace that it began with. */
static void
on_found(void *arg, const struct spaces_approval *a)
{
    struct spaces_command *r = arg;

    r->workspace = strdup(a->workspace);
    if (a->policy[0])
        r->policy = strdup(a->policy);
}

int
spaces_command_go_on(struct spaces_command *r, struct command_args *c,
                     const struct spaces_resume *resume, struct err *e)
{
    struct spaces_setup set;

    if (spaces_store_show(r->store, resume->run, on_found, r, e) < 0)
        return -1;
    set = spaces_command_setup(r, c);
    set.store = r->store;
    if (!(r->spaces = spaces_new(&set, e)))
        return -1;
    r->store = NULL;
    if (spaces_go_on(r->spaces, resume, e) < 0)
        return -1;
    return spaces_command_run(r, e);
}

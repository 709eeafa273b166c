/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl_main.c - the program agentctl: the sidecar of an agent. */
#include <signal.h>
#include <sys/prctl.h>

#include "base/fd.h"
#include "server/agentctl/agentctl.h"
#include "server/server_options.h"
#include "server/service.h"
#include "ui/options.h"

#define NAME     "agentctl"
#define HELP_MAX 16384

struct agentctl_run {
    struct service service;
    struct agentctl_settings settings;
    struct server_options options;
    struct agentctl *agentctl;
};

static void
agentctl_run_done(struct agentctl_run *r)
{
    agentctl_free(r->agentctl);
    service_done(&r->service);
    agentctl_settings_done(&r->settings);
    server_options_done(&r->options);
}

static void
stop_agentctl(void *arg)
{
    const struct agentctl_run *r = arg;

    agentctl_stop(r->agentctl);
}

static int
load_agentctl(void *arg, struct config *fresh, struct err *e)
{
    const struct agentctl_run *r = arg;

    (void)fresh;
    return agentctl_load(r->agentctl, e);
}

static void
log_agentctl(void *service, enum agentctl_level level, const char *line)
{
    static const enum server_log_level levels[] = {
        SERVER_LOG_INFO, SERVER_LOG_INFO, SERVER_LOG_WARNING, SERVER_LOG_ERROR};

    service_notice(service, levels[level], line, NULL);
}

/* An empty name would be no token, and so an open port: whoever set the
 * variable meant to close it. */
static int
choose_token_file(struct options *o, const char *variable, struct err *e)
{
    if (o->token_file || !variable)
        return 0;
    if (!*variable)
        return err_set(e, ERR_USAGE,
                       "AGENTCTL_TOKEN_FILE is set, but empty. To do: have it "
                       "name the file of the token, or unset it");
    o->token_file = variable;
    return 0;
}

static int
open_agentctl_run(struct agentctl_run *r, struct app *a, struct options *o,
                  struct err *e)
{
    const struct agentctl_setup set = {.loop = a->loop,
                                       .seat = a->seat,
                                       .settings = &r->settings,
                                       .options = &r->options,
                                       .log = log_agentctl,
                                       .log_lost = service_log_lost,
                                       .ended = service_over,
                                       .arg = &r->service};
    struct server_options_defaults defaults = {
        .max_connections = SERVER_HTTP_CONNECTIONS};

    if (agentctl_settings_read(&r->settings, a->seat, e) < 0)
        return -1;
    defaults.listen = r->settings.listen;
    if (choose_token_file(o, r->settings.token_file, e) < 0 ||
        server_options_read(&r->options, o, a->seat, &defaults, e) < 0 ||
        service_open(&r->service, a, NAME, stop_agentctl, r, e) < 0)
        return -1;
    service_use_log(&r->service, o->log_format);
    r->agentctl = agentctl_new(&set, e);
    return r->agentctl ? service_listens(&r->service, load_agentctl, e) : -1;
}

static void
print_agentctl_help(struct app *a)
{
    CLEANUP_BUF struct buf out = buf_of(HELP_MAX);

    buf_str(&out, "Usage: " NAME " [option...]");
    buf_str(&out, "\n\nrun an agent, and pass on its messages by HTTP\n"
                  "\nOptions\n");
    options_help(&out, FOR_HTTP, a->result.plain);
    buf_ch(&out, '\n');
    buf_str(&out, "The manual: man " NAME "\n");
    app_put_result(a, &out);
}

static int
run_agentctl(struct app *a, int argc, char **argv)
{
    CLEANUP(agentctl_run_done) struct agentctl_run r = {0};
    struct options o = {0};
    struct err e = {0};
    int at = 0, status = 0;

    if (options_read((const char *const *)argv + 1, argc - 1, &at, FOR_HTTP, &o,
                     &e) < 0)
        return app_fail(a, &e);
    if (o.help) {
        print_agentctl_help(a);
    } else if (o.version) {
        CLEANUP_BUF struct buf out = buf_of(HELP_MAX);

        buf_str(&out, PACKAGE_STRING "\n");
        app_put_result(a, &out);
    } else if (at < argc - 1) {
        err_set(&e, ERR_USAGE,
                "%.100s: only options are taken, no words (" NAME " --help)",
                argv[at + 1]);
        return app_fail(a, &e);
    } else if (open_agentctl_run(&r, a, &o, &e) < 0 ||
               (status = service_run(&r.service, &e)) < 0) {
        return app_fail(a, &e);
    }
    return status;
}

int
main(int argc, char **argv)
{
    struct app a;
    struct err e = {0};
    int status;

    if (fd_fill_standard(NULL) < 0)
        return 1;
    /* as in agentsh-front: proc(5), ptrace(2) */
    (void)prctl(PR_SET_DUMPABLE, 0);
    (void)signal(SIGPIPE,
                 SIG_IGN); /* a reader that has gone is an error of write(2) */
    if (app_init(&a, NAME, false, &e) < 0)
        status = app_fail(&a, &e);
    else
        status = app_exit_status(&a, run_agentctl(&a, argc, argv));
    app_done(&a);
    return status;
}

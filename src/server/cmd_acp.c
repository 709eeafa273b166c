/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_acp.c - agentsh acp: the agent of an editor that starts it. */
#include "server/cmd_acp.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "record/session_writer.h"
#include "server/acp/acp.h"
#include "server/server_log.h"

#define REPORT_MS 100 /* for who reads the log, at the end */

struct acp_run {
    struct app *app;
    struct server_log *log;
    struct acp *acp;
    struct journal *journal;       /* NULL: none is kept */
    struct session_store *store;   /* the same */
    struct session_writer *writer; /* NULL without it */
    struct watch *term, *interrupt, *hup;
    int signal; /* that ends it; 0: none */
};

static void
acp_run_done(struct acp_run *r)
{
    watch_free(r->term);
    watch_free(r->interrupt);
    watch_free(r->hup);
    acp_free(r->acp);
    session_writer_free(r->writer);
    session_store_close(r->store);
    journal_close(r->journal);
    server_log_free(r->log);
}

static void
on_log(void *arg, const char *line)
{
    const struct acp_run *r = arg;

    server_log_line(r->log, line);
}

static void
on_lost(void *arg, const struct err *why)
{
    const struct acp_run *r = arg;

    server_log_line(r->log, why->text);
}

static void
on_ended(void *arg)
{
    const struct acp_run *r = arg;

    loop_stop(r->app->loop);
}

static void
on_signal(void *arg, unsigned signo)
{
    struct acp_run *r = arg;

    r->signal = (int)signo;
    acp_stop(r->acp);
}

/* Without the journal nothing is recorded, as `ai` has it; without the store
 * sessions live as long as this process. Both are said in the log. */
static void
open_records(struct acp_run *r)
{
    const struct config *c = r->app->config;
    struct err e = {0};

    if (!config_bool(c, CONFIG_RECORD_JOURNAL))
        return;
    r->journal = journal_open_shared(r->app->loop,
                                     config_int(c, CONFIG_RECORD_KEEP_DAYS),
                                     config_int(c, CONFIG_RECORD_KEEP_MB), &e);
    if (!r->journal) {
        err_wrap(&e, "nothing is recorded (agentsh doctor)");
        server_log_line(r->log, e.text);
    }
    r->store = session_store_open(&e);
    if (r->store)
        r->writer = session_writer_new(r->app->loop, r->store, on_lost, r, &e);
    if (!r->writer ||
        session_writer_expire(r->writer, config_int(c, CONFIG_RECORD_KEEP_DAYS),
                              &e) < 0)
        server_log_line(r->log, e.text);
}

static int
open_acp_run(struct acp_run *r, const char *policy, struct err *e)
{
    struct app *a = r->app;
    struct acp_setup set = {.loop = a->loop,
                            .seat = a->seat,
                            .policy = policy,
                            .in = STDIN_FILENO,
                            .out = STDOUT_FILENO,
                            .log = on_log,
                            .ended = on_ended,
                            .arg = r};

    loop_share(a->loop);
    if (app_config(a, e) < 0 ||
        !(r->log = server_log_new(a->loop, "agentsh acp", e)))
        return -1;
    set.config = a->config;
    open_records(r);
    set.journal = r->journal;
    set.store = r->writer;
    if (!(r->acp = acp_new(&set, e)) ||
        !(r->term = loop_signal(a->loop, SIGTERM, on_signal, r, e)) ||
        !(r->interrupt = loop_signal(a->loop, SIGINT, on_signal, r, e)) ||
        !(r->hup = loop_signal(a->loop, SIGHUP, on_signal, r, e)))
        return -1;
    return 0;
}

/* The callback is a place in this program, as addr2line(1) takes it. */
static void
log_hold(const struct acp_run *r, const char *by, struct loop_hold hold)
{
    CLEANUP_BUF struct buf b = buf_of(256);
    Dl_info info = {0};
    uintptr_t at;

    memcpy(&at, &hold.cb, sizeof(at)); /* a function's address as a number */
    if (!hold.cb || !dladdr((const void *)at, &info))
        return;
    buf_printf(&b, "the loop was held for %" PRId64 " us at most, by %s, at ",
               hold.ns / 1000, by);
    buf_printf(&b, "agentsh-server+0x%" PRIxPTR,
               at - (uintptr_t)info.dli_fbase);
    server_log_line(r->log, b.p);
}

static void
report_holds(const struct acp_run *r)
{
    struct loop *l = r->app->loop;

    if (!LOOP_REPORT)
        return;
    log_hold(r, "the clock", loop_hold_by_clock(l));
    log_hold(r, "its time on a processor", loop_hold_by_processor(l));
    (void)loop_turn(l, REPORT_MS, NULL); /* the log is written */
}

static int
run_acp(struct command_args *c)
{
    CLEANUP(acp_run_done) struct acp_run r = {.app = c->app};
    struct err e = {0};

    if (c->n > 0) {
        err_set(&e, ERR_USAGE, "acp takes no words");
        return app_fail(c->app, &e);
    }
    if (open_acp_run(&r, c->options.policy, &e) < 0 ||
        loop_run(c->app->loop, &e) < 0)
        return app_fail(c->app, &e);
    report_holds(&r);
    return r.signal && r.signal != SIGTERM ? 128 + r.signal : 0;
}

#define ACP_ROW(name, args, help, options)                                     \
    const struct command cmd_##name = {                                        \
        #name, args, help, options, run_##name, "agentsh-protocols"};

SERVERS(ACP_ROW)

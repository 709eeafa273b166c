/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.c - what every server is built on: its log, the journal, its end. */
#include "server/service.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "base/array.h"

#define REPORT_MS 100 /* for who reads the log, at the end */

static void
on_ending_signal(void *arg, unsigned signo)
{
    struct service *s = arg;

    s->signal = (int)signo;
    s->stop(s->arg);
}

static bool
is_ignored(int signo)
{
    struct sigaction now;

    return sigaction(signo, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

int
service_open(struct service *s, struct app *a, const char *name,
             void (*stop)(void *arg), void *arg, struct err *e)
{
    static const int ending[] = {SIGTERM, SIGINT, SIGHUP};

    *s = (struct service){.app = a, .stop = stop, .arg = arg};
    loop_share(a->loop);
    if (app_config(a, e) < 0 || !(s->log = server_log_new(a->loop, name, e)))
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
        if (ending[i] == SIGHUP && is_ignored(SIGHUP))
            continue; /* nohup(1) */
        s->signals[i] = loop_signal(a->loop, ending[i], on_ending_signal, s, e);
        if (!s->signals[i])
            return -1;
    }
    return 0;
}

void
service_done(struct service *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < ARRAY_SIZE(s->signals); i++)
        watch_free(s->signals[i]);
    journal_close(s->journal);
    server_log_free(s->log);
}

struct journal *
service_journal(void *service)
{
    struct service *s = service;
    const struct config *c = s->app->config;
    struct err e = {0};

    if (s->journal_tried || !config_bool(c, CONFIG_RECORD_JOURNAL))
        return s->journal;
    s->journal_tried = true;
    s->journal = journal_open_shared(s->app->loop,
                                     config_int(c, CONFIG_RECORD_KEEP_DAYS),
                                     config_int(c, CONFIG_RECORD_KEEP_MB), &e);
    if (!s->journal) {
        err_wrap(&e, "nothing is recorded (agentsh doctor)");
        server_log_line(s->log, e.text);
    }
    return s->journal;
}

void
service_log(void *service, const char *line)
{
    const struct service *s = service;

    server_log_line(s->log, line);
}

void
service_over(void *service)
{
    const struct service *s = service;

    loop_stop(s->app->loop);
}

/* The callback is a place in this program, as addr2line(1) takes it. */
static void
log_hold(const struct service *s, const char *by, struct loop_hold hold)
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
    server_log_line(s->log, b.p);
}

static void
report_holds(const struct service *s)
{
    struct loop *l = s->app->loop;

    if (!LOOP_REPORT)
        return;
    log_hold(s, "the clock", loop_hold_by_clock(l));
    log_hold(s, "its time on a processor", loop_hold_by_processor(l));
    (void)loop_turn(l, REPORT_MS, NULL); /* the log is written */
}

int
service_run(struct service *s, struct err *e)
{
    if (loop_run(s->app->loop, e) < 0)
        return -1;
    report_holds(s);
    return s->signal && s->signal != SIGTERM ? 128 + s->signal : 0;
}

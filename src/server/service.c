/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.c - what every server has: a log, the journal, signals, shutdown. */
#include "server/service.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>

#include "base/array.h"
#include "server/service_notify.h"

#define LARGE_BLOCK (1 << 20) /* bytes; copying them takes 0.5 ms at most */

void
service_notice(const struct service *s, enum server_log_level level,
               const char *message, const struct server_log_field *fields)
{
    server_log_add(s->log, level, message, fields);
}

static void
notify_manager(const struct service *s, const char *lines)
{
    struct err e = {0};

    if (s->listens && service_notify(s->app->seat, lines, &e) < 0)
        service_notice(s, SERVER_LOG_WARNING, e.text, NULL);
}

static void
on_drained_too_long(void *arg, unsigned events)
{
    struct service *s = arg;

    (void)events;
    service_notice(s, SERVER_LOG_WARNING, "what still ran is ended", NULL);
    service_over(s);
}

/* The first signal begins a graceful shutdown; the second one, or the time
 * limit, ends the server at once. */
static void
on_ending_signal(void *arg, unsigned signo)
{
    struct service *s = arg;
    const struct server_log_field by[] = {
        {"signal", signo == SIGTERM ? "SIGTERM" : "SIGINT"}, {0}};

    if (s->signal && s->listens) {
        service_notice(s, SERVER_LOG_WARNING, "asked again: ends at once", by);
        service_over(s);
        return;
    }
    s->signal = (int)signo;
    if (s->listens) {
        notify_manager(s, "STOPPING=1\nSTATUS=ending what runs");
        service_notice(s, SERVER_LOG_INFO, "ends: takes no new work", by);
        watch_again(s->drain, SERVICE_DRAIN_MS);
    }
    s->stop(s->arg);
}

/* On any error all old settings stay in force. */
static int
load_anew(struct service *s, struct err *e)
{
    CLEANUP(config_free_p) struct config *fresh = config_load(e);
    struct config *old = s->app->config;

    if (!fresh || (s->load && s->load(s->arg, fresh, e) < 0))
        return -1;
    s->app->config = TAKE_PTR(fresh);
    config_free(old);
    return 0;
}

static void
on_hangup(void *arg, unsigned signo)
{
    struct service *s = arg;
    struct err e = {0};

    (void)signo;
    if (s->signal)
        return; /* the server shuts down already */
    if (service_notify_timed(s->app->seat, "RELOADING=1", &e) < 0)
        service_notice(s, SERVER_LOG_WARNING, e.text, NULL);
    if (load_anew(s, &e) < 0) {
        err_wrap(&e, "SIGHUP: what was loaded before stays");
        service_notice(s, SERVER_LOG_ERROR, e.text, NULL);
        notify_manager(s, "READY=1\nSTATUS=serving; what was to be loaded "
                          "anew is wrong: see the log");
        return;
    }
    service_notice(s, SERVER_LOG_INFO, "SIGHUP: all is loaded anew", NULL);
    notify_manager(s, "READY=1\nSTATUS=serving");
}

static bool
is_ignored(int signo)
{
    struct sigaction now;

    return sigaction(signo, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* A buffer that has become this large is mapped, and grows by mremap(2):
 * copying some MiB would hold the loop. malloc(3) raises that threshold by
 * itself when a mapped block is freed. */
static void
map_large_blocks(void)
{
#ifdef M_MMAP_THRESHOLD /* the GNU C library */
    (void)mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
#endif
}

int
service_open(struct service *s, struct app *a, const char *name,
             void (*stop)(void *arg), void *arg, struct err *e)
{
    static const int ending[] = {SIGTERM, SIGINT, SIGHUP};

    *s = (struct service){.app = a, .stop = stop, .arg = arg};
    loop_share(a->loop);
    map_large_blocks();
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
service_use_log(struct service *s, const char *format)
{
    server_log_use_format(s->log, format);
}

int
service_listens(struct service *s,
                int (*load)(void *arg, struct config *fresh, struct err *e),
                struct err *e)
{
    struct loop *l = s->app->loop;
    struct watch *reload = loop_signal(l, SIGHUP, on_hangup, s, e);

    if (!reload || !(s->drain = loop_timer(l, 0, on_drained_too_long, s, e))) {
        watch_free(reload);
        return -1;
    }
    /* SIGHUP no longer ends it; one that has come is blocked all the while */
    watch_free(s->signals[2]);
    s->signals[2] = reload;
    watch_stop(s->drain);
    s->load = load;
    s->listens = true;
    return 0;
}

void
service_done(struct service *s)
{
    if (!s)
        return;
    if (s->signal) /* it may come again; its exit status is set already */
        (void)signal(s->signal, SIG_IGN);
    for (size_t i = 0; i < ARRAY_SIZE(s->signals); i++)
        watch_free(s->signals[i]);
    watch_free(s->drain);
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
        service_notice(s, SERVER_LOG_ERROR, e.text, NULL);
    }
    return s->journal;
}

void
service_log(void *service, const char *line)
{
    const struct service *s = service;

    server_log_add(s->log, SERVER_LOG_INFO, line, NULL);
}

uint64_t
service_log_lost(const void *service)
{
    const struct service *s = service;

    return server_log_lost(s->log);
}

void
service_over(void *service)
{
    const struct service *s = service;

    loop_stop(s->app->loop);
}

/* Logs the callback's address, for addr2line(1). */
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
    server_log_add(s->log, SERVER_LOG_INFO, b.p, NULL);
}

static void
report_holds(const struct service *s)
{
    const struct loop *l = s->app->loop;

    if (!LOOP_REPORT)
        return;
    log_hold(s, "the clock", loop_hold_by_clock(l));
    log_hold(s, "its time on a processor", loop_hold_by_processor(l));
}

int
service_run(struct service *s, struct err *e)
{
    notify_manager(s, "READY=1\nSTATUS=serving");
    if (loop_run(s->app->loop, e) < 0)
        return -1;
    report_holds(s);
    return s->signal && s->signal != SIGTERM ? 128 + s->signal : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.h - what every server has: a log, the journal, signals, shutdown.
 *
 * server/ has a folder for each protocol by which other programs use
 * agentsh; none of them includes another. A command (cmd_*.c) opens a
 * service, passes its loop and journal to the server of its folder, and runs
 * it. A server ends when its peers have gone, or by SIGTERM, SIGINT or
 * SIGHUP; one that listens reloads its settings by SIGHUP, and notifies the
 * service manager of its state. */
#ifndef SERVER_SERVICE_H
#define SERVER_SERVICE_H

#include "server/server_log.h"
#include "ui/app.h"

/* How long a server that listens may take, after the signal, to finish what
 * runs; the systemd units have a longer TimeoutStopSec. */
#define SERVICE_DRAIN_MS 10000

struct service {
    struct app *app;
    struct server_log *log;
    struct journal
        *journal; /* NULL: there is no journal, or it is not open yet */
    bool journal_tried;
    void (*stop)(void *arg);  /* a signal asks the server to end; it calls
                                 service_over later */
    void *arg;                /* of it */
    struct watch *signals[3]; /* those that end it */
    int signal;               /* the one that came; 0: none */
    bool listens;
    int (*load)(void *arg, struct config *fresh, struct err *e);
    struct watch *drain; /* SERVICE_DRAIN_MS are over */
};

/* Fills in all but the journal, and loads the settings. name is the prefix of
 * each line of the log. service_done must be called, also on failure. */
int service_open(struct service *s, struct app *a, const char *name,
                 void (*stop)(void *arg), void *arg, struct err *e);
void service_done(struct service *s); /* accepts NULL */

/* The format of --log; NULL: text. */
void service_use_log(struct service *s, const char *format);

/* For a server that listens. SIGHUP reloads the settings and calls load (NULL:
 * there is nothing else to load) with them: it loads what else the server has,
 * such as rules and certificates, and if all of it is valid uses it for what
 * begins from then on. Open sessions keep a reference to their own
 * (config_hold, policy_hold); app->config is `fresh` afterwards. If load fails,
 * it must change nothing: the old settings stay in force, and the log says why.
 * The first SIGTERM or SIGINT calls `stop`, and service_run ends after
 * SERVICE_DRAIN_MS at the latest; the second one ends it at once. arg is that
 * of service_open. */
int service_listens(struct service *s,
                    int (*load)(void *arg, struct config *fresh, struct err *e),
                    struct err *e);

/* The journal, which the first call opens where it is enabled. If that fails,
 * nothing is recorded, and the log says so. NULL: there is none. */
struct journal *service_journal(void *service);

/* Adds a line to the log, with fields, which may be NULL. */
void service_notice(const struct service *s, enum server_log_level level,
                    const char *message, const struct server_log_field *fields);

/* Callbacks of servers, whose arg is the service: adds a line to the log; ends
 * service_run. */
void service_log(void *service, const char *line);
void service_over(void *service);
uint64_t service_log_lost(const void *service); /* lines, so far */

/* Runs until service_over. Returns the exit status: 0, after SIGTERM too, or
 * 128 and another signal; -1 with e. A build with --enable-loop-report logs the
 * longest time that a callback has held the loop. */
int service_run(struct service *s, struct err *e);

#endif

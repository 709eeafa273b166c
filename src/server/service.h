/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.h - what every server is built on: its log, the journal, its end.
 *
 * server/ holds the ways in for programs, one folder each: none of them knows
 * another. A command (cmd_*.c) opens a service, hands its loop and records to
 * the server of its folder, and runs it. A server ends when its peers are gone,
 * or by SIGTERM, SIGINT or SIGHUP; one that listens loads its settings anew by
 * SIGHUP, and tells a service manager what it does. */
#ifndef SERVER_SERVICE_H
#define SERVER_SERVICE_H

#include "server/server_log.h"
#include "ui/app.h"

/* A server that listens has so much time from the signal on to end what runs;
 * the units have a longer TimeoutStopSec. */
#define SERVICE_DRAIN_MS 10000

struct service {
    struct app *app;
    struct server_log *log;
    struct journal *journal; /* NULL: none is kept, or it is not open yet */
    bool journal_tried;
    void (*stop)(void *arg);  /* a signal asks to end; service_over follows */
    void *arg;                /* of it */
    struct watch *signals[3]; /* those that end it */
    int signal;               /* the one that came; 0: none */
    bool listens;
    int (*load)(void *arg, struct config *fresh, struct err *e);
    struct watch *drain; /* SERVICE_DRAIN_MS are over */
};

/* Fills in all but the journal, and loads the settings. name stands before each
 * line of the log. In any case service_done is to be called. */
int service_open(struct service *s, struct app *a, const char *name,
                 void (*stop)(void *arg), void *arg, struct err *e);
void service_done(struct service *s); /* accepts NULL */

/* The format of --log; NULL: text. */
void service_use_log(struct service *s, const char *format);

/* For a server that listens. SIGHUP loads the settings anew and calls load
 * (NULL: there is no more) with them: it loads what else the server has, such
 * as rules and certificates, and where all of it is right takes it for what
 * begins from then on. What is open holds its own (config_hold, policy_hold);
 * app->config is `fresh` afterwards. Where load fails, which changes nothing,
 * all of the old stays, and why is said in the log. By the first SIGTERM or
 * SIGINT `stop` is called, and service_run ends after SERVICE_DRAIN_MS at the
 * latest; by the second one it ends at once. arg is that of service_open. */
int service_listens(struct service *s,
                    int (*load)(void *arg, struct config *fresh, struct err *e),
                    struct err *e);

/* The journal, which is opened at the first call where the settings want one.
 * Where that fails nothing is recorded, which is said in the log. NULL: there
 * is none. */
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

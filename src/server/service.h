/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.h - what every server is built on: its log, the journal, its end.
 *
 * server/ holds the ways in for programs, one folder each: none of them knows
 * another. A command (cmd_*.c) opens a service, hands its loop and records to
 * the server of its folder, and runs it. A server ends when its peers are gone,
 * or by SIGTERM, SIGINT or SIGHUP. */
#ifndef SERVER_SERVICE_H
#define SERVER_SERVICE_H

#include "server/server_log.h"
#include "ui/app.h"

struct service {
    struct app *app;
    struct server_log *log;
    struct journal *journal; /* NULL: none is kept, or it is not open yet */
    bool journal_tried;
    void (*stop)(void *arg);  /* a signal asks to end; service_over follows */
    void *arg;                /* of it */
    struct watch *signals[3]; /* those that end it */
    int signal;               /* the one that came; 0: none */
};

/* Fills in all but the journal, and loads the settings. name stands before each
 * line of the log. In any case service_done is to be called. */
int service_open(struct service *s, struct app *a, const char *name,
                 void (*stop)(void *arg), void *arg, struct err *e);
void service_done(struct service *s); /* accepts NULL */

/* The journal, which is opened at the first call where the settings want one.
 * Where that fails nothing is recorded, which is said in the log. NULL: there
 * is none. */
struct journal *service_journal(void *service);

/* Callbacks of servers, whose arg is the service: adds a line to the log; ends
 * service_run. */
void service_log(void *service, const char *line);
void service_over(void *service);

/* Runs until service_over. Returns the exit status: 0, after SIGTERM too, or
 * 128 and another signal; -1 with e. A build with --enable-loop-report logs the
 * longest time that a callback has held the loop. */
int service_run(struct service *s, struct err *e);

#endif

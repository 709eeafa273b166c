/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_run.h - runs the approved steps of a plan on other hosts.
 *
 * A step begins on all hosts at once, and the next one when it has ended on
 * each. A host on which a step fails gets no further one; the others go on. */
#ifndef ACTION_REMOTE_RUN_H
#define ACTION_REMOTE_RUN_H

#include "action/host_list.h"
#include "action/remote_host.h"

struct remote_run;

/* Borrowed while the remote_run lives. */
struct remote_run_params {
    struct loop *loop;
    const struct seat *seat; /* where ssh runs */
    const struct host_list *hosts;
    int64_t wait_ms; /* see struct remote_link_params */
};

/* From the loop. */
struct remote_run_events {
    void (*output)(void *arg, const char *host, const char *stream,
                   const char *bytes, size_t n);
    /* The step has ended on a host, good or bad. last: on each of them */
    void (*complete)(void *arg, const char *host, const struct remote_end *end,
                     bool last);
    /* The last event of a step: it succeeded on a host at least. Else why says
     * where it failed. */
    void (*over)(void *arg, const struct err *why);
};

struct remote_run *remote_run_new(const struct remote_run_params *p,
                                  const struct remote_run_events *ev, void *arg,
                                  struct err *e);
void remote_run_free(struct remote_run *r); /* ends what runs; accepts NULL */

/* Starts a step on all hosts where none has failed. */
void remote_run_start(struct remote_run *r, const struct remote_command *c);

/* Ends the step, if one runs, and all connections; no event of it comes. */
void remote_run_stop(struct remote_run *r);

bool remote_run_is_running(const struct remote_run *r);
void remote_run_signal(struct remote_run *r, int signo);
void remote_run_pause(struct remote_run *r, bool paused);

/* Whether a step failed on a host so far; e says on which, ERR_TOOL. */
bool remote_run_failed(const struct remote_run *r, struct err *e);

#endif

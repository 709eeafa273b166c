/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_process.h - one model process, and the queries that are open in it.
 *
 * The process is started when it is needed, and again after it has ended, with
 * variables of this process (process_start.h), whichever seats the queries are
 * of. When it ends each open query is lost, once and with one reason. */
#ifndef MODEL_MODEL_PROCESS_H
#define MODEL_MODEL_PROCESS_H

#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"
#include "json/json.h"

struct model_process;
struct process_query; /* one that is open */

/* Either may close queries, open others, and free the process. */
struct process_query_events {
    /* An event of this query (ipc.h), valid until this returns. The callback
     * closes the query with its last one. */
    void (*event)(void *arg, const char *name, const struct json *v);
    /* The process has ended; the query is closed. */
    void (*lost)(void *arg, const struct err *why);
};

/* Starts nothing yet. socket: as for model_start(); -1: none. */
struct model_process *model_process_new(struct loop *l, int socket,
                                        struct err *e);
/* Ends the process. Open queries are closed without a call. */
void model_process_free(struct model_process *p);
DEFINE_CLEANUP(struct model_process, model_process_free)
/* The same, but a process that was borrowed stays: no query is open in it. */
void model_process_return(struct model_process *p);

/* Starts the process now unless it runs, so that it loads meanwhile. */
int model_process_start(struct model_process *p, struct err *e);
/* Ends the process: all open queries are lost with this reason. */
void model_process_fail(struct model_process *p, const struct err *why);
/* When the process was last heard of, by clock_ms(). */
int64_t model_process_heard_ms(const struct model_process *p);

/* Makes an id for a query, and starts the process where it does not run. ev is
 * borrowed. ERR_MODEL: QUERY_TABLE_MAX are open. */
struct process_query *process_query_open(struct model_process *p,
                                         const struct process_query_events *ev,
                                         void *arg, struct err *e);
/* Forgets the query: no later event of it is reported. */
void process_query_close(struct process_query *q);
int64_t process_query_id(const struct process_query *q);
/* Sends the query itself, which line gives up. ERR_INVALID: too much is queued
 * for the process. */
int process_query_send(struct process_query *q, struct buf *line,
                       struct err *e);
/* Sends {"WORD":ID}: cancel, hold or resume. */
void process_query_command(struct process_query *q, const char *word);

#endif

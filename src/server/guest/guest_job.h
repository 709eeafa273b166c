/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_job.h - work on files for a request, in a thread.
 *
 * A disk or a server of files may take its time; the loop goes on. When the
 * connection is gone before it is done, the result is dropped. */
#ifndef SERVER_GUEST_GUEST_JOB_H
#define SERVER_GUEST_GUEST_JOB_H

#include <stdatomic.h>

#include "server/guest/guest_connection.h"

/* Work for one request. What it needs is the embedding struct's. */
struct guest_job {
    struct guest_task task;
    struct guest_job *prev, *next; /* of the agent's */
    struct guest_shared *shared;   /* for the thread */
    atomic_bool unwanted;          /* worker_is_unwanted */
    struct rpc_request *rq;
    struct worker *worker;
    bool recorded; /* guest_record_request was called: so is what came of it */
    bool changes;  /* files */
    /* Both in the thread's time: do the work, which sets e on failure. */
    void (*work)(struct guest_job *j);
    /* On the loop: answers rq, unless the work has failed. */
    void (*answer)(struct guest_job *j);
    void (*free)(struct guest_job *j); /* all of it, the job too */
    struct err e;
};

/* Takes the job. The connection's next request waits for its end. Where there
 * is no thread the work is done before this returns. */
void guest_job_start(struct guest_job *j, struct guest_connection *c,
                     struct rpc_request *rq);

/* The agent ends, its connections are gone: waits for all jobs. */
void guest_jobs_end(struct guest_shared *sh);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_job.c - work on files for a request, in a thread. */
#include "server/guest/guest_job.h"

#include "base/worker.h"
#include "server/guest/guest_record.h"

static void
run_guest_job(void *arg)
{
    struct guest_job *j = arg;

    j->work(j);
}

static void
list_job(struct guest_job *j)
{
    j->next = j->shared->jobs;
    if (j->next)
        j->next->prev = j;
    j->shared->jobs = j;
}

static void
unlist_job(struct guest_job *j)
{
    *(j->prev ? &j->prev->next : &j->shared->jobs) = j->next;
    if (j->next)
        j->next->prev = j->prev;
}

static void
record_outcome(const struct guest_job *j)
{
    struct guest_connection *c = j->task.connection;

    if (!c || !j->recorded)
        return;
    if (j->e.code != ERR_NONE)
        guest_record_failed(c, j->e.text);
    else if (j->changes)
        guest_record_done(c);
}

static void
on_job_done(void *arg)
{
    struct guest_job *j = arg;

    unlist_job(j);
    worker_free(j->worker);
    record_outcome(j);
    /* when the connection is gone this only frees the request */
    if (j->e.code != ERR_NONE || !j->task.connection)
        guest_refuse(j->rq, &j->e);
    else
        j->answer(j);
    guest_task_end(&j->task);
    j->free(j);
}

/* The thread goes on; on_job_done ends it. */
static void
leave_job(struct guest_task *t)
{
    struct guest_job *j = (struct guest_job *)(void *)t;

    atomic_store(&j->unwanted, true);
}

void
guest_job_start(struct guest_job *j, struct guest_connection *c,
                struct rpc_request *rq)
{
    j->shared = c->shared;
    j->rq = rq;
    j->task.holds = true;
    j->task.leave = leave_job;
    guest_task_begin(&j->task, c);
    list_job(j);
    j->worker = worker_start(c->shared->loop, run_guest_job, on_job_done, j,
                             NULL);
    if (j->worker)
        return;
    j->work(j);
    on_job_done(j);
}

void
guest_jobs_end(struct guest_shared *sh)
{
    for (struct guest_job *j = sh->jobs; j; j = j->next)
        atomic_store(&j->unwanted, true);
    while (sh->jobs) /* which waits for its thread, and then frees it */
        on_job_done(sh->jobs);
}

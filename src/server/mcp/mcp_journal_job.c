/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_journal_job.c - requests whose answer is read from the journal. */
#include "server/mcp/mcp_journal_job.h"

#include <stdlib.h>
#include <string.h>

#include "base/worker.h"
#include "server/mcp/mcp_reply.h"

struct journal_job {
    struct journal_job *next;
    struct rpc_request *rq; /* NULL: it was cancelled */
    mcp_job_read *read;
    char *name, *uri;
    const char *verb;
    enum mcp_era era;
    struct buf out; /* from here on the thread's */
    struct err why;
    int rc;
};

struct mcp_jobs {
    struct loop *loop;
    struct journal_job *first, **end; /* the first is being read */
    struct worker *worker;
};

static void
journal_job_free(struct journal_job *j)
{
    if (!j)
        return;
    buf_done(&j->out);
    free(j->name);
    free(j->uri);
    free(j);
}
DEFINE_CLEANUP(struct journal_job, journal_job_free)

struct mcp_jobs *
mcp_jobs_new(struct loop *l, struct err *e)
{
    struct mcp_jobs *all = calloc(1, sizeof(*all));

    if (!all) {
        err_nomem(e);
        return NULL;
    }
    all->loop = l;
    all->end = &all->first;
    return all;
}

static struct journal_job *
take_first_job(struct mcp_jobs *all)
{
    struct journal_job *j = all->first;

    all->first = j->next;
    if (!all->first)
        all->end = &all->first;
    return j;
}

void
mcp_jobs_free(struct mcp_jobs *all)
{
    if (!all)
        return;
    worker_free(all->worker);
    while (all->first) {
        struct journal_job *j = take_first_job(all);

        if (j->rq)
            rpc_drop(j->rq);
        journal_job_free(j);
    }
    free(all);
}

static void
read_in_thread(void *arg)
{
    const struct mcp_jobs *all = arg;
    struct journal_job *j = all->first;

    j->rc = j->read(j->name, j->verb, j->era, &j->out, &j->why);
}

static void
answer_job(struct journal_job *j)
{
    if (!j->rq)
        return;
    if (j->rc < 0 && j->why.code == ERR_NOT_FOUND && j->uri)
        mcp_reply_no_resource(TAKE_PTR(j->rq), j->era, j->uri);
    else if (j->rc < 0)
        mcp_reply_failure(TAKE_PTR(j->rq), &j->why);
    else
        rpc_answer(TAKE_PTR(j->rq), &j->out);
}

static void start_reading_job(struct mcp_jobs *all);

static void
on_read(void *arg)
{
    struct mcp_jobs *all = arg;
    CLEANUP(journal_job_free_p) struct journal_job *j = take_first_job(all);

    worker_free(TAKE_PTR(all->worker));
    answer_job(j);
    start_reading_job(all);
}

/* Those that were cancelled meanwhile are passed over. */
static void
start_reading_job(struct mcp_jobs *all)
{
    while (all->first && !all->first->rq)
        journal_job_free(take_first_job(all));
    while (all->first && !all->worker) {
        struct journal_job *j = all->first;

        all->worker = worker_start(all->loop, read_in_thread, on_read, all,
                                   &j->why);
        if (all->worker)
            return;
        j->rc = -1;
        answer_job(j);
        journal_job_free(take_first_job(all));
    }
}

static void
on_cancelled(void *arg)
{
    struct journal_job *j = arg;

    if (j->rq)
        rpc_drop(TAKE_PTR(j->rq));
}

void
mcp_jobs_add(struct mcp_jobs *all, struct rpc_request *rq, mcp_job_read *read,
             const char *name, const char *verb, enum mcp_era era,
             const char *uri)
{
    CLEANUP(journal_job_free_p) struct journal_job *j = calloc(1, sizeof(*j));

    if (!j || !(j->name = strndup(name, MCP_JOB_NAME_MAX)) ||
        (uri && !(j->uri = strdup(uri)))) {
        rpc_refuse(rq, JSONRPC_INTERNAL, "out of memory", NULL);
        return;
    }
    j->rq = rq;
    j->read = read;
    j->verb = verb;
    j->era = era;
    buf_init(&j->out, 2 * MCP_JOB_TEXT_MAX);
    rpc_on_cancel(rq, on_cancelled, j);
    *all->end = j;
    all->end = &j->next;
    if (!all->worker)
        start_reading_job(all);
    TAKE_PTR(j);
}

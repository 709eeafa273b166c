/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_process.c - one model process, and the queries that are open in it. */
#include "model/model_process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/ipc.h"
#include "model/process_pipe.h"
#include "model/query_table.h"

struct model_process {
    struct loop *loop;
    struct process_pipe *pipe; /* NULL: the process does not run */
    int warm; /* the socket of a process that is kept; -1: none */
    unsigned run;
    int64_t last_id;
    int64_t heard_ms;
    struct query_table table; /* of struct process_query */
    struct err why;           /* why the process ends, as it reported */
    unsigned reports;         /* of lost queries, under way */
    bool freed;               /* by what was called: the last report frees it */
};

struct process_query {
    struct model_process *process;
    int64_t id;
    unsigned run; /* of the process that it is open in */
    const struct process_query_events *ev;
    void *arg;
};

struct model_process *
model_process_new(struct loop *l, int socket, struct err *e)
{
    struct model_process *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->loop = l;
    p->warm = socket;
    return p;
}

static void
free_all(struct model_process *p)
{
    p->pipe = NULL;
    for (size_t i = 0; i < QUERY_TABLE_MAX; i++)
        process_query_close(p->table.slots[i].query);
    p->freed = true;
    if (p->reports == 0)
        free(p);
}

void
model_process_free(struct model_process *p)
{
    if (!p)
        return;
    process_pipe_free(p->pipe);
    free_all(p);
}

void
model_process_return(struct model_process *p)
{
    if (!p)
        return;
    process_pipe_return(p->pipe);
    free_all(p);
}

/* Reports the queries of the process that has just ended. What is called may
 * open others, in a new one. */
static void
lose_queries(struct model_process *p, const struct err *why)
{
    unsigned run = p->run++;

    process_pipe_free(p->pipe);
    p->pipe = NULL;
    p->reports++;
    for (size_t i = 0; i < QUERY_TABLE_MAX && !p->freed; i++) {
        struct process_query *q = p->table.slots[i].query;
        const struct process_query_events *ev = q ? q->ev : NULL;
        void *arg = q ? q->arg : NULL;

        if (!q || q->run != run)
            continue;
        process_query_close(q);
        ev->lost(arg, why);
    }
    if (--p->reports == 0 && p->freed)
        free(p);
}

void
model_process_fail(struct model_process *p, const struct err *why)
{
    const struct err copy = *why;

    lose_queries(p, &copy);
}

/* Late events of a query that was closed are dropped. Id 0 is about the process
 * itself, which cannot work at all. */
static void
on_line(void *arg, const char *line, size_t n)
{
    struct model_process *p = arg;
    CLEANUP(json_free_p) struct json *v = json_parse(line, n, 0, NULL);
    const char *name = json_get_str(v, "event");
    struct process_query *q;
    int64_t id = -1;

    p->heard_ms = clock_ms();
    if (!name || !json_int(json_get(v, "id"), &id))
        return;
    q = query_table_find(&p->table, id);
    if (q)
        q->ev->event(q->arg, name, v);
    else if (id == 0 && strcmp(name, "failed") == 0)
        ipc_failed_read(v, &p->why);
}

/* Between queries this is no failure: the next query starts a process. */
static void
on_gone(void *arg, int status)
{
    struct model_process *p = arg;
    struct err why = p->why;

    if (status < 0)
        err_set(&why, ERR_MODEL,
                "the model process broke its protocol. To do: try again");
    else if (why.code == ERR_NONE)
        err_set(&why, ERR_MODEL,
                "the model process ended (status %d) before it answered. To "
                "do: try again, or use --offline",
                status);
    lose_queries(p, &why);
}

/* A process that is kept may still write events of an earlier question: ids
 * that begin anywhere tell them apart. */
static void
begin_ids(struct model_process *p)
{
    uint32_t random = 0;

    (void)!getrandom(&random, sizeof(random), GRND_NONBLOCK);
    p->last_id += random;
}

int
model_process_start(struct model_process *p, struct err *e)
{
    static const struct process_pipe_events events = {on_line, on_gone};

    if (p->pipe)
        return 0;
    p->why = (struct err){0};
    p->heard_ms = clock_ms();
    if (p->warm >= 0)
        p->pipe = process_pipe_borrow(p->loop, p->warm, &events, p, NULL);
    p->warm = -1; /* once: one that ended does not come back */
    if (p->pipe) {
        begin_ids(p);
        return 0;
    }
    p->pipe = process_pipe_start(p->loop, (const char *const *)environ, &events,
                                 p, e);
    return p->pipe ? 0 : -1;
}

int64_t
model_process_heard_ms(const struct model_process *p)
{
    return p->heard_ms;
}

struct process_query *
process_query_open(struct model_process *p,
                   const struct process_query_events *ev, void *arg,
                   struct err *e)
{
    struct process_query *q;

    if (model_process_start(p, e) < 0)
        return NULL;
    q = calloc(1, sizeof(*q));
    if (!q) {
        err_nomem(e);
        return NULL;
    }
    *q = (struct process_query){.process = p,
                                .id = p->last_id + 1,
                                .run = p->run,
                                .ev = ev,
                                .arg = arg};
    if (query_table_add(&p->table, q->id, q, e) < 0) {
        free(q);
        return NULL;
    }
    p->last_id = q->id;
    return q;
}

void
process_query_close(struct process_query *q)
{
    if (!q)
        return;
    query_table_remove(&q->process->table, q->id);
    free(q);
}

int64_t
process_query_id(const struct process_query *q)
{
    return q->id;
}

int
process_query_send(struct process_query *q, struct buf *line, struct err *e)
{
    struct model_process *p = q->process;

    if (!p->pipe)
        return err_set(e, ERR_MODEL, "the model process has ended");
    return process_pipe_send(p->pipe, line, e);
}

void
process_query_command(struct process_query *q, const char *word)
{
    CLEANUP_BUF struct buf line = buf_of(64);

    buf_printf(&line, "{\"%s\":%" PRId64 "}\n", word, q->id);
    (void)process_query_send(q, &line, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_queue.c - calls that one persistent plugin gets back to back. */
#include "tool/call_queue.h"

#include "base/clock.h"

struct queued_call {
    struct call_queue *queue;
    struct queued_call *next;
    const struct buf *line;
    size_t bytes; /* of the line, which may be gone */
    const struct queued_call_events *ev;
    void *arg; /* NULL: the call left before its turn; its answer will come */
};

struct call_queue {
    struct call_queue *next; /* of the pool's */
    struct tool_pool *pool;
    struct plugin_process *process; /* NULL: a new one will be started */
    struct spawn_plan *plan;
    struct queued_call *first, **end;
    size_t n, live;     /* live: without those that left before their turn */
    size_t bytes;       /* of the requests of all n */
    int64_t turn_ms;    /* when the turn of the first one began */
    struct watch *soon; /* starts that one */
    bool fresh;         /* the process is new, and has answered nothing */
    bool lost;          /* no process could be started: nobody joins */
};

/* Takes the first one out. */
static void
drop_first_call(struct call_queue *q)
{
    struct queued_call *c = q->first;

    if (!(q->first = c->next))
        q->end = &q->first;
    q->n--;
    q->bytes -= c->bytes;
    q->live -= c->arg != NULL;
    free(c);
}

static void
call_queue_free(struct call_queue *q)
{
    struct call_queue **at = pool_queues(q->pool);

    while (*at && *at != q)
        at = &(*at)->next;
    if (*at)
        *at = q->next;
    while (q->first)
        drop_first_call(q);
    watch_free(q->soon);
    plugin_process_free(q->process);
    spawn_plan_free(q->plan);
    free(q);
}

static struct queued_call *
add_queued_call(struct call_queue *q, const struct buf *line,
                const struct queued_call_events *ev, void *arg)
{
    struct queued_call *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    *c = (struct queued_call){
        .queue = q, .line = line, .bytes = line->len, .ev = ev, .arg = arg};
    *q->end = c;
    q->end = &c->next;
    q->n++;
    q->bytes += c->bytes;
    q->live++;
    return c;
}

/* The process is in an unknown state, or gone: whoever is left gets another
 * one, at the next turn of the loop. Until then all of them may leave. */
static void
renew_process(struct call_queue *q)
{
    q->process = NULL;
    q->fresh = true;
    watch_again(q->soon, 0);
}

/* One that left before its turn was sent all the same. Nobody may wait for its
 * answer with a deadline, so the process is not used any more. */
static void
begin_turn(struct call_queue *q)
{
    struct queued_call *c = q->first;

    q->turn_ms = clock_ms();
    if (c->arg) {
        c->ev->turn(c->arg, q->process);
        return;
    }
    drop_first_call(q);
    plugin_process_free(q->process);
    renew_process(q);
}

/* Without a process for them. */
static void
lose_calls(struct call_queue *q, struct err *why)
{
    q->lost = true;
    while (q->first) {
        struct queued_call c = *q->first;
        struct err e = *why;

        drop_first_call(q);
        if (c.arg)
            c.ev->lost(c.arg, &e);
    }
    call_queue_free(q);
}

static int
send_queued_calls(struct call_queue *q, struct err *e)
{
    for (const struct queued_call *c = q->first; c; c = c->next)
        if (plugin_process_send(q->process, c->line->p, c->line->len, false,
                                e) < 0)
            return -1;
    return 0;
}

static void
drop_left_calls(struct call_queue *q)
{
    struct queued_call **at = &q->first;

    while (*at) {
        struct queued_call *c = *at;

        if (c->arg) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        q->n--;
        q->bytes -= c->bytes;
        free(c);
    }
    q->end = at;
}

static void
on_soon(void *arg, unsigned events)
{
    struct call_queue *q = arg;
    struct err e = {0};

    (void)events;
    drop_left_calls(q);
    if (!(q->process = q->first->ev->start(q->first->arg, &e)) ||
        send_queued_calls(q, &e) < 0)
        lose_calls(q, &e);
    else
        begin_turn(q);
}

static bool
may_join(const struct call_queue *q, const struct spawn_plan *plan,
         size_t bytes)
{
    return !q->lost && q->n < CALL_QUEUE_MAX &&
           q->bytes + bytes <= CALL_QUEUE_BYTES &&
           spawn_plan_is_same(q->plan, plan) &&
           clock_ms() - q->turn_ms < CALL_QUEUE_STALL_MS;
}

struct queued_call *
call_queue_join(struct tool_pool *p, struct spawn_plan *plan,
                const struct buf *line, const struct queued_call_events *ev,
                void *arg)
{
    struct call_queue *q = *pool_queues(p);
    struct queued_call *c;

    while (q && !may_join(q, plan, line->len))
        q = q->next;
    if (!q || !(c = add_queued_call(q, line, ev, arg)))
        return NULL;
    /* what cannot be sent is noticed as the end of the process */
    if (q->process)
        (void)plugin_process_send(q->process, line->p, line->len, false, NULL);
    return c;
}

struct queued_call *
call_queue_new(struct loop *l, struct tool_pool *p,
               struct plugin_process *process, bool fresh,
               struct spawn_plan *plan, const struct buf *line,
               const struct queued_call_events *ev, void *arg, struct err *e)
{
    struct call_queue *q = calloc(1, sizeof(*q));
    struct queued_call *c;

    if (!q) {
        err_nomem(e);
        return NULL;
    }
    q->pool = p;
    q->turn_ms = clock_ms();
    q->end = &q->first;
    if (!(q->soon = loop_soon(l, on_soon, q, e)) ||
        !(c = add_queued_call(q, line, ev, arg))) {
        watch_free(q->soon);
        free(q);
        err_nomem(e);
        return NULL;
    }
    watch_stop(q->soon);
    q->process = process;
    q->fresh = fresh;
    q->plan = spawn_plan_share(plan);
    q->next = *pool_queues(p);
    *pool_queues(p) = q;
    return c;
}

bool
call_queue_has_next(const struct queued_call *q)
{
    return q->next != NULL;
}

void
call_queue_answered(struct queued_call *c)
{
    struct call_queue *q = c->queue;

    q->fresh = false;
    drop_first_call(q);
    if (q->live > 0) {
        begin_turn(q);
        return;
    }
    if (!q->first) /* else it will answer what nobody waits for */
        pool_give(q->pool, TAKE_PTR(q->process), q->plan, false);
    call_queue_free(q);
}

struct plugin_process *
call_queue_leave(struct queued_call *c)
{
    struct call_queue *q = c->queue;
    struct plugin_process *p = q->first == c ? q->process : NULL;

    c->arg = NULL;
    q->live--;
    if (p)
        renew_process(q);
    if (q->live == 0 && !q->lost)
        call_queue_free(q);
    return p; /* where others stay, on_soon or its turn drops its place */
}

bool
call_queue_again(struct queued_call *c)
{
    struct call_queue *q = c->queue;

    if (q->fresh || q->first != c || !q->process)
        return false;
    plugin_process_free(q->process);
    renew_process(q);
    return true;
}

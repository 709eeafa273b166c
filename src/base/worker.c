/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker.c - does a piece of work in a thread, beside an event loop. */
#include "base/worker.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/thread.h"

struct worker {
    pthread_t thread;
    bool started;
    void (*run)(void *arg);
    void (*done)(void *arg);
    void (*drop)(void *arg); /* set before it is parted */
    void *arg;
    int ended; /* an eventfd */
    struct watch *watch;
    atomic_bool parted; /* run has ended, or its owner has left: who comes
                           second has the worker */
};

static void
free_left_worker(struct worker *w)
{
    void (*drop)(void *arg) = w->drop;
    void *arg = w->arg;

    fd_close_p(&w->ended);
    free(w);
    drop(arg);
}

static void *
run_worker(void *arg)
{
    struct worker *w = arg;
    const uint64_t one = 1;

    w->run(w->arg);
    if (atomic_exchange(&w->parted, true))
        free_left_worker(w);
    else
        (void)!write(w->ended, &one, sizeof(one));
    return NULL;
}

static void
join_thread(struct worker *w)
{
    if (w->started)
        (void)pthread_join(w->thread, NULL);
    w->started = false;
}

static void
on_worker_ended(void *arg, unsigned events)
{
    struct worker *w = arg;

    (void)events;
    watch_free(w->watch);
    w->watch = NULL;
    join_thread(w); /* what it wrote is ours to read from here on */
    w->done(w->arg);
}

struct worker *
worker_start(struct loop *l, void (*run)(void *arg), void (*done)(void *arg),
             void *arg, struct err *e)
{
    CLEANUP(worker_free_p) struct worker *w = calloc(1, sizeof(*w));

    if (!w) {
        err_nomem(e);
        return NULL;
    }
    *w = (struct worker){.run = run, .done = done, .arg = arg, .ended = -1};
    w->ended = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (w->ended < 0) {
        err_sys(e, "eventfd");
        return NULL;
    }
    w->watch = loop_fd(l, w->ended, LOOP_READ, on_worker_ended, w, e);
    if (!w->watch || thread_start(&w->thread, run_worker, w, e) < 0)
        return NULL;
    w->started = true;
    return TAKE_PTR(w);
}

void
worker_free(struct worker *w)
{
    if (!w)
        return;
    watch_free(w->watch);
    join_thread(w);
    fd_close_p(&w->ended);
    free(w);
}

void
worker_leave(struct worker *w, void (*drop)(void *arg))
{
    pthread_t thread;

    if (!w)
        return;
    watch_free(w->watch);
    w->drop = drop;
    thread = w->thread;
    if (w->started && !atomic_exchange(&w->parted, true)) {
        (void)pthread_detach(thread); /* w is its own now */
        return;
    }
    join_thread(w);
    free_left_worker(w);
}

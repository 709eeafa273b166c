/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker.c - does a piece of work in a thread, beside an event loop. */
#include "base/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/fd.h"

/* What is usual differs: musl gives a thread 128 KiB. */
#define STACK_BYTES (1u << 20)

struct worker {
    pthread_t thread;
    bool started;
    void (*run)(void *arg);
    void (*done)(void *arg);
    void *arg;
    int ended; /* an eventfd */
    struct watch *watch;
};

static void *
run_worker(void *arg)
{
    const struct worker *w = arg;
    const uint64_t one = 1;

    w->run(w->arg);
    (void)!write(w->ended, &one, sizeof(one));
    return NULL;
}

static void
on_worker_ended(void *arg, unsigned events)
{
    struct worker *w = arg;

    (void)events;
    watch_free(w->watch);
    w->watch = NULL;
    w->done(w->arg);
}

/* The thread inherits the mask of signals: none comes there. */
static int
start_worker_thread(struct worker *w, struct err *e)
{
    pthread_attr_t attr;
    sigset_t all, before;
    int rc;

    if (pthread_attr_init(&attr) != 0)
        return err_nomem(e);
    (void)pthread_attr_setstacksize(&attr, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(&w->thread, &attr, run_worker, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attr);
    if (rc != 0)
        return err_set(e, ERR_NOMEM, "no thread could be started");
    w->started = true;
    return 0;
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
    if (!w->watch || start_worker_thread(w, e) < 0)
        return NULL;
    return TAKE_PTR(w);
}

void
worker_free(struct worker *w)
{
    if (!w)
        return;
    watch_free(w->watch);
    if (w->started)
        (void)pthread_join(w->thread, NULL);
    fd_close_p(&w->ended);
    free(w);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread.c - starts a thread that gets no signals. */
#include "base/thread.h"

#include <signal.h>
#include <string.h>

/* What is usual differs: musl gives a thread 128 KiB. */
#define STACK_BYTES (1u << 20)

/* A thread inherits the mask of who starts it. */
int
thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg,
             struct err *e)
{
    pthread_attr_t attr;
    sigset_t all, before;
    int rc;

    if (pthread_attr_init(&attr) != 0)
        return err_nomem(e);
    (void)pthread_attr_setstacksize(&attr, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(thread, &attr, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attr);
    return rc == 0 ? 0
                   : err_set(e, ERR_NOMEM, "no thread can be started: %s",
                             err_system(rc));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread.h - starts a thread that gets no signals. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>

#include "base/err.h"

/* It calls run(arg). All signals are blocked in it, so that they reach the
 * thread that waits for them. ERR_NOMEM: there is none. */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg,
                 struct err *e);

#endif

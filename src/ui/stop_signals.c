/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop_signals.c - watches the signals that end a run. */
#include "ui/stop_signals.h"

#include <signal.h>
#include <time.h>

static const int signals[STOP_SIGNALS_N] = {SIGINT, SIGTERM, SIGHUP};

int
stop_signals_init(struct stop_signals *s, struct loop *l, loop_cb *cb,
                  void *arg, struct err *e)
{
    *s = (struct stop_signals){0};
    for (size_t i = 0; i < STOP_SIGNALS_N; i++) {
        s->v[i] = loop_signal(l, signals[i], cb, arg, e);
        if (!s->v[i])
            return -1;
    }
    return 0;
}

bool
stop_signals_take(const struct stop_signals *s)
{
    static const struct timespec at_once;
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < STOP_SIGNALS_N; i++) {
        if (s->v[i]) /* else it is not blocked */
            sigaddset(&set, signals[i]);
    }
    return sigtimedwait(&set, NULL, &at_once) > 0;
}

void
stop_signals_done(struct stop_signals *s)
{
    for (size_t i = 0; s && i < STOP_SIGNALS_N; i++)
        watch_free(s->v[i]);
    if (s)
        *s = (struct stop_signals){0};
}

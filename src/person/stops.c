/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stops.c - the signals that end a run: Ctrl-C, kill(1), a lost terminal. */
#include "person/stops.h"

#include <signal.h>

static const int signals[STOPS_N] = {SIGINT, SIGTERM, SIGHUP};

int
stops_init(struct stops *s, struct loop *l, loop_cb *cb, void *arg,
           struct err *e)
{
    *s = (struct stops){0};
    for (size_t i = 0; i < STOPS_N; i++) {
        s->v[i] = loop_signal(l, signals[i], cb, arg, e);
        if (!s->v[i])
            return -1;
    }
    return 0;
}

void
stops_done(struct stops *s)
{
    for (size_t i = 0; s && i < STOPS_N; i++)
        watch_free(s->v[i]);
    if (s)
        *s = (struct stops){0};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stall.c - detects a peer that has read nothing for too long. */
#include "wire/stall.h"

#include <stdlib.h>

struct stall {
    const struct sender *sender;
    struct watch *late;
    int64_t ms;
    uint64_t from; /* bytes that had been written when it was armed */
    void (*cb)(void *arg);
    void *arg;
};

static void
on_stall(void *arg, unsigned events)
{
    struct stall *s = arg;

    (void)events;
    if (sender_written(s->sender) != s->from)
        stall_watch(s, true);
    else
        s->cb(s->arg);
}

struct stall *
stall_new(struct loop *l, const struct sender *sender, int64_t ms,
          void (*cb)(void *arg), void *arg, struct err *e)
{
    struct stall *s = malloc(sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    *s = (struct stall){.sender = sender, .ms = ms, .cb = cb, .arg = arg};
    if (!(s->late = loop_timer(l, ms, on_stall, s, e))) {
        free(s);
        return NULL;
    }
    watch_stop(s->late);
    return s;
}

void
stall_free(struct stall *s)
{
    if (!s)
        return;
    watch_free(s->late);
    free(s);
}

void
stall_watch(struct stall *s, bool on)
{
    if (!s)
        return;
    if (!on) {
        watch_stop(s->late);
        return;
    }
    s->from = sender_written(s->sender);
    watch_again(s->late, s->ms);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aside.c - what background jobs write while a person types. */
#include "door/repl/aside.h"

#include <string.h>

#define PART_MAX 4096 /* more is no line that anyone waits for */
#define PART_MS  100
#define NEVER_MS INT64_C(86400000)

static void
on_timer(void *arg, unsigned events)
{
    (void)events;
    aside_flush(arg);
}

int
aside_init(struct aside *a, struct loop *l,
           void (*show)(void *arg, const char *p, size_t n), void *arg,
           struct err *e)
{
    *a = (struct aside){.show = show, .arg = arg};
    buf_init(&a->text, PART_MAX);
    a->timer = loop_timer(l, NEVER_MS, on_timer, a, e);
    return a->timer ? 0 : -1;
}

void
aside_done(struct aside *a)
{
    if (!a)
        return;
    watch_free(a->timer);
    buf_done(&a->text);
}

void
aside_flush(struct aside *a)
{
    if (a->text.len > 0)
        a->show(a->arg, a->text.p, a->text.len);
    buf_clear(&a->text);
}

void
aside_put(struct aside *a, const char *p, size_t n)
{
    const char *nl = memrchr(p, '\n', n);
    size_t whole = nl ? (size_t)(nl - p) + 1 : 0;

    if (a->text.len + n > PART_MAX) {
        aside_flush(a);
        a->show(a->arg, p, n);
        return;
    }
    buf_add(&a->text, p, whole);
    if (whole > 0)
        aside_flush(a);
    buf_add(&a->text, p + whole, n - whole);
    if (a->text.len > 0)
        watch_again(a->timer, PART_MS);
}

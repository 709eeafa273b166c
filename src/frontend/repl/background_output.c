/* SPDX-License-Identifier: GPL-3.0-or-later */
/* background_output.c - show the output of background jobs above the prompt. */
#include "frontend/repl/background_output.h"

#include <string.h>

#define PART_MAX 4096 /* more is no line that anyone waits for */
#define PART_MS  100

static void
on_timer(void *arg, unsigned events)
{
    (void)events;
    background_output_flush(arg);
}

int
background_output_init(struct background_output *a, struct loop *l,
                       void (*show)(void *arg, const char *p, size_t n),
                       void *arg, struct err *e)
{
    *a = (struct background_output){.show = show, .arg = arg};
    buf_init(&a->text, PART_MAX);
    if (!(a->timer = loop_timer(l, PART_MS, on_timer, a, e)))
        return -1;
    watch_stop(a->timer); /* until there is output */
    return 0;
}

void
background_output_done(struct background_output *a)
{
    if (!a)
        return;
    watch_free(a->timer);
    buf_done(&a->text);
}

void
background_output_flush(struct background_output *a)
{
    if (a->text.len > 0)
        a->show(a->arg, a->text.p, a->text.len);
    buf_clear(&a->text);
}

void
background_output_add(struct background_output *a, const char *p, size_t n)
{
    const char *nl = memrchr(p, '\n', n);
    size_t whole = nl ? (size_t)(nl - p) + 1 : 0;

    if (a->text.len + n > PART_MAX) {
        background_output_flush(a);
        a->show(a->arg, p, n);
        return;
    }
    buf_add(&a->text, p, whole);
    if (whole > 0)
        background_output_flush(a);
    buf_add(&a->text, p + whole, n - whole);
    if (a->text.len > 0)
        watch_again(a->timer, PART_MS);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spaces_check.c - agentsh spaces --check: says whether lines are valid. */
#include "server/spaces/spaces_check.h"

#include <stdlib.h>
#include <string.h>

#include "server/spaces/spaces_message.h"
#include "wire/line_reader.h"
#include "wire/sender.h"

/* A line with the defaults of all its operations filled in. */
#define VERDICT_MAX (2u * SPACES_LINE_MAX)

struct spaces_check {
    struct read_buffer *buffer;
    struct line_reader *lines;
    struct sender *out;
    struct watch *soon;
    void (*ended)(void *arg);
    void *arg;
    bool over, failed;
};

static void
on_checked_all(void *arg, unsigned events)
{
    struct spaces_check *c = arg;

    (void)events;
    c->ended(c->arg);
}

static void
on_all_written(void *arg)
{
    on_checked_all(arg, 0);
}

static void
put_line_verdict(struct spaces_check *c, struct buf *verdict, bool valid)
{
    c->failed |= !valid || buf_ok(verdict, "the verdict", NULL) < 0;
    buf_ch(verdict, '\n');
    sender_take(c->out, verdict);
}

static void
on_line(void *arg, char *line, size_t n)
{
    CLEANUP_BUF struct buf verdict = buf_of(VERDICT_MAX);
    struct spaces_check *c = arg;

    if (strspn(line, " \t\r") < n)
        put_line_verdict(c, &verdict, spaces_line_check(line, n, &verdict));
}

static void
on_too_long(void *arg)
{
    CLEANUP_BUF struct buf verdict = buf_of(VERDICT_MAX);
    struct err e = {0};

    err_set(&e, ERR_INVALID, "a message must have at most %u bytes",
            SPACES_LINE_MAX);
    spaces_line_put_error(&verdict, &e);
    put_line_verdict(arg, &verdict, false);
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct spaces_check *c = arg;

    c->failed |= why != NULL;
    if (rest)
        on_line(c, rest, n);
    c->over = true;
    if (sender_is_empty(c->out))
        watch_again(c->soon, 0);
    else
        sender_on_empty(c->out, on_all_written, c);
}

static void
on_sender(void *arg, enum sender_state state)
{
    struct spaces_check *c = arg;

    if (state == SENDER_GONE && !c->over)
        watch_again(c->soon, 0);
    if (!c->over)
        line_reader_pause(c->lines, state != SENDER_OPEN);
}

struct spaces_check *
spaces_check_new(struct loop *l, int in, int out, void (*ended)(void *arg),
                 void *arg, struct err *e)
{
    static const struct line_reader_events events = {
        .line = on_line, .too_long = on_too_long, .end = on_end};
    CLEANUP(spaces_check_free_p) struct spaces_check *c = calloc(1, sizeof(*c));

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->ended = ended;
    c->arg = arg;
    if (!(c->soon = loop_soon(l, on_checked_all, c, e)) ||
        !(c->out = sender_new(l, out, SENDER_HIGH + VERDICT_MAX + 1, on_sender,
                              c, e)) ||
        !(c->buffer = read_buffer_new(e)) ||
        !(c->lines = line_reader_new(l, in, c->buffer, SPACES_LINE_MAX, &events,
                                     c, e)))
        return NULL;
    watch_stop(c->soon);
    return TAKE_PTR(c);
}

void
spaces_check_free(struct spaces_check *c)
{
    if (!c)
        return;
    watch_free(c->soon);
    line_reader_free(c->lines);
    read_buffer_free(c->buffer);
    sender_free(c->out);
    free(c);
}

bool
spaces_check_passed(const struct spaces_check *c)
{
    return !c->failed;
}

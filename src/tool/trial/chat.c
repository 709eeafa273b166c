/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chat.c - lines to a plugin's process and from it, one awaited at a time. */
#include "tool/trial/chat.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define HEARD_MAX (17u << 20) /* a response at its longest, and some events */
#define LOG_MS    50          /* for a log that is still in its pipe */

struct chat {
    struct loop *loop;
    struct launch launch;
    struct peer *peer;
    struct buf heard; /* lines, each with its newline */
    size_t taken;     /* of heard: what the caller has seen */
    bool gone, ended; /* it is of no use; its process is over */
    struct err why;
};

void
chat_free(struct chat *t)
{
    if (!t)
        return;
    peer_free(t->peer);
    launch_done(&t->launch);
    buf_done(&t->heard);
    free(t);
}

static bool
on_line(void *arg, const char *line, size_t n)
{
    struct chat *t = arg;

    buf_add(&t->heard, line, n);
    buf_ch(&t->heard, '\n');
    if (t->heard.bad && !t->gone) {
        t->gone = true;
        err_set(&t->why, ERR_PEER, "more than %u bytes", HEARD_MAX);
        peer_hold(t->peer, true);
    }
    return !t->gone;
}

static void
on_gone(void *arg, struct err *why)
{
    struct chat *t = arg;

    t->ended = why->code == ERR_NONE;
    if (t->gone)
        return;
    t->gone = true;
    t->why = *why;
    if (t->ended)
        (void)peer_explain(t->peer, &t->why);
}

struct chat *
chat_new(struct loop *l, const struct tool *tool, const struct tool_setting *s,
         struct err *e)
{
    static const struct peer_events events = {.line = on_line, .gone = on_gone};
    CLEANUP(chat_free_p) struct chat *t = calloc(1, sizeof(*t));
    struct launched started = {.report = -1};

    if (!t) {
        err_nomem(e);
        return NULL;
    }
    t->loop = l;
    buf_init(&t->heard, HEARD_MAX);
    if (launch_prepare_tool(&t->launch, tool, s, e) < 0 ||
        launch_start(&t->launch, NULL, &started, e) < 0 ||
        !(t->peer = peer_new(l, &started, e)))
        return NULL;
    peer_attend(t->peer, &events, t);
    return TAKE_PTR(t);
}

int
chat_send(struct chat *t, const char *bytes, size_t n, bool last, struct err *e)
{
    if (t->gone) {
        *e = t->why;
        return -1;
    }
    return peer_send(t->peer, bytes, n, last, e);
}

void
chat_end_input(struct chat *t)
{
    if (!t->gone)
        peer_end_input(t->peer);
}

/* Turns the loop once. False: the time is up, or the person wants an end. */
static bool
turn(struct chat *t, int64_t until, const int *stop)
{
    int64_t left = until - clock_ms();

    return left > 0 && !*stop &&
           loop_turn(t->loop, (int)(left < 100 ? left : 100), NULL) >= 0;
}

static const char *
next_line(struct chat *t, size_t *n)
{
    const char *line = t->heard.p + t->taken;
    const char *end = memchr(line, '\n', t->heard.len - t->taken);

    if (!end)
        return NULL;
    *n = (size_t)(end - line);
    t->taken += *n + 1;
    return line;
}

const char *
chat_hear(struct chat *t, int64_t ms, const int *stop, size_t *n, struct err *e)
{
    int64_t until = clock_ms() + ms;
    const char *line;

    while (!(line = next_line(t, n))) {
        if (t->gone) {
            *e = t->why;
            return NULL;
        }
        if (turn(t, until, stop))
            continue;
        err_set(e, *stop ? ERR_INTERRUPTED : ERR_TIMEOUT,
                *stop ? "interrupted" : "no answer within %lld ms",
                (long long)ms);
        return NULL;
    }
    return line;
}

bool
chat_ends(struct chat *t, int64_t ms, const int *stop)
{
    int64_t until = clock_ms() + ms;

    while (!t->ended && turn(t, until, stop))
        ;
    return t->ended;
}

const char *
chat_log(struct chat *t)
{
    int64_t until = clock_ms() + LOG_MS;

    while (!t->ended && loop_turn(t->loop, 0, NULL) > 0 && clock_ms() < until)
        ;
    return peer_log(t->peer);
}

void
chat_refused(struct chat *t, struct denials *out)
{
    peer_refused(t->peer, out);
}

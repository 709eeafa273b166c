/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - a child in the locale C, both its streams drained as they fill. */
#include "plugins/lib/run.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/proc.h"
#include "base/utf8.h"
#include "plugins/lib/reply.h"

#define READ_BYTES   65536
#define LEFTOVERS_MS 200 /* for what was written just before the end */

static bool
is_locale(const char *variable)
{
    return strncmp(variable, "LC_", 3) == 0 ||
           strncmp(variable, "LANG=", 5) == 0 ||
           strncmp(variable, "LANGUAGE=", 9) == 0;
}

/* Our environment without its locale; the list is the caller's to free. */
static const char **
environment(struct err *e)
{
    size_t n = 0, kept = 0;
    const char **list;

    while (environ[n])
        n++;
    list = calloc(n + 2, sizeof(*list));
    if (!list) {
        err_sys(e, "the environment");
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_locale(environ[i]))
            list[kept++] = environ[i];
    }
    list[kept] = "LC_ALL=C.UTF-8";
    return list;
}

/* A run under way. */
struct run {
    struct proc *child;
    const struct request *request; /* to whom its output is shown; or NULL */
    struct need_answer *out;
    struct buf partial[2]; /* of each stream, a character's first bytes */
    int64_t until;
    bool ended;
};

static void
run_done(struct run *run)
{
    buf_done(&run->partial[0]);
    buf_done(&run->partial[1]);
    proc_free(run->child);
}

static void
show(struct run *run, int which, const char *p, size_t n)
{
    struct buf *partial = &run->partial[which - 1];

    if (!run->request || buf_add(partial, p, n) < 0)
        return;
    n = partial->len - (n ? utf8_incomplete_tail(partial->p, partial->len) : 0);
    if (n > 0)
        (void)reply_event(run->request, which == 1 ? "stdout" : "stderr",
                          partial->p, n, NULL);
    buf_drop(partial, n);
}

static void
take(struct run *run, int which)
{
    struct buf *into = which == 1 ? &run->out->out : &run->out->err;
    char bytes[READ_BYTES];
    ssize_t n = read(proc_fd(run->child, which), bytes, sizeof(bytes));
    size_t room = into->max - into->len;

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        buf_add(into, bytes, (size_t)n < room ? (size_t)n : room);
    show(run, which, bytes, n > 0 ? (size_t)n : 0);
    if (n <= 0)
        proc_close_fd(run->child, which);
}

/* Waits once. False when there is nothing left to wait for. */
static bool
turn(struct run *run)
{
    struct pollfd p[] = {
        {.fd = proc_fd(run->child, 1), .events = POLLIN},
        {.fd = proc_fd(run->child, 2), .events = POLLIN},
        {.fd = run->ended ? -1 : proc_pidfd(run->child), .events = POLLIN},
    };
    int64_t left = run->until - clock_ms();

    if (p[0].fd < 0 && p[1].fd < 0 && p[2].fd < 0)
        return false;
    if (left <= 0)
        return false;
    if (poll(p, 3, left > INT32_MAX ? INT32_MAX : (int)left) <= 0)
        return true;
    for (int i = 0; i < 2; i++) {
        if (p[i].revents)
            take(run, i + 1);
    }
    if (p[2].revents) {
        run->ended = true;
        if (run->until > clock_ms() + LEFTOVERS_MS)
            run->until = clock_ms() + LEFTOVERS_MS;
    }
    return true;
}

static void
note_timeout(struct need_answer *out, int64_t limit)
{
    snprintf(out->error_code, sizeof(out->error_code), "%s",
             err_tool_code(ERR_TIMEOUT));
    if (out->err.len + 64 < out->err.max)
        buf_printf(&out->err, "%stimed out after %lld ms",
                   out->err.len && out->err.p[out->err.len - 1] != '\n' ? "\n"
                                                                        : "",
                   (long long)limit);
}

/* In milliseconds from now; -1: none. */
static int64_t
limit_of(const struct request *r)
{
    int64_t left;

    if (!r || r->timeout_ms < 0)
        return r ? -1 : RUN_LIMIT_MS;
    left = r->timeout_ms - (clock_ms() - r->began_ms);
    return left > 1 ? left : 1;
}

int
run_program(const char *const *argv, const struct run_how *how,
            struct need_answer *out, struct err *e)
{
    CLEANUP(free_p) const char **envp = environment(e);
    CLEANUP(run_done)
    struct run run = {
        .request = how->shown && how->request && how->request->stream
                       ? how->request
                       : NULL,
        .out = out,
    };
    const struct proc_spec spec = {
        .argv = argv,
        .envp = envp,
        .fds = {PROC_NULL, PROC_PIPE, PROC_PIPE},
        .pass_fd = -1,
    };
    int64_t limit = limit_of(how->request);

    buf_init(&run.partial[0], READ_BYTES + 4);
    buf_init(&run.partial[1], READ_BYTES + 4);
    run.until = limit < 0 ? INT64_MAX : clock_ms() + limit;
    if (!envp || !(run.child = proc_start(&spec, e)))
        return -1;
    while (turn(&run))
        ;
    if (!run.ended) {
        proc_signal(run.child, SIGKILL);
        note_timeout(out, limit);
    }
    return proc_wait(run.child, -1, &out->exit_code, e) < 0 ? -1 : 0;
}

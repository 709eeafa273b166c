/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_command.c - runs a command of the gateway's own, from the loop. */
#include "server/gateway/gateway_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/proc.h"

#define READ_BYTES (16u << 10)

struct gateway_command {
    struct loop *loop;
    struct proc *proc;
    struct watch *streams[2]; /* of its output and its errors; NULL: ended */
    struct watch *end;        /* of the process, once both are */
    struct watch *timer;
    struct buf out, errors;
    bool cut;
    gateway_command_cb *cb;
    void *arg;
};

void
gateway_command_free(struct gateway_command *c)
{
    if (!c)
        return;
    watch_free(c->streams[0]);
    watch_free(c->streams[1]);
    watch_free(c->end);
    watch_free(c->timer);
    proc_free(c->proc);
    buf_done(&c->out);
    buf_done(&c->errors);
    free(c);
}

/* The last that is done with it. */
static void
report_command(struct gateway_command *c, int status, const struct err *why)
{
    CLEANUP_BUF struct buf out = c->out, errors = c->errors;
    const struct gateway_command_result result = {
        .status = status, .out = &out, .cut = c->cut, .errors = errors.p};
    gateway_command_cb *cb = c->cb;
    void *arg = c->arg;

    while (errors.len > 0 && errors.p[errors.len - 1] == '\n')
        buf_cut(&errors, errors.len - 1);
    c->out = buf_of(0);
    c->errors = buf_of(0);
    gateway_command_free(c);
    cb(arg, why ? NULL : &result, why);
}

static void
on_command_exit(void *arg, unsigned events)
{
    struct gateway_command *c = arg;
    struct err e = {0};
    int status = 0, rc = proc_wait(c->proc, 0, &status, &e);

    (void)events;
    if (rc <= 0)
        report_command(c, status, rc < 0 ? &e : NULL);
}

static void
on_command_late(void *arg, unsigned events)
{
    struct err e = {0};

    (void)events;
    err_set(&e, ERR_TIMEOUT, "it takes too long");
    report_command(arg, 0, &e);
}

/* Of what is more than fits the front of the output stays, and the end of the
 * errors. */
static void
keep_command_bytes(struct gateway_command *c, int which, const char *bytes,
                   size_t n)
{
    size_t room = c->out.max - c->out.len;

    if (which == 1) {
        size_t over = c->errors.len + n > GATEWAY_COMMAND_ERRORS_MAX
                          ? c->errors.len + n - GATEWAY_COMMAND_ERRORS_MAX
                          : 0;

        buf_add(&c->errors, bytes, n);
        buf_drop(&c->errors, over);
        return;
    }
    buf_add(&c->out, bytes, n < room ? n : room);
    c->cut = c->cut || n > room;
}

static void
end_command_stream(struct gateway_command *c, int which)
{
    struct err e = {0};

    watch_free(c->streams[which]);
    c->streams[which] = NULL;
    if (c->streams[0] || c->streams[1])
        return;
    c->end = loop_fd(c->loop, proc_pidfd(c->proc), LOOP_READ, on_command_exit,
                     c, &e);
    if (!c->end)
        report_command(c, 0, &e);
}

static void
read_gateway_stream(struct gateway_command *c, int which)
{
    char bytes[READ_BYTES];
    ssize_t n = read(proc_fd(c->proc, which + 1), bytes, sizeof(bytes));

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0)
        keep_command_bytes(c, which, bytes, (size_t)n);
    if (c->out.secret && n > 0)
        explicit_bzero(bytes, (size_t)n);
    if (c->cut)
        report_command(c, 0, NULL);
    else if (n <= 0)
        end_command_stream(c, which);
}

static void
on_command_output(void *arg, unsigned events)
{
    (void)events;
    read_gateway_stream(arg, 0);
}

static void
on_command_errors(void *arg, unsigned events)
{
    (void)events;
    read_gateway_stream(arg, 1);
}

struct gateway_command *
gateway_command_start(struct loop *l, const struct gateway_command_spec *spec,
                      gateway_command_cb *cb, void *arg, struct err *e)
{
    CLEANUP(gateway_command_free_p)
    struct gateway_command *c = calloc(1, sizeof(*c));
    const struct proc_spec child = {.argv = spec->argv,
                                    .envp = spec->envp,
                                    .cwd = spec->cwd,
                                    .seat = spec->seat,
                                    .fds = {PROC_NULL, PROC_PIPE, PROC_PIPE},
                                    .pass_fd = -1};

    if (!c) {
        err_nomem(e);
        return NULL;
    }
    c->loop = l;
    c->cb = cb;
    c->arg = arg;
    c->out = spec->secret ? buf_of_secret(spec->max_bytes)
                          : buf_of(spec->max_bytes);
    c->errors = buf_of(GATEWAY_COMMAND_ERRORS_MAX + READ_BYTES);
    if (!(c->proc = proc_start(&child, e)) ||
        fd_set_nonblock(proc_fd(c->proc, 1), true, e) < 0 ||
        fd_set_nonblock(proc_fd(c->proc, 2), true, e) < 0 ||
        !(c->timer = loop_timer(l, spec->timeout_ms, on_command_late, c, e)))
        return NULL;
    c->streams[0] = loop_fd(l, proc_fd(c->proc, 1), LOOP_READ,
                            on_command_output, c, e);
    c->streams[1] = loop_fd(l, proc_fd(c->proc, 2), LOOP_READ,
                            on_command_errors, c, e);
    return c->streams[0] && c->streams[1] ? TAKE_PTR(c) : NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_guest_call.c - agentsh guest call: one request to a guest agent. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "server/server_commands.h"
#include "server/server_token.h"
#include "wire/guest_ssh.h"
#include "wire/listener.h"
#include "wire/rpc.h"

#define CONNECT_MS 10000
#define SSH_PREFIX "ssh:"

/* One call: its connection, and its result. */
struct guest_call {
    struct app *app;
    struct read_buffer *buffer;
    struct rpc *rpc;
    struct proc *ssh; /* NULL: a socket */
    int fd;           /* the socket; -1: ssh's pipes */
    const char *token;
    struct buf params;
    struct buf result; /* JSON */
    struct err why;
};

static void
guest_call_done(struct guest_call *c)
{
    rpc_free(c->rpc);
    read_buffer_free(c->buffer);
    proc_free(c->ssh);
    fd_close_p(&c->fd);
    buf_done(&c->params);
    buf_done(&c->result);
}

static void
on_call_answer(void *arg, const struct jsonrpc *m, const struct err *why)
{
    struct guest_call *c = arg;
    struct json_writer w;

    if (why)
        c->why = *why;
    else if (m->kind == JSONRPC_ERROR && c->why.code == ERR_NONE)
        err_set(&c->why, ERR_TOOL, "%.200s (%lld)", m->message,
                (long long)m->code);
    else {
        json_write_init(&w, &c->result);
        json_put_value(&w, m->result);
        buf_ch(&c->result, '\n');
        (void)buf_ok(&c->result, "the result", &c->why);
    }
    loop_stop(c->app->loop);
}

/* An error without an id is the answer to our only call, or to the token. */
static void
on_call_stray(void *arg, const struct jsonrpc *m)
{
    if (m->kind == JSONRPC_ERROR)
        on_call_answer(arg, m, NULL);
}

/* The agent has accepted the token. */
static bool
on_call_line(void *arg, char *line, size_t n)
{
    (void)arg;
    return n == 2 && memcmp(line, "OK", 2) == 0;
}

static void
on_call_ended(void *arg, enum rpc_end what, const struct err *why)
{
    struct guest_call *c = arg;

    (void)what;
    if (c->why.code == ERR_NONE && c->result.len == 0) {
        if (why)
            c->why = *why;
        else
            err_set(&c->why, ERR_PEER, "the agent ended without an answer");
    }
    loop_stop(c->app->loop);
}

/* Runs an agent on another machine; ssh writes its messages to our standard
 * error. */
static int
start_ssh(struct guest_call *c, const char *host, struct err *e)
{
    const struct guest_ssh how = {.seat = c->app->seat, .host = host};

    c->ssh = guest_ssh_start(&how, e);
    return c->ssh ? 0 : -1;
}

static int
connect_target(struct guest_call *c, const char *target, struct err *e)
{
    size_t n = strlen(SSH_PREFIX);

    if (strncmp(target, SSH_PREFIX, n) == 0)
        return start_ssh(c, target + n, e);
    c->fd = listener_connect(target, CONNECT_MS, e);
    return c->fd < 0 ? -1 : 0;
}

static int
send_guest_call(struct guest_call *c, const char *method, struct err *e)
{
    static const struct rpc_method none[] = {{0}};
    static const struct rpc_events events = {
        .raw = on_call_line, .stray = on_call_stray, .ended = on_call_ended};
    CLEANUP_BUF struct buf auth = buf_of_secret(8192);
    const struct rpc_setup set = {
        .loop = c->app->loop,
        .in = c->ssh ? proc_fd(c->ssh, 1) : c->fd,
        .out = c->ssh ? proc_fd(c->ssh, 0) : c->fd,
        .buffer = c->buffer,
        .methods = none,
        .events = &events,
        .arg = c,
        .limits = {.line_bytes = GUEST_SSH_MESSAGE_MAX,
                   .queued_bytes = GUEST_SSH_MESSAGE_MAX,
                   .requests = 1,
                   .calls = 1}};

    if (!(c->rpc = rpc_new(&set, e)))
        return -1;
    if (c->token) {
        buf_printf(&auth, "AUTH %s", c->token);
        rpc_send_line(c->rpc, auth.p);
    }
    return rpc_call_start(c->rpc, method, c->params.len > 0 ? &c->params : NULL,
                          0, on_call_answer, c, e)
               ? 0
               : -1;
}

/* JSON of several lines becomes one. */
static int
read_call_params(struct guest_call *c, const char *text, struct err *e)
{
    CLEANUP(json_free_p)
    struct json *v = json_parse(text, strlen(text), JSON_UNIQUE, e);
    struct json_writer w;

    if (!v) {
        e->code = ERR_USAGE;
        return err_wrap(e, "JSON");
    }
    json_write_init(&w, &c->params);
    json_put_value(&w, v);
    return buf_ok(&c->params, "JSON", e);
}

static int
make_guest_call(struct guest_call *c, const char *const *words, int n,
                struct err *e)
{
    if (n < 2 || n > 3)
        return err_set(e, ERR_USAGE, "agentsh guest call TARGET METHOD [JSON]");
    if ((n == 3 && read_call_params(c, words[2], e) < 0) ||
        connect_target(c, words[0], e) < 0 ||
        !(c->buffer = read_buffer_new(e)) ||
        send_guest_call(c, words[1], e) < 0 || loop_run(c->app->loop, e) < 0)
        return -1;
    if (c->why.code != ERR_NONE)
        return err_set(e, c->why.code, "%s", c->why.text);
    return 0;
}

int
cmd_run_guest_call(struct command_args *c)
{
    CLEANUP(guest_call_done) struct guest_call call = {.app = c->app, .fd = -1};
    CLEANUP_BUF struct buf token = buf_of_secret(SERVER_TOKEN_MAX);
    struct err e = {0};

    buf_init(&call.params, GUEST_SSH_MESSAGE_MAX);
    buf_init(&call.result, GUEST_SSH_MESSAGE_MAX);
    if (server_token_read(c->options.token_file, &token, NULL, &e) < 0)
        return app_fail(c->app, &e);
    server_token_show_process(&token);
    call.token = token.len > 0 ? token.p : NULL;
    if (make_guest_call(&call, c->words, c->n, &e) < 0)
        return app_fail(c->app, &e);
    app_put_result(c->app, &call.result);
    return 0;
}

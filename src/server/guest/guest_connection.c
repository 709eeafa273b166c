/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_connection.c - one connection of a peer: its lines and its methods. */
#include "server/guest/guest_connection.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/guest/guest_orphans.h"
#include "server/guest/guest_record.h"
#include "server/server_token.h"
#include "wire/tls.h"

#define MESSAGE_MAX  (16u << 20) /* bytes of a line */
#define QUEUE_MAX    (64u << 20) /* bytes of answers: a large directory's */
#define REQUESTS_MAX 64 /* open at once: those that hold back no other one */
#define STALL_MS     120000
/* Of a peer that has not shown the token yet. */
#define PROVE_MS   30000
#define PROVE_LINE (64u << 10) /* bytes */
/* At the end of the input, children are gone within 2 s. */
#define CUT_MS       1500
#define CUT_WRITE_MS 300
#define CONNECT_MAX  20 /* digits that are sent back */

void
guest_refuse(struct rpc_request *rq, const struct err *e)
{
    rpc_refuse(
        rq, e->code == ERR_INVALID ? JSONRPC_INVALID_PARAMS : JSONRPC_INTERNAL,
        e->text, NULL);
}

static void
report_ended(void *arg)
{
    struct guest_connection *c = arg;

    c->ended(c->arg, c);
}

/* What was sent is written before the connection ends. */
static void
on_closing(void *arg, unsigned events)
{
    struct guest_connection *c = arg;

    (void)events;
    if (c->held == 0 && (c->sending == 0 || c->cut) &&
        rpc_open_requests(c->rpc) == 0)
        rpc_on_drained(c->rpc, report_ended, c);
}

static void
check_connection_over(struct guest_connection *c)
{
    if (c->over)
        watch_again(c->closing, 0);
}

/* What the peer has asked for when it sends no more has a while to end. */
static void
check_left(struct guest_connection *c)
{
    if (!c->timed) {
        c->timed = true;
        watch_again(c->cutting, CUT_MS);
    }
}

/* The second time what could not be answered or written is lost. */
static void
on_cutting(void *arg, unsigned events)
{
    struct guest_connection *c = arg;

    (void)events;
    if (c->cut) {
        c->ended(c->arg, c);
        return;
    }
    c->cut = true;
    watch_again(c->cutting, CUT_WRITE_MS);
    for (struct guest_task *t = c->tasks, *next; t; t = next) {
        next = t->next;
        if (t->cut)
            t->cut(t, "ended, since the peer sends no more");
    }
    check_connection_over(c);
}

static void
on_peer_left(void *arg)
{
    struct guest_connection *c = arg;

    check_left(c);
}

void
guest_task_begin(struct guest_task *t, struct guest_connection *c)
{
    t->connection = c;
    t->prev = NULL;
    t->next = c->tasks;
    if (t->next)
        t->next->prev = t;
    c->tasks = t;
    c->sending += t->sends;
    if (t->holds && c->held++ == 0)
        rpc_pause(c->rpc, true);
}

static void
unlink_task(struct guest_task *t)
{
    struct guest_connection *c = t->connection;

    *(t->prev ? &t->prev->next : &c->tasks) = t->next;
    if (t->next)
        t->next->prev = t->prev;
    t->connection = NULL;
}

void
guest_task_end(struct guest_task *t)
{
    struct guest_connection *c = t->connection;

    if (!c)
        return;
    unlink_task(t);
    if (c->freed)
        return;
    c->sending -= t->sends;
    if (t->holds && --c->held == 0) {
        rpc_pause(c->rpc, false);
        c->room(c); /* for what waited behind its answer */
    }
    check_connection_over(c);
}

/* Sends an error that answers no request, and ends the connection. */
static void
refuse_peer(struct guest_connection *c, const struct err *e)
{
    CLEANUP_BUF struct buf line = buf_of(1024);

    jsonrpc_put_error(&line, NULL, JSONRPC_INVALID_REQUEST, e->text, NULL);
    rpc_send_line(c->rpc, line.p);
    rpc_pause(c->rpc, true);
    c->over = true;
    check_connection_over(c);
}

/* The id is an integer from 0 to 2^64 - 1. */
static const char *
check_guest_id(void *arg, const char *id)
{
    static const char largest[] = "18446744073709551615";
    size_t n = id ? strspn(id, "0123456789") : 0;

    (void)arg;
    if (n > 0 && !id[n] &&
        (n < strlen(largest) ||
         (n == strlen(largest) && strcmp(id, largest) <= 0)))
        return NULL;
    return id ? "id: must be an integer from 0 to 18446744073709551615"
              : "id: is missing";
}

/* CONNECT N, as who reaches a virtual machine's socket through its monitor
 * writes it. */
static void
answer_connect(struct guest_connection *c, const char *port, size_t n)
{
    CLEANUP_BUF struct buf line = buf_of(CONNECT_MAX + 3);
    size_t digits = strspn(port, "0123456789");

    buf_str(&line, "OK ");
    if (digits == n && n > 0 && n <= CONNECT_MAX)
        buf_add(&line, port, n);
    else
        buf_str(&line, "52");
    rpc_send_line(c->rpc, line.p);
    c->connected = true;
}

/* What follows a word and a blank at the front of a line of *n bytes; *n
 * becomes its length. NULL: it begins otherwise. */
static const char *
after_word(const char *line, size_t *n, const char *word)
{
    size_t len = strlen(word);

    if (*n <= len || strncmp(line, word, len) != 0 || line[len] != ' ')
        return NULL;
    *n -= len + 1;
    return line + len + 1;
}

/* The lines that come before the first message. */
static bool
on_raw_line(void *arg, char *line, size_t n)
{
    struct guest_connection *c = arg;
    size_t blanks = strspn(line, " \t"), len;
    const char *rest;
    struct err e = {0};

    if (c->began)
        return false;
    while (n > blanks && (line[n - 1] == ' ' || line[n - 1] == '\t'))
        n--;
    len = n - blanks;
    if (!c->connected && (rest = after_word(line + blanks, &len, "CONNECT"))) {
        answer_connect(c, rest, len);
        return true;
    }
    if (c->token && (rest = after_word(line + blanks, &len, "AUTH")) &&
        server_token_is(c->token, rest, len)) {
        rpc_send_line(c->rpc, "OK");
        c->token = NULL;
        watch_free(TAKE_PTR(c->proving));
        rpc_limit_line(c->rpc, MESSAGE_MAX);
        return true;
    }
    /* a page in a browser of this machine can send that, and a line of its own
     * behind it */
    if (c->in == c->out && strstr(line, " HTTP/")) {
        err_set(&e, ERR_DENIED, "this is no HTTP server");
        refuse_peer(c, &e);
        return true;
    }
    if (c->token) {
        c->wrong(c->arg, c);
        err_set(&e, ERR_DENIED, "the first line must be AUTH and the token");
        refuse_peer(c, &e);
        return true;
    }
    c->began = true;
    return false;
}

/* What was cut off is not begun any more. */
static int
check_cut(void *arg, const struct jsonrpc *m, const struct rpc_method *method,
          bool *anonymous, struct err *e)
{
    const struct guest_connection *c = arg;

    (void)m;
    (void)method;
    (void)anonymous;
    if (!c->cut)
        return 0;
    err_set(e, ERR_INTERRUPTED, "not done, since the peer sends no more");
    return JSONRPC_INTERNAL;
}

static void
on_connection_ended(void *arg, enum rpc_end what, const struct err *why)
{
    struct guest_connection *c = arg;

    (void)why;
    if (what == RPC_OUTPUT_LOST) {
        c->ended(c->arg, c);
        return;
    }
    c->over = true;
    check_connection_over(c);
    check_left(c);
}

static void
on_connection_full(void *arg, bool full)
{
    struct guest_connection *c = arg;

    if (!full && !c->freed)
        c->room(c);
}

static void
on_unproven(void *arg, unsigned events)
{
    struct guest_connection *c = arg;
    struct err e = {0};

    (void)events;
    if (c->over)
        return;
    err_set(&e, ERR_DENIED, "no line AUTH and the token came within %d s",
            PROVE_MS / 1000);
    refuse_peer(c, &e);
}

static int
open_guest_rpc(struct guest_connection *c, const struct rpc_method *methods,
               struct err *e)
{
    static const struct rpc_events events = {.check_id = check_guest_id,
                                             .check = check_cut,
                                             .raw = on_raw_line,
                                             .left = on_peer_left,
                                             .full = on_connection_full,
                                             .ended = on_connection_ended};
    const struct rpc_setup set = {
        .loop = c->shared->loop,
        .in = c->in,
        .out = c->out,
        .tls = c->tls,
        .buffer = c->shared->buffer,
        .methods = methods,
        .events = &events,
        .arg = c,
        .limits = {.line_bytes = c->token ? PROVE_LINE : MESSAGE_MAX,
                   .queued_bytes = QUEUE_MAX,
                   .requests = REQUESTS_MAX,
                   .stall_ms = STALL_MS}};

    if (!(c->rpc = rpc_new(&set, e)) ||
        !(c->closing = loop_soon(c->shared->loop, on_closing, c, e)) ||
        !(c->cutting = loop_soon(c->shared->loop, on_cutting, c, e)))
        return -1;
    watch_stop(c->closing);
    watch_stop(c->cutting);
    if (c->token && !(c->proving = loop_timer(c->shared->loop, PROVE_MS,
                                              on_unproven, c, e)))
        return -1;
    return 0;
}

void
guest_connection_drain(struct guest_connection *c)
{
    rpc_pause(c->rpc, true);
    c->over = true;
    check_connection_over(c);
}

struct guest_connection *
guest_connection_new(const struct guest_connection_setup *set, struct err *e)
{
    CLEANUP(guest_connection_free_p)
    struct guest_connection *c = calloc(1, sizeof(*c));

    if (!c) {
        int in = set->in == set->out ? -1 : set->in, out = set->out;

        tls_free(set->tls);
        fd_close_p(&in);
        fd_close_p(&out);
        err_nomem(e);
        return NULL;
    }
    *c = (struct guest_connection){
        .shared = set->shared,
        .settings = guest_settings_hold(set->shared->settings),
        .peer = set->peer,
        .wrong = set->wrong,
        .number = ++set->shared->last_connection,
        .in = set->in,
        .out = set->out,
        .tls = set->tls,
        .token = set->token,
        .room = set->room,
        .ended = set->ended,
        .arg = set->arg};
    return open_guest_rpc(c, set->methods, e) < 0 ? NULL : TAKE_PTR(c);
}

void
guest_connection_free(struct guest_connection *c)
{
    if (!c)
        return;
    c->freed = true;
    rpc_free(c->rpc); /* first: what is open can be answered without effect */
    while (c->tasks) {
        struct guest_task *t = c->tasks;

        unlink_task(t);
        t->leave(t);
    }
    guest_orphans_end(c->shared->orphans, c->number);
    watch_free(c->closing);
    watch_free(c->cutting);
    watch_free(c->proving);
    guest_record_close(&c->run);
    guest_settings_free(c->settings);
    if (c->tls)
        tls_shut(c->tls, c->out);
    tls_free(c->tls);
    if (c->in != c->out)
        fd_close_p(&c->in);
    fd_close_p(&c->out);
    free(c);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc.c - one connection of JSON-RPC 2.0, of a server or a client. */
#include "wire/rpc.h"

#include <string.h>

#include "wire/line_reader.h"
#include "wire/parse_thread.h"
#include "wire/rpc_carrier.h"
#include "wire/rpc_dispatch.h"
#include "wire/sender.h"
#include "wire/stall.h"
#include "wire/tls.h"

/* Bytes of a message but for params and result. */
#define HEAD_MAX (64u << 10)

/* Bytes of queued output from which on large answers are paused. */
#define ROOM_BYTES (64u << 10)
#define SHORT_MAX  1024 /* bytes: less to copy than to queue alone */

/* An answer that is written in parts; next NULL: there is none. */
struct rpc_parts {
    bool (*next)(void *arg, struct buf *out);
    void (*done)(void *arg);
    void *arg;
};

struct rpc {
    struct rpc_setup set;
    struct line_reader *reader;
    struct sender *sender;
    struct stall *stall; /* watches while the peer reads slowly; NULL: no
                            limit */
    struct watch *loss;  /* reports from the loop that the output is lost */
    struct rpc_dispatch d;
    bool paused, full;
    void (*drained)(void *arg); /* NULL: not requested */
    void *drained_arg;
    struct rpc_parts parts;
    struct buf behind;           /* what is sent after it */
    struct parse_thread *parsed; /* of a long line; NULL: none. Nothing is read
                                    meanwhile */
    bool input_ended, output_lost;
    struct err lost_why;
    int held; /* callbacks under way that may free the connection */
};

static void
keep_rpc(struct rpc *r)
{
    r->held++;
}

/* False: the connection was freed in the meantime. */
static bool
release_rpc(struct rpc *r)
{
    bool dead = r->d.dead;

    if (--r->held == 0 && dead)
        free(r);
    return !dead;
}

static void lose_output(struct rpc *r, const struct err *why);
static void apply_pause(struct rpc *r);
static void on_room(void *arg);

/* A write error of a regular file is known at once; other outputs report theirs
 * by losing the reader. */
static void
queue_output(struct rpc *r, const char *bytes, size_t n)
{
    if (r->output_lost)
        return;
    if (r->parts.next) {
        buf_add(&r->behind, bytes, n);
        return;
    }
    sender_add(r->sender, bytes, n);
    if (sender_error(r->sender))
        lose_output(r, sender_error(r->sender));
}

/* The same for bytes that need not be copied; b is empty then. */
static void
take_rpc_output(struct rpc *r, struct buf *b)
{
    if (r->output_lost || b->len == 0)
        return;
    sender_take(r->sender, b);
    if (sender_error(r->sender))
        lose_output(r, sender_error(r->sender));
}

/* Passes a message to the carrier; false: there is no carrier. */
static bool
carry_message(struct rpc *r, void *way, const struct rpc_sent *m)
{
    const struct rpc_carrier *c = r->set.carrier;

    if (c)
        c->send(c->arg, way, m);
    return c != NULL;
}

/* Sends a message of which all but the last value and the brace are in head. */
static void
put_rpc_message(struct rpc *r, const struct buf *head, const struct buf *value)
{
    queue_output(r, head->p, head->len);
    if (value)
        queue_output(r, value->p, value->len);
    queue_output(r, "}\n", 2);
}

static void
send_error(struct rpc *r, void *way, const char *id, int code,
           const char *message, const struct buf *data)
{
    CLEANUP_BUF struct buf line = buf_of(r->set.limits.queued_bytes);
    const struct rpc_sent sent = {.head = &line, .answers = true, .code = code};

    jsonrpc_put_error(&line, id, code, message,
                      data && !data->bad ? data : NULL);
    if (line.bad) {
        buf_clear(&line);
        jsonrpc_put_error(&line, id, code, "an error too large to send", NULL);
    }
    if (r->set.carrier && line.len > 0)
        buf_cut(&line, line.len - 1); /* its brace */
    if (carry_message(r, way, &sent))
        return;
    buf_ch(&line, '\n');
    queue_output(r, line.p, line.len);
}

static void
refuse_message(struct rpc *r, void *way, const char *id, int code,
               const char *message)
{
    send_error(r, way, id, code, message, NULL);
}

static int
send_asking(struct rpc *r, void *way, int64_t id, const char *method,
            const struct buf *params, struct err *e)
{
    CLEANUP_BUF struct buf head = buf_of(HEAD_MAX);
    const struct rpc_sent sent = {.head = &head, .value = params};
    struct json_writer w;

    if (r->output_lost)
        return err_set(e, ERR_PEER, "the connection has ended");
    if (id > 0)
        jsonrpc_begin_request(&w, &head, id, method);
    else
        jsonrpc_begin_notification(&w, &head, method);
    if (params)
        jsonrpc_params(&w);
    if (buf_ok(&head, "a message", e) < 0 ||
        (params && buf_ok(params, "a message", e) < 0))
        return -1;
    if (!carry_message(r, way, &sent))
        put_rpc_message(r, &head, params);
    return 0;
}

int
rpc_notify(struct rpc *r, const char *method, const struct buf *params,
           struct err *e)
{
    return send_asking(r, NULL, 0, method, params, e);
}

int
rpc_notify_about(struct rpc_request *rq, const char *method,
                 const struct buf *params, struct err *e)
{
    if (!rq->rpc)
        return err_set(e, ERR_PEER, "the connection has ended");
    return send_asking(rq->rpc, rq->way, 0, method, params, e);
}

void
rpc_send_line(struct rpc *r, const char *line)
{
    queue_output(r, line, strlen(line));
    queue_output(r, "\n", 1);
}

/* A short answer is one piece of the queue. */
static void
send_result(struct rpc *r, const struct rpc_request *rq,
            const struct buf *result)
{
    CLEANUP_BUF struct buf head = buf_of(HEAD_MAX);
    const struct rpc_sent sent = {
        .head = &head, .value = result, .answers = true};

    jsonrpc_begin_result(&head, rq->id);
    if (carry_message(r, rq->way, &sent))
        return;
    if (result->len > SHORT_MAX) {
        put_rpc_message(r, &head, result);
        return;
    }
    buf_add(&head, result->p, result->len);
    buf_str(&head, "}\n");
    queue_output(r, head.p, head.len);
}

void
rpc_answer(struct rpc_request *rq, const struct buf *result)
{
    CLEANUP(rpc_request_free_p) struct rpc_request *own = rq;

    if (!own->rpc)
        return;
    if (result->bad || result->len == 0)
        send_error(own->rpc, own->way, own->id, JSONRPC_INTERNAL,
                   "the result is too large", NULL);
    else
        send_result(own->rpc, own, result);
}

void
rpc_refuse(struct rpc_request *rq, int code, const char *message,
           const struct buf *data)
{
    CLEANUP(rpc_request_free_p) struct rpc_request *own = rq;

    if (own->rpc)
        send_error(own->rpc, own->way, own->id, code, message, data);
}

static void
end_parts(struct rpc *r)
{
    struct rpc_parts ended = r->parts;
    struct err e = {0};

    r->parts = (struct rpc_parts){0};
    if (buf_ok(&r->behind, "the output queue", &e) < 0)
        lose_output(r, &e);
    take_rpc_output(r, &r->behind);
    if (ended.next)
        ended.done(ended.arg);
}

static bool
rpc_has_room(const struct rpc *r)
{
    return !r->full && !r->output_lost &&
           r->set.limits.queued_bytes - sender_room(r->sender) <= ROOM_BYTES;
}

/* Queues parts while there is room for them. */
static void
queue_parts(struct rpc *r)
{
    while (r->parts.next && rpc_has_room(r)) {
        CLEANUP_BUF struct buf part = buf_of(RPC_PART_MAX);
        bool more = r->parts.next(r->parts.arg, &part);
        struct err e = {0};

        if (buf_ok(&part, "a part of an answer", &e) < 0) {
            lose_output(r, &e); /* what was sent cannot be taken back */
            return;
        }
        if (!more)
            buf_str(&part, "}\n");
        take_rpc_output(r, &part);
        if (!more)
            end_parts(r);
    }
    if (r->parts.next)
        sender_on_empty(r->sender, on_room, r);
    apply_pause(r);
}

static void
on_room(void *arg)
{
    struct rpc *r = arg;

    queue_parts(r);
    if (!r->parts.next && !r->output_lost && r->set.events->full)
        r->set.events->full(r->set.arg, false);
}

void
rpc_answer_parts(struct rpc_request *rq,
                 bool (*next)(void *arg, struct buf *out),
                 void (*done)(void *arg), void *arg)
{
    CLEANUP(rpc_request_free_p) struct rpc_request *own = rq;
    CLEANUP_BUF struct buf head = buf_of(HEAD_MAX);
    struct rpc *r = own->rpc;

    if (!r || r->output_lost || r->set.carrier) {
        done(arg);
        return;
    }
    jsonrpc_begin_result(&head, own->id);
    queue_output(r, head.p, head.len);
    r->parts = (struct rpc_parts){.next = next, .done = done, .arg = arg};
    queue_parts(r);
}

bool
rpc_is_full(struct rpc *r)
{
    if (r->parts.next || r->output_lost || rpc_has_room(r))
        return r->parts.next || r->output_lost;
    sender_on_empty(r->sender, on_room, r);
    return true;
}

void
rpc_drop(struct rpc_request *rq)
{
    const struct rpc_carrier *c = rq && rq->rpc ? rq->rpc->set.carrier : NULL;

    if (c && rq->way)
        c->dropped(c->arg, rq->way);
    rpc_request_free(rq);
}

const char *
rpc_request_id(const struct rpc_request *rq)
{
    return rq->id;
}

struct json *
rpc_take_message(struct rpc_request *rq)
{
    return rq->message ? TAKE_PTR(*rq->message) : NULL;
}

void
rpc_on_cancel(struct rpc_request *rq, void (*cb)(void *arg), void *arg)
{
    rq->on_cancel = cb;
    rq->arg = arg;
    if (rq->cancelled)
        cb(arg);
}

void
rpc_cancel_all(struct rpc *r)
{
    struct rpc_request *rq;

    keep_rpc(r);
    while (!r->d.dead && (rq = rpc_requests_find(&r->d.requests, NULL)) != NULL)
        rpc_request_cancel(rq);
    (void)release_rpc(r);
}

static void
apply_pause(struct rpc *r)
{
    if (r->set.carrier) {
        r->set.carrier->pause(r->set.carrier->arg, r->paused);
        return;
    }
    line_reader_pause(r->reader,
                      r->paused || r->full || r->parsed || r->parts.next);
}

void
rpc_take(struct rpc *r, struct jsonrpc *m, int rc, void *way, struct err *e)
{
    keep_rpc(r);
    rpc_dispatch_message(&r->d, m, rc, way, e);
    (void)release_rpc(r);
}

void
rpc_leave_way(struct rpc *r, const void *way, bool cancel)
{
    struct rpc_request *rq = r->d.requests.first;

    while (rq && rq->way != way)
        rq = rq->next;
    if (!rq)
        return;
    rq->way = NULL;
    if (cancel)
        rpc_request_cancel(rq);
}

void
rpc_refuse_open(struct rpc *r, int code, const char *message)
{
    for (struct rpc_request *rq = r->d.requests.first; rq; rq = rq->next)
        send_error(r, rq->way, rq->id, code, message, NULL);
    rpc_requests_leave(&r->d.requests);
}

static void
parse_rpc_message(struct rpc *r, const char *line, size_t n)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};
    int rc = jsonrpc_parse(line, n, &m, &e);

    rpc_take(r, &m, rc, NULL, &e);
}

static void
on_long_line(void *arg, struct jsonrpc *m, int rc, struct err *e)
{
    struct rpc *r = arg;

    parse_thread_free(TAKE_PTR(r->parsed));
    apply_pause(r);
    rpc_take(r, m, rc, NULL, e);
}

/* False: it could not be begun, and the line is as it was. */
static bool
parse_aside(struct rpc *r, const char *line, size_t n)
{
    CLEANUP_BUF struct buf text = buf_of(n);

    if (!line_reader_take(r->reader, &text) && buf_add(&text, line, n) < 0)
        return false;
    r->parsed = parse_thread_start(r->set.loop, &text, n, on_long_line, r);
    if (!r->parsed) {
        parse_rpc_message(
            r, text.p, n); /* no thread could be started: it is parsed here */
        return true;
    }
    apply_pause(r);
    return true;
}

static void
read_rpc_line(struct rpc *r, char *line, size_t n, bool aside)
{
    if (strspn(line, " \t\r") != n &&
        !(r->set.events->raw && r->set.events->raw(r->set.arg, line, n)) &&
        !(aside && parse_aside(r, line, n)))
        parse_rpc_message(r, line, n);
}

static void
on_line(void *arg, char *line, size_t n)
{
    read_rpc_line(arg, line, n, n > PARSE_THREAD_LEAST);
}

static void
on_too_long(void *arg)
{
    struct rpc *r = arg;
    struct err e = {0};

    err_set(&e, ERR_PEER, "a message is longer than %zu bytes",
            r->set.limits.line_bytes);
    send_error(r, NULL, NULL, JSONRPC_INVALID_REQUEST, e.text, NULL);
}

/* Fails our calls, and reports the end to the owner. */
static void
report_rpc_end(struct rpc *r, enum rpc_end what, const struct err *why)
{
    struct err ended = {0};

    err_set(&ended, ERR_PEER, "the connection has ended");
    keep_rpc(r);
    while (!r->d.dead && r->d.calls.first)
        rpc_call_conclude(r->d.calls.first, NULL, why ? why : &ended);
    if (!r->d.dead)
        r->set.events->ended(r->set.arg, what, why);
    (void)release_rpc(r);
}

void
rpc_fail_calls(struct rpc *r)
{
    struct err ended = {0};

    err_set(&ended, ERR_PEER, "the connection has ended");
    keep_rpc(r);
    while (!r->d.dead && r->d.calls.first)
        rpc_call_conclude(r->d.calls.first, NULL, &ended);
    (void)release_rpc(r);
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct rpc *r = arg;

    keep_rpc(r);
    if (rest)
        read_rpc_line(r, rest, n, false); /* before the end is reported */
    if (!r->d.dead) {
        r->input_ended = true;
        report_rpc_end(r, RPC_INPUT_ENDED, why);
    }
    (void)release_rpc(r);
}

static void
on_left(void *arg)
{
    const struct rpc *r = arg;

    if (r->set.events->left)
        r->set.events->left(r->set.arg);
}

void
rpc_limit_line(struct rpc *r, size_t bytes)
{
    r->set.limits.line_bytes = bytes;
    line_reader_limit(r->reader, bytes);
}

void
rpc_pause(struct rpc *r, bool paused)
{
    r->paused = paused;
    apply_pause(r);
}

/* The output is lost, which is reported from the loop, not within the function
 * that sends. */
static void
lose_output(struct rpc *r, const struct err *why)
{
    if (r->output_lost)
        return;
    r->output_lost = true;
    r->full = false;
    if (why)
        r->lost_why = *why;
    else
        err_set(&r->lost_why, ERR_PEER, "nobody reads what is sent");
    apply_pause(r);
    stall_watch(r->stall, false);
    watch_again(r->loss, 0);
}

static void
report_drained(void *arg)
{
    struct rpc *r = arg;
    void (*cb)(void *arg) = r->drained;

    r->drained = NULL;
    if (cb && !r->output_lost)
        cb(r->drained_arg);
}

static void
on_loss(void *arg, unsigned events)
{
    struct rpc *r = arg;

    (void)events;
    if (!r->output_lost) { /* it was rpc_on_drained that armed it */
        report_drained(r);
        return;
    }
    end_parts(r);
    report_rpc_end(r, RPC_OUTPUT_LOST, &r->lost_why);
}

static void
on_peer_stalled(void *arg)
{
    struct rpc *r = arg;
    struct err e = {0};

    err_set(&e, ERR_PEER, "what is sent was not read for %lld ms",
            (long long)r->set.limits.stall_ms);
    lose_output(r, &e);
}

static void
on_output(void *arg, enum sender_state state)
{
    struct rpc *r = arg;

    if (r->output_lost)
        return;
    if (state == SENDER_GONE) {
        lose_output(r, sender_error(r->sender));
        return;
    }
    r->full = state == SENDER_FULL;
    if (r->full)
        apply_pause(r);
    else
        queue_parts(r);
    stall_watch(r->stall, r->full);
    if (r->set.events->full)
        r->set.events->full(r->set.arg, r->full);
}

static int
open_connection(struct rpc *r, struct err *e)
{
    static const struct line_reader_events events = {.line = on_line,
                                                     .too_long = on_too_long,
                                                     .end = on_end,
                                                     .left = on_left};
    const struct rpc_setup *set = &r->set;

    if (set->carrier)
        return 0;
    r->reader = line_reader_new(set->loop, set->in, set->buffer,
                                set->limits.line_bytes, &events, r, e);
    if (!r->reader)
        return -1;
    r->sender = sender_new(set->loop, set->out, set->limits.queued_bytes,
                           on_output, r, e);
    if (!r->sender || !(r->loss = loop_soon(set->loop, on_loss, r, e)))
        return -1;
    watch_stop(r->loss);
    line_reader_use_tls(r->reader, set->tls);
    sender_use_tls(r->sender, set->tls);
    sender_notice_leaving(r->sender);
    if (set->limits.stall_ms == 0)
        return 0;
    r->stall = stall_new(set->loop, r->sender, set->limits.stall_ms,
                         on_peer_stalled, r, e);
    return r->stall ? 0 : -1;
}

struct rpc *
rpc_new(const struct rpc_setup *set, struct err *e)
{
    CLEANUP(rpc_free_p) struct rpc *r = calloc(1, sizeof(*r));

    if (!r) {
        err_nomem(e);
        return NULL;
    }
    r->set = *set;
    r->d = (struct rpc_dispatch){
        .rpc = r, .set = &r->set, .refuse = refuse_message};
    buf_init(&r->behind, set->limits.queued_bytes);
    return open_connection(r, e) < 0 ? NULL : TAKE_PTR(r);
}

void
rpc_free(struct rpc *r)
{
    if (!r)
        return;
    end_parts(r);
    buf_done(&r->behind);
    line_reader_free(r->reader);
    parse_thread_free(r->parsed);
    sender_free(r->sender);
    stall_free(r->stall);
    watch_free(r->loss);
    while (r->d.calls.first)
        rpc_call_free(r->d.calls.first);
    rpc_requests_leave(&r->d.requests);
    r->d.dead = true;
    if (r->held == 0)
        free(r);
}

/* Sends the notification that cancels a call, if the table has one. */
static void
send_cancel(const struct rpc_call *c)
{
    const struct rpc_method *row = c->rpc->set.methods;
    CLEANUP_BUF struct buf params = buf_of(HEAD_MAX);
    struct json_writer w;

    while (row->name && !row->cancels)
        row++;
    if (!row->name)
        return;
    json_write_init(&w, &params);
    json_open_object(&w);
    json_member_int(&w, row->cancels, c->id);
    json_close_object(&w);
    (void)rpc_notify(c->rpc, row->name, &params, NULL);
}

static void
on_call_limit(void *arg, unsigned events)
{
    struct rpc_call *c = arg;
    struct err e = {0};

    (void)events;
    err_set(&e, ERR_TIMEOUT, "no answer in time");
    send_cancel(c);
    rpc_call_conclude(c, NULL, &e);
}

static struct rpc_call *
start_rpc_call(struct rpc *r, void *way, const char *method,
               const struct buf *params, int64_t timeout_ms, rpc_answer_cb *cb,
               void *arg, struct err *e)
{
    struct rpc_call *c;

    if (r->input_ended) {
        err_set(e, ERR_PEER, "the connection has ended");
        return NULL;
    }
    if (r->d.calls.n >= r->set.limits.calls) {
        err_set(e, ERR_NOMEM, "more than %zu calls are open",
                r->set.limits.calls);
        return NULL;
    }
    c = rpc_calls_add(&r->d.calls, r, cb, arg);
    if (!c) {
        err_nomem(e);
        return NULL;
    }
    if ((timeout_ms > 0 && !(c->limit = loop_timer(r->set.loop, timeout_ms,
                                                   on_call_limit, c, e))) ||
        send_asking(r, way, c->id, method, params, e) < 0) {
        rpc_call_free(c);
        return NULL;
    }
    return c;
}

struct rpc_call *
rpc_call_start(struct rpc *r, const char *method, const struct buf *params,
               int64_t timeout_ms, rpc_answer_cb *cb, void *arg, struct err *e)
{
    return start_rpc_call(r, NULL, method, params, timeout_ms, cb, arg, e);
}

struct rpc_call *
rpc_call_about(struct rpc_request *rq, const char *method,
               const struct buf *params, int64_t timeout_ms, rpc_answer_cb *cb,
               void *arg, struct err *e)
{
    if (rq->rpc)
        return start_rpc_call(rq->rpc, rq->way, method, params, timeout_ms, cb,
                              arg, e);
    err_set(e, ERR_PEER, "the connection has ended");
    return NULL;
}

void
rpc_call_cancel(struct rpc_call *c)
{
    send_cancel(c);
    rpc_call_free(c);
}

void
rpc_on_drained(struct rpc *r, void (*cb)(void *arg), void *arg)
{
    r->drained = cb;
    r->drained_arg = arg;
    if (r->output_lost)
        return;
    if (rpc_is_drained(r))
        watch_again(r->loss, 0);
    else
        sender_on_empty(r->sender, report_drained, r);
}

size_t
rpc_open_requests(const struct rpc *r)
{
    return r->d.requests.n;
}

bool
rpc_is_drained(const struct rpc *r)
{
    return r->output_lost || !r->sender || sender_is_empty(r->sender);
}

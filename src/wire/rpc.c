/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc.c - one connection of JSON-RPC 2.0, of a server or a client. */
#include "wire/rpc.h"

#include <string.h>

#include "wire/line_reader.h"
#include "wire/parse_thread.h"
#include "wire/rpc_calls.h"
#include "wire/rpc_requests.h"
#include "wire/sender.h"
#include "wire/stall.h"

#define HEAD_MAX                                                               \
    (64u << 10) /* bytes of a message but for params and result                \
                 */

/* Of output that is to be sent, until who sends much waits. */
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
    struct watch *loss;  /* tells of the output's loss from the loop */
    struct rpc_requests requests;
    struct rpc_calls calls;
    bool paused, full;
    void (*drained)(void *arg); /* NULL: nobody waits for it */
    void *drained_arg;
    struct rpc_parts parts;
    struct buf behind;           /* what is sent after it */
    struct parse_thread *parsed; /* of a long line; NULL: none. Nothing is read
                                    meanwhile */
    bool input_ended, output_lost;
    struct err lost_why;
    int held;  /* callbacks that we go on after */
    bool dead; /* freed by one of them: its memory is freed after it */
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
    bool dead = r->dead;

    if (--r->held == 0 && dead)
        free(r);
    return !dead;
}

static void lose_output(struct rpc *r, const struct err *why);
static void apply_pause(struct rpc *r);
static void on_room(void *arg);

/* A file says at once that it cannot be written; others when they are lost. */
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
send_error(struct rpc *r, const char *id, int code, const char *message,
           const struct buf *data)
{
    CLEANUP_BUF struct buf line = buf_of(r->set.limits.queued_bytes);

    jsonrpc_put_error(&line, id, code, message,
                      data && !data->bad ? data : NULL);
    if (line.bad) {
        buf_clear(&line);
        jsonrpc_put_error(&line, id, code, "an error too large to send", NULL);
    }
    buf_ch(&line, '\n');
    queue_output(r, line.p, line.len);
}

static int
send_asking(struct rpc *r, int64_t id, const char *method,
            const struct buf *params, struct err *e)
{
    CLEANUP_BUF struct buf head = buf_of(HEAD_MAX);
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
    put_rpc_message(r, &head, params);
    return 0;
}

int
rpc_notify(struct rpc *r, const char *method, const struct buf *params,
           struct err *e)
{
    return send_asking(r, 0, method, params, e);
}

void
rpc_send_line(struct rpc *r, const char *line)
{
    queue_output(r, line, strlen(line));
    queue_output(r, "\n", 1);
}

/* A short answer is one piece of the queue. */
static void
send_result(struct rpc *r, const char *id, const struct buf *result)
{
    CLEANUP_BUF struct buf head = buf_of(HEAD_MAX);

    jsonrpc_begin_result(&head, id);
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
        send_error(own->rpc, own->id, JSONRPC_INTERNAL,
                   "the result is too large", NULL);
    else
        send_result(own->rpc, own->id, result);
}

void
rpc_refuse(struct rpc_request *rq, int code, const char *message,
           const struct buf *data)
{
    CLEANUP(rpc_request_free_p) struct rpc_request *own = rq;

    if (own->rpc)
        send_error(own->rpc, own->id, code, message, data);
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

    if (!r || r->output_lost) {
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
    while (!r->dead && (rq = rpc_requests_find(&r->requests, NULL)) != NULL)
        rpc_request_cancel(rq);
    (void)release_rpc(r);
}

static const struct rpc_method *
find_method(const struct rpc *r, const char *name)
{
    const struct rpc_method *row = r->set.methods;

    while (row->name && strcmp(row->name, name) != 0)
        row++;
    return row->name ? row : NULL;
}

/* Whether a message is refused: the code, or 0. */
static int
check_message(struct rpc *r, const struct jsonrpc *m,
              const struct rpc_method *row, bool *anonymous, struct err *e)
{
    int code = r->set.events->check
                   ? r->set.events->check(r->set.arg, m, row, anonymous, e)
                   : 0;

    if (code != 0)
        return code;
    if (!row || (m->id && !row->request)) {
        err_set(e, ERR_NOT_FOUND, "method not found: %s", m->method);
        return JSONRPC_NO_METHOD;
    }
    if (m->fault && !row->any_params) /* the parser's text says why */
        return m->fault;
    if (m->id && r->requests.n >= r->set.limits.requests) {
        err_set(e, ERR_NOMEM, "more than %zu requests are open",
                r->set.limits.requests);
        return JSONRPC_INTERNAL;
    }
    return 0;
}

/* What is wrong with the id; NULL: nothing. */
static const char *
wrong_id(const struct rpc *r, const char *id)
{
    const struct rpc_events *ev = r->set.events;

    return ev->check_id ? ev->check_id(r->set.arg, id) : NULL;
}

/* e has the text of the parser, where it found a fault in the params. */
static void
take_rpc_request(struct rpc *r, struct jsonrpc *m, struct err *e)
{
    const struct rpc_method *row = find_method(r, m->method);
    struct rpc_request *rq;
    bool anonymous = false, alive;
    int code;

    keep_rpc(r);
    code = check_message(r, m, row, &anonymous, e);
    alive = release_rpc(r);
    if (!alive)
        return;
    if (code != 0 && (m->id || anonymous))
        send_error(r, anonymous ? NULL : m->id, code, e->text, NULL);
    else if (code == 0 && m->id &&
             (rq = rpc_requests_add(&r->requests, r, &m->id)) != NULL) {
        rq->message = &m->root;
        row->request(r->set.arg, rq, m->params);
    } else if (code == 0 && m->id)
        send_error(r, m->id, JSONRPC_INTERNAL, "out of memory", NULL);
    else if (code == 0 && row->cancels)
        rpc_requests_cancel(&r->requests, json_get(m->params, row->cancels));
    else if (code == 0 && row->notice)
        row->notice(r->set.arg, m->params);
}

static void
take_answer(struct rpc *r, const struct jsonrpc *m)
{
    struct rpc_call *c = rpc_calls_find(&r->calls, m);

    if (c)
        rpc_call_conclude(c, m, NULL);
    else if (r->set.events->stray)
        r->set.events->stray(r->set.arg, m);
}

/* What is no message: an answer that is wrong ends the call it is meant for,
 * and has no answer itself. */
static void
take_faulty(struct rpc *r, const struct jsonrpc *m, struct err *e)
{
    bool asks = !m->root || json_get(m->root, "method");
    struct rpc_call *c = asks ? NULL : rpc_calls_find(&r->calls, m);

    if (!c) {
        send_error(r, m->id && wrong_id(r, m->id) ? NULL : m->id, m->fault,
                   e->text, NULL);
        return;
    }
    e->code = ERR_PEER;
    err_wrap(e, "the answer");
    rpc_call_conclude(c, NULL, e);
}

/* rc and e are of jsonrpc_parse. */
static void
take_rpc_message(struct rpc *r, struct jsonrpc *m, int rc, struct err *e)
{
    bool answers = m->kind == JSONRPC_RESULT || m->kind == JSONRPC_ERROR;
    const char *why;

    if (rc < 0 && m->fault != JSONRPC_INVALID_PARAMS)
        take_faulty(r, m, e);
    else if ((why = wrong_id(r, m->id)) != NULL)
        send_error(r, NULL, JSONRPC_INVALID_REQUEST, why, NULL);
    else if (answers && r->set.events->check_id)
        send_error(r, m->id, JSONRPC_INVALID_REQUEST,
                   "method: must be a string", NULL);
    else if (answers)
        take_answer(r, m);
    else
        take_rpc_request(r, m, e);
}

static void
apply_pause(struct rpc *r)
{
    line_reader_pause(r->reader,
                      r->paused || r->full || r->parsed || r->parts.next);
}

static void
parse_rpc_message(struct rpc *r, const char *line, size_t n)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};
    int rc = jsonrpc_parse(line, n, &m, &e);

    take_rpc_message(r, &m, rc, &e);
}

static void
on_long_line(void *arg, struct jsonrpc *m, int rc, struct err *e)
{
    struct rpc *r = arg;

    parse_thread_free(TAKE_PTR(r->parsed));
    apply_pause(r);
    take_rpc_message(r, m, rc, e);
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
        parse_rpc_message(r, text.p,
                          n); /* without a thread it takes its time here */
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
    send_error(r, NULL, JSONRPC_INVALID_REQUEST, e.text, NULL);
}

/* Fails our calls, and tells the owner. */
static void
report_rpc_end(struct rpc *r, enum rpc_end what, const struct err *why)
{
    struct err ended = {0};

    err_set(&ended, ERR_PEER, "the connection has ended");
    keep_rpc(r);
    while (!r->dead && r->calls.first)
        rpc_call_conclude(r->calls.first, NULL, why ? why : &ended);
    if (!r->dead)
        r->set.events->ended(r->set.arg, what, why);
    (void)release_rpc(r);
}

static void
on_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct rpc *r = arg;

    keep_rpc(r);
    if (rest)
        read_rpc_line(r, rest, n, false); /* before the end is told */
    if (!r->dead) {
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

/* The output is lost. That is told from the loop, not by who sends. */
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

    r->reader = line_reader_new(set->loop, set->in, set->buffer,
                                set->limits.line_bytes, &events, r, e);
    if (!r->reader)
        return -1;
    r->sender = sender_new(set->loop, set->out, set->limits.queued_bytes,
                           on_output, r, e);
    if (!r->sender || !(r->loss = loop_soon(set->loop, on_loss, r, e)))
        return -1;
    watch_stop(r->loss);
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
    while (r->calls.first)
        rpc_call_free(r->calls.first);
    rpc_requests_leave(&r->requests);
    r->dead = true;
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

struct rpc_call *
rpc_call_start(struct rpc *r, const char *method, const struct buf *params,
               int64_t timeout_ms, rpc_answer_cb *cb, void *arg, struct err *e)
{
    struct rpc_call *c;

    if (r->input_ended) {
        err_set(e, ERR_PEER, "the connection has ended");
        return NULL;
    }
    if (r->calls.n >= r->set.limits.calls) {
        err_set(e, ERR_NOMEM, "more than %zu calls are open",
                r->set.limits.calls);
        return NULL;
    }
    c = rpc_calls_add(&r->calls, r, cb, arg);
    if (!c) {
        err_nomem(e);
        return NULL;
    }
    if ((timeout_ms > 0 && !(c->limit = loop_timer(r->set.loop, timeout_ms,
                                                   on_call_limit, c, e))) ||
        send_asking(r, c->id, method, params, e) < 0) {
        rpc_call_free(c);
        return NULL;
    }
    return c;
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
    return r->requests.n;
}

bool
rpc_is_drained(const struct rpc *r)
{
    return r->output_lost || sender_is_empty(r->sender);
}

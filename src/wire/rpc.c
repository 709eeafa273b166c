/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc.c - one connection of JSON-RPC 2.0, of a server or a client. */
#include "wire/rpc.h"

#include <string.h>

#include "base/worker.h"
#include "wire/line_reader.h"
#include "wire/sender.h"

#define HEAD_MAX                                                               \
    (64u << 10) /* bytes of a message but for params and result                \
                 */

/* A longer line is parsed in a thread: with two bytes a value, that takes a
 * processor some milliseconds for each 32 KiB. */
#define PARSED_HERE_MAX (32u << 10)

struct rpc_request {
    struct rpc_request *prev, *next;
    struct rpc *rpc;       /* NULL: it has been freed */
    char *id;              /* as written by the peer */
    char *key;             /* the same value, always written alike */
    struct json **message; /* while its callback runs; NULL: it has none */
    void (*on_cancel)(void *arg);
    void *arg;
    bool cancelled;
};

struct rpc_call {
    struct rpc_call *prev, *next;
    struct rpc *rpc;
    int64_t id;
    rpc_answer_cb *cb;
    void *arg;
    struct watch *limit; /* NULL: none */
};

/* A long line that is being parsed. Nothing is read meanwhile. */
struct long_line {
    struct worker *worker;
    struct buf text;
    size_t len; /* of it, without the line's end */
    struct jsonrpc m;
    struct err why;
    int rc; /* of jsonrpc_parse */
};

struct rpc {
    struct rpc_setup set;
    struct line_reader *reader;
    struct sender *sender;
    struct watch *stall; /* runs while the peer reads slowly; NULL: no limit */
    struct watch *loss;  /* tells of the output's loss from the loop */
    struct rpc_request *requests, *last_request; /* oldest first */
    struct rpc_call *calls;
    size_t n_requests, n_calls;
    int64_t last_id;
    bool paused, full;
    struct long_line *parsed; /* NULL: none is */
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

/* A file says at once that it cannot be written; others when they are lost. */
static void
queue_output(struct rpc *r, const char *bytes, size_t n)
{
    if (r->output_lost)
        return;
    sender_add(r->sender, bytes, n);
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

static void
link_request(struct rpc *r, struct rpc_request *rq)
{
    rq->rpc = r;
    rq->prev = r->last_request;
    *(rq->prev ? &rq->prev->next : &r->requests) = rq;
    r->last_request = rq;
    r->n_requests++;
}

static void
unlink_request(struct rpc_request *rq)
{
    struct rpc *r = rq->rpc;

    *(rq->prev ? &rq->prev->next : &r->requests) = rq->next;
    *(rq->next ? &rq->next->prev : &r->last_request) = rq->prev;
    rq->prev = rq->next = NULL;
    rq->rpc = NULL;
    r->n_requests--;
}

static void
rpc_request_free(struct rpc_request *rq)
{
    if (!rq)
        return;
    if (rq->rpc)
        unlink_request(rq);
    free(rq->id);
    free(rq->key);
    free(rq);
}
DEFINE_CLEANUP(struct rpc_request, rpc_request_free)

void
rpc_answer(struct rpc_request *rq, const struct buf *result)
{
    CLEANUP(rpc_request_free_p) struct rpc_request *own = rq;
    CLEANUP_BUF struct buf head = buf_of(HEAD_MAX);
    struct json_writer w;

    if (!own->rpc)
        return;
    jsonrpc_begin_result(&w, &head, own->id);
    if (result->bad || result->len == 0)
        send_error(own->rpc, own->id, JSONRPC_INTERNAL,
                   "the result is too large", NULL);
    else
        put_rpc_message(own->rpc, &head, result);
}

void
rpc_refuse(struct rpc_request *rq, int code, const char *message,
           const struct buf *data)
{
    CLEANUP(rpc_request_free_p) struct rpc_request *own = rq;

    if (own->rpc)
        send_error(own->rpc, own->id, code, message, data);
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

static void
cancel_request(struct rpc_request *rq)
{
    if (rq->cancelled)
        return;
    rq->cancelled = true;
    if (rq->on_cancel)
        rq->on_cancel(rq->arg);
}

/* The value of an id, in the same bytes however it was written. */
static char *
id_key(const struct json *id)
{
    CLEANUP_BUF struct buf key = buf_of(HEAD_MAX);
    struct json_writer w;

    json_write_init(&w, &key);
    json_put_canonical(&w, id);
    return buf_take(&key);
}

/* The oldest open request with this id that is not yet cancelled; key NULL:
 * with any. */
static struct rpc_request *
find_request(const struct rpc *r, const char *key)
{
    struct rpc_request *rq = r->requests;

    while (rq && (rq->cancelled || (key && strcmp(rq->key, key) != 0)))
        rq = rq->next;
    return rq;
}

void
rpc_cancel_all(struct rpc *r)
{
    struct rpc_request *rq;

    keep_rpc(r);
    while (!r->dead && (rq = find_request(r, NULL)) != NULL)
        cancel_request(rq);
    (void)release_rpc(r);
}

static void
cancel_named(struct rpc *r, const struct json *id)
{
    CLEANUP(free_p) char *key = id ? id_key(id) : NULL;
    struct rpc_request *rq = key ? find_request(r, key) : NULL;

    if (rq)
        cancel_request(rq);
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
        err_set(e, ERR_NOT_FOUND, "method not found");
        return JSONRPC_NO_METHOD;
    }
    if (m->fault && !row->any_params) /* the parser's text says why */
        return m->fault;
    if (m->id && r->n_requests >= r->set.limits.requests) {
        err_set(e, ERR_NOMEM, "more than %zu requests are open",
                r->set.limits.requests);
        return JSONRPC_INTERNAL;
    }
    return 0;
}

static void
begin_request(struct rpc *r, const struct rpc_method *row, struct jsonrpc *m)
{
    struct rpc_request *rq = calloc(1, sizeof(*rq));

    if (rq)
        rq->key = id_key(json_get(m->root, "id"));
    if (!rq || !rq->key) {
        send_error(r, m->id, JSONRPC_INTERNAL, "out of memory", NULL);
        free(rq);
        return;
    }
    rq->id = TAKE_PTR(m->id);
    rq->message = &m->root;
    link_request(r, rq);
    row->request(r->set.arg, rq, m->params);
}

/* e has the text of the parser, where it found a fault in the params. */
static void
take_rpc_request(struct rpc *r, struct jsonrpc *m, struct err *e)
{
    const struct rpc_method *row = find_method(r, m->method);
    bool anonymous = false, alive;
    int code;

    keep_rpc(r);
    code = check_message(r, m, row, &anonymous, e);
    alive = release_rpc(r);
    if (!alive)
        return;
    if (code != 0 && (m->id || anonymous))
        send_error(r, anonymous ? NULL : m->id, code, e->text, NULL);
    else if (code == 0 && m->id)
        begin_request(r, row, m);
    else if (code == 0 && row->cancels)
        cancel_named(r, json_get(m->params, row->cancels));
    else if (code == 0 && row->notice)
        row->notice(r->set.arg, m->params);
}

static void
call_free(struct rpc_call *c)
{
    struct rpc *r = c->rpc;

    *(c->prev ? &c->prev->next : &r->calls) = c->next;
    if (c->next)
        c->next->prev = c->prev;
    r->n_calls--;
    watch_free(c->limit);
    free(c);
}

/* Ends a call with its answer, or with the reason why there is none. */
static void
conclude_call(struct rpc_call *c, const struct jsonrpc *m,
              const struct err *why)
{
    rpc_answer_cb *cb = c->cb;
    void *arg = c->arg;

    call_free(c);
    cb(arg, m, why);
}

/* The open call that a message answers, by its id alone, or NULL. */
static struct rpc_call *
find_call(const struct rpc *r, const struct jsonrpc *m)
{
    struct rpc_call *c = r->calls;
    int64_t id;

    if (!json_int(json_get(m->root, "id"), &id))
        return NULL;
    while (c && c->id != id)
        c = c->next;
    return c;
}

static void
take_answer(struct rpc *r, const struct jsonrpc *m)
{
    struct rpc_call *c = find_call(r, m);

    if (c)
        conclude_call(c, m, NULL);
    else if (r->set.events->stray)
        r->set.events->stray(r->set.arg, m);
}

/* What is no message: an answer that is wrong ends the call it is meant for,
 * and has no answer itself. */
static void
take_faulty(struct rpc *r, const struct jsonrpc *m, struct err *e)
{
    bool asks = !m->root || json_get(m->root, "method");
    struct rpc_call *c = asks ? NULL : find_call(r, m);

    if (!c) {
        send_error(r, m->id, m->fault, e->text, NULL);
        return;
    }
    e->code = ERR_PEER;
    err_wrap(e, "the answer");
    conclude_call(c, NULL, e);
}

/* rc and e are of jsonrpc_parse. */
static void
take_rpc_message(struct rpc *r, struct jsonrpc *m, int rc, struct err *e)
{
    if (rc < 0 && m->fault != JSONRPC_INVALID_PARAMS)
        take_faulty(r, m, e);
    else if (m->kind == JSONRPC_RESULT || m->kind == JSONRPC_ERROR)
        take_answer(r, m);
    else
        take_rpc_request(r, m, e);
}

static void
apply_pause(struct rpc *r)
{
    line_reader_pause(r->reader, r->paused || r->full || r->parsed);
}

static void
long_line_free(struct long_line *l)
{
    if (!l)
        return;
    worker_free(l->worker);
    buf_done(&l->text);
    jsonrpc_done(&l->m);
    free(l);
}
DEFINE_CLEANUP(struct long_line, long_line_free)

static void
parse_long_line(void *arg)
{
    struct rpc *r = arg;
    struct long_line *l = r->parsed;

    l->rc = jsonrpc_parse(l->text.p, l->len, &l->m, &l->why);
    buf_done(&l->text); /* which takes its time too */
}

static void
on_long_line(void *arg)
{
    struct rpc *r = arg;
    CLEANUP(long_line_free_p) struct long_line *l = TAKE_PTR(r->parsed);

    apply_pause(r);
    take_rpc_message(r, &l->m, l->rc, &l->why);
}

/* False: there is no memory for it, and it has not been touched. */
static bool
parse_aside(struct rpc *r, const char *line, size_t n)
{
    CLEANUP(long_line_free_p) struct long_line *l = calloc(1, sizeof(*l));

    if (!l)
        return false;
    l->len = n;
    buf_init(&l->text, n);
    if (!line_reader_take(r->reader, &l->text) &&
        buf_add(&l->text, line, n) < 0)
        return false;
    r->parsed = l;
    l->worker = worker_start(r->set.loop, parse_long_line, on_long_line, r,
                             NULL);
    if (TAKE_PTR(l)->worker) {
        apply_pause(r);
        return true;
    }
    /* without a thread it takes its time here: the text is ours already */
    parse_long_line(r);
    on_long_line(r);
    return true;
}

static void
read_rpc_line(struct rpc *r, char *line, size_t n, bool aside)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};
    int rc;

    if (strspn(line, " \t\r") == n ||
        (r->set.events->raw && r->set.events->raw(r->set.arg, line, n)) ||
        (aside && parse_aside(r, line, n)))
        return;
    rc = jsonrpc_parse(line, n, &m, &e);
    take_rpc_message(r, &m, rc, &e);
}

static void
on_line(void *arg, char *line, size_t n)
{
    read_rpc_line(arg, line, n, n > PARSED_HERE_MAX);
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
    while (!r->dead && r->calls)
        conclude_call(r->calls, NULL, why ? why : &ended);
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
    if (r->stall)
        watch_stop(r->stall);
    watch_again(r->loss, 0);
}

static void
on_loss(void *arg, unsigned events)
{
    struct rpc *r = arg;

    (void)events;
    report_rpc_end(r, RPC_OUTPUT_LOST, &r->lost_why);
}

static void
on_stall(void *arg, unsigned events)
{
    struct rpc *r = arg;
    struct err e = {0};

    (void)events;
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
    apply_pause(r);
    if (r->stall && r->full)
        watch_again(r->stall, r->set.limits.stall_ms);
    else if (r->stall)
        watch_stop(r->stall);
    if (r->set.events->full)
        r->set.events->full(r->set.arg, r->full);
}

static int
open_connection(struct rpc *r, struct err *e)
{
    static const struct line_reader_events events = {
        .line = on_line, .too_long = on_too_long, .end = on_end};
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
    r->stall = loop_timer(set->loop, set->limits.stall_ms, on_stall, r, e);
    if (!r->stall)
        return -1;
    watch_stop(r->stall);
    return 0;
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
    return open_connection(r, e) < 0 ? NULL : TAKE_PTR(r);
}

void
rpc_free(struct rpc *r)
{
    if (!r)
        return;
    line_reader_free(r->reader);
    long_line_free(r->parsed);
    sender_free(r->sender);
    watch_free(r->stall);
    watch_free(r->loss);
    while (r->calls)
        call_free(r->calls);
    while (r->requests)
        unlink_request(r->requests);
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
    conclude_call(c, NULL, &e);
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
    if (r->n_calls >= r->set.limits.calls) {
        err_set(e, ERR_NOMEM, "more than %zu calls are open",
                r->set.limits.calls);
        return NULL;
    }
    c = calloc(1, sizeof(*c));
    if (!c) {
        err_nomem(e);
        return NULL;
    }
    *c = (struct rpc_call){.rpc = r, .id = ++r->last_id, .cb = cb, .arg = arg};
    c->next = r->calls;
    if (c->next)
        c->next->prev = c;
    r->calls = c;
    r->n_calls++;
    if ((timeout_ms > 0 && !(c->limit = loop_timer(r->set.loop, timeout_ms,
                                                   on_call_limit, c, e))) ||
        send_asking(r, c->id, method, params, e) < 0) {
        call_free(c);
        return NULL;
    }
    return c;
}

void
rpc_call_cancel(struct rpc_call *c)
{
    send_cancel(c);
    call_free(c);
}

size_t
rpc_open_requests(const struct rpc *r)
{
    return r->n_requests;
}

bool
rpc_is_drained(const struct rpc *r)
{
    return r->output_lost || sender_is_empty(r->sender);
}

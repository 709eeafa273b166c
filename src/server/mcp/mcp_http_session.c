/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_session.c - one session of the protocol over HTTP, and its streams.
 */
#include "server/mcp/mcp_http_session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random_id.h"
#include "server/mcp/mcp_answer.h"
#include "server/mcp/mcp_http_events.h"

#define ID_SIZE     33 /* with its NUL */
#define FIELDS_MAX  (12u << 10)
#define EVENT_MAX   (MCP_ANSWER_MAX + (1u << 20)) /* bytes of one message */
#define STREAM_TYPE "text/event-stream"
#define ENDED       "the server has ended, and what still ran is ended with it"

/* What is sent about one request, or about none: the way of its messages. */
struct mcp_http_stream {
    struct mcp_http_session *session;
    struct mcp_http_stream *prev, *next;
    struct http_connection *c; /* NULL: nobody is there */
    uint64_t number;           /* 0: about no request */
    uint64_t events, sent;     /* so far; those that somebody was there for */
    bool begun;                /* it is an event stream */
    bool bad_frame;
    int64_t last_ms; /* when something was sent, or the request came */
    bool waits;      /* until the session takes requests again: */
    struct jsonrpc m;
    int rc;
    struct err why;
};

struct mcp_http_session {
    struct mcp_http_session_setup set;
    struct mcp_service *service;
    struct rpc_carrier carrier;
    char id[ID_SIZE];
    struct mcp_http_stream *first, *last; /* of requests */
    struct mcp_http_stream about_none;
    uint64_t n_streams; /* so far */
    struct mcp_http_events kept;
    struct watch *go_on; /* hands in requests that wait */
    bool paused, stopped;
    bool forgotten; /* the connections are gone */
    int64_t used_ms;
};

static void
stream_free(struct mcp_http_stream *st)
{
    struct mcp_http_session *s = st->session;

    *(st->prev ? &st->prev->next : &s->first) = st->next;
    *(st->next ? &st->next->prev : &s->last) = st->prev;
    s->used_ms = clock_ms();
    if (st->waits)
        jsonrpc_done(&st->m);
    free(st);
}

static void
put_session_fields(const struct mcp_http_stream *st, struct buf *out)
{
    const struct mcp_http_session *s = st->session;

    s->set.put_fields(s->set.arg, st->c, out);
    if (!s->set.stateless && mcp_http_session_is_open(s))
        http_put_field(out, "Mcp-Session-Id", s->id);
}

static void
write_event(struct mcp_http_stream *st, struct buf *text)
{
    st->last_ms = clock_ms();
    http_stream_take(st->c, text);
}

/* An event without data, from which a client can come back already; those of
 * before 2025-11-25 do not expect it. */
static void
write_first_id(struct mcp_http_stream *st)
{
    const struct mcp_http_session *s = st->session;
    const struct mcp_client *client = mcp_service_client(s->service);
    CLEANUP_BUF struct buf text = buf_of(128);

    if (s->set.stateless || !client->initialized ||
        strcmp(client->version, MCP_ERA_HANDSHAKE_VERSION) != 0)
        return;
    buf_printf(&text, "id: %" PRIu64 "-%" PRIu64 "\ndata: \n\n", st->number,
               st->sent);
    write_event(st, &text);
}

static void
begin_event_stream(struct mcp_http_stream *st)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);

    st->begun = true;
    put_session_fields(st, &fields);
    buf_str(&fields, "Cache-Control: no-cache\r\nX-Accel-Buffering: no\r\n");
    http_stream_begin(st->c, &fields, STREAM_TYPE);
    write_first_id(st);
}

/* Somebody else than the client ends it. */
static void
end_event_stream(struct mcp_http_stream *st)
{
    struct http_connection *c = TAKE_PTR(st->c);

    if (c)
        http_stream_end(c);
}

static void
put_message_event(struct buf *out, const struct mcp_http_stream *st,
                  const struct rpc_sent *m)
{
    if (!st->session->set.stateless)
        buf_printf(out, "id: %" PRIu64 "-%" PRIu64 "\n", st->number,
                   st->events);
    buf_str(out, "event: message\ndata: ");
    buf_add(out, m->head->p, m->head->len);
    if (m->value)
        buf_add(out, m->value->p, m->value->len);
    buf_str(out, "}\n\n");
}

static void
send_message_event(struct mcp_http_stream *st, const struct rpc_sent *m)
{
    struct mcp_http_session *s = st->session;
    CLEANUP_BUF struct buf text = buf_of(EVENT_MAX);

    if (st->c && !st->begun)
        begin_event_stream(st);
    if (!st->begun && st->number > 0)
        return; /* the client has left, and cannot come back for it */
    st->events++;
    put_message_event(&text, st, m);
    if (!s->set.stateless)
        mcp_http_events_keep(&s->kept, st->number, st->events, &text);
    if (!st->c)
        return;
    st->sent = st->events;
    write_event(st, &text);
}

/* The status of an answer that is one JSON object: errors are those of HTTP too
 * from 2026-07-28 on. */
static int
status_of_answer(const struct mcp_http_stream *st, int code)
{
    if (!st->session->set.stateless || code == 0)
        return 200;
    switch (code) {
    case JSONRPC_NO_METHOD:
        return 404;
    case JSONRPC_PARSE:
    case JSONRPC_INVALID_REQUEST:
    case MCP_ERA_HEADER_MISMATCH:
    case MCP_ERA_MISSING_CAPABILITY:
    case MCP_ERA_UNSUPPORTED_VERSION:
        return 400;
    default:
        return st->bad_frame ? 400 : 200;
    }
}

static void
answer_as_json(struct mcp_http_stream *st, const struct rpc_sent *m)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    CLEANUP_BUF struct buf body = buf_of(EVENT_MAX);

    put_session_fields(st, &fields);
    buf_add(&body, m->head->p, m->head->len);
    if (m->value)
        buf_add(&body, m->value->p, m->value->len);
    buf_ch(&body, '}');
    http_answer(TAKE_PTR(st->c), status_of_answer(st, m->code), &fields,
                "application/json", &body);
}

static void
on_carrier_send(void *arg, void *way, const struct rpc_sent *m)
{
    struct mcp_http_session *s = arg;
    struct mcp_http_stream *st = way ? way : &s->about_none;

    if (!way && (s->set.stateless || m->answers))
        return; /* nobody hears it */
    if (m->answers && st->c && !st->begun)
        answer_as_json(st, m);
    else
        send_message_event(st, m);
    if (!m->answers)
        return;
    end_event_stream(st);
    stream_free(st);
}

/* A request that the client has cancelled: an empty stream. */
static void
on_request_dropped(void *arg, void *way)
{
    struct mcp_http_stream *st = way;

    (void)arg;
    if (st->c && !st->begun)
        begin_event_stream(st);
    end_event_stream(st);
    stream_free(st);
}

static void
hand_in_request(struct mcp_http_stream *st)
{
    struct mcp_http_session *s = st->session;
    CLEANUP(jsonrpc_done) struct jsonrpc m = st->m;
    struct err why = st->why;

    st->waits = false;
    st->m = (struct jsonrpc){0};
    mcp_service_take(s->service, &m, st->rc, st, &why);
}

static void
on_go_on(void *arg, unsigned events)
{
    struct mcp_http_session *s = arg;
    struct mcp_http_stream *st = s->first;

    (void)events;
    while (!s->paused && st) {
        if (st->waits) {
            hand_in_request(st);
            st = s->first; /* it may be gone */
        } else {
            st = st->next;
        }
    }
}

static void
on_paused(void *arg, bool paused)
{
    struct mcp_http_session *s = arg;

    s->paused = paused;
    if (!paused)
        watch_again(s->go_on, 0);
}

/* In 2026-07-28 that is how a request is cancelled. */
static void
cancel_stream(struct mcp_http_stream *st)
{
    struct mcp_http_session *s = st->session;

    if (!st->waits)
        mcp_service_leave_way(s->service, st, true);
    stream_free(st);
}

static void
on_client_left(void *arg)
{
    struct mcp_http_stream *st = arg;
    struct http_connection *c;

    if (st->begun) {
        end_event_stream(st);
    } else if (st->session->set.stateless) {
        c = TAKE_PTR(st->c);
        http_answer_text(c, 400, NULL,
                         "cancelled: the client sends no more while it waits");
    }
    if (st->session->set.stateless)
        cancel_stream(st);
}

/* Before, what it asked for goes on. */
static void
on_client_gone(void *arg)
{
    struct mcp_http_stream *st = arg;

    st->c = NULL;
    if (st->session->set.stateless)
        cancel_stream(st);
}

void
mcp_http_session_request(struct mcp_http_session *s, struct http_connection *c,
                         struct jsonrpc *m, int rc, bool bad_frame,
                         struct err *e)
{
    struct mcp_http_stream *st = calloc(1, sizeof(*st));

    if (!st) {
        http_answer_text(c, 503, NULL, "out of memory");
        return;
    }
    st->session = s;
    st->c = c;
    st->number = ++s->n_streams;
    st->bad_frame = bad_frame;
    st->last_ms = s->used_ms = clock_ms();
    st->m = *m;
    st->rc = rc;
    st->why = *e;
    st->waits = true;
    *m = (struct jsonrpc){0};
    st->prev = s->last;
    *(st->prev ? &st->prev->next : &s->first) = st;
    s->last = st;
    http_on_leaving(c, on_client_left, on_client_gone, st);
    if (!s->paused)
        hand_in_request(st);
}

const struct json *
mcp_http_session_tool_schema(struct mcp_http_session *s, const char *name)
{
    return mcp_service_tool_schema(s->service, name);
}

void
mcp_http_session_notice(struct mcp_http_session *s, struct jsonrpc *m, int rc,
                        struct err *e)
{
    s->used_ms = clock_ms();
    mcp_service_take(s->service, m, rc, NULL, e);
}

static void
on_listener_left(void *arg)
{
    end_event_stream(arg);
}

static void
on_listener_gone(void *arg)
{
    struct mcp_http_stream *st = arg;

    st->c = NULL;
}

/* Sends again what is kept of a stream, from an event on. */
static void
replay_events(const struct mcp_http_session *s, struct http_connection *c,
              uint64_t stream, uint64_t after)
{
    for (const struct mcp_http_event *ev = s->kept.first; ev; ev = ev->next) {
        CLEANUP_BUF struct buf text = buf_of(ev->text.len + 2);

        if (ev->stream != stream || ev->number <= after)
            continue;
        buf_add(&text, ev->text.p, ev->text.len);
        http_stream_take(c, &text);
    }
}

/* The client comes, or comes back, for what the stream has. */
static void
attach_client(struct mcp_http_stream *st, struct http_connection *c,
              uint64_t after)
{
    bool of_request = st->number > 0;

    if (st->c) {
        http_on_leaving(st->c, NULL, NULL, NULL);
        end_event_stream(st);
    }
    st->c = c;
    st->sent = after;
    http_on_leaving(c, of_request ? on_client_left : on_listener_left,
                    of_request ? on_client_gone : on_listener_gone, st);
    begin_event_stream(st);
    replay_events(st->session, c, st->number, after);
    st->sent = st->events;
}

/* The answer has been sent, to nobody or in part. */
static void
replay_ended(struct mcp_http_session *s, struct http_connection *c,
             uint64_t stream, uint64_t after)
{
    struct mcp_http_stream ended = {
        .session = s, .c = c, .number = stream, .sent = after};

    begin_event_stream(&ended);
    replay_events(s, c, stream, after);
    http_stream_end(c);
}

bool
mcp_http_session_listen(struct mcp_http_session *s, struct http_connection *c,
                        const char *last)
{
    uint64_t stream = 0, after = s->about_none.sent;
    struct mcp_http_stream *st = s->first;

    s->used_ms = clock_ms();
    if (last && !mcp_http_events_read_id(last, &stream, &after))
        return false;
    if (stream == 0) {
        attach_client(&s->about_none, c, after);
        return true;
    }
    while (st && (st->number != stream || !st->begun))
        st = st->next;
    if (st)
        attach_client(st, c, after);
    else if (mcp_http_events_have(&s->kept, stream))
        replay_ended(s, c, stream, after);
    else
        return false;
    return true;
}

static void
tick_stream(struct mcp_http_stream *st, int64_t now_ms)
{
    CLEANUP_BUF struct buf text = buf_of(64);

    if (!st->c)
        return;
    if (!st->begun && now_ms - st->last_ms >= MCP_HTTP_STREAM_AFTER_MS)
        begin_event_stream(st);
    if (!st->begun || now_ms - st->last_ms < MCP_HTTP_ALIVE_MS)
        return;
    buf_str(&text, ": still at work\n\n");
    write_event(st, &text);
}

void
mcp_http_session_tick(struct mcp_http_session *s, int64_t now_ms)
{
    tick_stream(&s->about_none, now_ms);
    for (struct mcp_http_stream *st = s->first; st; st = st->next)
        tick_stream(st, now_ms);
    mcp_service_sweep(s->service);
}

struct mcp_service *
mcp_http_session_service(const struct mcp_http_session *s)
{
    return s->service;
}

int64_t
mcp_http_session_idle_ms(const struct mcp_http_session *s, int64_t now_ms)
{
    return s->first || s->about_none.c ? -1 : now_ms - s->used_ms;
}

const char *
mcp_http_session_id(const struct mcp_http_session *s)
{
    return s->id;
}

bool
mcp_http_session_is_open(const struct mcp_http_session *s)
{
    return mcp_service_client(s->service)->initialized;
}

/* Answers a request that has not been handed in. */
static void
refuse_waiting(struct mcp_http_stream *st)
{
    CLEANUP_BUF struct buf head = buf_of(EVENT_MAX);
    const struct rpc_sent sent = {
        .head = &head, .answers = true, .code = JSONRPC_INTERNAL};

    jsonrpc_put_error(&head, st->m.id, JSONRPC_INTERNAL, ENDED, NULL);
    if (head.len > 0)
        buf_cut(&head, head.len - 1); /* its brace */
    on_carrier_send(st->session, st, &sent);
}

void
mcp_http_session_refuse_open(struct mcp_http_session *s)
{
    struct mcp_http_stream *st, *next;

    mcp_service_refuse_open(s->service, JSONRPC_INTERNAL, ENDED);
    for (st = s->first; st; st = next) {
        next = st->next;
        if (st->waits)
            refuse_waiting(st);
    }
}

static void
on_service_ended(void *arg)
{
    struct mcp_http_session *s = arg;

    mcp_http_session_refuse_open(s);
    s->stopped = true;
}

void
mcp_http_session_stop(struct mcp_http_session *s, int64_t ms)
{
    end_event_stream(&s->about_none);
    mcp_service_stop_within(s->service, ms);
}

bool
mcp_http_session_has_stopped(const struct mcp_http_session *s)
{
    return s->stopped;
}

static void
log_session_line(void *arg, const char *line)
{
    const struct mcp_http_session *s = arg;

    s->set.service.log(s->set.service.arg, line);
}

static int
open_http_session(struct mcp_http_session *s, struct err *e)
{
    struct mcp_service_setup set = s->set.service;

    s->carrier = (struct rpc_carrier){.send = on_carrier_send,
                                      .dropped = on_request_dropped,
                                      .pause = on_paused,
                                      .arg = s};
    set.carrier = &s->carrier;
    set.log = log_session_line;
    set.ended = on_service_ended;
    set.arg = s;
    if (random_id(s->id, sizeof(s->id), e) < 0 ||
        !(s->go_on = loop_soon(set.loop, on_go_on, s, e)))
        return -1;
    watch_stop(s->go_on);
    s->service = mcp_service_new(&set, e);
    return s->service ? 0 : -1;
}

struct mcp_http_session *
mcp_http_session_new(const struct mcp_http_session_setup *set, struct err *e)
{
    CLEANUP(mcp_http_session_free_p)
    struct mcp_http_session *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->set = *set;
    s->about_none.session = s;
    s->used_ms = clock_ms();
    return open_http_session(s, e) < 0 ? NULL : TAKE_PTR(s);
}

void
mcp_http_session_forget(struct mcp_http_session *s)
{
    s->forgotten = true;
    s->about_none.c = NULL;
}

static void
end_stream_early(struct mcp_http_stream *st)
{
    struct http_connection *c = TAKE_PTR(st->c);

    if (!st->waits)
        mcp_service_leave_way(st->session->service, st, false);
    if (c && !st->session->forgotten && st->begun)
        http_stream_end(c);
    else if (c && !st->session->forgotten)
        http_answer_text(c, 404, NULL, "the session has ended");
    stream_free(st);
}

void
mcp_http_session_free(struct mcp_http_session *s)
{
    if (!s)
        return;
    while (s->first)
        end_stream_early(s->first);
    if (!s->forgotten)
        end_event_stream(&s->about_none);
    mcp_service_free(s->service);
    mcp_http_events_done(&s->kept);
    watch_free(s->go_on);
    free(s);
}

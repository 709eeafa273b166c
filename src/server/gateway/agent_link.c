/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agent_link.c - the way to an agent: its agentctl, and a stream of messages.
 */
#include "server/gateway/agent_link.h"

#include <stdlib.h>
#include <string.h>

#include "wire/http_client.h"
#include "wire/websocket_client.h"
#include "json/json.h"

#define REPLY_MAX  (256u << 10) /* bytes of an answer of agentctl's */
#define QUEUED_MAX (16u << 20)  /* bytes for an agent that does not read */
#define PING_MS    30000
#define PONG_MS    30000
#define HEALTH_MS  2000  /* for one answer */
#define OPEN_MS    10000 /* for the stream */
/* For the answer to start, which takes as long as the agent's first line. */
#define START_MS      15000
#define OUTPUT_MS     2000
#define POLL_FIRST_MS 1 /* until agentctl listens, twice as long each time */
#define POLL_MOST_MS  16
#define SEND_MS       1 /* after which a request is on its way */
#define ERRORS_MAX    4000
#define ERROR_LINES   "/api/v1/output?last=40"

struct agent_link {
    struct loop *loop;
    char *address;
    struct http_client *http;
    struct read_buffer *buffer;
    struct websocket_shared shared;
    struct websocket_client *opening; /* NULL: it is open, or not begun */
    struct websocket *stream;         /* NULL: it is not open, or no more */
    struct watch *timer;              /* the next question; then `open` */
    int64_t poll_ms;
    bool over; /* why is set */
    struct err why;
    struct agent_link_events ev;
    void *arg;
};

void
agent_link_free(struct agent_link *k)
{
    if (!k)
        return;
    http_client_free(k->http);
    websocket_client_free(k->opening);
    websocket_drop_all(&k->shared);
    read_buffer_free(k->buffer);
    watch_free(k->timer);
    free(k->address);
    free(k);
}

void
agent_link_send(struct agent_link *k, const struct buf *message)
{
    if (k->stream && !message->bad)
        websocket_send_text(k->stream, message->p, message->len);
}

/* The last that is done with it. */
static void
report_link_end(struct agent_link *k, const char *errors)
{
    struct err why = k->why;

    k->ev.ended(k->arg, &why, errors);
}

/* The lines that the agent wrote to its standard error, each with its newline.
 */
static void
put_agent_errors(const struct json *answer, struct buf *out)
{
    const struct json *line = json_first(json_get(answer, "lines"));

    for (; line; line = json_next(line)) {
        const char *stream = json_get_str(line, "stream");
        const char *text = json_get_str(line, "content");

        if (stream && text && strcmp(stream, "stderr") == 0)
            buf_printf(out, "%s\n", text);
    }
}

static void
on_error_lines(void *arg, struct http_reply *r, const struct err *why)
{
    struct agent_link *k = arg;
    CLEANUP_BUF struct buf errors = buf_of(REPLY_MAX);
    CLEANUP(json_free_p)
    struct json *answer = r ? json_parse(r->body.p, r->body.len, 0, NULL)
                            : NULL;

    (void)why;
    put_agent_errors(answer, &errors);
    if (errors.len > ERRORS_MAX)
        buf_drop(&errors, errors.len - ERRORS_MAX);
    while (errors.len > 0 && errors.p[errors.len - 1] == '\n')
        buf_cut(&errors, errors.len - 1);
    report_link_end(k, errors.p);
}

/* Asks for what the agent said at its end, and then reports it. */
static void
end_agent_link(struct agent_link *k, const struct err *why)
{
    if (k->over)
        return;
    k->over = true;
    k->why = *why;
    watch_stop(k->timer);
    if (http_client_ask(k->http, "GET", ERROR_LINES, NULL, NULL, OUTPUT_MS,
                        on_error_lines, k, NULL) < 0)
        report_link_end(k, "");
}

static void
on_stream_message(void *owner, struct websocket *ws, char *bytes, size_t n,
                  bool text)
{
    struct agent_link *k = owner;

    (void)ws;
    if (!k->over && text)
        k->ev.message(k->arg, bytes, n);
}

static void
on_stream_end(void *owner, struct websocket *ws, unsigned status,
              const char *reason)
{
    struct agent_link *k = owner;
    struct err e = {0};

    (void)ws;
    k->stream = NULL;
    if (status == WEBSOCKET_NORMAL)
        err_set(&e, ERR_PEER, "the agent has ended: %s",
                *reason ? reason : "its status is not known");
    else if (status == WEBSOCKET_LOST)
        err_set(&e, ERR_PEER, "its agentctl is gone");
    else if (status == WEBSOCKET_TOO_LARGE)
        err_set(&e, ERR_PEER, "the agent wrote a line of more than %u MiB",
                AGENT_LINK_MESSAGE_MAX >> 20);
    else
        err_set(&e, ERR_PEER, "its stream was closed: %u %s", status, reason);
    end_agent_link(k, &e);
}

static const struct websocket_events stream_events = {
    .message = on_stream_message, .ended = on_stream_end};

/* The message of an answer that is an error. */
static void
read_agentctl_error(const struct http_reply *r, struct err *e)
{
    CLEANUP(json_free_p)
    struct json *answer = json_parse(r->body.p, r->body.len, 0, NULL);
    const char *text = json_get_str(answer, "message");

    if (!text)
        text = json_get_str(answer, "error");
    err_set(e, ERR_PEER, "%s", text ? text : "agentctl refuses");
}

static void
on_started(void *arg, struct http_reply *r, const struct err *why)
{
    struct agent_link *k = arg;
    struct err e = why ? *why : (struct err){0};

    if (r && r->status == 200)
        return;
    if (r)
        read_agentctl_error(r, &e);
    err_wrap(&e, "the agent does not start");
    end_agent_link(k, &e);
}

static void
on_stream_open(void *owner, struct websocket *ws, const struct err *why)
{
    struct agent_link *k = owner;
    struct err e = why ? *why : (struct err){0};

    k->opening = NULL;
    k->stream = ws;
    if (ws && http_client_ask(k->http, "POST", "/api/v1/start", NULL, NULL,
                              START_MS, on_started, k, &e) == 0)
        watch_again(k->timer, SEND_MS);
    else
        end_agent_link(k, &e);
}

static void
open_stream(struct agent_link *k)
{
    const struct websocket_client_setup set = {.shared = &k->shared,
                                               .url = k->address,
                                               .path = "/api/v1/acp/stream",
                                               .timeout_ms = OPEN_MS,
                                               .events = &stream_events,
                                               .owner = k,
                                               .opened = on_stream_open};
    struct err e = {0};

    if (!(k->opening = websocket_client_new(&set, &e)))
        end_agent_link(k, &e);
}

/* Until agentctl listens, which whoever owns the link has a time limit for. */
static void
on_health(void *arg, struct http_reply *r, const struct err *why)
{
    struct agent_link *k = arg;

    (void)why;
    if (r && r->status == 200) {
        open_stream(k);
        return;
    }
    watch_again(k->timer, k->poll_ms);
    if (k->poll_ms < POLL_MOST_MS)
        k->poll_ms *= 2;
}

static void
on_link_timer(void *arg, unsigned events)
{
    struct agent_link *k = arg;
    struct err e = {0};

    (void)events;
    if (k->stream)
        k->ev.open(k->arg);
    else if (http_client_ask(k->http, "GET", "/health", NULL, NULL, HEALTH_MS,
                             on_health, k, &e) < 0)
        end_agent_link(k, &e);
}

struct agent_link *
agent_link_new(struct loop *l, const char *address,
               const struct agent_link_events *ev, void *arg, struct err *e)
{
    CLEANUP(agent_link_free_p) struct agent_link *k = calloc(1, sizeof(*k));

    if (!k) {
        err_nomem(e);
        return NULL;
    }
    k->loop = l;
    k->ev = *ev;
    k->arg = arg;
    k->poll_ms = POLL_FIRST_MS;
    k->shared.loop = l;
    k->shared.limits = (struct websocket_limits){
        .message_bytes = AGENT_LINK_MESSAGE_MAX,
        .queued_bytes = QUEUED_MAX,
        .ping_ms = PING_MS,
        .pong_ms = PONG_MS};
    if (!(k->address = strdup(address))) {
        err_nomem(e);
        return NULL;
    }
    if (!(k->shared.buffer = k->buffer = read_buffer_new(e)) ||
        !(k->http = http_client_new(l, address, REPLY_MAX, e)) ||
        !(k->timer = loop_timer(l, POLL_FIRST_MS, on_link_timer, k, e)))
        return NULL;
    return TAKE_PTR(k);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bridge.c - carries messages between the standard streams and the server. */
#include "model/mcp_http/bridge.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/fd.h"
#include "model/mcp_http/post.h"
#include "sandbox/confine.h"
#include "tool/mcp/mcp_http.h"
#include "wire/line_reader.h"
#include "wire/sender.h"

#define POSTS_MAX   16   /* at a time: a client has one request open, or two */
#define HOLD_MS     3000 /* for the server to take a notification */
#define INITIALIZED "{\"jsonrpc\":\"2.0\",\"method\":\"" DONE "\"}"
#define DONE        "notifications/initialized"

/* A new session that is begun, since the server has ended the old one. */
struct renewal {
    struct post *waits;   /* it is sent again then; NULL: there is none */
    struct post *asks;    /* `initialize`, then the notification */
    bool begun, confirms; /* it was answered; the notification is sent */
};

struct bridge {
    struct post_means means;
    struct read_buffer *buffer;
    struct line_reader *in;
    struct sender *out;
    struct post *posts[POSTS_MAX];
    struct buf initialize; /* the line of the client */
    struct renewal renewal;
    struct post *listens;
    struct post *held; /* the client's next line waits for it */
    struct watch *hold;
    struct watch *leave; /* set once the input has ended */
    bool configured;
    struct err why;
};

static struct post *send_post(struct bridge *b, enum post_kind kind,
                              const char *line, size_t n, struct err *e);

static void
stop_bridge(struct bridge *b, const struct err *why)
{
    if (why && b->why.code == ERR_NONE)
        b->why = *why;
    loop_stop(b->means.loop);
}

/* Line ends in a message are white space of JSON. */
static void
print_message(struct bridge *b, const char *text, size_t n)
{
    while (n > 0) {
        size_t part = 0;

        while (part < n && text[part] != '\n' && text[part] != '\r')
            part++;
        sender_add(b->out, text, part);
        if (part < n) {
            sender_add(b->out, " ", 1);
            part++;
        }
        text += part;
        n -= part;
    }
    sender_add(b->out, "\n", 1);
}

static void
put_failure(struct bridge *b, const struct post *p)
{
    CLEANUP_BUF struct buf line = buf_of(MCP_HTTP_LINE);

    post_put_failure(p, &line);
    print_message(b, line.p, line.len);
}

static bool
is_method(const struct post *p, const char *method)
{
    const struct jsonrpc *m = post_request(p);

    return m && m->method && strcmp(m->method, method) == 0;
}

/* Where the client has a line for the server, it goes after this one. */
static void
hold_bridge_input(struct bridge *b, struct post *p)
{
    b->held = p;
    line_reader_pause(b->in, true);
    watch_again(b->hold, HOLD_MS);
}

static void
release_input(struct bridge *b)
{
    b->held = NULL;
    watch_stop(b->hold);
    line_reader_pause(b->in, false);
}

static void
on_hold(void *arg, unsigned events)
{
    (void)events;
    release_input(arg);
}

static void
drop_post(struct bridge *b, struct post *p)
{
    for (size_t i = 0; i < POSTS_MAX; i++)
        if (b->posts[i] == p)
            b->posts[i] = NULL;
    if (b->held == p)
        release_input(b);
    if (b->listens == p)
        b->listens = NULL;
    if (b->renewal.waits == p)
        b->renewal.waits = NULL;
    if (b->renewal.asks == p)
        b->renewal.asks = NULL;
    post_free(p);
}

/* What the client did not say itself it does not get answered. */
static bool
asks_for_renewal(const struct bridge *b, const struct post *p)
{
    return p == b->renewal.asks;
}

/* Reads what the answer to `initialize` settles. */
static void
adopt_session(struct bridge *b, const struct post *p, const struct jsonrpc *m)
{
    struct request_headers_session *s = &b->means.session;
    const char *version = json_get_str(m->result, "protocolVersion");

    *s = (struct request_headers_session){0};
    snprintf(s->id, sizeof(s->id), "%s", post_session(p));
    if (version && strlen(version) < sizeof(s->version) &&
        strspn(version, "0123456789-") == strlen(version))
        snprintf(s->version, sizeof(s->version), "%s", version);
}

static void
on_message(void *arg, struct post *p, const char *text, size_t n,
           const struct jsonrpc *m)
{
    struct bridge *b = arg;
    bool settles = m && m->kind == JSONRPC_RESULT &&
                   is_method(p, "initialize") && !post_awaits_answer(p);

    if (settles)
        adopt_session(b, p, m);
    if (m && m->kind == JSONRPC_RESULT && is_method(p, "tools/list") &&
        !post_awaits_answer(p))
        tool_schemas_learn(&b->means.tools, m->result,
                           !json_get(post_request(p)->params, "cursor"));
    if (!asks_for_renewal(b, p))
        print_message(b, text, n);
    else if (settles)
        b->renewal.begun = true;
}

/* Listens for what the server sends by itself. Many servers offer no such
 * stream, which is no error. */
static void
listen_to_server(struct bridge *b)
{
    if (!b->listens && !b->leave)
        b->listens = send_post(b, POST_LISTEN, NULL, 0, NULL);
}

static bool
begin_renewal(struct bridge *b, struct post *p)
{
    struct renewal *r = &b->renewal;

    if (b->leave || r->waits || r->asks || b->initialize.len == 0 ||
        !post_awaits_answer(p) || !post_lost_session(p) ||
        is_method(p, "initialize"))
        return false;
    b->means.session = (struct request_headers_session){0};
    if (b->listens)
        drop_post(b, b->listens);
    *r = (struct renewal){.waits = p};
    r->asks = send_post(b, POST_MESSAGE, b->initialize.p, b->initialize.len,
                        NULL);
    if (!r->asks)
        r->waits = NULL;
    return r->asks != NULL;
}

/* A request of ours has ended: sends the next one, and at last the client's. */
static void
go_on_with_renewal(struct bridge *b)
{
    struct renewal *r = &b->renewal;
    struct post *waits = r->waits, *asks = r->asks;

    if (r->begun && !r->confirms) {
        r->asks = send_post(b, POST_MESSAGE, INITIALIZED, strlen(INITIALIZED),
                            NULL);
        r->confirms = true;
        drop_post(b, asks);
        if (r->asks)
            return;
    } else {
        drop_post(b, asks);
    }
    r->waits = NULL;
    if (r->begun)
        listen_to_server(b);
    if (!waits || (r->begun && post_again(waits, NULL) == 0))
        return;
    put_failure(b, waits);
    drop_post(b, waits);
}

static void
leave_if_done(struct bridge *b)
{
    for (size_t i = 0; i < POSTS_MAX; i++)
        if (b->posts[i])
            return;
    if (b->means.session.id[0] && send_post(b, POST_CLOSE, NULL, 0, NULL)) {
        b->means.session.id[0] = '\0';
        return;
    }
    stop_bridge(b, NULL);
}

static void
on_ended(void *arg, struct post *p)
{
    struct bridge *b = arg;

    if (asks_for_renewal(b, p)) {
        go_on_with_renewal(b);
        return;
    }
    if (begin_renewal(b, p))
        return;
    if (post_awaits_answer(p))
        put_failure(b, p);
    if (is_method(p, DONE) && post_was_accepted(p))
        listen_to_server(b);
    drop_post(b, p);
    if (b->leave)
        leave_if_done(b);
}

static const struct post_events events = {.message = on_message,
                                          .ended = on_ended};

static struct post *
send_post(struct bridge *b, enum post_kind kind, const char *line, size_t n,
          struct err *e)
{
    size_t i = 0;

    while (i < POSTS_MAX && b->posts[i])
        i++;
    if (i == POSTS_MAX) {
        err_set(e, ERR_NOMEM, "too many messages are on their way");
        return NULL;
    }
    b->posts[i] = post_new(&b->means, kind, line, n, &events, b, e);
    return b->posts[i];
}

/* A request that the client has cancelled: its connection is closed, which in
 * 2026-07-28 is what cancels it. Returns whether that is all. */
static bool
cancel_post(struct bridge *b, const struct jsonrpc *cancelled)
{
    int64_t id;

    if (!json_int(json_get(cancelled->params, "requestId"), &id))
        return false;
    for (size_t i = 0; i < POSTS_MAX; i++) {
        struct post *p = b->posts[i];
        const struct jsonrpc *m = p ? post_request(p) : NULL;

        if (m && m->kind == JSONRPC_REQUEST && jsonrpc_has_id(m, id)) {
            bool own = request_headers_are_own(m);

            drop_post(b, p);
            return own;
        }
    }
    return false;
}

static void
send_client_line(struct bridge *b, const char *line, size_t n)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    CLEANUP_BUF struct buf failure = buf_of(MCP_HTTP_LINE);
    struct err e = {0};
    struct post *p = NULL;

    if (jsonrpc_parse(line, n, &m, &e) == 0) {
        if (m.kind == JSONRPC_NOTIFICATION &&
            strcmp(m.method, "notifications/cancelled") == 0 &&
            cancel_post(b, &m))
            return;
        if (m.kind == JSONRPC_REQUEST && strcmp(m.method, "initialize") == 0) {
            buf_clear(&b->initialize);
            buf_add(&b->initialize, line, n);
            b->means.session = (struct request_headers_session){0};
        }
        p = send_post(b, POST_MESSAGE, line, n, &e);
    }
    if (p && m.kind != JSONRPC_REQUEST)
        hold_bridge_input(b, p);
    if (p || !m.id || m.kind != JSONRPC_REQUEST)
        return;
    jsonrpc_put_error(&failure, m.id, MCP_HTTP_FAILED, e.text, NULL);
    print_message(b, failure.p, failure.len);
}

static int
configure(struct bridge *b, const char *line, size_t n, struct err *e)
{
    CLEANUP(json_free_p) struct json *v = json_parse(line, n, JSON_UNIQUE, e);
    const struct endpoint *to = &b->means.to;

    b->configured = true;
    if (!v || endpoint_read(&b->means.to, v, e) < 0)
        return -1;
    /* a server without a token has to see who connects (wire/peer_check.h) */
    if (to->headers.len == 0)
        (void)prctl(PR_SET_DUMPABLE, 1);
    return confine_tcp_ports(to->ports, to->n_ports, e);
}

static void
on_line(void *arg, char *line, size_t n)
{
    struct bridge *b = arg;
    struct err e = {0};

    if (b->configured)
        send_client_line(b, line, n);
    else if (configure(b, line, n, &e) < 0)
        stop_bridge(b, &e);
}

static void
on_too_long(void *arg)
{
    struct err e = {0};

    err_set(&e, ERR_PEER, "a line is longer than %u bytes", MCP_HTTP_LINE);
    stop_bridge(arg, &e);
}

static void
on_leave(void *arg, unsigned none)
{
    (void)none;
    stop_bridge(arg, NULL);
}

/* The input has ended: what waits for an answer ends, what was told to the
 * server still arrives, and then the session ends. */
static void
on_input_end(void *arg, char *rest, size_t n, const struct err *why)
{
    struct bridge *b = arg;

    (void)rest;
    (void)n;
    b->leave = loop_timer(b->means.loop, MCP_HTTP_LEAVE_MS, on_leave, b, NULL);
    if (why || !b->leave) {
        stop_bridge(b, why);
        return;
    }
    for (size_t i = 0; i < POSTS_MAX; i++) {
        struct post *p = b->posts[i];

        if (p && (post_kind(p) == POST_LISTEN || post_awaits_answer(p)))
            drop_post(b, p);
    }
    leave_if_done(b);
}

static void
on_output(void *arg, enum sender_state state)
{
    struct bridge *b = arg;

    if (state == SENDER_GONE)
        stop_bridge(b, NULL);
    for (size_t i = 0; i < POSTS_MAX; i++) {
        if (b->posts[i] && state == SENDER_FULL)
            post_pause(b->posts[i]);
        else if (b->posts[i] && state == SENDER_OPEN)
            post_resume(b->posts[i]);
    }
}

static int
prepare_bridge(struct bridge *b, struct err *e)
{
    static const struct line_reader_events lines = {
        .line = on_line, .too_long = on_too_long, .end = on_input_end};
    struct post_means *m = &b->means;

    buf_init(&b->initialize, MCP_HTTP_LINE);
    tool_schemas_init(&m->tools);
    if (fd_set_nonblock(STDIN_FILENO, true, e) < 0 ||
        !(m->loop = loop_new(e)) ||
        !(m->curl = curl_loop_new(m->loop, NULL, NULL, e)) ||
        !(b->out = sender_new(m->loop, STDOUT_FILENO, SENDER_MAX, on_output, b,
                              e)) ||
        !(b->buffer = read_buffer_new(e)) ||
        !(b->hold = loop_timer(m->loop, HOLD_MS, on_hold, b, e)) ||
        !(b->in = line_reader_new(m->loop, STDIN_FILENO, b->buffer,
                                  MCP_HTTP_LINE, &lines, b, e)))
        return -1;
    watch_stop(b->hold);
    line_reader_keep_secret(b->in);
    return 0;
}

static void
bridge_done(struct bridge *b)
{
    line_reader_free(b->in);
    read_buffer_free(b->buffer);
    for (size_t i = 0; i < POSTS_MAX; i++)
        post_free(b->posts[i]);
    watch_free(b->hold);
    watch_free(b->leave);
    sender_free(b->out);
    curl_loop_free(b->means.curl);
    loop_free(b->means.loop);
    endpoint_done(&b->means.to);
    tool_schemas_done(&b->means.tools);
    buf_done(&b->initialize);
}

int
bridge_run(struct err *e)
{
    CLEANUP(bridge_done) struct bridge b = {0};

    if (prepare_bridge(&b, e) < 0 || loop_run(b.means.loop, e) < 0)
        return -1;
    *e = b.why;
    return e->code == ERR_NONE ? 0 : -1;
}

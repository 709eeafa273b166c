/* SPDX-License-Identifier: GPL-3.0-or-later */
/* post.c - one message on its way to the server, until it is answered. */
#include "model/mcp_http/post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/mcp_http/exchange.h"
#include "tool/mcp/mcp_http.h"
#include "wire/event_stream.h"

/* The longest call; the client's limit is shorter, and it cancels. */
#define ANSWER_MS     (24 * 60 * 60 * 1000LL)
#define ACCEPT_MS     30000 /* for what has no answer */
#define CLOSE_MS      800   /* within MCP_HTTP_LEAVE_MS */
#define REDIRECTS_MAX 3
#define RESUMES_MAX   1000 /* a server that polls: a call of hours */
#define RETRY_MS      1000 /* where the server names no time */
#define HEADERS_MAX   (32u << 10)
#define FAILURE_BYTES (80u << 10) /* an error as the server sent it */

struct post {
    struct post_means *means;
    enum post_kind kind;
    const struct post_events *ev;
    void *arg;
    struct buf line;
    struct jsonrpc m; /* the line */
    struct exchange *x;
    struct watch *later; /* the stream is taken up again then */
    char last_event[EVENT_STREAM_ID_MAX + 1];
    int redirects, resumes;
    bool in_session; /* it was sent with the id of a session */
    bool answered;
};

static int start_exchange(struct post *p, struct err *e);

void
post_free(struct post *p)
{
    if (!p)
        return;
    watch_free(p->later);
    exchange_free(p->x);
    jsonrpc_done(&p->m);
    buf_done(&p->line);
    free(p);
}

/* An error without an id is that of this request: HTTP says so. */
static void
give_id(const struct post *p, const struct jsonrpc *m, struct buf *out)
{
    CLEANUP_BUF struct buf data = buf_of(MCP_HTTP_LINE);
    const struct json *v = json_get(json_get(m->root, "error"), "data");
    struct json_writer w;

    json_write_init(&w, &data);
    if (v)
        json_put_value(&w, v);
    jsonrpc_put_error(out, p->m.id, (int)m->code, m->message,
                      v && !data.bad ? &data : NULL);
}

static void
take_message(struct post *p, const char *text, size_t n)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    CLEANUP_BUF struct buf own = buf_of(MCP_HTTP_LINE);
    bool known = jsonrpc_parse(text, n, &m, NULL) == 0;
    bool answers = known && m.kind >= JSONRPC_RESULT && post_awaits_answer(p) &&
                   (!m.id || !strcmp(m.id, p->m.id));

    if (answers && !m.id) {
        give_id(p, &m, &own);
        text = own.p;
        n = own.len;
    }
    if (answers)
        p->answered = true;
    p->ev->message(p->arg, p, text, n, known ? &m : NULL);
    if (answers)
        exchange_linger(p->x);
}

/* In 2025-03-26 several messages may come as one list. */
static void
on_message(void *arg, const char *text, size_t n)
{
    struct post *p = arg;
    size_t blanks = 0;

    while (blanks < n && strchr(" \t\r\n", text[blanks]))
        blanks++;
    if (blanks < n && text[blanks] == '[') {
        CLEANUP(json_free_p) struct json *list = json_parse(text, n, 0, NULL);

        for (const struct json *v = json_first(list); v; v = json_next(v)) {
            CLEANUP_BUF struct buf one = buf_of(MCP_HTTP_LINE);
            struct json_writer w;

            json_write_init(&w, &one);
            json_put_value(&w, v);
            take_message(p, one.p, one.len);
        }
        return;
    }
    take_message(p, text, n);
}

static void
end_post(struct post *p)
{
    p->ev->ended(p->arg, p);
}

static void
on_later(void *arg, unsigned events)
{
    struct post *p = arg;

    (void)events;
    exchange_free(TAKE_PTR(p->x));
    if (start_exchange(p, NULL) < 0)
        end_post(p);
}

/* Follows a redirect that keeps method and body. */
static bool
follow_redirect(struct post *p)
{
    int status = exchange_status(p->x);

    if ((status != 307 && status != 308) || p->redirects++ == REDIRECTS_MAX ||
        !endpoint_follow(&p->means->to, exchange_redirect(p->x)))
        return false;
    exchange_free(TAKE_PTR(p->x));
    return start_exchange(p, NULL) == 0;
}

/* Takes up a stream again that has ended before its time (2025-11-25,
 * Resumability). One without requests is opened anew. */
static bool
take_up_again(struct post *p)
{
    const char *id = exchange_last_event(p->x);
    int64_t ms = exchange_retry_ms(p->x);

    if (!exchange_is_stream(p->x) || p->resumes++ == RESUMES_MAX ||
        request_headers_are_own(&p->m) || p->means->session.version[0] == '\0')
        return false;
    if (*id)
        snprintf(p->last_event, sizeof(p->last_event), "%s", id);
    if (p->kind == POST_MESSAGE && (!post_awaits_answer(p) || !*id))
        return false;
    watch_free(p->later);
    p->later = loop_timer(p->means->loop, ms < 0 ? RETRY_MS : ms, on_later, p,
                          NULL);
    return p->later != NULL;
}

static void
on_end(void *arg, struct exchange *x)
{
    struct post *p = arg;

    (void)x;
    if (!p->answered && (follow_redirect(p) || (p->x && take_up_again(p))))
        return;
    end_post(p);
}

static int
start_exchange(struct post *p, struct err *e)
{
    static const char *const methods[] = {[POST_MESSAGE] = "POST",
                                          [POST_LISTEN] = "GET",
                                          [POST_CLOSE] = "DELETE"};
    CLEANUP_BUF struct buf headers = buf_of(HEADERS_MAX);
    bool sends = p->kind == POST_MESSAGE && !p->last_event[0];
    struct exchange_spec spec = {
        .to = &p->means->to,
        .method = sends ? "POST" : methods[p->kind],
        .wait_ms = p->kind == POST_CLOSE                       ? CLOSE_MS
                   : p->kind == POST_LISTEN || p->m.id != NULL ? ANSWER_MS
                                                               : ACCEPT_MS,
        .arg = p,
        .message = on_message,
        .end = on_end,
    };

    if (p->last_event[0])
        spec.method = "GET";
    if (sends) {
        request_headers_write(&p->m, &p->means->session, &p->means->tools,
                              &headers);
        spec.body = p->line.p;
        spec.n = p->line.len;
    } else {
        request_headers_write_bare(&p->means->session,
                                   p->kind == POST_CLOSE ? NULL : p->last_event,
                                   &headers);
    }
    p->in_session = p->means->session.id[0] && !request_headers_are_own(&p->m);
    spec.headers = headers.p;
    if (buf_ok(&headers, "the headers", e) < 0)
        return -1;
    p->x = exchange_start(p->means->loop, p->means->curl, &spec, e);
    return p->x ? 0 : -1;
}

struct post *
post_new(struct post_means *means, enum post_kind kind, const char *line,
         size_t n, const struct post_events *ev, void *arg, struct err *e)
{
    CLEANUP(post_free_p) struct post *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->means = means;
    p->kind = kind;
    p->ev = ev;
    p->arg = arg;
    buf_init(&p->line, MCP_HTTP_LINE);
    if (line && (buf_add(&p->line, line, n) < 0 ||
                 jsonrpc_parse(line, n, &p->m, e) < 0)) {
        (void)buf_ok(&p->line, "the message", e);
        return NULL;
    }
    return start_exchange(p, e) < 0 ? NULL : TAKE_PTR(p);
}

int
post_again(struct post *p, struct err *e)
{
    exchange_free(TAKE_PTR(p->x));
    p->last_event[0] = '\0';
    return start_exchange(p, e);
}

enum post_kind
post_kind(const struct post *p)
{
    return p->kind;
}

const struct jsonrpc *
post_request(const struct post *p)
{
    return p->kind == POST_MESSAGE ? &p->m : NULL;
}

bool
post_awaits_answer(const struct post *p)
{
    return p->kind == POST_MESSAGE && p->m.kind == JSONRPC_REQUEST &&
           !p->answered;
}

void
post_pause(struct post *p)
{
    if (p->x)
        exchange_pause(p->x);
}

void
post_resume(struct post *p)
{
    if (p->x)
        exchange_resume(p->x);
}

const char *
post_session(const struct post *p)
{
    return p->x ? exchange_session(p->x) : "";
}

bool
post_was_accepted(const struct post *p)
{
    return p->x && exchange_is_complete(p->x);
}

/* The error of JSON-RPC in the body of an answer that is no success. */
static int
read_error_body(const struct post *p, struct jsonrpc *m)
{
    const struct buf *body = p->x ? exchange_body(p->x) : NULL;

    if (!body || body->len == 0 ||
        jsonrpc_parse(body->p, body->len, m, NULL) < 0)
        return -1;
    return m->kind == JSONRPC_ERROR ? 0 : -1;
}

/* The specification says 404; servers made after an example of the SDK say 400,
 * without the id of a request. */
bool
post_lost_session(const struct post *p)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    int status = p->x && p->in_session ? exchange_status(p->x) : 0;

    return status == 404 ||
           (status == 400 && (read_error_body(p, &m) < 0 || !m.id));
}

/* Whether the status says that no request would be answered. */
static bool
is_unreachable_status(int status)
{
    return status < 400 || status == 401 || status == 403 || status == 407 ||
           status == 429;
}

void
post_put_failure(const struct post *p, struct buf *out)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    CLEANUP_BUF struct buf own = buf_of(FAILURE_BYTES);
    int status = p->x ? exchange_status(p->x) : 0;
    struct err why = {0};

    if (status >= 400 && status != 401 && read_error_body(p, &m) == 0) {
        give_id(p, &m, out);
        return;
    }
    if (p->x)
        exchange_explain(p->x, &why);
    else
        err_nomem(&why);
    jsonrpc_put_error(out, p->m.id,
                      is_unreachable_status(status) ? MCP_HTTP_FAILED
                                                    : JSONRPC_INTERNAL,
                      why.text, NULL);
}

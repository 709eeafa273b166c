/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchange.c - one HTTP request to the server, and the messages of its answer.
 */
#include "model/mcp_http/exchange.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "model/process/http_error.h"
#include "model/process/http_request.h"
#include "tool/mcp/mcp_http.h"
#include "wire/event_stream.h"

#define LINGER_MS     500         /* for a server to end its stream */
#define ERROR_BYTES   (64u << 10) /* of the body of an error */
#define SESSION_SIZE  512         /* of an id; a longer one is no id */
#define TYPE_SIZE     64          /* of a content type, for a text */
#define REQUEST_BYTES (2u * MCP_HTTP_HEADERS)

struct exchange {
    struct exchange_spec spec;
    struct model_limits limits;
    struct http_request *request;
    struct event_stream *events;
    struct watch *linger;
    struct loop *loop;
    struct buf body;
    char session[SESSION_SIZE], type[TYPE_SIZE];
    bool forbidden; /* an address that may not be connected to */
    bool over;
    struct err why; /* what is wrong with the answer */
};

static bool
is_success(int status)
{
    return status >= 200 && status <= 299;
}

static bool
has_type(const struct exchange *x, const char *type)
{
    size_t n = strlen(type);

    return strncasecmp(x->type, type, n) == 0 &&
           (x->type[n] == '\0' || strchr("; \t", x->type[n]));
}

static bool
may_connect(void *arg, const struct sockaddr *a)
{
    struct exchange *x = arg;
    bool may = endpoint_may_connect(x->spec.to, a);

    x->forbidden = !may;
    return may;
}

/* Copies the value of a header of this name. */
static void
store_header(const char *line, size_t n, const char *name, char *out,
             size_t size)
{
    size_t skip = strlen(name);

    if (n <= skip || strncasecmp(line, name, skip) != 0)
        return;
    for (line += skip, n -= skip; n > 0 && strchr(" \t", *line); n--)
        line++;
    while (n > 0 && strchr(" \t\r\n", line[n - 1]))
        n--;
    out[0] = '\0';
    if (n >= size || memchr(line, '\0', n))
        return;
    memcpy(out, line, n);
    out[n] = '\0';
}

/* An id has visible characters alone (2025-11-25, Session Management). */
static void
check_session(struct exchange *x)
{
    for (const char *p = x->session; *p; p++)
        if ((unsigned char)*p < 0x21 || (unsigned char)*p > 0x7e)
            x->session[0] = '\0';
}

static void
on_header(void *arg, const char *line, size_t n)
{
    struct exchange *x = arg;

    store_header(line, n, "content-type:", x->type, sizeof(x->type));
    store_header(line, n, "mcp-session-id:", x->session, sizeof(x->session));
    check_session(x);
}

static bool
on_event(void *arg, const char *type, const char *data, size_t n)
{
    struct exchange *x = arg;

    if (!type[0] || strcmp(type, "message") == 0)
        x->spec.message(x->spec.arg, data, n);
    return true;
}

static int
add_stream_events(struct exchange *x, const char *bytes, size_t n)
{
    if (!x->events)
        x->events = event_stream_new(MCP_HTTP_LINE, on_event, x, &x->why);
    return x->events ? event_stream_add(x->events, bytes, n, &x->why) : -1;
}

static int
on_body(void *arg, int status, const char *bytes, size_t n)
{
    struct exchange *x = arg;

    if (is_success(status) && has_type(x, "text/event-stream"))
        return add_stream_events(x, bytes, n);
    if (!is_success(status)) {
        size_t room = ERROR_BYTES - x->body.len;

        buf_add(&x->body, bytes, n < room ? n : room);
        return 0;
    }
    if (buf_add(&x->body, bytes, n) == 0)
        return 0;
    return err_set(&x->why, ERR_PEER, "sends a message of more than %u MiB",
                   MCP_HTTP_LINE >> 20);
}

static bool
is_blank(const struct buf *b)
{
    size_t n = 0;

    while (n < b->len && strchr(" \t\r\n", b->p[n]))
        n++;
    return n == b->len;
}

static void
on_end(void *arg, struct http_request *r)
{
    struct exchange *x = arg;

    x->over = true;
    if (http_request_result(r) == HTTP_RESULT_COMPLETE &&
        is_success(http_request_status(r)) && !x->events &&
        !is_blank(&x->body)) {
        if (has_type(x, "application/json"))
            x->spec.message(x->spec.arg, x->body.p, x->body.len);
        else
            err_set(&x->why, ERR_PEER,
                    "answers with %.60s, which is no message",
                    x->type[0] ? x->type : "an unknown type");
    }
    x->spec.end(x->spec.arg, x);
}

static void
on_linger(void *arg, unsigned events)
{
    struct exchange *x = arg;

    (void)events;
    x->over = true;
    x->spec.end(x->spec.arg, x);
}

static int
start_http_request(struct exchange *x, struct curl_loop *c, struct err *e)
{
    CLEANUP_BUF struct buf lines = buf_of_secret(REQUEST_BYTES);
    struct http_request_spec spec = {
        .url = x->spec.to->url,
        .method = x->spec.method,
        .body = x->spec.body,
        .body_len = x->spec.n,
        .limits = &x->limits,
        .arg = x,
        .may_connect = may_connect,
        .on_header = on_header,
        .on_body = on_body,
        .on_end = on_end,
    };

    buf_add(&lines, x->spec.to->headers.p, x->spec.to->headers.len);
    buf_str(&lines, x->spec.headers);
    if (buf_ok(&lines, "the headers", e) < 0)
        return -1;
    spec.headers = lines.p;
    x->request = http_request_start(x->loop, c, &spec, e);
    return x->request ? 0 : -1;
}

struct exchange *
exchange_start(struct loop *l, struct curl_loop *c,
               const struct exchange_spec *spec, struct err *e)
{
    CLEANUP(exchange_free_p) struct exchange *x = calloc(1, sizeof(*x));

    if (!x) {
        err_nomem(e);
        return NULL;
    }
    x->spec = *spec;
    x->loop = l;
    x->limits = (struct model_limits){.connect_ms = EXCHANGE_CONNECT_MS,
                                      .first_byte_ms = spec->wait_ms,
                                      .idle_ms = spec->wait_ms};
    buf_init(&x->body, MCP_HTTP_LINE);
    return start_http_request(x, c, e) < 0 ? NULL : TAKE_PTR(x);
}

void
exchange_free(struct exchange *x)
{
    if (!x)
        return;
    watch_free(x->linger);
    http_request_free(x->request);
    event_stream_free(x->events);
    buf_done(&x->body);
    free(x);
}

void
exchange_linger(struct exchange *x)
{
    if (!x->linger && !x->over)
        x->linger = loop_timer(x->loop, LINGER_MS, on_linger, x, NULL);
}

void
exchange_pause(struct exchange *x)
{
    if (!x->over)
        http_request_pause(x->request);
}

void
exchange_resume(struct exchange *x)
{
    if (!x->over)
        http_request_resume(x->request);
}

int
exchange_status(const struct exchange *x)
{
    return http_request_status(x->request);
}

bool
exchange_is_complete(const struct exchange *x)
{
    return is_success(exchange_status(x)) && x->why.code == ERR_NONE &&
           http_request_result(x->request) == HTTP_RESULT_COMPLETE;
}

bool
exchange_is_stream(const struct exchange *x)
{
    return is_success(exchange_status(x)) && has_type(x, "text/event-stream");
}

const char *
exchange_last_event(const struct exchange *x)
{
    return x->events ? event_stream_id(x->events) : "";
}

int64_t
exchange_retry_ms(const struct exchange *x)
{
    return x->events ? event_stream_retry_ms(x->events) : -1;
}

const char *
exchange_redirect(const struct exchange *x)
{
    return http_request_redirect(x->request);
}

const struct buf *
exchange_body(const struct exchange *x)
{
    return &x->body;
}

const char *
exchange_session(const struct exchange *x)
{
    return x->session;
}

/* What a status says; the first row that fits counts. */
static const struct http_status_row {
    int from, to;
    const char *words;
} statuses[] = {
    {401, 401,
     "the server wants authorization (401). To do: put a header "
     "\"Authorization\" into its entry"},
    {403, 403, "the server refuses access (403)"},
    {404, 404, "there is no such address (404)"},
    {405, 405,
     "takes no messages (405); servers of the older transport \"sse\" are not "
     "supported"},
    {407, 407, "the proxy wants a login (407)"},
    {413, 413, "the message is too large for the server (413)"},
    {429, 429, "the server is asked too often (429)"},
    {500, 599, "the server has failed"},
};

static int
explain_status(const struct exchange *x, struct err *e)
{
    const char *host = x->spec.to->host, *to = exchange_redirect(x);
    int status = exchange_status(x);

    if (status >= 300 && status <= 399)
        return err_set(e, ERR_PEER,
                       "%.64s redirects to %.90s, which is not followed. To "
                       "do: if that is right, put it into its entry",
                       host, to ? to : "nowhere");
    for (size_t i = 0; i < ARRAY_SIZE(statuses); i++)
        if (status >= statuses[i].from && status <= statuses[i].to)
            return statuses[i].from == statuses[i].to
                       ? err_set(e, ERR_PEER, "%.64s: %s", host,
                                 statuses[i].words)
                       : err_set(e, ERR_PEER, "%.64s: %s (%d)", host,
                                 statuses[i].words, status);
    return err_set(e, ERR_PEER, "%.64s: the server answers %d", host, status);
}

static int
explain_timeout(const struct exchange *x, struct err *e)
{
    bool begun = http_request_phase(x->request) != HTTP_PHASE_CONNECT;

    return err_set(e, ERR_TIMEOUT, "%.64s: no %s within %g s", x->spec.to->host,
                   begun ? "answer" : "connection",
                   (double)(begun ? x->spec.wait_ms : EXCHANGE_CONNECT_MS) /
                       1000);
}

int
exchange_explain(const struct exchange *x, struct err *e)
{
    const char *host = x->spec.to->host;
    const struct http_request *r = x->request;

    if (x->why.code != ERR_NONE)
        return err_set(e, x->why.code, "%.64s %.160s", host, x->why.text);
    if (http_request_result(r) == HTTP_RESULT_TIMEOUT)
        return explain_timeout(x, e);
    if (http_request_result(r) == HTTP_RESULT_HEADERS_TOO_LARGE)
        return err_set(e, ERR_PEER, "%.64s sends more than %u KiB of headers",
                       host, HTTP_REQUEST_HEADERS_MAX >> 10);
    if (x->forbidden)
        return err_set(e, ERR_DENIED,
                       "%.64s is at an address that it may not be reached at",
                       host);
    if (http_request_proxy_status(r) >= 300)
        return err_set(e, ERR_PEER,
                       "%.64s: the proxy refuses the connection "
                       "(%d)",
                       host, http_request_proxy_status(r));
    if (exchange_status(x) >= 300)
        return explain_status(x, e);
    if (exchange_status(x) == 0)
        return err_set(e, ERR_PEER, "%.64s: %s", host, http_error_reason(r));
    return err_set(e, ERR_PEER, "%.64s ended its answer without a response",
                   host);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http.c - a server of HTTP: its listeners, who may ask, its paths. */
#include "server/server_http.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "server/server_http_gate.h"
#include "server/server_listen.h"
#include "server/server_token.h"
#include "wire/listener.h"

#define ADDRESS_MAX 256
#define FIELDS_MAX  (12u << 10) /* bytes of lines for one answer */
#define METRICS_MAX (64u << 10)
#define HELD_BYTES  (256u << 20) /* of all bodies and unread answers */
#define HEAD_MS     10000
#define BODY_MS     15000
#define IDLE_MS     75000
#define STALL_MS    20000
#define PREFLIGHT_S "600" /* for which a browser keeps the answer */

struct server_http {
    struct server_http_setup set;
    struct http_shared shared;
    struct http_connection **connections; /* max_connections of them */
    size_t n;
    uint64_t accepted, refused;
    struct listener *listeners[SERVER_LISTENERS_MAX];
    size_t n_listeners;
};

static bool
is_origin_ours(const struct server_http *h, struct http_connection *c)
{
    const struct http_incoming *r = http_connection_request(c);
    const char *origin = http_incoming_field(r, "origin");

    return http_incoming_count(r, "origin") <= 1 &&
           (!origin ||
            server_http_origin_is_allowed(origin, r->host, h->set.origins));
}

void
server_http_put_fields(const struct server_http *h, struct http_connection *c,
                       struct buf *out)
{
    const char *origin = http_incoming_field(http_connection_request(c),
                                             "origin");

    if (!origin)
        return;
    buf_str(out, "Vary: Origin\r\n");
    if (!is_origin_ours(h, c))
        return;
    http_put_field(out, "Access-Control-Allow-Origin", origin);
    buf_str(out, "Access-Control-Expose-Headers: Mcp-Session-Id, "
                 "MCP-Protocol-Version, WWW-Authenticate\r\n");
}

static void
refuse_http(const struct server_http *h, struct http_connection *c, int status,
            const char *field, const char *why)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);

    server_http_put_fields(h, c, &fields);
    buf_str(&fields, field);
    http_answer_text(c, status, &fields, why);
}

static bool
is_host_ours(const struct server_http *h, struct http_connection *c)
{
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof(at);

    if (getsockname(http_connection_fd(c), (struct sockaddr *)&at, &n) < 0)
        return false;
    return server_http_host_is_ours(http_connection_request(c)->host, &at,
                                    h->set.origins);
}

static bool
shows_token(const struct server_http *h, const struct http_incoming *r)
{
    const char *shown = http_incoming_field(r, "authorization");

    if (!h->set.token)
        return true;
    if (!shown || http_incoming_count(r, "authorization") > 1 ||
        strncasecmp(shown, "Bearer ", 7) != 0)
        return false;
    shown += 7 + strspn(shown + 7, " ");
    return server_token_is(h->set.token, shown, strlen(shown));
}

static const struct server_http_route *
find_route(const struct server_http *h, const char *path)
{
    const struct server_http_route *row = h->set.routes;

    while (row->path && strcmp(row->path, path) != 0)
        row++;
    return row->path ? row : NULL;
}

/* What a browser asks before it lets a page of another origin ask. */
static void
answer_preflight(const struct server_http *h, struct http_connection *c,
                 const char *methods)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    const struct http_incoming *r = http_connection_request(c);
    const char *wanted = http_incoming_field(r,
                                             "access-control-request-headers");

    server_http_put_fields(h, c, &fields);
    buf_printf(&fields, "Allow: %s, OPTIONS\r\n", methods);
    if (http_incoming_field(r, "access-control-request-method")) {
        http_put_field(&fields, "Access-Control-Allow-Methods", methods);
        if (wanted && strlen(wanted) < FIELDS_MAX / 2)
            http_put_field(&fields, "Access-Control-Allow-Headers", wanted);
        buf_str(&fields, "Access-Control-Max-Age: " PREFLIGHT_S "\r\n");
    }
    http_answer(c, 204, &fields, NULL, NULL);
}

static void
answer_health(const struct server_http *h, struct http_connection *c)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    CLEANUP_BUF struct buf body = buf_of(64);

    server_http_put_fields(h, c, &fields);
    buf_str(&body, "{\"status\":\"ok\"}\n");
    http_answer(c, 200, &fields, "application/json", &body);
}

void
server_http_put_metric(struct buf *out, const char *name, const char *kind,
                       const char *help, uint64_t value)
{
    buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", name, help,
               name, kind, name, value);
}

static void
put_answer_counts(const struct server_http *h, struct buf *out)
{
    static const char name[] = "agentsh_http_responses_total";

    buf_printf(out, "# HELP %s Responses, by the class of their status.\n",
               name);
    buf_printf(out, "# TYPE %s counter\n", name);
    for (unsigned i = 2; i < 6; i++)
        buf_printf(out, "%s{class=\"%uxx\"} %" PRIu64 "\n", name, i,
                   h->shared.answers[i]);
}

static void
answer_metrics(const struct server_http *h, struct http_connection *c)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    CLEANUP_BUF struct buf body = buf_of(METRICS_MAX);

    server_http_put_metric(&body, "agentsh_http_connections", "gauge",
                           "Connections that are open.", h->n);
    server_http_put_metric(&body, "agentsh_http_connections_total", "counter",
                           "Connections that were accepted.", h->accepted);
    server_http_put_metric(&body, "agentsh_http_connections_refused_total",
                           "counter", "Connections beyond --max-connections.",
                           h->refused);
    server_http_put_metric(
        &body, "agentsh_http_connections_dropped_total", "counter",
        "Connections ended for being slow or wrong.", h->shared.dropped);
    server_http_put_metric(&body, "agentsh_http_requests_total", "counter",
                           "Requests.", h->shared.requests);
    put_answer_counts(h, &body);
    server_http_put_metric(&body, "agentsh_http_held_bytes", "gauge",
                           "Bytes of bodies and of answers not read yet.",
                           h->shared.held);
    if (h->set.metrics)
        h->set.metrics(h->set.arg, &body);
    server_http_put_fields(h, c, &fields);
    http_answer(c, 200, &fields, "text/plain; version=0.0.4; charset=utf-8",
                &body);
}

#define OWN_METHODS "GET, HEAD"

/* The methods of a path; NULL: there is no such path. */
static const char *
path_methods(const struct server_http *h, const char *path)
{
    const struct server_http_route *row = find_route(h, path);

    if (row)
        return row->methods;
    return strcmp(path, "/health") == 0 || strcmp(path, "/metrics") == 0
               ? OWN_METHODS
               : NULL;
}

/* Whether a path has a method; their names differ by case (RFC 9110, 9.1). */
static bool
has_method(const char *methods, const char *method)
{
    size_t n = strlen(method);

    for (size_t len; *methods; methods += len + strspn(methods + len, ", ")) {
        len = strcspn(methods, ", ");
        if (len == n && strncmp(methods, method, n) == 0)
            return true;
    }
    return false;
}

/* False: the request was refused by its head, and is answered. */
static bool
on_http_head(void *arg, struct http_connection *c)
{
    const struct server_http *h = arg;
    const struct http_incoming *r = http_connection_request(c);
    const char *methods = path_methods(h, r->path);
    char allow[128];

    if (!is_host_ours(h, c)) {
        refuse_http(h, c, 403, "", "the Host is not that of this server");
    } else if (!is_origin_ours(h, c)) {
        refuse_http(h, c, 403, "",
                    "the Origin is not allowed (--allow-origin)");
    } else if (strcmp(r->method, "OPTIONS") == 0) {
        answer_preflight(h, c, methods ? methods : OWN_METHODS);
    } else if (strcmp(r->path, "/health") != 0 && !shows_token(h, r)) {
        refuse_http(h, c, 401, "WWW-Authenticate: Bearer\r\n",
                    "Authorization: Bearer and the token are needed");
    } else if (!methods) {
        refuse_http(h, c, 404, "", "there is nothing at this path");
    } else if (!has_method(methods, r->method)) {
        snprintf(allow, sizeof(allow), "Allow: %s, OPTIONS\r\n", methods);
        refuse_http(h, c, 405, allow, "the path does not have this method");
    } else {
        return true;
    }
    return false;
}

static void
on_http_request(void *arg, struct http_connection *c)
{
    const struct server_http *h = arg;
    const struct http_incoming *r = http_connection_request(c);
    const struct server_http_route *row = find_route(h, r->path);

    if (row)
        row->request(h->set.arg, c);
    else if (strcmp(r->path, "/health") == 0)
        answer_health(h, c);
    else
        answer_metrics(h, c);
}

static void
on_http_ended(void *arg, struct http_connection *c)
{
    struct server_http *h = arg;
    size_t i = 0;

    while (h->connections[i] != c)
        i++;
    h->connections[i] = h->connections[--h->n];
    http_connection_free(c);
}

/* One more than are allowed is told so, and is gone. */
static void
refuse_http_connection(struct server_http *h, int fd)
{
    static const char text[] = "HTTP/1.1 503 Service Unavailable\r\n"
                               "Content-Length: 0\r\nRetry-After: 1\r\n"
                               "Connection: close\r\n\r\n";

    (void)!send(fd, text, sizeof(text) - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    fd_close_p(&fd);
    if (h->refused++ == 0)
        h->set.log(h->set.log_arg,
                   "refused a connection: as many as --max-connections allows "
                   "are open");
}

static void
on_http_accepted(void *arg, int fd)
{
    struct server_http *h = arg;
    struct err e = {0};

    if (h->n >= h->set.max_connections) {
        refuse_http_connection(h, fd);
        return;
    }
    h->accepted++;
    h->connections[h->n] = http_connection_new(&h->shared, fd, &e);
    if (h->connections[h->n])
        h->n++;
    else
        h->set.log(h->set.log_arg, e.text);
}

static void
on_http_trouble(void *arg, const struct err *why)
{
    const struct server_http *h = arg;

    h->set.log(h->set.log_arg, why->text);
}

/* HOST:PORT is of TCP. */
static void
complete_address(const char *text, char *out, size_t size)
{
    static const char *const kinds[] = {"unix:", "tcp:", "vsock:", "fd:", NULL};
    size_t i = 0;

    while (kinds[i] && strncmp(text, kinds[i], strlen(kinds[i])) != 0)
        i++;
    snprintf(out, size, "%s%s", kinds[i] ? "" : "tcp:", text);
}

static int
listen_http(struct server_http *h, const char *text, struct err *e)
{
    static const struct listener_events events = {.accepted = on_http_accepted,
                                                  .trouble = on_http_trouble};
    CLEANUP_BUF struct buf line = buf_of(ADDRESS_MAX);
    char address[ADDRESS_MAX];
    struct listener *l;

    complete_address(text, address, sizeof(address));
    if (!(l = listener_new(h->set.loop, address, &events, h, e)))
        return -1;
    h->listeners[h->n_listeners++] = l;
    listener_put_address(l, &line);
    if (!h->set.token && server_token_do_without(l, line.p, e) < 0)
        return -1;
    buf_str(&line, ": listening");
    h->set.log(h->set.log_arg, line.p);
    return 0;
}

static int
open_server_http(struct server_http *h, struct err *e)
{
    static const struct http_events events = {.head = on_http_head,
                                              .request = on_http_request,
                                              .ended = on_http_ended};

    h->shared = (struct http_shared){.loop = h->set.loop,
                                     .events = &events,
                                     .arg = h,
                                     .limits = {.body_bytes = h->set.max_body,
                                                .held_bytes = HELD_BYTES,
                                                .head_ms = HEAD_MS,
                                                .body_ms = BODY_MS,
                                                .idle_ms = IDLE_MS,
                                                .stall_ms = STALL_MS}};
    h->connections = calloc(h->set.max_connections, sizeof(*h->connections));
    if (!h->connections)
        return err_nomem(e);
    if (server_http_check_origins(h->set.origins, e) < 0 ||
        !(h->shared.buffer = read_buffer_new(e)))
        return -1;
    for (size_t i = 0; h->set.listen[i]; i++)
        if (listen_http(h, h->set.listen[i], e) < 0)
            return -1;
    return 0;
}

struct server_http *
server_http_new(const struct server_http_setup *set, struct err *e)
{
    CLEANUP(server_http_free_p) struct server_http *h = calloc(1, sizeof(*h));

    if (!h) {
        err_nomem(e);
        return NULL;
    }
    h->set = *set;
    return open_server_http(h, e) < 0 ? NULL : TAKE_PTR(h);
}

static void
close_http_listeners(struct server_http *h)
{
    while (h->n_listeners > 0)
        listener_free(h->listeners[--h->n_listeners]);
}

void
server_http_free(struct server_http *h)
{
    if (!h)
        return;
    close_http_listeners(h);
    while (h->n > 0)
        http_connection_free(h->connections[--h->n]);
    read_buffer_free(h->shared.buffer);
    free(h->connections);
    free(h);
}

void
server_http_drain(struct server_http *h)
{
    close_http_listeners(h);
    for (size_t i = 0; i < h->n; i++)
        http_connection_drain(h->connections[i]);
}

size_t
server_http_connections(const struct server_http *h)
{
    return h->n;
}

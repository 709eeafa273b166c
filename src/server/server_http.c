/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http.c - an HTTP server: its listeners, its access checks, its
 * routes. */
#include "server/server_http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "server/peer_table.h"
#include "server/server_cookie.h"
#include "server/server_http_gate.h"
#include "server/server_http_metrics.h"
#include "server/server_listen.h"
#include "server/server_token.h"
#include "wire/lingering_close.h"
#include "wire/listener.h"
#include "wire/tls_acceptor.h"
#include "wire/websocket_handshake.h"

#define ADDRESS_MAX   256
#define DESCRIPTORS   512 /* beside: connections that are checked, agents */
#define FIELDS_MAX    (12u << 10) /* bytes of lines for one answer */
#define METRICS_MAX   (64u << 10)
#define HELD_BYTES    (256u << 20) /* of all bodies and unread answers */
#define HEAD_MS       10000
#define BODY_MS       15000
#define IDLE_MS       75000
#define STALL_MS      20000
#define MESSAGE_BYTES (1u << 20) /* of one message on a WebSocket */
/* Queued on one WebSocket; a peer that leaves more unread is closed. */
#define UNREAD_BYTES (4u << 20)
#define PING_MS      30000
#define PONG_MS      20000
#define REFUSAL_MAX  768 /* bytes of the response that refuses a connection */
#define RETRY_AFTER  "Retry-After: 1\r\n"
/* For which a browser caches the answer to a preflight request. */
#define PREFLIGHT_S "600"

struct client {
    struct http_connection *connection;
    peer_number peer;
};

struct server_http {
    struct server_http_setup set;
    struct http_shared shared;
    struct websocket_shared websockets;
    struct client *clients; /* max_connections of them */
    size_t n;
    struct peer_table *peers;
    bool draining;
    int64_t begun_ms;
    uint64_t accepted, refused, denied, limited, paused;
    struct tls_acceptor *acceptor; /* NULL: plain connections */
    struct lingering_close *refusals;
    struct listener *listeners[SERVER_LISTENERS_MAX];
    size_t n_listeners;
};

static bool
is_origin_ours(const struct server_http *h, struct http_connection *c)
{
    const struct http_incoming *r = http_connection_request(c);
    const char *origin = http_incoming_field(r, "origin");

    return http_incoming_count(r, "origin") <= 1 &&
           (!origin || server_http_origin_is_allowed(
                           origin, h->acceptor ? "https://" : "http://",
                           r->host, h->set.origins));
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

/* A Host that is a name of the certificate is ours. */
static bool
is_host_certified(const struct server_http *h, const char *host)
{
    size_t n = host && h->acceptor ? server_http_host_name(&host) : 0;

    return n > 0 && tls_acceptor_is_for(h->acceptor, host, n);
}

static bool
is_host_ours(const struct server_http *h, struct http_connection *c)
{
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof(at);

    const char *host = http_connection_request(c)->host;

    if (getsockname(http_connection_fd(c), (struct sockaddr *)&at, &n) < 0)
        return false;
    return server_http_host_is_ours(host, &at, h->set.origins) ||
           is_host_certified(h, host);
}

static bool
shows_token(const struct server_http *h, const struct http_incoming *r)
{
    const char *shown = http_incoming_field(r, "authorization");

    if (!h->set.token || server_cookie_shows(r, h->set.token))
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

/* Answers a CORS preflight request. */
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
    CLEANUP_BUF struct buf body = buf_of(128);
    char now[CLOCK_RFC3339_SIZE];

    server_http_put_fields(h, c, &fields);
    buf_printf(&body, "{\"status\":\"%s\",\"timestamp\":\"%s\"}\n",
               h->draining ? "draining" : "ok", clock_rfc3339(time(NULL), now));
    http_answer(c, h->draining ? 503 : 200, &fields, "application/json", &body);
}

static void
answer_metrics(const struct server_http *h, struct http_connection *c)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    CLEANUP_BUF struct buf body = buf_of(METRICS_MAX);
    uint64_t lost = h->set.log_lost ? h->set.log_lost(h->set.log_arg) : 0;
    const struct server_http_numbers numbers = {
        .http = &h->shared,
        .websockets = &h->websockets,
        .connections = h->n,
        .accepted = h->accepted,
        .refused = h->refused,
        .denied = h->denied,
        .limited = h->limited,
        .paused = h->paused,
        .handshakes_failed = tls_acceptor_failed(h->acceptor),
        .uptime_ms = clock_ms() - h->begun_ms,
        .log_lost = h->set.log_lost ? &lost : NULL};

    server_http_put_numbers(&body, &numbers);
    if (h->set.metrics)
        h->set.metrics(h->set.arg, &body);
    server_http_put_fields(h, c, &fields);
    http_answer(c, 200, &fields, "text/plain; version=0.0.4; charset=utf-8",
                &body);
}

#define OWN_METHODS "GET, HEAD"

/* The methods of a path, as in Allow; NULL: there is no such path. */
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

/* Whether a path is served without a token. */
static bool
is_path_open(const struct server_http *h, const char *path)
{
    const char *const *open = h->set.open;

    while (open && *open && strcmp(*open, path) != 0)
        open++;
    return open && *open;
}

/* The token in the query, for a browser's WebSocket, which can set no header.
 * NULL: there is none, or the request is no upgrade: else an image on any page
 * could send wrong tokens from the address of whoever looks at it. */
static const char *
query_token(const struct http_incoming *r)
{
    const char *at = websocket_handshake_is_asked(r) ? r->query : "";

    while (*at && strncmp(at, "token=", strlen("token=")) != 0) {
        at += strcspn(at, "&");
        at += *at == '&';
    }
    return *at ? at + strlen("token=") : NULL;
}

static bool
query_shows_token(const struct server_http *h, const struct http_incoming *r)
{
    CLEANUP_BUF struct buf token = buf_of_secret(SERVER_TOKEN_MAX);
    const char *shown = query_token(r);

    return shown && server_token_decode(shown, false, &token) &&
           server_token_is(h->set.token, token.p, token.len);
}

static bool
has_method_or_refuse(const struct server_http *h, struct http_connection *c,
                     const char *methods)
{
    char allow[128];

    if (has_method(methods, http_connection_request(c)->method))
        return true;
    snprintf(allow, sizeof(allow), "Allow: %s, OPTIONS\r\n", methods);
    refuse_http(h, c, 405, allow, "the path does not have this method");
    return false;
}

static struct client *
client_of(const struct server_http *h, const struct http_connection *c)
{
    struct client *at = h->clients;

    while (at->connection != c)
        at++;
    return at;
}

void
server_http_refuse_token(struct server_http *h, struct http_connection *c,
                         bool shown)
{
    CLEANUP_BUF struct buf field = buf_of(FIELDS_MAX);
    char line[PEER_TEXT_SIZE + 100], text[PEER_TEXT_SIZE];
    peer_number peer = client_of(h, c)->peer;

    if (shown && peer_table_wrong(h->peers, peer, clock_ms())) {
        h->paused++;
        snprintf(line, sizeof(line),
                 "%s has shown %d wrong tokens: none is "
                 "looked at for %d s",
                 peer_table_text(h->peers, peer, text), PEER_WRONG_MAX,
                 PEER_PAUSE_MS / 1000);
        h->set.log(h->set.log_arg, line);
    }
    buf_str(&field, "WWW-Authenticate: Bearer");
    if (h->set.put_challenge)
        h->set.put_challenge(h->set.arg, c, shown, &field);
    buf_str(&field, "\r\n");
    refuse_http(h, c, 401, field.bad ? "WWW-Authenticate: Bearer\r\n" : field.p,
                shown ? "the token is wrong (agentsh's own commands take it "
                        "from --token-file)"
                      : "a token is needed: Authorization: Bearer and the "
                        "token (agentsh's own commands: --token-file)");
}

/* Answers 429 where the address has shown too many wrong tokens. False: it has
 * not. */
static bool
is_paused(const struct server_http *h, struct http_connection *c)
{
    char field[64];
    int64_t ms = h->set.token ? peer_table_pause(
                                    h->peers, client_of(h, c)->peer, clock_ms())
                              : 0;

    if (ms == 0)
        return false;
    snprintf(field, sizeof(field), "Retry-After: %d\r\n", (int)(ms / 1000 + 1));
    refuse_http(h, c, 429, field, "too many wrong tokens from this address");
    return true;
}

/* Checks the request's head. False: it was refused, and is answered. */
static bool
on_http_head(void *arg, struct http_connection *c)
{
    struct server_http *h = arg;
    const struct http_incoming *r = http_connection_request(c);
    const char *methods = path_methods(h, r->path);

    if (!is_host_ours(h, c)) {
        refuse_http(h, c, 403, "", "the Host is not that of this server");
    } else if (!is_origin_ours(h, c)) {
        refuse_http(h, c, 403, "",
                    "the Origin is not allowed (--allow-origin)");
    } else if (strcmp(r->method, "OPTIONS") == 0) {
        answer_preflight(h, c, methods ? methods : OWN_METHODS);
    } else if (strcmp(r->path, "/health") == 0) {
        return has_method_or_refuse(h, c, methods);
    } else if (is_paused(h, c)) {
        return false;
    } else if (!is_path_open(h, r->path) && !shows_token(h, r) &&
               !query_shows_token(h, r)) {
        server_http_refuse_token(
            h, c, http_incoming_field(r, "authorization") || query_token(r));
    } else if (h->draining) {
        refuse_http(h, c, 503, "Retry-After: 1\r\n", "the server ends");
    } else if (!methods) {
        refuse_http(h, c, 404, "", "there is nothing at this path");
    } else {
        return has_method_or_refuse(h, c, methods);
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
    struct client *at = client_of(h, c);

    peer_table_left(h->peers, at->peer);
    *at = h->clients[--h->n];
    http_connection_free(c);
}

/* Closes a connection that is refused, with a response where it is not of TLS.
 * fields: further lines. */
static void
refuse_http_connection(const struct server_http *h, const char *status,
                       const char *fields, const char *why, int fd)
{
    char text[REFUSAL_MAX];
    int n = snprintf(text, sizeof(text),
                     "HTTP/1.1 %s\r\n%sContent-Type: text/plain\r\n"
                     "Content-Length: %zu\r\nConnection: close\r\n\r\n%s\n",
                     status, fields, strlen(why) + 1, why);

    if (h->acceptor) {
        fd_close_p(&fd);
        return;
    }
    (void)!send(fd, text, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
    lingering_close_take(h->refusals, fd);
}

static void
refuse_beyond_max(struct server_http *h, int fd)
{
    refuse_http_connection(h, "503 Service Unavailable", RETRY_AFTER,
                           "as many connections as are allowed are open", fd);
    if (h->refused++ == 0)
        h->set.log(h->set.log_arg,
                   "refused a connection: as many as --max-connections allows "
                   "are open");
}

/* Whether its address may have one more connection. Else it is answered with
 * 429 or 503, and closed. */
static bool
admit_peer(struct server_http *h, int fd, peer_number *peer)
{
    struct sockaddr_storage from = {0};
    socklen_t n = sizeof(from);
    enum peer_verdict verdict;

    (void)getpeername(fd, (struct sockaddr *)&from, &n);
    verdict = peer_table_accept(h->peers, &from, clock_ms(), peer);
    if (verdict == PEER_WELCOME)
        return true;
    refuse_http_connection(
        h,
        verdict == PEER_TOO_FAST ? "429 Too Many Requests"
                                 : "503 Service Unavailable",
        RETRY_AFTER, "this address has, or makes, too many connections", fd);
    if (h->limited++ == 0)
        h->set.log(h->set.log_arg,
                   "refused a connection: its address has, or makes, too many");
    return false;
}

static void
add_http_connection(void *arg, int fd, struct tls *t, peer_number peer)
{
    struct server_http *h = arg;
    struct http_connection *c;
    struct err e = {0};

    if (!(c = http_connection_new(&h->shared, fd, &e))) {
        peer_table_left(h->peers, peer);
        h->set.log(h->set.log_arg, e.text);
        tls_free(t);
        return;
    }
    http_connection_use_tls(c, t);
    h->clients[h->n++] = (struct client){.connection = c, .peer = peer};
    if (h->draining)
        http_connection_close_after(c);
}

static void
on_http_accepted(void *arg, int fd)
{
    struct server_http *h = arg;
    peer_number peer;

    if (h->n + h->websockets.n + tls_acceptor_pending(h->acceptor) >=
        h->set.max_connections) {
        refuse_beyond_max(h, fd);
        return;
    }
    if (!admit_peer(h, fd, &peer))
        return;
    h->accepted++;
    if (h->acceptor)
        tls_acceptor_take(h->acceptor, fd, peer);
    else
        add_http_connection(h, fd, NULL, peer);
}

/* It is not of this user, or a confined process holds it. */
static void
on_http_refused(void *arg, int fd, const struct err *why)
{
    struct server_http *h = arg;

    h->denied++;
    refuse_http_connection(h, "403 Forbidden", "", why->text, fd);
}

static void
on_http_trouble(void *arg, const struct err *why)
{
    const struct server_http *h = arg;

    h->set.log(h->set.log_arg, why->text);
}

static int
listen_http(struct server_http *h, const char *text, struct err *e)
{
    static const struct listener_events events = {.accepted = on_http_accepted,
                                                  .refused = on_http_refused,
                                                  .trouble = on_http_trouble};
    CLEANUP_BUF struct buf line = buf_of(ADDRESS_MAX);
    char address[ADDRESS_MAX];
    struct listener *l;

    if (server_listen_address(text, address, sizeof(address), e) < 0 ||
        !(l = listener_new(h->set.loop, address, &events, h, e)))
        return -1;
    h->listeners[h->n_listeners++] = l;
    listener_put_address(l, &line);
    if (!h->set.token && server_token_do_without(l, line.p, e) < 0)
        return -1;
    buf_str(&line, h->acceptor ? ": listening (TLS)" : ": listening");
    h->set.log(h->set.log_arg, line.p);
    return 0;
}

static void
on_client_gone(void *arg, unsigned number)
{
    const struct server_http *h = arg;

    peer_table_left(h->peers, number);
}

/* Raises the limit of descriptors, so that each connection can have one. */
static void
raise_descriptors(unsigned connections)
{
    rlim_t wanted = (rlim_t)connections + DESCRIPTORS;
    struct rlimit now;

    if (getrlimit(RLIMIT_NOFILE, &now) < 0 || now.rlim_cur >= wanted)
        return;
    now.rlim_cur = wanted < now.rlim_max ? wanted : now.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &now);
}

static int
open_server_http(struct server_http *h, struct err *e)
{
    static const struct http_events events = {.head = on_http_head,
                                              .request = on_http_request,
                                              .ended = on_http_ended};

    const struct tls_acceptor_setup tls = {.loop = h->set.loop,
                                           .certificate = h->set.tls_cert,
                                           .key = h->set.tls_key,
                                           .accepted = add_http_connection,
                                           .dropped = on_client_gone,
                                           .arg = h};

    h->shared = (struct http_shared){.loop = h->set.loop,
                                     .events = &events,
                                     .arg = h,
                                     .put_refusal = h->set.put_refusal,
                                     .limits = {.body_bytes = h->set.max_body,
                                                .held_bytes = HELD_BYTES,
                                                .head_ms = HEAD_MS,
                                                .body_ms = BODY_MS,
                                                .idle_ms = IDLE_MS,
                                                .stall_ms = STALL_MS}};
    h->begun_ms = clock_ms();
    raise_descriptors(h->set.max_connections);
    h->clients = calloc(h->set.max_connections, sizeof(*h->clients));
    if (!h->clients)
        return err_nomem(e);
    if (server_http_check_origins(h->set.origins, e) < 0 ||
        tls_acceptor_new(&tls, &h->acceptor, e) < 0 ||
        !(h->shared.buffer = read_buffer_new(e)) ||
        !(h->refusals = lingering_close_new(h->set.loop, e)) ||
        !(h->peers = peer_table_new(h->set.max_connections, e)))
        return -1;
    h->websockets = (struct websocket_shared){.loop = h->set.loop,
                                              .buffer = h->shared.buffer,
                                              .limits = h->set.websocket,
                                              .freed = on_client_gone,
                                              .arg = h};
    if (h->set.websocket.message_bytes == 0)
        h->websockets.limits = (struct websocket_limits){
            .message_bytes = MESSAGE_BYTES,
            .queued_bytes = UNREAD_BYTES,
            .ping_ms = PING_MS,
            .pong_ms = PONG_MS};
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
    server_token_log_seen(set->token_seen, set->log, set->log_arg);
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
    tls_acceptor_free(h->acceptor);
    lingering_close_free(h->refusals);
    while (h->n > 0)
        http_connection_free(h->clients[--h->n].connection);
    websocket_drop_all(&h->websockets);
    peer_table_free(h->peers);
    read_buffer_free(h->shared.buffer);
    free(h->clients);
    free(h);
}

int
server_http_reload_certificate(struct server_http *h, struct err *e)
{
    return tls_acceptor_reload(h->acceptor, e);
}

void
server_http_drain(struct server_http *h)
{
    size_t kept = 0;

    h->draining = true;
    for (size_t i = 0; i < h->n_listeners; i++) {
        if (strncmp(h->set.listen[i], "fd:", 3) == 0)
            listener_free(h->listeners[i]);
        else
            h->listeners[kept++] = h->listeners[i];
    }
    h->n_listeners = kept;
    for (size_t i = 0; i < h->n; i++)
        http_connection_drain(h->clients[i].connection);
}

size_t
server_http_connections(const struct server_http *h)
{
    size_t n = h->n + h->websockets.n +
               (h->draining ? 0 : tls_acceptor_pending(h->acceptor));

    for (size_t i = 0; h->draining && i < h->n; i++)
        n -= http_connection_is_idle(h->clients[i].connection);
    return n;
}

struct websocket_opening {
    struct server_http *h;
    const struct websocket_events *events;
    void *owner;
    void (*opened)(void *owner, struct websocket *ws);
    peer_number peer;
};

static void
on_http_upgraded(void *arg, int fd, struct tls *t, const struct buf *begun)
{
    struct websocket_opening *o = arg;
    struct websocket *ws = NULL;
    struct err e = {0};

    if (fd >= 0) {
        ws = websocket_new(&o->h->websockets, fd, begun, false, o->events,
                           o->owner, &e);
        if (!ws)
            o->h->set.log(o->h->set.log_arg, e.text);
    }
    if (ws)
        websocket_use_tls(ws, t);
    else
        tls_free(t);
    if (ws)
        websocket_use_number(ws, o->peer);
    else
        peer_table_left(o->h->peers, o->peer);
    o->opened(o->owner, ws);
    free(o);
}

bool
server_http_open_named_websocket(
    struct server_http *h, struct http_connection *c, const struct buf *more,
    const struct websocket_events *ev, void *owner,
    void (*opened)(void *owner, struct websocket *ws))
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    struct websocket_opening *o;
    const char *why;
    int status = websocket_handshake_check(http_connection_request(c), &fields,
                                           &why);

    if (status == 0 && !(o = calloc(1, sizeof(*o)))) {
        buf_clear(&fields);
        status = 503;
        why = "out of memory";
    }
    if (status != 0) {
        refuse_http(h, c, status, fields.p, why);
        return false;
    }
    *o = (struct websocket_opening){.h = h,
                                    .events = ev,
                                    .owner = owner,
                                    .opened = opened,
                                    .peer = client_of(h, c)->peer};
    peer_table_hold(h->peers, o->peer);
    if (more)
        buf_add(&fields, more->p, more->len);
    http_upgrade(c, &fields, on_http_upgraded, o);
    return true;
}

bool
server_http_open_websocket(struct server_http *h, struct http_connection *c,
                           const struct websocket_events *ev, void *owner,
                           void (*opened)(void *owner, struct websocket *ws))
{
    return server_http_open_named_websocket(h, c, NULL, ev, owner, opened);
}

void
server_http_close_websockets(struct server_http *h, const char *reason)
{
    websocket_close_all(&h->websockets, WEBSOCKET_GOING_AWAY, reason);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_server.c - the Model Context Protocol over HTTP, at /mcp. */
#include "server/mcp/mcp_http_server.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/mcp/mcp_http_headers.h"
#include "server/mcp/mcp_http_resource.h"
#include "server/mcp/mcp_http_session.h"
#include "server/mcp/mcp_toolset.h"
#include "server/server_http.h"
#include "server/server_policy.h"
#include "server/server_token.h"
#include "server/service.h"
#include "wire/parse_thread.h"

#define BODY_MAX     (16u << 20)
#define FIELDS_MAX   (12u << 10)
#define ERROR_MAX    (64u << 10)
#define TICK_MS      1000
#define STOP_STEP_MS 5
#define DRAIN_MS     500 /* for answers to be read, after: */
#define WORK_STOP_MS (SERVICE_DRAIN_MS - 2 * DRAIN_MS) /* for calls to end */

/* A body that is being parsed. */
struct mcp_http_body {
    struct mcp_http_server *h;
    struct mcp_http_body *prev, *next;
    struct http_connection *c; /* NULL: it is gone */
    struct parse_thread *parsing;
};

struct mcp_http_server {
    struct mcp_http_server_setup set;
    struct server_http *server;
    struct policy *rules; /* for sessions that open */
    struct mcp_http_session *stateless;
    struct mcp_http_session *sessions[MCP_HTTP_SESSIONS_MAX];
    size_t n;
    uint64_t n_opened, n_expired, n_messages;
    struct mcp_http_body *bodies;
    struct watch *tick;
    bool stopping;
    int64_t stop_by_ms;
};

static void
refuse_mcp_message(struct mcp_http_server *h, struct http_connection *c,
                   int status, const char *id, int code, const char *why)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    CLEANUP_BUF struct buf body = buf_of(ERROR_MAX);

    server_http_put_fields(h->server, c, &fields);
    jsonrpc_put_error(&body, id, code, why, NULL);
    if (body.bad) {
        buf_clear(&body);
        jsonrpc_put_error(&body, NULL, code, why, NULL);
    }
    http_answer(c, status, &fields, "application/json", &body);
}

static void
answer_without_body(struct mcp_http_server *h, struct http_connection *c,
                    int status)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);

    server_http_put_fields(h->server, c, &fields);
    http_answer(c, status, &fields, NULL, NULL);
}

static void
put_answer_fields(void *arg, struct http_connection *c, struct buf *out)
{
    const struct mcp_http_server *h = arg;

    server_http_put_fields(h->server, c, out);
}

static struct mcp_http_session *
new_mcp_session(struct mcp_http_server *h, bool stateless, struct err *e)
{
    const struct mcp_http_session_setup set = {.service = h->set.service,
                                               .stateless = stateless,
                                               .put_fields = put_answer_fields,
                                               .arg = h};

    return mcp_http_session_new(&set, e);
}

static void
end_mcp_session(struct mcp_http_server *h, size_t i)
{
    struct mcp_http_session *s = h->sessions[i];

    h->sessions[i] = h->sessions[--h->n];
    mcp_http_session_free(s);
}

/* Finds place for one more: the one that was idle longest ends for it. */
static bool
make_session_place(struct mcp_http_server *h)
{
    int64_t now = clock_ms(), longest = -1;
    size_t at = 0;

    if (h->n < MCP_HTTP_SESSIONS_MAX)
        return true;
    for (size_t i = 0; i < h->n; i++) {
        int64_t ms = mcp_http_session_idle_ms(h->sessions[i], now);

        if (ms > longest) {
            longest = ms;
            at = i;
        }
    }
    if (longest < MCP_HTTP_MAY_END_MS)
        return false;
    h->n_expired++;
    end_mcp_session(h, at);
    return true;
}

static void
open_mcp_session(struct mcp_http_server *h, struct http_connection *c,
                 struct jsonrpc *m, int rc, struct err *e)
{
    struct mcp_http_session *s;
    struct err why = {0};
    size_t at = h->n;

    if (h->stopping || !make_session_place(h)) {
        refuse_mcp_message(h, c, 503, m->id, JSONRPC_INTERNAL,
                           "as many sessions as there may be are open");
        return;
    }
    at = h->n;
    if (!(s = new_mcp_session(h, false, &why))) {
        refuse_mcp_message(h, c, 503, m->id, JSONRPC_INTERNAL, why.text);
        return;
    }
    h->sessions[h->n++] = s;
    mcp_http_session_request(s, c, m, rc, false, e);
    if (mcp_http_session_is_open(s))
        h->n_opened++;
    else
        end_mcp_session(h, at);
}

/* The session that the request names: its number, or -1, and it is refused. */
static int
find_mcp_session(struct mcp_http_server *h, struct http_connection *c,
                 const char *id)
{
    const struct http_incoming *r = http_connection_request(c);
    const char *shown = http_incoming_field(r, "mcp-session-id");

    if (!shown || http_incoming_count(r, "mcp-session-id") > 1) {
        refuse_mcp_message(h, c, 400, id, JSONRPC_INVALID_REQUEST,
                           "Mcp-Session-Id is missing: call initialize first");
        return -1;
    }
    if (!mcp_http_version_is_known(r)) {
        refuse_mcp_message(
            h, c, 400, id, JSONRPC_INVALID_REQUEST,
            "MCP-Protocol-Version: no version that is spoken here");
        return -1;
    }
    for (size_t i = 0; i < h->n; i++)
        if (server_token_is(mcp_http_session_id(h->sessions[i]), shown,
                            strlen(shown)))
            return (int)i;
    refuse_mcp_message(h, c, 404, id, JSONRPC_INVALID_REQUEST,
                       "there is no such session (any more)");
    return -1;
}

static void
take_stateless(struct mcp_http_server *h, struct http_connection *c,
               struct jsonrpc *m, int rc, struct err *e)
{
    const struct http_incoming *r = http_connection_request(c);
    const char *name = json_get_str(m->params, "name");
    const struct json *schema = NULL;
    struct mcp_client nobody = {0};
    struct mcp_frame frame;
    struct err why = {0};
    bool bad;

    if (!m->id) { /* a notification, of which none means anything here */
        answer_without_body(h, c, 202);
        return;
    }
    if (name && strcmp(m->method, "tools/call") == 0)
        schema = mcp_http_session_tool_schema(h->stateless, name);
    bad = mcp_frame_read(&nobody, m->params, &frame, &why) != 0;
    if (mcp_http_check_headers(r, m, schema, &why) < 0)
        refuse_mcp_message(h, c, 400, m->id, MCP_ERA_HEADER_MISMATCH, why.text);
    else
        mcp_http_session_request(h->stateless, c, m, rc, bad, e);
}

static void
take_of_session(struct mcp_http_server *h, struct http_connection *c,
                struct jsonrpc *m, int rc, struct err *e)
{
    int i = find_mcp_session(h, c, m->id);

    if (i < 0)
        return;
    if (m->kind == JSONRPC_REQUEST) {
        mcp_http_session_request(h->sessions[i], c, m, rc, false, e);
        return;
    }
    mcp_http_session_notice(h->sessions[i], m, rc, e);
    answer_without_body(h, c, 202);
}

/* Of which era a message is: what its body says, else its header. */
static bool
is_stateless(const struct http_incoming *r, const struct jsonrpc *m)
{
    const char *version = http_incoming_field(r, "mcp-protocol-version");

    if (json_get(json_get(m->params, "_meta"), MCP_ERA_META_VERSION))
        return true;
    return version && strcmp(version, MCP_ERA_REQUEST_VERSION) == 0;
}

/* Neither of a session nor of an era: only a ping is answered. */
static bool
is_of_no_era(const struct http_incoming *r, const struct jsonrpc *m)
{
    return m->kind == JSONRPC_REQUEST && strcmp(m->method, "initialize") != 0 &&
           !http_incoming_field(r, "mcp-session-id") &&
           !http_incoming_field(r, "mcp-protocol-version");
}

static void
take_mcp_message(struct mcp_http_server *h, struct http_connection *c,
                 struct jsonrpc *m, int rc, struct err *e)
{
    const struct http_incoming *r = http_connection_request(c);
    bool asks = m->kind == JSONRPC_REQUEST;

    h->n_messages++;
    if (rc < 0 && m->fault != JSONRPC_INVALID_PARAMS)
        refuse_mcp_message(h, c, 400, m->id, m->fault, e->text);
    else if (is_stateless(r, m) && (asks || m->kind == JSONRPC_NOTIFICATION))
        take_stateless(h, c, m, rc, e);
    else if (is_of_no_era(r, m))
        mcp_http_session_request(h->stateless, c, m, rc, true, e);
    else if (asks && strcmp(m->method, "initialize") == 0 &&
             !http_incoming_field(r, "mcp-session-id"))
        open_mcp_session(h, c, m, rc, e);
    else
        take_of_session(h, c, m, rc, e);
}

static void
body_free(struct mcp_http_body *b)
{
    *(b->prev ? &b->prev->next : &b->h->bodies) = b->next;
    if (b->next)
        b->next->prev = b->prev;
    parse_thread_free(b->parsing);
    free(b);
}

static void
on_body_parsed(void *arg, struct jsonrpc *m, int rc, struct err *e)
{
    struct mcp_http_body *b = arg;
    struct http_connection *c = b->c;
    struct mcp_http_server *h = b->h;

    body_free(b);
    if (!c)
        return;
    http_on_leaving(c, NULL, NULL, NULL);
    take_mcp_message(h, c, m, rc, e);
}

static void
on_body_gone(void *arg)
{
    struct mcp_http_body *b = arg;

    b->c = NULL;
}

/* False: there is no thread, and the body is as it was. */
static bool
parse_body_aside(struct mcp_http_server *h, struct http_connection *c,
                 struct buf *body)
{
    struct mcp_http_body *b = calloc(1, sizeof(*b));

    if (!b)
        return false;
    b->h = h;
    b->c = c;
    b->parsing = parse_thread_start(h->set.service.loop, body, body->len,
                                    on_body_parsed, b);
    if (!b->parsing) {
        free(b);
        return false;
    }
    b->next = h->bodies;
    if (b->next)
        b->next->prev = b;
    h->bodies = b;
    http_on_leaving(c, NULL, on_body_gone, b);
    return true;
}

static void
take_mcp_post(struct mcp_http_server *h, struct http_connection *c)
{
    struct http_incoming *r = http_connection_request(c);
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};
    int rc;

    if (!mcp_http_sends_json(r)) {
        refuse_mcp_message(h, c, 415, NULL, JSONRPC_INVALID_REQUEST,
                           "Content-Type must be application/json");
        return;
    }
    if (!mcp_http_takes_answers(r)) {
        refuse_mcp_message(h, c, 406, NULL, JSONRPC_INVALID_REQUEST,
                           "Accept must have application/json and "
                           "text/event-stream");
        return;
    }
    if (r->body.len > PARSE_THREAD_LEAST && parse_body_aside(h, c, &r->body))
        return;
    rc = jsonrpc_parse(r->body.p, r->body.len, &m, &e);
    take_mcp_message(h, c, &m, rc, &e);
}

static void
take_mcp_get(struct mcp_http_server *h, struct http_connection *c)
{
    const struct http_incoming *r = http_connection_request(c);
    int i;

    if (!mcp_http_takes_streams(r)) {
        refuse_mcp_message(h, c, 406, NULL, JSONRPC_INVALID_REQUEST,
                           "Accept must have text/event-stream");
        return;
    }
    if ((i = find_mcp_session(h, c, NULL)) >= 0 &&
        !mcp_http_session_listen(h->sessions[i], c,
                                 http_incoming_field(r, "last-event-id")))
        refuse_mcp_message(h, c, 400, NULL, JSONRPC_INVALID_REQUEST,
                           "Last-Event-ID: there is no such event (any more)");
}

/* In 2026-07-28 there are no sessions: a POST is all that is (Streamable HTTP).
 */
static bool
is_post_alone(const struct http_incoming *r)
{
    const char *version = http_incoming_field(r, "mcp-protocol-version");

    return version && strcmp(version, MCP_ERA_REQUEST_VERSION) == 0 &&
           strcmp(r->method, "POST") != 0;
}

static void
refuse_mcp_method(struct mcp_http_server *h, struct http_connection *c)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);

    server_http_put_fields(h->server, c, &fields);
    buf_str(&fields, "Allow: POST, OPTIONS\r\n");
    http_answer_text(c, 405, &fields, "this version has POST alone");
}

static void
take_mcp_delete(struct mcp_http_server *h, struct http_connection *c)
{
    int i = find_mcp_session(h, c, NULL);

    if (i < 0)
        return;
    end_mcp_session(h, (size_t)i);
    answer_without_body(h, c, 204);
}

static void
on_mcp_request(void *arg, struct http_connection *c)
{
    struct mcp_http_server *h = arg;
    const char *method = http_connection_request(c)->method;

    if (h->stopping)
        refuse_mcp_message(h, c, 503, NULL, JSONRPC_INTERNAL,
                           "the server ends");
    else if (is_post_alone(http_connection_request(c)))
        refuse_mcp_method(h, c);
    else if (strcmp(method, "POST") == 0)
        take_mcp_post(h, c);
    else if (strcmp(method, "GET") == 0)
        take_mcp_get(h, c);
    else
        take_mcp_delete(h, c);
}

static bool
is_of_tls(const struct mcp_http_server *h)
{
    return h->set.options->tls_cert != NULL;
}

static void
on_metadata_request(void *arg, struct http_connection *c)
{
    struct mcp_http_server *h = arg;
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    CLEANUP_BUF struct buf body = buf_of(ERROR_MAX);

    server_http_put_fields(h->server, c, &fields);
    mcp_http_resource_put(&body, http_connection_request(c), is_of_tls(h),
                          h->set.authorization_server);
    http_answer(c, 200, &fields, "application/json", &body);
}

static void
put_mcp_challenge(void *arg, struct http_connection *c, bool shown,
                  struct buf *out)
{
    const struct mcp_http_server *h = arg;

    if (h->set.authorization_server)
        mcp_http_resource_put_challenge(out, http_connection_request(c),
                                        is_of_tls(h), shown);
}

static void
put_mcp_metrics(void *arg, struct buf *out)
{
    const struct mcp_http_server *h = arg;

    server_http_put_metric(out, "agentsh_mcp_sessions", "gauge",
                           "Sessions that are open.", h->n);
    server_http_put_metric(out, "agentsh_mcp_sessions_total", "counter",
                           "Sessions that were opened.", h->n_opened);
    server_http_put_metric(out, "agentsh_mcp_sessions_expired_total", "counter",
                           "Sessions ended since nobody used them.",
                           h->n_expired);
    server_http_put_metric(out, "agentsh_mcp_messages_total", "counter",
                           "Messages of clients.", h->n_messages);
}

static bool
has_http_stopped(const struct mcp_http_server *h)
{
    int64_t now = clock_ms();

    if (now >= h->stop_by_ms + DRAIN_MS)
        return true;
    for (size_t i = 0; i < h->n; i++)
        if (!mcp_http_session_has_stopped(h->sessions[i]))
            return false;
    return mcp_http_session_has_stopped(h->stateless) &&
           server_http_connections(h->server) == 0;
}

static void
on_mcp_tick(void *arg, unsigned events)
{
    struct mcp_http_server *h = arg;
    int64_t now = clock_ms();

    (void)events;
    if (h->stopping && has_http_stopped(h)) {
        h->set.service.ended(h->set.service.arg);
        return;
    }
    watch_again(h->tick, h->stopping ? STOP_STEP_MS : TICK_MS);
    if (h->stopping)
        return;
    mcp_http_session_tick(h->stateless, now);
    for (size_t i = h->n; i-- > 0;) {
        mcp_http_session_tick(h->sessions[i], now);
        if (mcp_http_session_idle_ms(h->sessions[i], now) > MCP_HTTP_IDLE_MS) {
            h->n_expired++;
            end_mcp_session(h, i);
        }
    }
}

void
mcp_http_server_stop(struct mcp_http_server *h)
{
    if (h->stopping)
        return;
    h->stopping = true;
    h->stop_by_ms = clock_ms() + WORK_STOP_MS;
    server_http_drain(h->server);
    mcp_http_session_stop(h->stateless, WORK_STOP_MS);
    for (size_t i = 0; i < h->n; i++)
        mcp_http_session_stop(h->sessions[i], WORK_STOP_MS);
    watch_again(h->tick, 0);
}

int
mcp_http_server_load(struct mcp_http_server *h, struct config *config,
                     struct err *e)
{
    struct mcp_service_setup *set = &h->set.service;
    CLEANUP(policy_free_p)
    struct policy *rules = server_policy_load(set->policy, set->seat, e);
    CLEANUP(mcp_toolset_free_p) struct mcp_toolset *tools = NULL;
    struct mcp_service *s = mcp_http_session_service(h->stateless);

    if (!rules || !(tools = mcp_service_prepare(s, config, rules, e)) ||
        server_http_reload_certificate(h->server, e) < 0)
        return -1;
    mcp_service_use(s, TAKE_PTR(tools));
    policy_free(h->rules);
    h->rules = TAKE_PTR(rules);
    set->rules = h->rules;
    set->config = config;
    return 0;
}

static int
open_mcp_http(struct mcp_http_server *h, struct err *e)
{
    static const struct server_http_route routes[] = {
        {.path = MCP_METADATA_PATH,
         .methods = "GET, HEAD",
         .request = on_metadata_request},
        {.path = MCP_METADATA_ROOT,
         .methods = "GET, HEAD",
         .request = on_metadata_request},
        {.path = MCP_RESOURCE_PATH,
         .methods = "POST, GET, DELETE",
         .request = on_mcp_request},
        {0}};
    static const char *const open[] = {MCP_METADATA_PATH, MCP_METADATA_ROOT,
                                       NULL};
    bool protected = h->set.authorization_server != NULL;
    struct server_http_setup set = {.loop = h->set.service.loop,
                                    .max_body = BODY_MAX,
                                    .routes = protected ? routes : routes + 2,
                                    .open = protected ? open : NULL,
                                    .put_challenge = put_mcp_challenge,
                                    .metrics = put_mcp_metrics,
                                    .arg = h,
                                    .log = h->set.service.log,
                                    .log_arg = h->set.service.arg,
                                    .log_lost = service_log_lost};

    if (mcp_http_resource_check(h->set.authorization_server,
                                server_options_token(h->set.options) != NULL,
                                e) < 0)
        return -1;
    server_options_fill_http(h->set.options, &set);
    h->rules = server_policy_load(h->set.service.policy, h->set.service.seat,
                                  e);
    if (!h->rules)
        return -1;
    h->set.service.rules = h->rules;
    if (!(h->stateless = new_mcp_session(h, true, e)) ||
        !(h->tick = loop_timer(set.loop, TICK_MS, on_mcp_tick, h, e)))
        return -1;
    h->server = server_http_new(&set, e);
    return h->server ? 0 : -1;
}

struct mcp_http_server *
mcp_http_server_new(const struct mcp_http_server_setup *set, struct err *e)
{
    CLEANUP(mcp_http_server_free_p)
    struct mcp_http_server *h = calloc(1, sizeof(*h));

    if (!h) {
        err_nomem(e);
        return NULL;
    }
    h->set = *set;
    return open_mcp_http(h, e) < 0 ? NULL : TAKE_PTR(h);
}

/* A second signal ends the server while calls run: each client learns it. */
static void
refuse_open_requests(struct mcp_http_server *h)
{
    if (!h->server)
        return;
    for (size_t i = 0; i < h->n; i++)
        mcp_http_session_refuse_open(h->sessions[i]);
    mcp_http_session_refuse_open(h->stateless);
}

void
mcp_http_server_free(struct mcp_http_server *h)
{
    if (!h)
        return;
    refuse_open_requests(h);
    server_http_free(h->server);
    while (h->bodies)
        body_free(h->bodies);
    while (h->n > 0) {
        mcp_http_session_forget(h->sessions[h->n - 1]);
        end_mcp_session(h, h->n - 1);
    }
    if (h->stateless)
        mcp_http_session_forget(h->stateless);
    mcp_http_session_free(h->stateless);
    policy_free(h->rules);
    watch_free(h->tick);
    free(h);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agentctl.c - the sidecar of an agent: HTTP in front of its standard streams.
 */
#include "server/agentctl/agentctl.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/children.h"
#include "base/clock.h"
#include "server/agentctl/agentctl_agent.h"
#include "server/agentctl/agentctl_answer.h"
#include "server/agentctl/agentctl_listeners.h"
#include "server/agentctl/agentctl_message.h"
#include "server/agentctl/agentctl_request.h"

#define UNREAD_MAX     (AGENTCTL_MESSAGE_MAX + (4u << 20)) /* of a listener */
#define PING_MS        30000
#define PONG_MS        20000
#define START_MS       1000 /* for an agent that fails to say why */
#define START_STEP_MS  20
#define LAST_USUAL     100 /* lines of output */
#define DRAIN_MS       500 /* for answers to be read */
#define DRAIN_STEP_MS  5
#define DETAILS_MAX    (16u << 10)
#define SMALL_BODY_MAX (64u << 10)

struct agentctl {
    struct agentctl_setup set;
    struct server_http *http;
    struct agentctl_agent *agent;
    struct agentctl_listeners acp, output;
    struct agentctl_requests requests;
    struct watch *started; /* looks at it, START_STEP_MS apart */
    int64_t started_by;
    struct watch *drain;
    struct watch *orphans; /* SIGCHLD */
    bool stopping;
    int64_t drain_until;
};

static void
log_at(void *arg, enum agentctl_level level, const char *line)
{
    const struct agentctl *h = arg;

    if (level >= h->set.settings->level)
        h->set.log(h->set.arg, level, line);
}

static void
log_of_http(void *arg, const char *line)
{
    log_at(arg, AGENTCTL_INFO, line);
}

static uint64_t
lines_lost(const void *arg)
{
    const struct agentctl *h = arg;

    return h->set.log_lost(h->set.arg);
}

static void
reap_orphan(void *arg, pid_t pid)
{
    (void)arg;
    if (!children_is_started(pid))
        (void)waitpid(pid, NULL, WNOHANG);
}

/* As pid 1 of a container, this is the parent of whatever lost its own. */
static void
on_orphan_ended(void *arg, unsigned signo)
{
    (void)signo;
    children_each(reap_orphan, arg);
}

/* Starting and stopping. */

static void
conclude_started(struct agentctl *h)
{
    struct agentctl_request *next;

    watch_stop(h->started);
    for (struct agentctl_request *r = h->requests.first; r; r = next) {
        next = r->next;
        if (r->waits == AGENTCTL_FOR_START)
            agentctl_request_conclude(r, 200, "agent started");
    }
}

/* It is looked at until it waits for something. */
static void
on_start_step(void *arg, unsigned events)
{
    struct agentctl *h = arg;

    (void)events;
    if (agentctl_agent_is_idle(h->agent) || clock_ms() >= h->started_by)
        conclude_started(h);
    else
        watch_again(h->started, START_STEP_MS);
}

static void
on_agent_begun(void *arg)
{
    conclude_started(arg);
}

/* "failed to start agent: WHY", with what it wrote on standard error. */
static void
conclude_failed_start(struct agentctl_request *r, const char *why, bool says)
{
    CLEANUP_BUF struct buf text = buf_of(DETAILS_MAX);

    buf_printf(&text, "failed to start agent: %s", why);
    if (says) {
        size_t n = text.len;

        buf_str(&text, ": ");
        agentctl_agent_put_errors(r->all->agent, &text);
        if (text.len == n + 2)
            buf_cut(&text, n);
    }
    agentctl_request_conclude(r, 500, text.p);
}

static void
start_for(struct agentctl_request *r)
{
    struct agentctl *h = r->all->arg;
    struct err e = {0};

    if (h->stopping) {
        agentctl_request_conclude(r, 503, "agentctl is ending");
    } else if (agentctl_agent_is_running(h->agent)) {
        if (r->waits == AGENTCTL_FOR_RESTART) /* for the start of another one */
            r->waits = AGENTCTL_FOR_START;
        else
            agentctl_request_conclude(r, 500, "agent is already running");
    } else if (agentctl_agent_start(h->agent, &e) < 0) {
        log_at(h, AGENTCTL_ERROR, e.text);
        conclude_failed_start(r, e.text, false);
    } else {
        r->waits = AGENTCTL_FOR_START;
        h->started_by = clock_ms() + START_MS;
        watch_again(h->started, START_STEP_MS);
    }
}

static int
check_empty_or_object(const struct jsonrpc *m, int rc, const struct err *why,
                      struct err *e)
{
    if (rc < 0 && !m->root)
        return err_set(e, ERR_PARSE, "it is not valid JSON: %s", why->text);
    if (m->root && json_type(m->root) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "it must be an object");
    return 0;
}

static void
run_start(struct agentctl_request *r, struct jsonrpc *m, int rc,
          const struct err *why)
{
    struct err e = {0};

    if (check_empty_or_object(m, rc, why, &e) < 0)
        agentctl_request_refuse(r, &e);
    else
        start_for(r);
}

static void
stop_for(struct agentctl_request *r, struct jsonrpc *m, int rc,
         const struct err *why, bool restarts)
{
    struct agentctl *h = r->all->arg;
    struct err e = {0};
    bool force = false;

    if (check_empty_or_object(m, rc, why, &e) < 0) {
        agentctl_request_refuse(r, &e);
    } else if (json_get(m->root, "force") &&
               !json_bool(json_get(m->root, "force"), &force)) {
        agentctl_request_fail(r, 400, true, "force must be true or false");
    } else if (agentctl_agent_is_running(h->agent)) {
        r->waits = restarts ? AGENTCTL_FOR_RESTART : AGENTCTL_FOR_STOP;
        agentctl_agent_stop(h->agent, force);
    } else if (restarts) {
        start_for(r);
    } else {
        agentctl_request_conclude(r, 200, "agent is not running");
    }
}

static void
run_stop(struct agentctl_request *r, struct jsonrpc *m, int rc,
         const struct err *why)
{
    stop_for(r, m, rc, why, false);
}

static void
run_restart(struct agentctl_request *r, struct jsonrpc *m, int rc,
            const struct err *why)
{
    stop_for(r, m, rc, why, true);
}

static void
on_drain_step(void *arg, unsigned events)
{
    const struct agentctl *h = arg;

    (void)events;
    if (!agentctl_agent_is_running(h->agent) &&
        (server_http_connections(h->http) == 0 || clock_ms() >= h->drain_until))
        h->set.ended(h->set.arg);
    else
        watch_again(h->drain, DRAIN_STEP_MS);
}

static void
on_ended_agent(void *arg, const char *how)
{
    struct agentctl *h = arg;
    struct agentctl_request *next;

    watch_stop(h->started);
    agentctl_listeners_close(&h->acp, WEBSOCKET_NORMAL, how);
    for (struct agentctl_request *r = h->requests.first; r; r = next) {
        next = r->next;
        if (r->waits == AGENTCTL_FOR_STOP)
            agentctl_request_conclude(r, 200, "agent stopped");
        else if (r->waits == AGENTCTL_FOR_START)
            conclude_failed_start(r, how, true);
    }
    for (struct agentctl_request *r = h->requests.first; r; r = next) {
        next = r->next;
        if (r->waits == AGENTCTL_FOR_RESTART)
            start_for(r);
    }
    h->drain_until = clock_ms() + DRAIN_MS;
}

/* Messages. */

/* The line becomes the body, with a newline. */
static void
take_answer_line(const struct agentctl_line *line, struct buf *body)
{
    if (line->memory) {
        *body = *line->memory;
        buf_init(line->memory, 0);
        buf_cut(body, line->n);
        body->max = line->n + 1;
    } else {
        buf_add(body, line->p, line->n);
    }
    buf_ch(body, '\n');
}

/* Of a call that gets no response of the agent's. */
static int
call_status(const struct err *why)
{
    if (why->code == ERR_TIMEOUT)
        return 504;
    return why->code == ERR_DENIED ? 503 : 502;
}

static void
on_call_answer(void *arg, const struct agentctl_line *line,
               const struct err *why)
{
    CLEANUP_BUF struct buf body = buf_of(line ? line->n + 1 : 0);
    struct agentctl_request *r = arg;
    struct agentctl *h = r->all->arg;
    struct http_connection *c;

    if (!line) {
        agentctl_request_fail(r, call_status(why), false, why->text);
        return;
    }
    if (!(c = agentctl_request_take(r)))
        return;
    take_answer_line(line, &body);
    if (body.bad)
        agentctl_answer_error(h->http, c, 503, false, "out of memory", NULL);
    else
        agentctl_answer_json(h->http, c, 200, &body);
}

static int64_t
call_limit_ms(const struct agentctl *h, const struct jsonrpc *m)
{
    const char *method = json_get_str(m->root, "method");

    return strcmp(method, "session/prompt") == 0 ? h->set.settings->prompt_ms
                                                 : h->set.settings->call_ms;
}

static void
run_call(struct agentctl_request *r, struct jsonrpc *m, int rc,
         const struct err *why)
{
    struct agentctl *h = r->all->arg;
    enum agentctl_kind kind;
    struct err e = {0};

    if (agentctl_message_check(m, m->root ? rc : -1, why, &kind, &e) < 0) {
        agentctl_request_refuse(r, &e);
    } else if (kind == AGENTCTL_RESPONSE) {
        agentctl_request_fail(r, 400, true, "method is missing");
    } else {
        r->waits = AGENTCTL_FOR_ANSWER;
        if (agentctl_agent_request(h->agent, &r->reading, m,
                                   call_limit_ms(h, m), on_call_answer, r,
                                   &e) < 0)
            agentctl_request_fail(r, 503, false, e.text);
    }
}

/* Passes a message on whose answer, if any, is for cb; NULL: for all. */
static int
pass_message(struct agentctl *h, struct agentctl_reading *read,
             const struct jsonrpc *m, enum agentctl_kind kind,
             agentctl_call_cb *cb, void *arg, struct err *e)
{
    switch (kind) {
    case AGENTCTL_REQUEST:
        return agentctl_agent_request(h->agent, read, m,
                                      cb ? 0 : call_limit_ms(h, m), cb, arg, e);
    case AGENTCTL_RESPONSE:
        return agentctl_agent_answer(h->agent, read, m, e);
    case AGENTCTL_NOTIFICATION:
        break;
    }
    return agentctl_agent_notify(h->agent, read, m, e);
}

static void
run_send(struct agentctl_request *r, struct jsonrpc *m, int rc,
         const struct err *why)
{
    struct agentctl *h = r->all->arg;
    enum agentctl_kind kind;
    struct err e = {0};

    if (agentctl_message_check(m, m->root ? rc : -1, why, &kind, &e) < 0)
        agentctl_request_refuse(r, &e);
    else if (pass_message(h, &r->reading, m, kind, NULL, NULL, &e) == 0)
        agentctl_request_conclude(r, 200, "message sent");
    else
        agentctl_request_conclude(r, e.code == ERR_INVALID ? 409 : 503, e.text);
}

static void
on_agent_message(void *arg, const char *line, size_t n)
{
    struct agentctl *h = arg;

    agentctl_listeners_send(&h->acp, line, n);
}

static void
on_agent_output(void *arg)
{
    struct agentctl *h = arg;
    CLEANUP_BUF struct buf line = buf_of(AGENTCTL_OUTPUT_JSON_MAX);

    if (!h->output.first)
        return;
    agentctl_output_put(agentctl_agent_output(h->agent), 0, &line);
    agentctl_listeners_send(&h->output, line.p, line.len);
}

/* The listeners of the agent's messages, which may send some. */

static void
refuse_listener(struct agentctl_listener *l, const char *id, int code,
                const char *why)
{
    CLEANUP_BUF struct buf line = buf_of(SMALL_BODY_MAX);

    jsonrpc_put_error(&line, id, code, why, NULL);
    agentctl_listener_send(l, line.p, line.len);
}

static void
on_listener_answer(void *arg, const struct agentctl_line *line,
                   const struct err *why)
{
    (void)why; /* the agent has ended, and so does the listener */
    if (line)
        agentctl_listener_send(arg, line->p, line->n);
}

static void
on_message_of_listener(void *arg, struct agentctl_listener *l,
                       struct agentctl_reading *read, struct jsonrpc *m, int rc,
                       const struct err *why)
{
    struct agentctl *h = arg;
    enum agentctl_kind kind;
    struct err e = {0};

    if (agentctl_message_check(m, rc, why, &kind, &e) < 0) {
        refuse_listener(l, m->id,
                        e.code == ERR_PARSE ? JSONRPC_PARSE
                                            : JSONRPC_INVALID_REQUEST,
                        e.text);
        return;
    }
    if (pass_message(h, read, m, kind, on_listener_answer, l, &e) == 0)
        return;
    if (kind == AGENTCTL_REQUEST && e.code == ERR_PEER)
        return; /* the agent is ending: as of those that wait for an answer */
    if (kind == AGENTCTL_REQUEST)
        refuse_listener(l, m->id, JSONRPC_INTERNAL, e.text);
    else if (kind == AGENTCTL_RESPONSE)
        refuse_listener(l, NULL, JSONRPC_INVALID_REQUEST, e.text);
    else
        log_at(h, AGENTCTL_WARN, e.text);
}

static void
send_open_question(void *arg, const char *line, size_t n)
{
    agentctl_listener_send(arg, line, n);
}

static void
on_acp_opened(void *arg, struct agentctl_listener *l)
{
    struct agentctl *h = arg;

    agentctl_agent_each_question(h->agent, send_open_question, l);
}

static void
on_acp_left(void *arg, struct agentctl_listener *l)
{
    struct agentctl *h = arg;

    agentctl_agent_leave_calls(h->agent, l);
}

static void
on_output_opened(void *arg, struct agentctl_listener *l)
{
    const struct agentctl *h = arg;
    const struct agentctl_output *o = agentctl_agent_output(h->agent);
    size_t n = agentctl_listener_before(l);

    n = n < agentctl_output_count(o) ? n : agentctl_output_count(o);
    while (n-- > 0) {
        CLEANUP_BUF struct buf line = buf_of(AGENTCTL_OUTPUT_JSON_MAX);

        agentctl_output_put(o, n, &line);
        agentctl_listener_send(l, line.p, line.len);
    }
}

/* The paths. */

/* The value of NAME=VALUE in a query, which may go on behind it; NULL: none. */
static const char *
query_value(const char *query, const char *name)
{
    size_t n = strlen(name);

    while (*query) {
        if (strncmp(query, name, n) == 0 && query[n] == '=')
            return query + n + 1;
        query += strcspn(query, "&");
        query += *query == '&';
    }
    return NULL;
}

static size_t
query_count(const char *query, const char *name)
{
    const char *value = query_value(query, name);
    char *end;
    long n;

    if (!value || *value < '0' || *value > '9')
        return LAST_USUAL;
    n = strtol(value, &end, 10);
    return n < 1 || (*end && *end != '&') ? LAST_USUAL : (size_t)n;
}

static void
take_status(void *arg, struct http_connection *c)
{
    struct agentctl *h = arg;
    CLEANUP_BUF struct buf body = buf_of(SMALL_BODY_MAX);
    struct json_writer w;

    json_write_init(&w, &body);
    json_open_object(&w);
    agentctl_agent_put_status(h->agent, &w);
    json_close_object(&w);
    buf_ch(&body, '\n');
    agentctl_answer_json(h->http, c, 200, &body);
}

/* The port at which a connection has come; 0: none of TCP. */
static unsigned
port_of_connection(const struct http_connection *c)
{
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof(at);

    if (getsockname(http_connection_fd(c), (struct sockaddr *)&at, &n) < 0)
        return 0;
    if (at.ss_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)&at)->sin_port);
    return at.ss_family == AF_INET6
               ? ntohs(((const struct sockaddr_in6 *)&at)->sin6_port)
               : 0;
}

static void
take_info(void *arg, struct http_connection *c)
{
    struct agentctl *h = arg;
    CLEANUP_BUF struct buf body = buf_of(8 * SMALL_BODY_MAX);
    struct json_writer w;

    json_write_init(&w, &body);
    json_open_object(&w);
    json_member_str(&w, "version", PACKAGE_VERSION);
    json_member_str(&w, "agent_command", h->set.settings->command);
    json_member_str(&w, "work_dir", h->set.settings->work_dir);
    json_member_int(&w, "port", port_of_connection(c));
    json_close_object(&w);
    buf_ch(&body, '\n');
    agentctl_answer_json(h->http, c, 200, &body);
}

static struct agentctl_requests *
requests_of(void *arg)
{
    struct agentctl *h = arg;

    return &h->requests;
}

static void
take_start(void *arg, struct http_connection *c)
{
    agentctl_request_begin(requests_of(arg), c, run_start);
}

static void
take_stop(void *arg, struct http_connection *c)
{
    agentctl_request_begin(requests_of(arg), c, run_stop);
}

static void
take_restart(void *arg, struct http_connection *c)
{
    agentctl_request_begin(requests_of(arg), c, run_restart);
}

static void
take_call(void *arg, struct http_connection *c)
{
    agentctl_request_begin(requests_of(arg), c, run_call);
}

static void
take_send(void *arg, struct http_connection *c)
{
    agentctl_request_begin(requests_of(arg), c, run_send);
}

static void
take_output_lines(void *arg, struct http_connection *c)
{
    struct agentctl *h = arg;
    const struct agentctl_output *o = agentctl_agent_output(h->agent);
    CLEANUP_BUF struct buf body = buf_of(agentctl_output_bytes(o));

    agentctl_output_put_last(
        o, query_count(http_connection_request(c)->query, "last"), &body);
    agentctl_answer_json(h->http, c, 200, &body);
}

static void
take_output_stream(void *arg, struct http_connection *c)
{
    struct agentctl *h = arg;
    const char *query = http_connection_request(c)->query;
    const char *history = query_value(query, "history");
    size_t before = history && strncmp(history, "true", 4) == 0
                        ? query_count(query, "history_count")
                        : 0;

    agentctl_listeners_open(&h->output, c, before);
}

static void
take_acp_stream(void *arg, struct http_connection *c)
{
    struct agentctl *h = arg;

    agentctl_listeners_open(&h->acp, c, 0);
}

static void
put_agentctl_metrics(void *arg, struct buf *out)
{
    const struct agentctl *h = arg;

    agentctl_agent_put_metrics(h->agent, out);
    server_http_put_metric(out, "agentctl_acp_listeners", "gauge",
                           "Clients of /api/v1/acp/stream.", h->acp.n);
    server_http_put_metric(out, "agentctl_output_listeners", "gauge",
                           "Clients of /api/v1/output/stream.", h->output.n);
}

static int
open_http(struct agentctl *h, struct err *e)
{
    static const struct server_http_route routes[] = {
        {"/api/v1/status", "GET, HEAD", take_status},
        {"/api/v1/info", "GET, HEAD", take_info},
        {"/api/v1/start", "POST", take_start},
        {"/api/v1/stop", "POST", take_stop},
        {"/api/v1/restart", "POST", take_restart},
        {"/api/v1/acp/call", "POST", take_call},
        {"/api/v1/acp/send", "POST", take_send},
        {"/api/v1/acp/stream", "GET", take_acp_stream},
        {"/api/v1/output", "GET, HEAD", take_output_lines},
        {"/api/v1/output/stream", "GET", take_output_stream},
        {0}};
    struct server_http_setup set = {
        .loop = h->set.loop,
        .max_body = AGENTCTL_MESSAGE_MAX,
        .websocket = {.message_bytes = AGENTCTL_MESSAGE_MAX,
                      .queued_bytes = UNREAD_MAX,
                      .ping_ms = PING_MS,
                      .pong_ms = PONG_MS},
        .routes = routes,
        .metrics = put_agentctl_metrics,
        .put_refusal = agentctl_answer_put_refusal,
        .arg = h,
        .log = log_of_http,
        .log_arg = h,
        .log_lost = h->set.log_lost ? lines_lost : NULL};

    server_options_fill_http(h->set.options, &set);
    h->http = server_http_new(&set, e);
    h->acp.http = h->output.http = h->requests.http = h->http;
    return h->http ? 0 : -1;
}

static int
open_agentctl(struct agentctl *h, struct err *e)
{
    static const struct agentctl_agent_events events = {
        .message = on_agent_message,
        .output = on_agent_output,
        .begun = on_agent_begun,
        .ended = on_ended_agent,
        .log = log_at};
    struct loop *l = h->set.loop;

    h->acp = (struct agentctl_listeners){.loop = l,
                                         .opened = on_acp_opened,
                                         .message = on_message_of_listener,
                                         .left = on_acp_left,
                                         .arg = h};
    h->output = (struct agentctl_listeners){
        .loop = l, .opened = on_output_opened, .arg = h};
    if (!(h->started = loop_timer(l, START_STEP_MS, on_start_step, h, e)) ||
        !(h->drain = loop_timer(l, DRAIN_STEP_MS, on_drain_step, h, e)) ||
        !(h->orphans = loop_signal(l, SIGCHLD, on_orphan_ended, h, e)))
        return -1;
    watch_stop(h->started);
    watch_stop(h->drain);
    h->requests = (struct agentctl_requests){.loop = l, .arg = h};
    h->agent = agentctl_agent_new(l, h->set.seat, h->set.settings, &events, h,
                                  e);
    h->requests.agent = h->agent;
    return h->agent ? open_http(h, e) : -1;
}

struct agentctl *
agentctl_new(const struct agentctl_setup *set, struct err *e)
{
    struct agentctl *h = calloc(1, sizeof(*h));
    struct err why = {0};

    if (!h) {
        err_nomem(e);
        return NULL;
    }
    h->set = *set;
    if (open_agentctl(h, e) < 0) {
        agentctl_free(h);
        return NULL;
    }
    if (set->settings->auto_start && agentctl_agent_start(h->agent, &why) < 0) {
        err_wrap(&why, "failed to start agent");
        log_at(h, AGENTCTL_ERROR, why.text);
    }
    return h;
}

void
agentctl_free(struct agentctl *h)
{
    if (!h)
        return;
    agentctl_listeners_done(&h->acp);
    agentctl_listeners_done(&h->output);
    agentctl_requests_done(&h->requests); /* they use their connections */
    server_http_free(h->http);
    agentctl_agent_free(h->agent);
    watch_free(h->started);
    watch_free(h->drain);
    watch_free(h->orphans);
    free(h);
}

int
agentctl_load(struct agentctl *h, struct err *e)
{
    return server_http_reload_certificate(h->http, e);
}

void
agentctl_stop(struct agentctl *h)
{
    if (h->stopping)
        return;
    h->stopping = true;
    h->drain_until = clock_ms() + DRAIN_MS;
    server_http_drain(h->http);
    agentctl_agent_stop(h->agent, false);
    server_http_close_websockets(h->http, "agentctl ends");
    watch_again(h->drain, DRAIN_STEP_MS);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway.c - many clients, tasks, and agents that do them. */
#include "server/gateway/gateway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "record/ledger.h"
#include "server/gateway/agent_process.h"
#include "server/gateway/gateway_client.h"
#include "server/gateway/gateway_cluster.h"
#include "server/gateway/gateway_orchestrator.h"
#include "server/gateway/gateway_page.h"
#include "server/gateway/gateway_permission.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_retention.h"
#include "server/gateway/gateway_task.h"
#include "server/gateway/gateway_turn.h"
#include "server/gateway/gateway_watch.h"
#include "server/server_http.h"

#define TICK_MS      1000
#define STOP_MS      9000 /* for turns that run: less than SERVICE_DRAIN_MS */
#define CLOSE_MS     500  /* for clients to close their side */
#define STOP_STEP_MS 50
#define BODY_MAX     (64u << 10)

/* What the last gateway left. */

static void
on_left_task(void *arg, struct gateway_task *t)
{
    (void)arg;
    if (t)
        gateway_turn_interrupt(t);
}

/* Queued tasks wait on; a turn that ran has ended with its gateway. */
static void
on_unfinished(void *arg, const struct gateway_answer *a)
{
    struct gateway *g = arg;

    for (size_t i = 0; i < a->n; i++) {
        const struct gateway_values *v = &a->row[i];

        if (strcmp(v->text[1], "queued") == 0)
            (void)gateway_queue_add(&g->queue, v->text[0], v->number[0],
                                    v->number[1]);
        else
            gateway_task_find(g, v->text[0], on_left_task, NULL);
    }
}

/* The gateway may serve. */
static void
on_ready(void *arg)
{
    struct gateway *g = arg;

    g->ready = true;
    gateway_client_resume_all(g);
    watch_again(g->schedule, 0);
}

static void
on_last_numbers(void *arg, const struct gateway_answer *a)
{
    struct gateway *g = arg;
    const struct gateway_values in = {0};

    if (a->n > 0) {
        g->last_task = a->row->number[0];
        g->last_event = a->row->number[1];
        g->last_prompt = a->row->number[2];
        g->last_place = a->row->number[3];
    }
    if (g->nodes)
        return; /* those of all gateways are seen to by gateway_cluster.c */
    gateway_store_ask(g->store, GATEWAY_UNFINISHED, &in, SIZE_MAX,
                      on_unfinished, g);
    gateway_store_then(g->store, on_ready, g);
}

/* HTTP. */

static void
on_websocket_request(void *arg, struct http_connection *c)
{
    gateway_client_open(arg, c);
}

static void
on_page_request(void *arg, struct http_connection *c)
{
    const struct gateway *g = arg;

    gateway_page_request(g->page, g->http, c);
}

static void
on_mount_request(void *arg, struct http_connection *c)
{
    const struct gateway *g = arg;

    g->set.mount->request(g->set.mount->arg, g->http, c);
}

static void
put_gateway_metrics(void *arg, struct buf *out)
{
    const struct gateway *g = arg;

    server_http_put_metric(out, "agentsh_gateway_agents_active", "gauge",
                           "Agents that start, or have a turn.",
                           gateway_turn_active(g));
    server_http_put_metric(out, "agentsh_gateway_agents_idle", "gauge",
                           "Agents that wait for a prompt.",
                           gateway_turn_idle(g));
    server_http_put_metric(out, "agentsh_gateway_tasks_queued", "gauge",
                           "Tasks that wait for a place.", g->queue.n);
    server_http_put_metric(out, "agentsh_gateway_events_total", "counter",
                           "Events of all tasks, as long as they are kept.",
                           g->nodes ? g->n_shared_events
                                    : (uint64_t)g->last_event);
    server_http_put_metric(out, "agentsh_gateway_tasks_removed_total",
                           "counter", "Tasks that ended long ago, removed.",
                           g->n_removed);
    if (g->nodes) {
        server_http_put_metric(out, "agentsh_gateway_nodes", "gauge",
                               "Gateways that share their tasks.",
                               gateway_nodes_count(g->nodes));
        server_http_put_metric(out, "agentsh_gateway_changes_waiting", "gauge",
                               "Changes without their turn in the stream.",
                               gateway_nodes_waiting(g->nodes));
    }
    if (g->set.mount)
        g->set.mount->metrics(g->set.mount->arg, out);
}

static void
on_store_trouble(void *arg, const struct err *why)
{
    struct gateway *g = arg;
    char line[384];

    g->stuck_ms = why ? clock_ms() : 0;
    if (why)
        snprintf(line, sizeof(line),
                 "tasks cannot be written, and nothing new is taken: %s",
                 why->text);
    else
        snprintf(line, sizeof(line), "tasks can be written again");
    g->set.log(g->set.arg, line);
}

/* For what cannot be written nobody waits who was told so. */
static bool
is_waited_for(const struct gateway *g)
{
    const struct gateway_request *r = g->requests;

    while (r && g->stuck_ms > 0 && !r->client)
        r = r->next;
    return r != NULL;
}

static bool
has_ended(const struct gateway *g, int64_t now)
{
    const struct gateway_mount *m = g->set.mount;

    return now >= g->stop_by_ms ||
           (gateway_turn_active(g) == 0 && !is_waited_for(g) &&
            (!m || m->is_over(m->arg)));
}

static void
on_gateway_tick(void *arg, unsigned events)
{
    struct gateway *g = arg;
    int64_t now = clock_ms();

    (void)events;
    if (g->stopping && !g->closing && has_ended(g, now)) {
        g->closing = true;
        g->stop_by_ms = now + CLOSE_MS;
        server_http_close_websockets(g->http, "the gateway ends");
    }
    if (g->closing &&
        (now >= g->stop_by_ms || server_http_connections(g->http) == 0)) {
        g->set.ended(g->set.arg);
        return;
    }
    watch_again(g->tick, g->stopping ? STOP_STEP_MS : TICK_MS);
    gateway_permission_expire(g, ledger_now_ms());
    gateway_turn_end_idle(g, now);
    gateway_task_forget_idle(g, now);
    gateway_retention_sweep(g, now);
    gateway_reply_overdue(g, now);
}

static int
load_types(struct gateway *g, struct err *e)
{
    struct gateway_types *types = calloc(1, sizeof(*types));

    if (!types)
        return err_nomem(e);
    types->uses = 1;
    types->rows = agent_types_load(g->set.seat, e);
    if (!types->rows) {
        free(types);
        return -1;
    }
    gateway_types_release(g->types);
    g->types = types;
    return 0;
}

int
gateway_load(struct gateway *g, struct config *fresh, struct err *e)
{
    if (server_http_reload_certificate(g->http, e) < 0 || load_types(g, e) < 0)
        return -1;
    config_free(g->config);
    g->config = config_hold(fresh);
    return 0;
}

static int
open_gateway(struct gateway *g, struct err *e)
{
    const struct gateway_mount *m = g->set.mount;
    const struct server_http_route routes[] = {
        {"/ws", "GET", on_websocket_request},
        {GATEWAY_PAGE_PATH, "GET, HEAD", on_page_request},
        {GATEWAY_PAGE_LOGIN, "POST", on_page_request},
        {GATEWAY_PAGE_LOGOUT, "POST", on_page_request},
        {m ? m->path : NULL, m ? m->methods : NULL, on_mount_request},
        {0}};
    static const char *const open[] = {GATEWAY_PAGE_PATH, GATEWAY_PAGE_LOGIN,
                                       GATEWAY_PAGE_LOGOUT, NULL};
    struct server_http_setup http = {.loop = g->set.loop,
                                     .max_body = BODY_MAX,
                                     .routes = g->routes,
                                     .open = open,
                                     .metrics = put_gateway_metrics,
                                     .arg = g,
                                     .log = g->set.log,
                                     .log_arg = g->set.arg,
                                     .log_lost = g->set.log_lost};
    const struct gateway_values in = {0};
    const char *directory = seat_need_dir(g->set.seat, e);

    memcpy(g->routes, routes, sizeof(routes));
    server_options_fill_http(g->set.options, &http);
    g->config = config_hold(g->set.config);
    if (!directory || load_types(g, e) < 0 ||
        !(g->schedule = loop_timer(g->set.loop, 0,
                                   gateway_orchestrator_schedule, g, e)) ||
        !(g->tick = loop_timer(g->set.loop, TICK_MS, on_gateway_tick, g, e)) ||
        !(g->store = gateway_store_open(g->set.loop, g->set.nats != NULL,
                                        on_store_trouble, g, e)) ||
        !(g->page = gateway_page_new(server_options_token(g->set.options),
                                     e)) ||
        !(g->http = server_http_new(&http, e)))
        return -1;
    snprintf(g->directory, sizeof(g->directory), "%s", directory);
    agent_process_remove_abandoned(g->set.loop, g->set.seat, g->config);
    g->run = journal_run_new(g->set.journal, NULL);
    gateway_store_ask(g->store, GATEWAY_LAST, &in, 1, on_last_numbers, g);
    return g->set.nats ? gateway_cluster_open(g, on_ready, e) : 0;
}

struct gateway *
gateway_new(const struct gateway_setup *set, struct err *e)
{
    CLEANUP(gateway_free_p) struct gateway *g = calloc(1, sizeof(*g));

    if (!g) {
        err_nomem(e);
        return NULL;
    }
    g->set = *set;
    return open_gateway(g, e) < 0 ? NULL : TAKE_PTR(g);
}

void
gateway_stop(struct gateway *g)
{
    if (g->stopping)
        return;
    g->stopping = true;
    g->stop_by_ms = clock_ms() + STOP_MS;
    server_http_drain(g->http);
    watch_again(g->tick, 0);
}

/* Turns that had no time to end are written down. */
static void
interrupt_turns(struct gateway *g)
{
    for (struct gateway_task *t = g->tasks; t; t = t->next)
        if (!t->loading && t->agent)
            gateway_turn_interrupt(t);
}

void
gateway_free(struct gateway *g)
{
    if (!g)
        return;
    if (g->store)
        interrupt_turns(g);
    gateway_nodes_free(g->nodes);
    g->nodes = NULL;
    gateway_store_close(g->store);
    gateway_retention_free(g);
    server_http_free(g->http); /* tells a client that it will not open */
    gateway_client_free_all(g);
    gateway_page_free(g->page);
    gateway_watch_free_all(g);
    while (g->requests)
        gateway_request_free(g->requests);
    gateway_task_free_all(g);
    gateway_queue_done(&g->queue);
    gateway_types_release(g->types);
    config_free(g->config);
    journal_run_free(g->run);
    watch_free(g->schedule);
    watch_free(g->tick);
    free(g);
}

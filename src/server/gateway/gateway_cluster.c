/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_cluster.c - this gateway among others that share its tasks. */
#include "server/gateway/gateway_cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/gateway/gateway_action.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_task.h"
#include "server/gateway/gateway_turn.h"

/* A gateway may be away for so long, at least, and find what happened since. */
#define STREAM_KEPT_MS (7 * 24 * 60 * 60 * (int64_t)1000)

/* What another gateway, or this one before, left. */

static void
on_orphan_found(void *arg, struct gateway_task *t)
{
    (void)arg;
    if (t && !t->agent && !t->in_turn && !t->tree_job)
        gateway_turn_interrupt(t);
}

static void
on_orphan_claimed(void *arg, const char *task, bool ours)
{
    if (ours)
        gateway_task_find(arg, task, on_orphan_found, NULL);
}

static void
add_to_queue(struct gateway *g, const char *id, int64_t priority, int64_t order)
{
    (void)gateway_queue_remove(&g->queue, id);
    if (gateway_queue_avoids(&g->queue, id, clock_ms()))
        return;
    (void)gateway_queue_add(&g->queue, id, priority, order);
    watch_again(g->schedule, 0);
}

static void
on_unclaimed_rows(void *arg, const struct gateway_answer *a)
{
    struct gateway *g = arg;

    for (size_t i = 0; i < a->n; i++) {
        const struct gateway_values *v = &a->row[i];

        if (gateway_nodes_owner(g->nodes, v->text[0])[0])
            continue;
        if (strcmp(v->text[1], "queued") == 0)
            add_to_queue(g, v->text[0], v->number[0], v->number[1]);
        else
            gateway_nodes_claim(g->nodes, v->text[0], on_orphan_claimed, g);
    }
}

/* Queued tasks, and those whose gateway is gone, are seen to: what is queued
 * waits on, a turn that ran has ended with its gateway. */
static void
sweep_tasks(struct gateway *g)
{
    const struct gateway_values in = {0};

    gateway_store_ask(g->store, GATEWAY_UNFINISHED, &in, SIZE_MAX,
                      on_unclaimed_rows, g);
}

/* What comes from the others. */

static void
on_cluster_joined(void *arg)
{
    sweep_tasks(arg);
}

/* What was handed to the others may have been done or not. */
static void
refuse_handed_on(struct gateway *g, const char *node)
{
    struct gateway_request *r = g->requests, *next;

    for (; r; r = next) {
        next = r->next;
        if (r->token == 0 || (node && strcmp(r->to, node) != 0))
            continue;
        r->token = 0;
        if (r->ref && node) {
            gateway_action_retry(r);
            next = g->requests; /* the list may be another one */
            continue;
        }
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL,
                       "the gateway that has this task is gone: whether this "
                       "was done is not known");
        next = g->requests;
    }
}

static void
on_cluster_lost(void *arg)
{
    struct gateway *g = arg;

    for (struct gateway_task *t = g->tasks; t; t = t->next)
        gateway_turn_drop(t);
    gateway_queue_done(&g->queue);
    g->queue = (struct gateway_queue){0};
    refuse_handed_on(g, NULL);
}

static void
on_node_gone(void *arg, const char *node)
{
    struct gateway *g = arg;

    refuse_handed_on(g, node);
    sweep_tasks(g);
}

static void
on_shared_event(void *arg, const struct gateway_values *v)
{
    struct gateway *g = arg;

    g->n_shared_events++;
    if (v->number[EVENT_N] > g->last_event)
        g->last_event = v->number[EVENT_N];
    gateway_task_send_event(g, v);
}

static void
on_claimed_elsewhere(void *arg, const char *task)
{
    struct gateway *g = arg;

    (void)gateway_queue_remove(&g->queue, task);
}

static void
on_released(void *arg, const char *task, int64_t priority, int64_t order)
{
    if (order > 0)
        add_to_queue(arg, task, priority, order);
}

static void
on_handed_request(void *arg, const char *node, int64_t token, const char *text,
                  const char *client)
{
    struct gateway *g = arg;
    struct gateway_request *r = calloc(1, sizeof(*r));

    if (!r)
        return;
    *r = (struct gateway_request){.next = g->requests, .g = g};
    r->answer = buf_of(GATEWAY_ANSWER_MAX);
    r->from_token = token;
    snprintf(r->from, sizeof(r->from), "%s", node);
    snprintf(r->from_client, sizeof(r->from_client), "%s", client);
    g->requests = r;
    if (gateway_message_read(text, strlen(text), &r->m, NULL) == 0)
        gateway_action_take(r);
    else
        gateway_refuse(r, GATEWAY_BAD_REQUEST, NULL, "Invalid message format");
}

static void
on_handed_answer(void *arg, int64_t token, const char *type,
                 const char *payload)
{
    const struct gateway *g = arg;
    struct gateway_request *r = g->requests;

    while (r && r->token != token)
        r = r->next;
    if (r)
        gateway_reply_passed(
            r, strcmp(type, "error") == 0 ? "error" : "response", payload);
}

static void
on_settle(void *arg)
{
    gateway_task_release_unused(arg);
}

static void
on_nodes_log(void *arg, const char *line)
{
    const struct gateway *g = arg;

    g->set.log(g->set.arg, line);
}

static void
on_nodes_opened(void *arg)
{
    struct gateway *g = arg;

    g->opened(g);
}

int
gateway_cluster_open(struct gateway *g, void (*opened)(void *gateway),
                     struct err *e)
{
    static const struct gateway_nodes_events events = {
        .opened = on_nodes_opened,
        .joined = on_cluster_joined,
        .lost = on_cluster_lost,
        .gone = on_node_gone,
        .event = on_shared_event,
        .claimed = on_claimed_elsewhere,
        .released = on_released,
        .request = on_handed_request,
        .answer = on_handed_answer,
        .settle = on_settle,
        .log = on_nodes_log};

    int64_t retain = g->set.retain_ms;

    g->opened = opened;
    g->nodes = gateway_nodes_new(
        g->set.loop, g->store, g->set.nats,
        retain > 0 && retain < STREAM_KEPT_MS ? STREAM_KEPT_MS : retain,
        &events, g, e);
    return g->nodes ? 0 : -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_orchestrator.c - the actions that have a task done, or end that. */
#include "server/gateway/gateway_orchestrator.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "server/gateway/gateway_directory.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_task.h"
#include "server/gateway/gateway_tree.h"
#include "server/gateway/gateway_turn.h"
#include "json/write.h"

#define SMALL_MAX        8192
#define PROMPT_MAX_BYTES (256u << 10)

/* Takes the type and the priority of a request. False: it is refused. */
static bool
choose_type(struct gateway_request *r)
{
    struct gateway_task *t = r->task;
    const char *type = gateway_request_text(r, "agent_type");

    if (!type || !type[0])
        type = t->text[TASK_AGENT_TYPE];
    if (!type[0]) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "agent_type is required");
        return false;
    }
    if (strlen(type) >= 256 || !gateway_turn_type(r->g, type)) {
        gateway_refuse(r, GATEWAY_FORBIDDEN, NULL,
                       "agent_type: %.100s is not enabled", type);
        return false;
    }
    if (type != t->text[TASK_AGENT_TYPE])
        gateway_task_set(t, TASK_AGENT_TYPE, type);
    t->number[TASK_PRIORITY] = gateway_request_int(r, "priority",
                                                   t->number[TASK_PRIORITY]);
    return true;
}

/* What was under way when the last gateway ended: who starts its task has it
 * done again; who says something else has not. */
static void
settle_interrupted(struct gateway_task *t, bool again)
{
    struct gateway_prompt *p;

    while ((p = gateway_task_prompt(t, PROMPT_INTERRUPTED))) {
        if (!again) {
            gateway_task_remove_prompt(t, p);
            continue;
        }
        p->number[PROMPT_STATE] = PROMPT_WAITS;
        gateway_task_keep_prompt(t, p);
    }
}

/* What the agent is told: the prompts that wait, or the task itself. */
static bool
have_prompt(struct gateway_request *r)
{
    struct gateway_task *t = r->task;
    const char *text = t->text[TASK_DESCRIPTION];

    settle_interrupted(t, true);
    if (gateway_task_prompt(t, PROMPT_WAITS) ||
        gateway_task_add_prompt(t, text[0] ? text : t->text[TASK_TITLE]))
        return true;
    gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "out of memory");
    return false;
}

/* It takes what waits by itself, which an agent that is to end does not. A tree
 * is made for a task that runs; it may be removed from others. */
static bool
is_under_way(const struct gateway_task *t)
{
    return (t->tree_job && gateway_task_is(t, "running")) ||
           (t->agent && !t->stopping && (t->in_turn || !t->agent_ready));
}

static void
start_gateway_task(struct gateway_request *r)
{
    struct gateway_task *t = r->task;

    if (is_under_way(t) || t->tree_job || t->stopping || t->starter) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL,
                       "Failed to start task: %s",
                       t->stopping ? "it is being stopped"
                       : t->tree_job && !is_under_way(t)
                           ? "its working tree is being removed"
                           : "it runs already");
        return;
    }
    if (!choose_type(r))
        return;
    if (!gateway_turn_has_place(r->g)) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL,
                       "Failed to start task: %u agents are at work, which is "
                       "the most (orchestrator.trigger waits for a place)",
                       r->g->set.max_agents);
        return;
    }
    if (!have_prompt(r))
        return;
    (void)gateway_queue_remove(&r->g->queue, t->id);
    t->starter = r;
    gateway_turn_begin(t);
}

static void
on_tree_to_start(void *arg, const struct err *why)
{
    struct gateway_request *r = arg;

    r->directory = NULL;
    if (r->task->dropped)
        gateway_reply_lost(r);
    else if (r->g->stopping)
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "the gateway ends");
    else if (why)
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL,
                       "Failed to start task: " GATEWAY_TREE_ELSEWHERE
                       " (orchestrator.trigger waits for that)");
    else
        start_gateway_task(r);
}

void
gateway_orchestrator_start(struct gateway_request *r)
{
    struct gateway_task *t = r->task;
    struct err e = {0};

    if (is_under_way(t) || !gateway_tree_may_be_elsewhere(t))
        start_gateway_task(r);
    else if (!(r->directory = gateway_directory_look(r->g->set.loop,
                                                     t->text[TASK_TREE],
                                                     on_tree_to_start, r, &e)))
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL,
                       "Failed to start task: %s", e.text);
}

void
gateway_orchestrator_trigger(struct gateway_request *r)
{
    if (!choose_type(r))
        return;
    if (!is_under_way(r->task)) {
        if (!have_prompt(r))
            return;
        gateway_turn_want(r->task);
    }
    gateway_reply_success(r);
}

static void
reply_with_prompt(struct gateway_request *r, const char *id, bool queued)
{
    CLEANUP_BUF struct buf b = buf_of(SMALL_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_bool(&w, "success", true);
    json_member_str(&w, "task_id", r->task->id);
    json_member_str(&w, "prompt_id", id);
    json_member_bool(&w, "queued", queued);
    json_close_object(&w);
    gateway_reply_when_kept(r, &b);
}

void
gateway_orchestrator_prompt(struct gateway_request *r)
{
    struct gateway_task *t = r->task;
    const char *text = gateway_request_text(r, "prompt");
    struct gateway_prompt *p;

    if (strlen(text) > PROMPT_MAX_BYTES) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "prompt is longer than %u bytes", PROMPT_MAX_BYTES);
        return;
    }
    p = gateway_task_add_prompt(t, text);
    if (!p) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "prompt: %d of them wait already", GATEWAY_PROMPTS_MAX);
        return;
    }
    settle_interrupted(t, false);
    /* a task that was never started waits for that */
    if (is_under_way(t) || !t->text[TASK_AGENT_TYPE][0] ||
        gateway_task_is(t, "created") || gateway_task_is(t, "queued"))
        gateway_task_keep(t, "task.updated");
    else
        gateway_turn_want(t);
    reply_with_prompt(r, p->id, t->in_turn);
}

void
gateway_orchestrator_stop(struct gateway_request *r)
{
    struct gateway_task *t = r->task;
    const char *reason = gateway_request_text(r, "reason");
    bool force = false;

    (void)json_bool(json_get(r->m.payload, "force"), &force);
    if (!is_under_way(t) && !gateway_task_is(t, "queued")) {
        if (t->agent && (!t->stopping || force))
            gateway_turn_stop(t, NULL, force);
        gateway_reply_success(r);
        return;
    }
    if (reason && reason[0])
        gateway_task_report(t, "acp.log", reason);
    gateway_turn_stop(t, "cancelled", force);
    gateway_reply_success(r);
}

void
gateway_orchestrator_complete(struct gateway_request *r)
{
    struct gateway_task *t = r->task;
    struct gateway_prompt *p;

    settle_interrupted(t, false);
    while ((p = gateway_task_prompt(t, PROMPT_WAITS)))
        gateway_task_remove_prompt(t, p);
    gateway_turn_stop(t, "completed", false);
    gateway_reply_success(r);
}

void
gateway_prompt_remove(struct gateway_request *r)
{
    struct gateway_task *t = r->task;
    const char *id = gateway_request_text(r, "prompt_id");
    struct gateway_prompt *p = t->prompts;

    while (p && strcmp(p->id, id) != 0)
        p = p->next;
    if (!p) {
        gateway_refuse(r, GATEWAY_NOT_FOUND, NULL,
                       "not found: no such prompt waits");
        return;
    }
    if (p->number[PROMPT_STATE] == PROMPT_UNDER_WAY) {
        gateway_refuse(r, GATEWAY_FORBIDDEN, NULL,
                       "the agent has this prompt already");
        return;
    }
    gateway_task_remove_prompt(t, p);
    if (gateway_task_is(t, "queued") && !gateway_task_prompt(t, PROMPT_WAITS)) {
        (void)gateway_queue_remove(&r->g->queue, t->id);
        t->number[TASK_QUEUED] = 0;
        gateway_task_set_state(
            t, t->number[TASK_TURNS] > 0 ? "idle" : "created", NULL);
    }
    gateway_task_keep(t, "task.updated");
    gateway_reply_success(r);
}

/* It waits in the queue of the gateway that has its tree, also for that one to
 * come back, and says so. */
static void
leave_to_others(struct gateway_task *t)
{
    gateway_queue_avoid(&t->g->queue, t->id, clock_ms());
    if (strcmp(t->text[TASK_ERROR], GATEWAY_TREE_ELSEWHERE) != 0) {
        gateway_task_set_state(t, "queued", GATEWAY_TREE_ELSEWHERE);
        gateway_task_keep(t, "task.updated");
    }
    gateway_nodes_look(t->g->nodes);
}

/* Its place is another one's, where it does not begin. */
static void
end_pick(struct gateway *g)
{
    g->picking--;
    watch_again(g->schedule, 0);
}

static bool
may_begin(const struct gateway_task *t)
{
    return gateway_task_is(t, "queued") && !t->stopping && !t->dropped &&
           !is_under_way(t) && !t->tree_job && !t->g->stopping;
}

static void
begin_queued(struct gateway_task *t)
{
    if (gateway_turn_has_place(t->g))
        gateway_turn_begin(t);
    else
        (void)gateway_queue_add(&t->g->queue, t->id, t->number[TASK_PRIORITY],
                                t->number[TASK_QUEUED]);
}

static void
on_tree_of_queued(void *arg, const struct err *why)
{
    struct gateway_task *t = arg;

    t->look = NULL;
    t->uses--;
    end_pick(t->g);
    if (!may_begin(t))
        gateway_nodes_look(t->g->nodes);
    else if (why)
        leave_to_others(t);
    else
        begin_queued(t);
}

/* It keeps its place while its tree is looked for. */
static void
on_queued_task(void *arg, struct gateway_task *t)
{
    struct gateway *g = arg;

    if (!t || !may_begin(t) || t->look) {
        end_pick(g);
        return;
    }
    if (gateway_tree_may_be_elsewhere(t))
        t->look = gateway_directory_look(g->set.loop, t->text[TASK_TREE],
                                         on_tree_of_queued, t, NULL);
    if (t->look) {
        t->uses++;
        return;
    }
    end_pick(g);
    begin_queued(t);
}

/* Of the queue of all gateways another one may have taken it. */
static void
on_place_claimed(void *arg, const char *task, bool ours)
{
    struct gateway *g = arg;

    if (ours)
        gateway_task_find(g, task, on_queued_task, g);
    else
        end_pick(g);
}

void
gateway_orchestrator_schedule(void *gateway, unsigned events)
{
    struct gateway *g = gateway;
    const struct gateway_place *p;
    char id[GATEWAY_ID_SIZE];

    (void)events;
    while (g->ready && !g->stopping &&
           gateway_turn_active(g) + g->picking < g->set.max_agents &&
           (p = gateway_queue_first(&g->queue))) {
        memcpy(id, p->id, sizeof(id));
        (void)gateway_queue_remove(&g->queue, id);
        g->picking++;
        if (g->nodes)
            gateway_nodes_claim(g->nodes, id, on_place_claimed, g);
        else
            gateway_task_find(g, id, on_queued_task, g);
    }
}

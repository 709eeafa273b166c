/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_turn.c - a task's agent: its start, its turns, its limits, its end.
 */
#include "server/gateway/gateway_turn.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "server/gateway/gateway_keep.h"
#include "server/gateway/gateway_permission.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_task.h"
#include "server/gateway/gateway_tree.h"
#include "json/write.h"

#define DATA_MAX    (GATEWAY_AGENT_EVENT_MAX + 8192) /* bytes of an event */
#define INTERRUPTED "the gateway ended while this turn was under way"
#define ENDED       "the agent ended"
#define NO_ROOM     "the disk does not keep up with what the agent says"
#define TRANSCRIPT                                                             \
    "its transcript is as large as its type of agent may make it "             \
    "(transcript_mb)"
#define COST_MOST 1e9 /* of a session; what is more is nonsense */

unsigned
gateway_turn_active(const struct gateway *g)
{
    unsigned n = 0;

    for (const struct gateway_task *t = g->tasks; t; t = t->next)
        n += t->tree_job || (t->agent && (t->in_turn || !t->agent_ready));
    return n;
}

unsigned
gateway_turn_idle(const struct gateway *g)
{
    unsigned n = 0;

    for (const struct gateway_task *t = g->tasks; t; t = t->next)
        n += t->agent && t->agent_ready && !t->in_turn;
    return n;
}

bool
gateway_turn_has_place(const struct gateway *g)
{
    return gateway_turn_active(g) < g->set.max_agents;
}

const struct agent_type *
gateway_turn_type(const struct gateway *g, const char *name)
{
    const struct agent_type *type = agent_types_find(g->types->rows, name);

    if (!type)
        type = agent_types_find(g->types->rows, AGENT_TYPE_USUAL);
    return type && type->enabled ? type : NULL;
}

/* A place is free, or is wanted: the queue is looked at. */
static void
look_for_places(struct gateway *g)
{
    watch_again(g->schedule, 0);
}

static void
answer_starter(struct gateway_task *t)
{
    CLEANUP_BUF struct buf b = buf_of(DATA_MAX);
    struct gateway_request *r = t->starter;
    struct json_writer w;

    if (!r)
        return;
    t->starter = NULL;
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_bool(&w, "success", true);
    json_member_str(&w, "task_id", t->id);
    json_member_str(&w, "agent_instance_id", t->text[TASK_INSTANCE]);
    json_member_str(&w, "agent_command", t->text[TASK_COMMAND]);
    json_member_str(&w, "session_id", t->text[TASK_SESSION]);
    json_close_object(&w);
    gateway_reply_when_kept(r, &b);
}

static void
refuse_starter(struct gateway_task *t, const char *why)
{
    struct gateway_request *r = t->starter;

    t->starter = NULL;
    if (r)
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL,
                       "Failed to start task: %s", why);
}

/* Limits. */

static bool
is_transcript_full(const struct gateway_task *t)
{
    return t->transcript_most > 0 && t->transcript >= t->transcript_most;
}

static const char *
task_limit_reached(const struct gateway_task *t)
{
    const int64_t *n = t->number;

    if (n[TASK_LIMIT_TURNS] > 0 && n[TASK_TURNS] >= n[TASK_LIMIT_TURNS])
        return "the limit of turns is reached";
    if (n[TASK_LIMIT_MS] > 0 && n[TASK_MS] >= n[TASK_LIMIT_MS])
        return "the limit of minutes is reached";
    if (n[TASK_LIMIT_TOKENS] > 0 &&
        n[TASK_TOKENS_IN] + n[TASK_TOKENS_OUT] >= n[TASK_LIMIT_TOKENS])
        return "the limit of tokens is reached";
    if (n[TASK_LIMIT_COST] > 0 && n[TASK_COST] >= n[TASK_LIMIT_COST])
        return "the limit of cost is reached";
    return is_transcript_full(t) ? TRANSCRIPT : NULL;
}

/* The turn goes over a limit, and is cancelled. */
static void
end_turn_over(struct gateway_task *t, const char *why)
{
    if (!t->in_turn || t->over[0])
        return;
    snprintf(t->over, sizeof(t->over), "%s", why);
    gateway_task_report(t, "acp.error", why);
    gateway_permission_withdraw(t, NULL);
    gateway_agent_cancel(t->agent);
}

static void
on_minutes_over(void *arg, unsigned events)
{
    struct gateway_task *t = arg;
    int64_t used = t->number[TASK_MS] + clock_ms() - t->turn_ms;
    bool own = t->number[TASK_LIMIT_MS] > 0 && used >= t->number[TASK_LIMIT_MS];

    (void)events;
    end_turn_over(t, own ? "the limit of minutes is reached"
                         : "the turn took longer than its type of agent may");
}

static void
arm_minutes(struct gateway_task *t)
{
    const struct agent_type *type = agent_types_find(t->types->rows,
                                                     t->text[TASK_AGENT_TYPE]);
    int64_t left = t->number[TASK_LIMIT_MS] - t->number[TASK_MS];
    int64_t of_type = type ? type->limit_s * 1000 : 0;

    if (t->number[TASK_LIMIT_MS] == 0)
        left = of_type;
    else if (of_type > 0 && of_type < left)
        left = of_type;
    if (left <= 0)
        return;
    if (t->limit)
        watch_again(t->limit, left);
    else
        t->limit = loop_timer(t->g->set.loop, left, on_minutes_over, t, NULL);
}

/* Turns. */

/* The agent gets the prompt when it is written that it has it: so it never gets
 * one twice, whenever this process ends. */
static void
on_prompt_kept(void *arg)
{
    struct gateway_task *t = arg;
    const struct gateway_prompt *p = gateway_task_prompt(t, PROMPT_UNDER_WAY);

    t->uses--;
    if (!t->unsent || !t->agent || !t->in_turn || !p)
        return;
    t->unsent = !gateway_agent_prompt(t->agent, p->text);
}

static void
on_prompt_lost(void *arg)
{
    struct gateway_task *t = arg;

    t->uses--;
}

static void
go_idle(struct gateway_task *t, const char *state, const char *error)
{
    t->in_turn = false;
    t->idle_ms = clock_ms();
    gateway_task_set_state(t, state, error);
    gateway_task_keep(t, "task.updated");
    look_for_places(t->g);
}

static void
add_prompt_event(struct gateway_task *t, const struct gateway_prompt *p)
{
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "prompt_id", p->id);
    json_member_str(&w, "prompt", p->text);
    json_close_object(&w);
    if (buf_ok(&b, "a prompt", NULL) == 0)
        gateway_task_add_event(t, "acp.prompt", b.p, b.len, NULL);
}

static void
wait_anew(struct gateway_task *t, const char *why)
{
    struct gateway_prompt *p = gateway_task_prompt(t, PROMPT_UNDER_WAY);

    if (p) {
        p->number[PROMPT_STATE] = PROMPT_WAITS;
        gateway_task_keep_prompt(t, p);
    }
    gateway_task_set_state(t, "queued", why);
    t->number[TASK_QUEUED] = t->g->last_place = gateway_keep_number(
        t->g, t->g->last_place);
    gateway_task_keep(t, "task.updated");
    (void)gateway_queue_add(&t->g->queue, t->id, t->number[TASK_PRIORITY],
                            t->number[TASK_QUEUED]);
}

static void
begin_next_prompt(struct gateway_task *t)
{
    struct gateway_prompt *p = gateway_task_prompt(t, PROMPT_WAITS);
    const char *over = task_limit_reached(t);

    if (!p) {
        go_idle(t, "idle", NULL);
        return;
    }
    if (t->g->stopping) { /* for the next gateway */
        wait_anew(t, NULL);
        return;
    }
    if (over) {
        gateway_task_report(t, "acp.error", over);
        go_idle(t, "failed", over);
        return;
    }
    p->number[PROMPT_STATE] = PROMPT_UNDER_WAY;
    t->in_turn = t->unsent = true;
    t->reported = false;
    t->over[0] = '\0';
    t->turn_ms = clock_ms();
    t->number[TASK_SENT] = 1;
    gateway_task_set_state(t, "running", NULL);
    gateway_task_keep_prompt(t, p);
    gateway_task_keep(t, "task.updated");
    add_prompt_event(t, p);
    arm_minutes(t);
    t->uses++;
    gateway_keep_then(t->g, on_prompt_kept, on_prompt_lost, t);
}

static void
remove_prompt_under_way(struct gateway_task *t)
{
    struct gateway_prompt *p = gateway_task_prompt(t, PROMPT_UNDER_WAY);

    if (p)
        gateway_task_remove_prompt(t, p);
}

/* The time that a turn took counts, however it ended. */
static void
count_agent_turn(struct gateway_task *t)
{
    if (!t->in_turn)
        return;
    if (!t->unsent) {
        t->number[TASK_TURNS]++;
        t->number[TASK_MS] += clock_ms() - t->turn_ms;
    }
    t->number[TASK_SENT] = 0;
    t->in_turn = t->unsent = false;
    if (t->limit)
        watch_stop(t->limit);
}

/* cost is the session's so far. */
static void
count_usage(struct gateway_task *t, const struct gateway_turn_end *end)
{
    int64_t cost = end->cost > 0 && end->cost < COST_MOST
                       ? (int64_t)(end->cost * GATEWAY_MICRO + 0.5)
                       : 0;

    if (end->tokens_in > 0)
        t->number[TASK_TOKENS_IN] += end->tokens_in;
    if (end->tokens_out > 0)
        t->number[TASK_TOKENS_OUT] += end->tokens_out;
    if (cost > t->number[TASK_SESSION_COST]) {
        t->number[TASK_COST] += cost - t->number[TASK_SESSION_COST];
        t->number[TASK_SESSION_COST] = cost;
    }
}

/* Unless the agent said so itself. */
static void
add_result_event(struct gateway_task *t, const struct gateway_turn_end *end)
{
    CLEANUP_BUF struct buf b = buf_of(DATA_MAX);
    struct json_writer w;

    if (t->reported)
        return;
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_bool(&w, "success", end->success);
    json_member_str(&w, "sessionId", t->text[TASK_SESSION]);
    json_member_str(&w, "summary", end->summary);
    json_member_str(&w, "stopReason", end->stop_reason);
    json_close_object(&w);
    if (buf_ok(&b, "a result", NULL) == 0)
        gateway_task_add_event(t, "acp.result", b.p, b.len, NULL);
}

static void
on_turn_ended(void *arg, const struct gateway_turn_end *end)
{
    struct gateway_task *t = arg;

    if (t->in_turn || t->stopping)
        count_usage(t, end);
    if (!t->in_turn)
        return;
    count_agent_turn(t);
    remove_prompt_under_way(t);
    gateway_permission_withdraw(t, NULL);
    add_result_event(t, end);
    t->number[TASK_ATTEMPTS] = 0;
    if (t->over[0])
        go_idle(t, "failed", t->over);
    else if (!end->success && strcmp(end->stop_reason, "cancelled") == 0)
        go_idle(t, "cancelled", NULL);
    else if (!end->success)
        go_idle(t, "failed", end->summary[0] ? end->summary : end->stop_reason);
    else
        begin_next_prompt(t); /* the next one, where one waits */
}

/* The agent. */

static void stop_task(struct gateway_task *t, const char *state,
                      const char *error, bool force);

/* One that fills the disk is ended, in a turn or not. */
static void
check_transcript(struct gateway_task *t)
{
    if (!t->agent || t->stopping || !is_transcript_full(t))
        return;
    gateway_task_report(t, "acp.error", TRANSCRIPT);
    refuse_starter(t, TRANSCRIPT);
    stop_task(t, "failed", TRANSCRIPT, false);
}

static void
on_transcript_measured(void *arg, const struct gateway_answer *a)
{
    struct gateway_task *t = arg;

    t->uses--;
    t->transcript += a->n > 0 ? a->row->number[0] : 0;
}

/* Once, when it has an agent first: from then on each event is counted. */
static void
measure_transcript(struct gateway_task *t)
{
    const struct gateway_values in = {.text = {t->id},
                                      .number = {GATEWAY_EVENT_ROOM}};

    if (t->measured)
        return;
    t->measured = true;
    t->transcript = 0;
    t->uses++;
    gateway_store_ask(t->g->store, GATEWAY_TRANSCRIPT, &in, 1,
                      on_transcript_measured, t);
}

static void
on_agent_ready(void *arg, const char *command, const char *session_id)
{
    struct gateway_task *t = arg;

    t->agent_ready = true;
    gateway_task_set(t, TASK_COMMAND, command);
    if (strcmp(t->text[TASK_SESSION], session_id) != 0) {
        gateway_task_set(t, TASK_SESSION, session_id);
        t->number[TASK_SESSION_COST] = 0;
    }
    if (!t->stopping)
        begin_next_prompt(t);
    answer_starter(t);
}

static void
on_agent_event(void *arg, const char *kind, const struct buf *data)
{
    static const char *const kinds[] = {"content",  "toolCall", "update",
                                        "result",   "error",    "log",
                                        "progress", "status",   "heartbeat"};
    struct gateway_task *t = arg;
    char action[32];

    if (t->stopping)
        return;
    if (gateway_keep_is_full(t->g)) {
        end_turn_over(t, NO_ROOM);
        return;
    }
    snprintf(action, sizeof(action), "acp.%s",
             STR_IN(kind, kinds) ? kind : "update");
    t->reported = t->reported || strcmp(kind, "result") == 0;
    gateway_task_add_event(t, action, data->p, data->len, NULL);
    check_transcript(t);
}

static void
on_agent_asks(void *arg, const char *request_id, const struct buf *data)
{
    gateway_permission_ask(arg, request_id, data);
    check_transcript(arg);
}

static void
on_agent_withdrew(void *arg, const char *request_id)
{
    gateway_permission_withdraw(arg, request_id);
    check_transcript(arg);
}

/* What is left of a turn whose agent is gone, or is to go. */
static void
leave_agent_turn(struct gateway_task *t)
{
    t->agent_ready = false;
    count_agent_turn(t);
    t->number[TASK_SENT] = 0;
    gateway_permission_withdraw(t, NULL);
}

/* What came while the tree was removed. */
static void
on_tree_over(struct gateway_task *t)
{
    if (gateway_task_is(t, "queued"))
        (void)gateway_queue_add(&t->g->queue, t->id, t->number[TASK_PRIORITY],
                                t->number[TASK_QUEUED]);
    if (t->g->nodes)
        gateway_nodes_look(t->g->nodes);
    look_for_places(t->g);
}

void
gateway_turn_clean_tree(struct gateway_task *t)
{
    gateway_tree_clean(t, true, on_tree_over);
}

/* A task that is completed leaves nothing that git knows. */
static void
clean_tree(struct gateway_task *t)
{
    if (gateway_task_is(t, "completed"))
        gateway_tree_clean(t, false, on_tree_over);
}

/* Its agent has ended as it was asked to. Its state is what was asked last. */
static void
settle_stopped(struct gateway_task *t)
{
    bool again = gateway_task_is(t, "queued");

    t->stopping = false;
    gateway_task_keep(t, "task.updated");
    if (again)
        (void)gateway_queue_add(&t->g->queue, t->id, t->number[TASK_PRIORITY],
                                t->number[TASK_QUEUED]);
    clean_tree(t);
}

/* Its agent has failed, which was an event before. Where it did not get the
 * prompt nothing can have been done, and it is tried again. */
static void
settle_failed(struct gateway_task *t, const char *why, bool safe)
{
    bool again = safe && !t->starter &&
                 ++t->number[TASK_ATTEMPTS] < GATEWAY_TRIES;

    if (again) {
        wait_anew(t, why);
        return;
    }
    remove_prompt_under_way(t);
    gateway_task_set_state(t, "failed", why);
    gateway_task_keep(t, "task.updated");
    refuse_starter(t, why);
}

/* The agent is freed, and the types that it used, where they are old. */
static void
drop_agent(struct gateway_task *t, struct gateway_agent *agent)
{
    gateway_agent_free(agent);
    gateway_types_release(t->types);
    t->types = NULL;
}

/* why was an event before: of an agent that was idle there is nothing more to
 * report, since its task has what it asked for. */
static void
settle_ended(struct gateway_task *t, const struct err *why, bool safe)
{
    bool was_idle = t->agent_ready && !t->in_turn;
    bool unsent = t->in_turn && t->unsent;

    leave_agent_turn(t);
    if (!t->stopping && !was_idle && !t->over[0] && !why)
        gateway_task_report(t, "acp.error", ENDED);
    if (t->stopping)
        settle_stopped(t);
    else if (!was_idle)
        settle_failed(t,
                      t->over[0] ? t->over
                      : why      ? why->text
                                 : ENDED,
                      (safe || unsent) && !t->over[0]);
    refuse_starter(t, "it was stopped");
    look_for_places(t->g);
}

static void
on_agent_ended(void *arg, const struct err *why, bool safe_to_retry)
{
    struct gateway_task *t = arg;
    struct gateway_agent *agent = t->agent;
    const struct err copy = why ? *why : (struct err){0};

    t->agent = NULL;
    drop_agent(t, agent);
    settle_ended(t, why ? &copy : NULL, safe_to_retry);
}

static struct gateway_task *
longest_idle(const struct gateway *g)
{
    struct gateway_task *found = NULL;

    for (struct gateway_task *t = g->tasks; t; t = t->next)
        if (t->agent && t->agent_ready && !t->in_turn && !t->stopping &&
            !gateway_task_is(t, "queued") &&
            (!found || t->idle_ms < found->idle_ms))
            found = t;
    return found;
}

/* An idle one makes room for one that works. */
static void
make_room_for_agent(struct gateway *g)
{
    struct gateway_task *idle = longest_idle(g);

    if (gateway_turn_active(g) + gateway_turn_idle(g) >= g->set.max_agents &&
        idle)
        gateway_turn_stop(idle, NULL, false);
}

static int
start_agent(struct gateway_task *t, struct err *e)
{
    static const struct gateway_agent_events events = {
        .ready = on_agent_ready,
        .event = on_agent_event,
        .asks = on_agent_asks,
        .withdrawn = on_agent_withdrew,
        .turn_ended = on_turn_ended,
        .ended = on_agent_ended};
    const struct gateway *g = t->g;
    const char *description = t->text[TASK_DESCRIPTION];
    const struct gateway_agent_setup set = {
        .loop = g->set.loop,
        .seat = g->set.seat,
        .config = g->config,
        .log = g->set.log,
        .log_arg = g->set.arg,
        .type = gateway_turn_type(g, t->text[TASK_AGENT_TYPE]),
        .task_id = t->id,
        .directory = t->text[TASK_TREE][0]        ? t->text[TASK_TREE]
                     : t->text[TASK_DIRECTORY][0] ? t->text[TASK_DIRECTORY]
                                                  : g->directory,
        .description = description[0] ? description : t->text[TASK_TITLE],
        .session_id = t->text[TASK_SESSION][0] ? t->text[TASK_SESSION] : NULL,
        .events = &events,
        .arg = t};

    if (!set.type)
        return err_set(e, ERR_INVALID, "the type %.100s is not enabled",
                       t->text[TASK_AGENT_TYPE]);
    t->agent = gateway_agent_start(&set, e);
    if (!t->agent)
        return -1;
    t->types = g->types;
    t->types->uses++;
    t->transcript_most = set.type->transcript_mb << 20;
    measure_transcript(t);
    return 0;
}

static void
begin_with_agent(struct gateway_task *t)
{
    struct err e = {0};

    if (start_agent(t, &e) < 0) {
        gateway_task_report(t, "acp.error", e.text);
        settle_failed(t, e.text, true);
        look_for_places(t->g);
        return;
    }
    gateway_task_set(t, TASK_INSTANCE, gateway_agent_instance(t->agent));
    gateway_task_keep(t, "task.updated");
}

static void
on_tree(struct gateway_task *t, const struct err *why)
{
    if (!why) {
        begin_with_agent(t);
        return;
    }
    gateway_task_report(t, "acp.error", why->text);
    settle_failed(t, why->text, false);
    look_for_places(t->g);
}

void
gateway_turn_begin(struct gateway_task *t)
{
    struct err e = {0};

    t->number[TASK_QUEUED] = 0;
    if (t->agent) { /* it is idle */
        begin_next_prompt(t);
        answer_starter(t);
        return;
    }
    make_room_for_agent(t->g);
    t->over[0] = '\0';
    t->stopping = false;
    gateway_task_set_state(t, "running", NULL);
    if (!gateway_tree_is_missing(t))
        begin_with_agent(t);
    else if (gateway_tree_make(t, on_tree, &e) < 0)
        on_tree(t, &e);
    else
        gateway_task_keep(t, "task.updated");
}

void
gateway_turn_want(struct gateway_task *t)
{
    bool starts = (t->agent && !t->agent_ready && !t->stopping) ||
                  (t->tree_job && gateway_task_is(t, "running"));

    if (t->in_turn || starts || gateway_task_is(t, "queued"))
        return;
    t->number[TASK_ATTEMPTS] = 0;
    gateway_task_set_state(t, "queued", NULL);
    t->number[TASK_QUEUED] = t->g->last_place = gateway_keep_number(
        t->g, t->g->last_place);
    gateway_task_keep(t, "task.updated");
    if (!t->stopping && !t->tree_job)
        (void)gateway_queue_add(&t->g->queue, t->id, t->number[TASK_PRIORITY],
                                t->number[TASK_QUEUED]);
    look_for_places(t->g);
}

/* The turn is over with the word to stop, whenever its agent ends: what comes
 * then is for the next one, also if that is another gateway's. */
static void
leave_stopped_turn(struct gateway_task *t)
{
    if (!t->in_turn)
        return;
    leave_agent_turn(t);
    remove_prompt_under_way(t);
}

/* Ends the agent; state NULL: that stays. */
static void
stop_task(struct gateway_task *t, const char *state, const char *error,
          bool force)
{
    struct gateway_agent *agent = t->agent;
    bool was_running = gateway_task_is(t, "running");

    leave_stopped_turn(t);
    if (state) {
        (void)gateway_queue_remove(&t->g->queue, t->id);
        t->number[TASK_QUEUED] = 0;
        gateway_task_set_state(t, state, error);
        gateway_task_keep(t, "task.updated");
    }
    if (!agent) {
        if (was_running)
            gateway_tree_stop(t);
        refuse_starter(t, "it was stopped");
        clean_tree(t);
        return;
    }
    t->stopping = true;
    if (!force) {
        gateway_agent_stop(agent);
        return;
    }
    t->agent = NULL;
    drop_agent(t, agent);
    settle_ended(t, NULL, false);
}

void
gateway_turn_stop(struct gateway_task *t, const char *state, bool force)
{
    stop_task(t, state, NULL, force);
}

void
gateway_turn_end_idle(struct gateway *g, int64_t now)
{
    struct gateway_task *t;

    while ((t = longest_idle(g)) && now - t->idle_ms > GATEWAY_IDLE_MS)
        gateway_turn_stop(t, NULL, false);
}

void
gateway_turn_drop(struct gateway_task *t)
{
    struct gateway_agent *agent = t->agent;

    t->dropped = t->copy = true;
    t->agent = NULL;
    t->agent_ready = t->in_turn = t->unsent = t->stopping = false;
    if (t->limit)
        watch_stop(t->limit);
    if (agent)
        drop_agent(t, agent);
    gateway_tree_stop(t);
    refuse_starter(t, "the other gateways took this one for dead");
}

void
gateway_turn_interrupt(struct gateway_task *t)
{
    struct gateway_prompt *p = gateway_task_prompt(t, PROMPT_UNDER_WAY);
    bool sent = t->number[TASK_SENT] != 0;

    leave_agent_turn(t);
    if (p) {
        p->number[PROMPT_STATE] = sent ? PROMPT_INTERRUPTED : PROMPT_WAITS;
        gateway_task_keep_prompt(t, p);
    }
    if (gateway_task_is(t, "running") && !sent) {
        wait_anew(t, NULL);
        look_for_places(t->g);
    } else if (gateway_task_is(t, "running")) {
        gateway_task_report(t, "acp.error", INTERRUPTED);
        gateway_task_set_state(t, "interrupted", INTERRUPTED);
        gateway_task_keep(t, "task.updated");
    }
}

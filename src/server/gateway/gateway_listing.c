/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_listing.c - the actions that show many things, and change nothing.
 *
 * What they show is read from the disk, so that nothing is seen that could
 * still be lost. */
#include "server/gateway/gateway_listing.h"

#include <string.h>

#include "server/gateway/agent_discovery.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_task_json.h"
#include "server/gateway/gateway_turn.h"
#include "server/gateway/gateway_watch.h"
#include "json/write.h"

#define USUAL_ROWS 100
#define MOST_ROWS  500
#define WORDS_MAX  1024 /* bytes of the states that are asked for */

static size_t
rows_wanted(const struct gateway_request *r)
{
    int64_t n = gateway_request_int(r, "limit", USUAL_ROWS);

    return n < 1 ? 1 : n > MOST_ROWS ? MOST_ROWS : (size_t)n;
}

static void
put_listed_time(struct json_writer *w, const char *name, int64_t ms)
{
    char at[GATEWAY_TIME_SIZE];

    json_member_str(w, name, gateway_message_time(ms, at));
}

/* Tasks. */

static void
on_tasks_counted(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;

    buf_printf(&r->answer, ",\"total\":%lld}",
               (long long)(a->n > 0 ? a->row->number[0] : 0));
    gateway_reply(r, &r->answer);
}

static void
on_tasks_listed(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;
    struct json_writer w;

    r->answer = buf_of(GATEWAY_ANSWER_MAX);
    json_write_init(&w, &r->answer);
    json_open_object(&w);
    json_key(&w, "tasks");
    json_open_array(&w);
    for (size_t i = 0; i < a->n; i++)
        gateway_task_put(&w, &a->row[i], true);
    json_close_array(&w);
    if (a->more)
        json_member_int(&w, "next", a->row[a->n - 1].number[TASK_N]);
}

/* Appends a state with blanks around it. False: it is none. */
static bool
put_searched_state(struct buf *out, const struct json *v)
{
    const char *word = json_text(v);

    if (!word || !word[0] || strchr(word, ' '))
        return false;
    buf_printf(out, " %s ", word);
    return buf_ok(out, "states", NULL) == 0;
}

static bool
put_searched_states(struct buf *out, const struct json *v)
{
    if (!v || json_type(v) == JSON_NULL)
        return true;
    if (json_type(v) == JSON_STRING)
        return put_searched_state(out, v);
    if (json_type(v) != JSON_ARRAY)
        return false;
    for (v = json_first(v); v; v = json_next(v))
        if (!put_searched_state(out, v))
            return false;
    return true;
}

void
gateway_list_tasks(struct gateway_request *r)
{
    CLEANUP_BUF struct buf states = buf_of(WORDS_MAX);
    const struct gateway_values in = {
        .text = {gateway_request_text(r, "text"), states.p},
        .number = {gateway_request_int(r, "before", 0)}};
    struct gateway_values with = in;

    if (!put_searched_states(&states, json_get(r->m.payload, "state"))) {
        gateway_refuse(r, GATEWAY_BAD_REQUEST, NULL,
                       "Invalid payload: state must be a word, or a list of "
                       "words");
        return;
    }
    with.text[1] = states.p;
    gateway_store_read(r->g->store, GATEWAY_LIST_TASKS, &with, rows_wanted(r),
                       on_tasks_listed, r);
    gateway_store_read(r->g->store, GATEWAY_COUNT_TASKS, &with, 1,
                       on_tasks_counted, r);
}

/* Events. */

static void
on_events_listed(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_key(&w, "events");
    json_open_array(&w);
    for (size_t i = a->n; i-- > 0;)
        gateway_watch_put_event(&w, &a->row[i], true);
    json_close_array(&w);
    json_close_object(&w);
    gateway_reply(r, &b);
}

void
gateway_list_events(struct gateway_request *r)
{
    const struct gateway_values in = {
        .text = {r->task->id},
        .number = {gateway_request_int(r, "before", INT64_MAX)}};

    gateway_store_read(r->g->store, GATEWAY_EVENTS_BEFORE, &in, rows_wanted(r),
                       on_events_listed, r);
}

/* Prompts and permissions. */

static void
on_prompts_listed(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_key(&w, "prompts");
    json_open_array(&w);
    for (size_t i = 0; i < a->n; i++) {
        if (a->row[i].number[PROMPT_STATE] == PROMPT_UNDER_WAY)
            continue;
        json_open_object(&w);
        json_member_str(&w, "prompt_id", a->row[i].text[PROMPT_ID]);
        json_member_str(&w, "prompt", a->row[i].text[PROMPT_TEXT]);
        put_listed_time(&w, "created_at", a->row[i].number[PROMPT_CREATED]);
        if (a->row[i].number[PROMPT_STATE] == PROMPT_INTERRUPTED)
            json_member_bool(&w, "interrupted", true);
        json_close_object(&w);
    }
    json_close_array(&w);
    json_close_object(&w);
    gateway_reply(r, &b);
}

void
gateway_list_prompts(struct gateway_request *r)
{
    const struct gateway_values in = {.text = {r->task->id}};

    gateway_store_read(r->g->store, GATEWAY_PROMPTS, &in, SIZE_MAX,
                       on_prompts_listed, r);
}

/* The agent's question, with what is known of it beside its members. */
static void
put_open_question(struct json_writer *w, const struct gateway_values *v)
{
    const char *text = v->text[PERMISSION_DATA];
    CLEANUP(json_free_p)
    struct json *root = json_parse(text, strlen(text), 0, NULL);

    json_open_object(w);
    json_member_str(w, "task_id", v->text[PERMISSION_TASK]);
    json_member_int(w, "seq", v->number[PERMISSION_SEQ]);
    put_listed_time(w, "asked_at", v->number[PERMISSION_ASKED]);
    for (const struct json *m = json_first(root); m; m = json_next(m)) {
        size_t n;
        const char *name = json_name(m, &n);

        json_keyn(w, name, n);
        json_put_value(w, m);
    }
    json_close_object(w);
}

static void
on_permissions_listed(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_key(&w, "permissions");
    json_open_array(&w);
    for (size_t i = 0; i < a->n; i++)
        put_open_question(&w, &a->row[i]);
    json_close_array(&w);
    json_close_object(&w);
    gateway_reply(r, &b);
}

void
gateway_list_permissions(struct gateway_request *r)
{
    const struct gateway_values in = {
        .text = {gateway_request_text(r, "task_id")}};

    gateway_store_read(r->g->store, GATEWAY_OPEN_PERMISSIONS, &in, MOST_ROWS,
                       on_permissions_listed, r);
}

/* The queue and the agents. */

static void
on_queue_listed(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);
    size_t total = a->more ? r->g->queue.n : a->n;
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_key(&w, "tasks");
    json_open_array(&w);
    for (size_t i = 0; i < a->n; i++) {
        const struct gateway_values *v = &a->row[i];

        json_open_object(&w);
        json_member_str(&w, "task_id", v->text[TASK_ID]);
        json_member_str(&w, "title", v->text[TASK_TITLE]);
        json_member_int(&w, "priority", v->number[TASK_PRIORITY]);
        json_member_str(&w, "agent_type", v->text[TASK_AGENT_TYPE]);
        json_member_int(&w, "attempts", v->number[TASK_ATTEMPTS]);
        put_listed_time(&w, "queued_at", v->number[TASK_UPDATED]);
        json_close_object(&w);
    }
    json_close_array(&w);
    json_member_int(&w, "total", (int64_t)total);
    json_close_object(&w);
    gateway_reply(r, &b);
}

void
gateway_list_queue(struct gateway_request *r)
{
    const struct gateway_values in = {0};

    gateway_store_read(r->g->store, GATEWAY_QUEUED_TASKS, &in, MOST_ROWS,
                       on_queue_listed, r);
}

void
gateway_list_status(struct gateway_request *r)
{
    CLEANUP_BUF struct buf b = buf_of(WORDS_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_bool(&w, "running", !r->g->stopping);
    json_member_int(&w, "active_agents", gateway_turn_active(r->g));
    json_member_int(&w, "idle_agents", gateway_turn_idle(r->g));
    json_member_int(&w, "queued_tasks", (int64_t)r->g->queue.n);
    json_member_int(&w, "max_concurrent", r->g->set.max_agents);
    json_close_object(&w);
    gateway_reply(r, &b);
}

/* What was used. */

enum usage_number {
    USAGE_TASKS,
    USAGE_TURNS,
    USAGE_MS,
    USAGE_IN,
    USAGE_OUT,
    USAGE_COST,
    USAGE_NUMBERS
};

static void
put_used(struct json_writer *w, const int64_t *n)
{
    const struct gateway_usage u = {n[USAGE_TURNS], n[USAGE_MS], n[USAGE_IN],
                                    n[USAGE_OUT], n[USAGE_COST]};

    json_member_int(w, "tasks", n[USAGE_TASKS]);
    gateway_usage_put(w, &u);
    json_close_object(w);
}

static void
on_usage(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;
    int64_t sum[USAGE_NUMBERS] = {0};
    struct json_writer w;

    r->answer = buf_of(GATEWAY_ANSWER_MAX);
    json_write_init(&w, &r->answer);
    json_open_object(&w);
    json_key(&w, "by_agent_type");
    json_open_array(&w);
    for (size_t i = 0; i < a->n; i++) {
        json_open_object(&w);
        json_member_str(&w, "agent_type", a->row[i].text[0]);
        put_used(&w, a->row[i].number);
        for (size_t k = 0; k < USAGE_NUMBERS; k++)
            sum[k] += a->row[i].number[k];
    }
    json_close_array(&w);
    json_key(&w, "total");
    json_open_object(&w);
    put_used(&w, sum);
}

static void
on_states(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;
    struct json_writer w = {.out = &r->answer, .comma = true};

    json_key(&w, "by_state");
    json_open_object(&w);
    for (size_t i = 0; i < a->n; i++)
        json_member_int(&w, a->row[i].text[0], a->row[i].number[0]);
    json_close_object(&w);
    json_close_object(&w);
    gateway_reply(r, &r->answer);
}

void
gateway_list_usage(struct gateway_request *r)
{
    const struct gateway_values in = {
        .text = {gateway_request_text(r, "task_id")}};

    gateway_store_read(r->g->store, GATEWAY_USAGE, &in, MOST_ROWS, on_usage, r);
    gateway_store_read(r->g->store, GATEWAY_STATES, &in, MOST_ROWS, on_states,
                       r);
}

void
gateway_list_agents(struct gateway_request *r)
{
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);

    buf_str(&b, "{\"agents\":");
    agent_discovery_put(r->g->types->rows, r->g->set.seat, &b);
    buf_str(&b, "}");
    gateway_reply(r, &b);
}

void
gateway_list_health(struct gateway_request *r)
{
    const char *trouble = gateway_store_trouble(r->g->store);
    CLEANUP_BUF struct buf b = buf_of(WORDS_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "status",
                    trouble          ? "degraded"
                    : r->g->stopping ? "draining"
                                     : "ok");
    if (trouble)
        json_member_str(&w, "why", trouble);
    json_member_str(&w, "version", PACKAGE_VERSION);
    json_close_object(&w);
    gateway_reply(r, &b);
}

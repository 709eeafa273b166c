/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_task.c - calls that go on after their request was answered. */
#include "server/mcp/mcp_task.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/random_id.h"
#include "base/utf8.h"
#include "server/mcp/mcp_question.h"
#include "server/mcp/mcp_reply.h"

#define ID_SIZE 33   /* with its NUL */
#define POLL_MS 1000 /* how often a client is to ask */

enum task_state {
    TASK_WORKING,
    TASK_ASKING,
    TASK_COMPLETED,
    TASK_FAILED,
    TASK_CANCELLED,
};

static const char *const state_names[] = {
    [TASK_WORKING] = "working",     [TASK_ASKING] = "input_required",
    [TASK_COMPLETED] = "completed", [TASK_FAILED] = "failed",
    [TASK_CANCELLED] = "cancelled",
};

struct mcp_task {
    struct mcp_tasks *all;
    struct mcp_task *next; /* made after it */
    char id[ID_SIZE];
    enum task_state state;
    void *owner;        /* NULL: it has ended */
    struct buf value;   /* the question's params, the result, or the message */
    int code;           /* of TASK_FAILED */
    unsigned questions; /* so far: each has a key of its own */
    char words[160];
    time_t created, updated;
    int64_t made_ms, ended_ms;
};

struct mcp_tasks {
    const struct mcp_task_events *ev;
    void (*changed)(void *arg, const struct mcp_task *t);
    void *arg;
    struct mcp_task *first, **end;
    size_t n, bytes;
};

struct mcp_tasks *
mcp_tasks_new(const struct mcp_task_events *ev,
              void (*changed)(void *arg, const struct mcp_task *t), void *arg,
              struct err *e)
{
    struct mcp_tasks *all = calloc(1, sizeof(*all));

    if (!all) {
        err_nomem(e);
        return NULL;
    }
    *all = (struct mcp_tasks){.ev = ev, .changed = changed, .arg = arg};
    all->end = &all->first;
    return all;
}

/* Frees the one that *at points to. */
static void
drop_task(struct mcp_tasks *all, struct mcp_task **at)
{
    struct mcp_task *t = *at;

    *at = t->next;
    if (!t->next)
        all->end = at;
    all->n--;
    all->bytes -= t->value.len;
    buf_done(&t->value);
    free(t);
}

void
mcp_tasks_free(struct mcp_tasks *all)
{
    if (!all)
        return;
    while (all->first)
        drop_task(all, &all->first);
    free(all);
}

static bool
has_task_expired(const struct mcp_task *t)
{
    return !t->owner && clock_ms() - t->ended_ms >= MCP_TASK_KEPT_MS;
}

/* Drops those that were kept for long enough, and then the oldest that have
 * ended, until there is room for `more`. */
static void
make_task_room(struct mcp_tasks *all, size_t more)
{
    for (struct mcp_task **at = &all->first; *at;) {
        bool full = all->n + more > MCP_TASKS_MAX ||
                    all->bytes > MCP_TASKS_BYTES;

        if (has_task_expired(*at) || (full && !(*at)->owner))
            drop_task(all, at);
        else
            at = &(*at)->next;
    }
}

struct mcp_task *
mcp_task_new(struct mcp_tasks *all, void *owner, struct err *e)
{
    char id[ID_SIZE];
    struct mcp_task *t;

    make_task_room(all, 1);
    if (all->n == MCP_TASKS_MAX) {
        err_set(e, ERR_NOMEM, "%d tasks are under way", MCP_TASKS_MAX);
        return NULL;
    }
    if (random_id(id, sizeof(id), e) < 0)
        return NULL;
    if (!(t = calloc(1, sizeof(*t)))) {
        err_nomem(e);
        return NULL;
    }
    *t = (struct mcp_task){.all = all, .owner = owner, .made_ms = clock_ms()};
    t->created = t->updated = time(NULL);
    buf_init(&t->value, MCP_TASKS_BYTES);
    memcpy(t->id, id, sizeof(id));
    *all->end = t;
    all->end = &t->next;
    all->n++;
    return t;
}

/* Gives it another state; value is taken, and may be NULL. */
static void
set_task_state(struct mcp_task *t, enum task_state state, struct buf *value)
{
    t->all->bytes -= t->value.len;
    buf_done(&t->value);
    if (value) {
        t->value = *value;
        buf_init(value, value->max);
    }
    t->all->bytes += t->value.len;
    t->state = state;
    t->words[0] = '\0';
    t->updated = time(NULL);
    if (state != TASK_WORKING && state != TASK_ASKING) {
        t->owner = NULL;
        t->ended_ms = clock_ms();
    }
    if (t->all->changed)
        t->all->changed(t->all->arg, t);
}

void
mcp_task_ask(struct mcp_task *t, struct buf *params)
{
    t->questions++;
    set_task_state(t, TASK_ASKING, params);
}

void
mcp_task_go_on(struct mcp_task *t)
{
    set_task_state(t, TASK_WORKING, NULL);
}

void
mcp_task_report(struct mcp_task *t, const char *text, size_t n)
{
    snprintf(t->words, sizeof(t->words), "%.*s",
             (int)utf8_boundary(text, n, sizeof(t->words) - 1), text);
    t->updated = time(NULL);
}

void
mcp_task_complete(struct mcp_task *t, struct buf *result)
{
    if (result->bad) {
        mcp_task_fail(t, JSONRPC_INTERNAL, "the result is too large");
        return;
    }
    buf_fit(result);
    set_task_state(t, TASK_COMPLETED, result);
}

void
mcp_task_fail(struct mcp_task *t, int code, const char *message)
{
    struct buf text = buf_of(MCP_REPLY_MAX);

    buf_str(&text, message);
    t->code = code;
    set_task_state(t, TASK_FAILED, &text);
}

void
mcp_task_cancelled(struct mcp_task *t)
{
    set_task_state(t, TASK_CANCELLED, NULL);
}

const char *
mcp_task_id(const struct mcp_task *t)
{
    return t->id;
}

static struct mcp_task *
find_task(struct mcp_tasks *all, const char *id)
{
    struct mcp_task *t;

    make_task_room(all, 0);
    for (t = all->first; id && t && strcmp(t->id, id) != 0;)
        t = t->next;
    return id ? t : NULL;
}

bool
mcp_tasks_has(struct mcp_tasks *all, const char *id)
{
    return find_task(all, id) != NULL;
}

/* From its creation on: none while it is under way. */
static void
put_task_ttl(struct json_writer *w, const struct mcp_task *t)
{
    json_key(w, "ttlMs");
    if (t->owner)
        json_put_null(w);
    else
        json_put_int(w, t->ended_ms - t->made_ms + MCP_TASK_KEPT_MS);
}

static void
put_task_value(struct json_writer *w, const struct mcp_task *t)
{
    switch (t->state) {
    case TASK_ASKING:
        mcp_question_put_input(w, t->questions, t->value.p, t->value.len);
        return;
    case TASK_COMPLETED:
        json_key(w, "result");
        json_put_raw(w, t->value.p, t->value.len);
        return;
    case TASK_FAILED:
        json_key(w, "error");
        json_open_object(w);
        json_member_int(w, "code", t->code);
        json_member_str(w, "message", t->value.p);
        json_close_object(w);
        return;
    case TASK_WORKING:
    case TASK_CANCELLED:
        return;
    }
}

/* What all forms of its state have. */
static void
put_task_head(struct json_writer *w, const struct mcp_task *t)
{
    char at[CLOCK_RFC3339_SIZE];

    json_member_str(w, "taskId", t->id);
    json_member_str(w, "status", state_names[t->state]);
    if (t->words[0])
        json_member_str(w, "statusMessage", t->words);
    json_member_str(w, "createdAt", clock_rfc3339(t->created, at));
    json_member_str(w, "lastUpdatedAt", clock_rfc3339(t->updated, at));
    put_task_ttl(w, t);
    json_member_int(w, "pollIntervalMs", POLL_MS);
}

void
mcp_task_put(struct json_writer *w, const struct mcp_task *t)
{
    put_task_head(w, t);
    put_task_value(w, t);
}

void
mcp_task_put_created(struct buf *out, const struct mcp_task *t)
{
    struct json_writer w;

    mcp_reply_open(&w, out, MCP_ERA_REQUEST, "task");
    put_task_head(&w, t);
    mcp_reply_close(&w, MCP_ERA_REQUEST);
}

/* The task that the params name; NULL: the request is refused. */
static struct mcp_task *
named_task(struct mcp_tasks *all, struct rpc_request *rq,
           const struct json *params)
{
    struct mcp_task *t = find_task(all, json_get_str(params, "taskId"));

    if (!t)
        rpc_refuse(rq, JSONRPC_INVALID_PARAMS, "taskId: there is no such task",
                   NULL);
    return t;
}

void
mcp_tasks_get(struct mcp_tasks *all, struct rpc_request *rq,
              const struct json *params)
{
    const struct mcp_task *t = named_task(all, rq, params);
    CLEANUP_BUF struct buf b = buf_of(MCP_TASKS_BYTES);
    struct json_writer w;

    if (!t)
        return;
    mcp_reply_open(&w, &b, MCP_ERA_REQUEST, "complete");
    mcp_task_put(&w, t);
    mcp_reply_close(&w, MCP_ERA_REQUEST);
    rpc_answer(rq, &b);
}

void
mcp_tasks_update(struct mcp_tasks *all, struct rpc_request *rq,
                 const struct json *params)
{
    struct mcp_task *t = named_task(all, rq, params);
    const struct json *answers = json_get(params, "inputResponses"), *answer;
    struct err e = {0};
    bool yes = false;

    if (!t)
        return;
    if (json_type(answers) != JSON_OBJECT) {
        err_set(&e, ERR_INVALID, "inputResponses: must be an object");
        mcp_reply_failure(rq, &e);
        return;
    }
    /* an answer to what is not asked is ignored */
    answer = t->state == TASK_ASKING ? mcp_question_find(answers, t->questions)
                                     : NULL;
    if (answer && mcp_question_read(answer, &yes, &e) < 0) {
        mcp_reply_failure(rq, &e);
        return;
    }
    mcp_reply_empty(rq, MCP_ERA_REQUEST);
    if (answer)
        all->ev->answer(t->owner, yes);
}

void
mcp_tasks_cancel(struct mcp_tasks *all, struct rpc_request *rq,
                 const struct json *params)
{
    struct mcp_task *t = named_task(all, rq, params);

    if (!t)
        return;
    mcp_reply_empty(rq, MCP_ERA_REQUEST);
    if (t->owner)
        all->ev->cancel(t->owner);
}

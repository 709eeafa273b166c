/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_task_actions.c - the actions that make, show, change and watch a
 * task. */
#include "server/gateway/gateway_task_actions.h"

#include <inttypes.h>
#include <string.h>

#include "server/gateway/gateway_directory.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_task.h"
#include "server/gateway/gateway_task_json.h"
#include "server/gateway/gateway_watch.h"

#define TITLE_MAX    4096 /* bytes */
#define TEXT_MAX     (256u << 10)
#define METADATA_MAX (64u << 10)
#define NAME_MAX_    256
#define PATH_BYTES   4095

static void
reply_with_task(struct gateway_request *r, const struct gateway_task *t)
{
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);
    const struct gateway_values v = gateway_task_values(t);
    struct json_writer w;

    json_write_init(&w, &b);
    gateway_task_put(&w, &v, false);
    if (t->copy) /* as the disk has it */
        gateway_reply(r, &b);
    else
        gateway_reply_when_kept(r, &b);
}

void
gateway_task_get(struct gateway_request *r)
{
    reply_with_task(r, r->task);
}

/* The texts of a task that a client gives, and how long they may be. */
static const struct task_member {
    const char *name;
    enum gateway_task_text what;
    size_t most;
} members[] = {
    {"title", TASK_TITLE, TITLE_MAX},
    {"description", TASK_DESCRIPTION, TEXT_MAX},
    {"board_id", TASK_BOARD, NAME_MAX_},
    {"column_id", TASK_COLUMN, NAME_MAX_},
    {"agent_type", TASK_AGENT_TYPE, NAME_MAX_},
    {"directory", TASK_DIRECTORY, PATH_BYTES},
};

#define N_MEMBERS (sizeof(members) / sizeof(members[0]))

static const struct task_limit {
    const char *name;
    enum gateway_task_number what;
    double unit; /* in which it is kept, of one that is given */
} limits[] = {
    {"turns", TASK_LIMIT_TURNS, 1},
    {"minutes", TASK_LIMIT_MS, 60000},
    {"tokens", TASK_LIMIT_TOKENS, 1},
    {"cost", TASK_LIMIT_COST, GATEWAY_MICRO},
};

#define N_LIMITS (sizeof(limits) / sizeof(limits[0]))

static void
on_directory(void *arg, const struct err *why)
{
    struct gateway_request *r = arg;

    r->directory = NULL;
    if (why)
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL, "%s", why->text);
    else
        r->seen(r);
}

/* Of gateways that share their tasks another one may have it. */
static void
await_task_directory(struct gateway_request *r,
                     void (*seen)(struct gateway_request *r))
{
    const char *path = gateway_request_text(r, "directory");
    struct err e = {0};

    r->seen = seen;
    if (!path || !path[0] || r->g->nodes)
        seen(r);
    else if (!(r->directory = gateway_directory_look(r->g->set.loop, path,
                                                     on_directory, r, &e)))
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "%s", e.text);
}

static bool
check_texts(struct gateway_request *r)
{
    const char *text;

    for (size_t i = 0; i < N_MEMBERS; i++) {
        text = gateway_request_text(r, members[i].name);
        if (text && strlen(text) > members[i].most) {
            gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                           "%s is longer than %zu bytes", members[i].name,
                           members[i].most);
            return false;
        }
    }
    text = gateway_request_text(r, "directory");
    if (text && text[0] && text[0] != '/') {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "directory must be an absolute path");
        return false;
    }
    text = gateway_request_text(r, "title");
    if (text && !text[0]) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL, "title is required");
        return false;
    }
    return true;
}

static bool
check_limits(struct gateway_request *r)
{
    const struct json *given = json_get(r->m.payload, "limits");
    const struct json *v;
    double number;

    for (size_t i = 0; i < N_LIMITS; i++) {
        v = json_get(given, limits[i].name);
        if (!v || json_type(v) == JSON_NULL)
            continue;
        if (!json_num(v, &number) || !(number >= 0 && number <= 1e9)) {
            gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                           "limits.%s must be a number from 0 to 1e9",
                           limits[i].name);
            return false;
        }
    }
    return true;
}

/* The text of the metadata; false: it is too large, and the request refused. */
static bool
write_metadata(struct gateway_request *r, struct buf *out)
{
    const struct json *v = json_get(r->m.payload, "metadata");
    struct json_writer w;

    json_write_init(&w, out);
    if (v && json_type(v) == JSON_OBJECT)
        json_put_value(&w, v);
    if (buf_ok(out, "metadata", NULL) == 0)
        return true;
    gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                   "metadata is longer than %u bytes", METADATA_MAX);
    return false;
}

static void
set_task_limits(struct gateway_task *t, const struct json *given)
{
    for (size_t i = 0; i < N_LIMITS; i++) {
        const struct json *v = json_get(given, limits[i].name);
        double number;

        if (v)
            t->number[limits[i].what] = json_num(v, &number)
                                            ? (int64_t)(number * limits[i].unit)
                                            : 0;
    }
}

static void
set_members(struct gateway_task *t, const struct gateway_request *r,
            const struct buf *metadata)
{
    const struct json *given = json_get(r->m.payload, "metadata");
    const char *session = json_get_str(given, GATEWAY_SESSION_KEY);
    bool worktree;

    for (size_t i = 0; i < N_MEMBERS; i++) {
        const char *text = gateway_request_text(r, members[i].name);

        if (text)
            gateway_task_set(t, members[i].what, text);
    }
    if (metadata->len > 0)
        gateway_task_set(t, TASK_METADATA, metadata->p);
    if (session && !t->agent)
        gateway_task_set(t, TASK_SESSION, session);
    if (json_bool(json_get(r->m.payload, "worktree"), &worktree))
        t->number[TASK_WORKTREE] = worktree;
    t->number[TASK_PRIORITY] = gateway_request_int(r, "priority",
                                                   t->number[TASK_PRIORITY]);
    set_task_limits(t, json_get(r->m.payload, "limits"));
}

static void
create_task(struct gateway_request *r)
{
    CLEANUP_BUF struct buf metadata = buf_of(METADATA_MAX);
    struct gateway_task *t;

    if (!write_metadata(r, &metadata))
        return;
    if (!(t = gateway_task_new(r->g, r->new_id[0] ? r->new_id : NULL))) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "out of memory");
        return;
    }
    set_members(t, r, &metadata);
    gateway_task_keep(t, "task.created");
    reply_with_task(r, t);
}

void
gateway_task_create(struct gateway_request *r)
{
    if (check_texts(r) && check_limits(r))
        await_task_directory(r, create_task);
}

/* Where it waits, a new priority is a new place. */
static void
move_in_queue(struct gateway_task *t)
{
    if (gateway_queue_remove(&t->g->queue, t->id))
        (void)gateway_queue_add(&t->g->queue, t->id, t->number[TASK_PRIORITY],
                                t->number[TASK_QUEUED]);
}

static void
update_task(struct gateway_request *r)
{
    CLEANUP_BUF struct buf metadata = buf_of(METADATA_MAX);

    if (!write_metadata(r, &metadata))
        return;
    set_members(r->task, r, &metadata);
    move_in_queue(r->task);
    gateway_task_keep(r->task, "task.updated");
    reply_with_task(r, r->task);
}

void
gateway_task_update(struct gateway_request *r)
{
    if (check_texts(r) && check_limits(r))
        await_task_directory(r, update_task);
}

/* The kinds of events that are asked for; 0: a word is none of them. */
static unsigned
read_kinds(const struct json *given)
{
    static const struct {
        const char *name;
        unsigned bit;
    } names[] = {{"task", GATEWAY_KIND_TASK},
                 {"permission", GATEWAY_KIND_PERMISSION},
                 {"agent", GATEWAY_KIND_OTHER}};
    unsigned kinds = 0;

    if (!given || json_type(given) == JSON_NULL)
        return GATEWAY_KINDS_ALL;
    for (const struct json *v = json_first(given); v; v = json_next(v)) {
        const char *word = json_text(v);
        unsigned before = kinds;

        for (size_t i = 0; word && i < sizeof(names) / sizeof(names[0]); i++)
            if (strcmp(names[i].name, word) == 0)
                kinds |= names[i].bit;
        if (kinds == before)
            return 0;
    }
    return kinds;
}

static void
reply_at_once(struct gateway_request *r, const char *task)
{
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_bool(&w, "success", true);
    json_member_str(&w, "task_id", task);
    json_close_object(&w);
    gateway_reply(r, &b);
}

static void
subscribe_request(struct gateway_request *r)
{
    const char *task = gateway_request_text(r, "task_id");
    int64_t after = gateway_request_int(r, "after", -1);
    unsigned kinds = read_kinds(json_get(r->m.payload, "kinds"));
    struct gateway_client *c = r->client;

    if (strlen(task) > GATEWAY_TASK_ID_MAX) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "task_id is longer than %d bytes", GATEWAY_TASK_ID_MAX);
    } else if (kinds == 0) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "kinds must be a list of task, permission, agent");
    } else if (!c || !gateway_watch_add(c, task, after, kinds)) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "more than %d subscriptions", GATEWAY_WATCHES_MAX);
    } else {
        reply_at_once(r, task);
    }
}

/* That what is behind this event can be sent. Another gateway's events may
 * have been seen before they are here. */
static bool
event_was_sent(struct gateway_request *r, int64_t last)
{
    if (r->g->nodes || gateway_request_int(r, "after", 0) <= last)
        return true;
    gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                   "after: the last event is %" PRId64, last);
    return false;
}

/* Who has seen events of a task knows that there was one. */
static void
on_subscribed_task(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;

    if (a->n == 0)
        gateway_refuse(r, GATEWAY_NOT_FOUND, NULL,
                       "task not found: %.128s: it was removed with its "
                       "events, or never was",
                       gateway_request_text(r, "task_id"));
    else if (event_was_sent(r, a->row->number[TASK_LAST_SEQ]))
        subscribe_request(r);
}

void
gateway_task_subscribe(struct gateway_request *r)
{
    const char *task = gateway_request_text(r, "task_id");
    const struct gateway_values in = {.text = {task}};
    bool all = strcmp(task, "*") == 0;

    if (!all && gateway_request_int(r, "after", 0) > 0)
        gateway_store_read(r->g->store, GATEWAY_FIND_TASK, &in, 1,
                           on_subscribed_task, r);
    else if (!all || event_was_sent(r, r->g->last_event))
        subscribe_request(r);
}

void
gateway_task_unsubscribe(struct gateway_request *r)
{
    const char *task = gateway_request_text(r, "task_id");

    if (r->client)
        gateway_watch_remove(r->client, task);
    reply_at_once(r, task);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_subscription.c - what a client wants to hear of: resources, tools, tasks.
 */
#include "server/mcp/mcp_subscription.h"

#include <stdlib.h>
#include <string.h>

#include "server/mcp/mcp_reply.h"
#include "server/mcp/mcp_resource.h"
#include "wire/rpc_carrier.h"

struct subscribed_name {
    char *text; /* a URI, or the id of a task; owned */
    bool is_task;
    bool changed; /* and not told yet */
};

/* A stream, or the subscriptions of the handshake era. */
struct subscription {
    struct mcp_subscriptions *all;
    struct subscription *next;
    struct rpc_request *rq; /* NULL: of the handshake era */
    bool tools;
    struct subscribed_name names[MCP_SUBSCRIPTION_NAMES];
    size_t n;
};

struct mcp_subscriptions {
    struct mcp_shared *sh;
    struct mcp_tasks *tasks;
    struct subscription *streams;
    size_t n_streams;
    struct subscription *plain; /* of the handshake era; NULL: none yet */
    struct watch *soon;
};

static void
subscription_free(struct subscription *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        free(s->names[i].text);
    free(s);
}
DEFINE_CLEANUP(struct subscription, subscription_free)

/* Begins the params of a notification. */
static void
open_notice(struct json_writer *w, struct buf *b, const struct subscription *s)
{
    json_write_init(w, b);
    json_open_object(w);
    if (!s->rq)
        return;
    json_key(w, "_meta");
    json_open_object(w);
    json_key(w, MCP_ERA_PREFIX "subscriptionId");
    json_put_raw(w, rpc_request_id(s->rq), strlen(rpc_request_id(s->rq)));
    json_close_object(w);
}

static void
send_notice(const struct subscription *s, const char *method,
            const struct buf *params)
{
    if (s->rq)
        (void)rpc_notify_about(s->rq, method, params, NULL);
    else
        (void)rpc_notify(s->all->sh->rpc, method, params, NULL);
}

static void
send_resource_notice(struct subscription *s, struct subscribed_name *name)
{
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
    struct json_writer w;

    name->changed = false;
    open_notice(&w, &b, s);
    json_member_str(&w, "uri", name->text);
    json_close_object(&w);
    send_notice(s, "notifications/resources/updated", &b);
}

static void
send_changed(struct subscription *s)
{
    for (size_t i = 0; s && i < s->n; i++)
        if (s->names[i].changed)
            send_resource_notice(s, &s->names[i]);
}

static void
on_soon(void *arg, unsigned events)
{
    const struct mcp_subscriptions *all = arg;

    (void)events;
    send_changed(all->plain);
    for (struct subscription *s = all->streams; s; s = s->next)
        send_changed(s);
}

struct mcp_subscriptions *
mcp_subscriptions_new(struct mcp_shared *sh, struct mcp_tasks *tasks,
                      struct err *e)
{
    CLEANUP(mcp_subscriptions_free_p)
    struct mcp_subscriptions *all = calloc(1, sizeof(*all));

    if (!all) {
        err_nomem(e);
        return NULL;
    }
    all->sh = sh;
    all->tasks = tasks;
    if (!(all->soon = loop_soon(sh->loop, on_soon, all, e)))
        return NULL;
    watch_stop(all->soon);
    return TAKE_PTR(all);
}

/* Takes a stream from the list. */
static struct subscription *
detach_stream(struct subscription *s)
{
    struct subscription **at = &s->all->streams;

    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    s->all->n_streams--;
    return s;
}

static void
answer_stream(struct subscription *s)
{
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
    struct json_writer w;

    open_notice(&w, &b, s);
    json_member_str(&w, "resultType", "complete");
    json_close_object(&w);
    rpc_answer(TAKE_PTR(s->rq), &b);
}

void
mcp_subscriptions_end(struct mcp_subscriptions *all)
{
    while (all->streams) {
        struct subscription *s = detach_stream(all->streams);

        answer_stream(s);
        subscription_free(s);
    }
}

void
mcp_subscriptions_free(struct mcp_subscriptions *all)
{
    if (!all)
        return;
    while (all->streams) {
        struct subscription *s = detach_stream(all->streams);

        rpc_drop(s->rq);
        subscription_free(s);
    }
    subscription_free(all->plain);
    watch_free(all->soon);
    free(all);
}

static struct subscribed_name *
find_subscribed(struct subscription *s, const char *text, bool is_task)
{
    for (size_t i = 0; s && i < s->n; i++)
        if (s->names[i].is_task == is_task &&
            strcmp(s->names[i].text, text) == 0)
            return &s->names[i];
    return NULL;
}

static int
add_name(struct subscription *s, const char *text, bool is_task, struct err *e)
{
    if (find_subscribed(s, text, is_task))
        return 0;
    if (s->n == MCP_SUBSCRIPTION_NAMES)
        return err_set(e, ERR_NOMEM, "more than %d subscriptions",
                       MCP_SUBSCRIPTION_NAMES);
    if (!(s->names[s->n].text = strdup(text)))
        return err_nomem(e);
    s->names[s->n].changed = false;
    s->names[s->n++].is_task = is_task;
    return 0;
}

/* The URI of the params; NULL: the request is refused. */
static const char *
subscribed_uri(struct rpc_request *rq, const struct json *params)
{
    const char *uri = json_get_str(params, "uri");

    if (!uri)
        rpc_refuse(rq, JSONRPC_INVALID_PARAMS, "uri: must be a string", NULL);
    else if (!mcp_resource_is_uri(uri))
        mcp_reply_no_resource(rq, MCP_ERA_HANDSHAKE, uri);
    else
        return uri;
    return NULL;
}

void
mcp_subscriptions_add(struct mcp_subscriptions *all, struct rpc_request *rq,
                      const struct json *params)
{
    const char *uri = subscribed_uri(rq, params);
    struct err e = {0};

    if (!uri)
        return;
    if (!all->plain && !(all->plain = calloc(1, sizeof(*all->plain))))
        err_nomem(&e);
    else
        all->plain->all = all;
    if (!all->plain || add_name(all->plain, uri, false, &e) < 0)
        mcp_reply_failure(rq, &e);
    else
        mcp_reply_empty(rq, MCP_ERA_HANDSHAKE);
}

void
mcp_subscriptions_remove(struct mcp_subscriptions *all, struct rpc_request *rq,
                         const struct json *params)
{
    const char *uri = subscribed_uri(rq, params);
    struct subscribed_name *name = uri ? find_subscribed(all->plain, uri, false)
                                       : NULL;

    if (!uri)
        return;
    if (name) {
        free(name->text);
        *name = all->plain->names[--all->plain->n];
    }
    mcp_reply_empty(rq, MCP_ERA_HANDSHAKE);
}

static void
on_cancelled(void *arg)
{
    struct subscription *s = detach_stream(arg);

    rpc_drop(TAKE_PTR(s->rq));
    subscription_free(s);
}

/* Adds what of a list is known here; the rest is not agreed to. */
static int
add_names(struct subscription *s, const struct json *list, const char *what,
          bool is_task, struct err *e)
{
    if (!list)
        return 0;
    if (json_type(list) != JSON_ARRAY)
        return err_set(e, ERR_INVALID, "notifications: %s must be an array",
                       what);
    for (const struct json *v = json_first(list); v; v = json_next(v)) {
        const char *text = json_text(v);

        if (!text)
            return err_set(e, ERR_INVALID, "notifications: %s: not a string",
                           what);
        if ((is_task ? mcp_tasks_has(s->all->tasks, text)
                     : mcp_resource_is_uri(text)) &&
            add_name(s, text, is_task, e) < 0)
            return -1;
    }
    return 0;
}

static int
read_subscription(struct subscription *s, const struct json *filter,
                  struct err *e)
{
    if (json_type(filter) != JSON_OBJECT)
        return err_set(e, ERR_INVALID, "notifications: must be an object");
    (void)json_bool(json_get(filter, "toolsListChanged"), &s->tools);
    if (add_names(s, json_get(filter, "resourceSubscriptions"),
                  "resourceSubscriptions", false, e) < 0)
        return -1;
    return add_names(s, json_get(filter, "taskIds"), "taskIds", true, e);
}

static void
put_agreed_names(struct json_writer *w, const struct subscription *s,
                 const char *what, bool is_task)
{
    json_key(w, what);
    json_open_array(w);
    for (size_t i = 0; i < s->n; i++)
        if (s->names[i].is_task == is_task)
            json_put_str(w, s->names[i].text);
    json_close_array(w);
}

/* Tells what the stream is for. */
static void
send_agreed(const struct subscription *s, const struct json *filter)
{
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
    struct json_writer w;

    open_notice(&w, &b, s);
    json_key(&w, "notifications");
    json_open_object(&w);
    if (s->tools)
        json_member_bool(&w, "toolsListChanged", true);
    if (json_get(filter, "resourceSubscriptions"))
        put_agreed_names(&w, s, "resourceSubscriptions", false);
    if (json_get(filter, "taskIds"))
        put_agreed_names(&w, s, "taskIds", true);
    json_close_object(&w);
    json_close_object(&w);
    send_notice(s, "notifications/subscriptions/acknowledged", &b);
}

void
mcp_subscriptions_listen(struct mcp_subscriptions *all, struct rpc_request *rq,
                         const struct json *params, const struct mcp_frame *f)
{
    const struct json *filter = json_get(params, "notifications");
    CLEANUP(subscription_free_p) struct subscription *s = NULL;
    struct err e = {0};

    if (json_get(filter, "taskIds") && !f->tasks) {
        mcp_reply_needs_tasks(rq);
        return;
    }
    if (all->n_streams == MCP_SUBSCRIPTIONS_MAX)
        err_set(&e, ERR_NOMEM, "%d streams are open", MCP_SUBSCRIPTIONS_MAX);
    else if (!(s = calloc(1, sizeof(*s))))
        err_nomem(&e);
    else
        s->all = all;
    if (!s || read_subscription(s, filter, &e) < 0) {
        mcp_reply_failure(rq, &e);
        return;
    }
    s->rq = rq;
    s->next = all->streams;
    all->streams = s;
    all->n_streams++;
    send_agreed(s, filter);
    rpc_on_cancel(rq, on_cancelled, TAKE_PTR(s));
}

static void
mark_changed(struct subscription *s, const char *uri)
{
    struct subscribed_name *name = find_subscribed(s, uri, false);

    if (!name || name->changed)
        return;
    name->changed = true;
    watch_again(s->all->soon, MCP_SUBSCRIPTION_MS);
}

void
mcp_subscriptions_resource(struct mcp_subscriptions *all, const char *uri)
{
    mark_changed(all->plain, uri);
    for (struct subscription *s = all->streams; s; s = s->next)
        mark_changed(s, uri);
}

void
mcp_subscriptions_tools(struct mcp_subscriptions *all)
{
    static const char method[] = "notifications/tools/list_changed";

    if (all->sh->client.initialized)
        (void)rpc_notify(all->sh->rpc, method, NULL, NULL);
    for (const struct subscription *s = all->streams; s; s = s->next) {
        CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
        struct json_writer w;

        if (!s->tools)
            continue;
        open_notice(&w, &b, s);
        json_close_object(&w);
        send_notice(s, method, &b);
    }
}

void
mcp_subscriptions_task(struct mcp_subscriptions *all, const struct mcp_task *t)
{
    for (struct subscription *s = all->streams; s; s = s->next) {
        CLEANUP_BUF struct buf b = buf_of(MCP_TASKS_BYTES);
        struct json_writer w;

        if (!find_subscribed(s, mcp_task_id(t), true))
            continue;
        open_notice(&w, &b, s);
        mcp_task_put(&w, t);
        json_close_object(&w);
        send_notice(s, "notifications/tasks", &b);
    }
}

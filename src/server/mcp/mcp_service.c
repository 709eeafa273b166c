/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_service.c - the Model Context Protocol for one client: its methods. */
#include "server/mcp/mcp_service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "server/mcp/mcp_invocation.h"
#include "server/mcp/mcp_prompt.h"
#include "server/mcp/mcp_reply.h"
#include "server/mcp/mcp_resource.h"
#include "server/mcp/mcp_subscription.h"
#include "tool/registry_listing.h"

#define MESSAGE_MAX (16u << 20) /* bytes of a message */
/* Bytes for a client that reads slowly: the answers of all calls that may
 * run. */
#define QUEUE_MAX     (192u << 20)
#define PAGE_MAX      (2u << 20) /* bytes of a page of tools */
#define REQUESTS_MAX  1024
#define CALLS_MAX     1024
#define STALL_MS      120000 /* a client that reads nothing for so long */
#define STOP_STEP_MS  5      /* between two looks whether all is over */
#define OLD_TOOLS_MAX 16     /* loads whose calls run still */

/* The eras that have a method. */
#define HANDSHAKE 1u
#define REQUEST   2u

#define CAPABILITIES                                                           \
    "\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true},"     \
    "\"prompts\":{},\"completions\":{},\"logging\":{}"

#define INSTRUCTIONS                                                           \
    "Tools of this machine: files, commands, packages, services, facts about " \
    "the system. Prefer the tools for files to commands, and those that only " \
    "read to those that change something. Each call is judged by the user's "  \
    "rules and runs in a sandbox; what the rules ask about, the user is "      \
    "asked. A refusal names the rule: do not try to get around it."

struct mcp_service {
    struct mcp_service_setup set;
    struct mcp_shared shared;
    struct mcp_toolset *old; /* calls that began with them run still */
    struct read_buffer *buffer;
    struct mcp_catalog *catalog; /* NULL until it is asked for */
    struct registry_listing *listing;
    struct mcp_invocations *calls;
    struct mcp_jobs *jobs;
    struct mcp_resources *resources;
    struct mcp_subscriptions *subscriptions;
    bool full, left;        /* the client does not read; it sends no more */
    struct watch *stopping; /* NULL: not asked to */
    int64_t stop_by_ms;
    bool lost; /* nobody reads what is sent */
};

static void
log_mcp_line(void *arg, const char *line)
{
    const struct mcp_service *s = arg;

    s->set.log(s->set.arg, line);
}

static const char *
capabilities_of(enum mcp_era era)
{
    return era == MCP_ERA_REQUEST ? "{" CAPABILITIES
                                    ",\"extensions\":{\"" MCP_EXTENSION_TASKS
                                    "\":{}}}"
                                  : "{" CAPABILITIES "}";
}

/* Reads the frame of a request; false: it is refused, or its era does not have
 * the method. */
static bool
open_frame(const struct mcp_service *s, struct rpc_request *rq,
           const struct json *params, unsigned eras, struct mcp_frame *f)
{
    struct err e = {0};
    int code = mcp_frame_read(&s->shared.client, params, f, &e);

    if (code != 0) {
        mcp_reply_bad_frame(rq, code, f, &e);
        return false;
    }
    if (eras & (f->era == MCP_ERA_REQUEST ? REQUEST : HANDSHAKE))
        return true;
    rpc_refuse(rq, JSONRPC_NO_METHOD, "method not found", NULL);
    return false;
}

/* The tools are described when a client first asks for them. */
static const struct mcp_catalog *
open_catalog(struct mcp_service *s, struct err *e)
{
    if (!s->catalog)
        s->catalog = mcp_catalog_new(s->shared.tools->registry, log_mcp_line, s,
                                     e);
    return s->catalog;
}

static void
on_initialize(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_service *s = arg;
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
    const char *has = capabilities_of(MCP_ERA_HANDSHAKE);
    struct json_writer w;
    struct err e = {0};

    if (mcp_frame_era(&s->shared.client, params) == MCP_ERA_REQUEST) {
        rpc_refuse(rq, JSONRPC_NO_METHOD, "method not found", NULL);
        return;
    }
    if (s->shared.client.initialized) {
        rpc_refuse(rq, JSONRPC_INVALID_REQUEST, "already initialized", NULL);
        return;
    }
    if (mcp_client_initialize(&s->shared.client, params, &e) < 0) {
        mcp_reply_failure(rq, &e);
        return;
    }
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "protocolVersion", s->shared.client.version);
    json_key(&w, "capabilities");
    json_put_raw(&w, has, strlen(has));
    json_key(&w, "serverInfo");
    mcp_reply_put_server(&w);
    json_member_str(&w, "instructions", INSTRUCTIONS);
    json_close_object(&w);
    rpc_answer(rq, &b);
}

/* Also before the handshake, and of no era. */
static void
on_ping(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct mcp_service *s = arg;

    if (mcp_frame_era(&s->shared.client, params) == MCP_ERA_REQUEST)
        rpc_refuse(rq, JSONRPC_NO_METHOD, "method not found", NULL);
    else
        mcp_reply_empty(rq, MCP_ERA_HANDSHAKE);
}

static void
on_discover(void *arg, struct rpc_request *rq, const struct json *params)
{
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
    const char *has = capabilities_of(MCP_ERA_REQUEST);
    struct json_writer w;
    struct mcp_frame f;

    if (!open_frame(arg, rq, params, REQUEST, &f))
        return;
    mcp_reply_open(&w, &b, f.era, "complete");
    json_key(&w, "supportedVersions");
    mcp_reply_put_versions(&w);
    json_key(&w, "capabilities");
    json_put_raw(&w, has, strlen(has));
    json_member_str(&w, "instructions", INSTRUCTIONS);
    mcp_reply_cache_list(&w, f.era);
    mcp_reply_close(&w, f.era);
    rpc_answer(rq, &b);
}

/* A cursor is the number of the first tool of a page. */
static int
read_tools_cursor(const struct json *params, int64_t *from, struct err *e)
{
    const struct json *cursor = json_get(params, "cursor");
    const char *text = json_text(cursor);
    char *end = NULL;

    *from = 0;
    if (!cursor)
        return 0;
    if (text && text[0] >= '1' && text[0] <= '9' && strlen(text) < 10)
        *from = strtoll(text, &end, 10);
    return end && !*end
               ? 0
               : err_set(e, ERR_INVALID, "cursor: there is no such page");
}

static void
on_list_tools(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_service *s = arg;
    CLEANUP_BUF struct buf b = buf_of(PAGE_MAX);
    const struct mcp_catalog *c;
    struct json_writer w;
    struct mcp_frame f;
    struct err e = {0};
    int64_t from;
    size_t next = 0;
    char cursor[32];

    if (!open_frame(s, rq, params, HANDSHAKE | REQUEST, &f))
        return;
    mcp_reply_open(&w, &b, f.era, "complete");
    json_key(&w, "tools");
    if (!(c = open_catalog(s, &e)) ||
        read_tools_cursor(params, &from, &e) < 0 ||
        mcp_catalog_put_page(c, from, &w, &next, &e) < 0) {
        mcp_reply_failure(rq, &e);
        return;
    }
    snprintf(cursor, sizeof(cursor), "%zu", next);
    if (next > 0)
        json_member_str(&w, "nextCursor", cursor);
    mcp_reply_cache_list(&w, f.era);
    mcp_reply_close(&w, f.era);
    rpc_answer(rq, &b);
}

/* The tool that is called; NULL: the request is refused. */
static const struct mcp_catalog_tool *
called_tool(struct mcp_service *s, struct rpc_request *rq,
            const struct json *params)
{
    const char *name = json_get_str(params, "name");
    const struct json *args = json_get(params, "arguments");
    const struct mcp_catalog_tool *t = NULL;
    const struct mcp_catalog *c;
    struct err e = {0};

    if (!name)
        err_set(&e, ERR_INVALID, "name: must be a string");
    else if (args && json_type(args) != JSON_OBJECT)
        err_set(&e, ERR_INVALID, "arguments: must be an object");
    else if ((c = open_catalog(s, &e)) && !(t = mcp_catalog_find(c, name)))
        err_set(&e, ERR_INVALID, "Unknown tool: %.100s", name);
    if (!t)
        mcp_reply_failure(rq, &e);
    return t;
}

static void
on_call_tool(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_service *s = arg;
    const struct mcp_catalog_tool *t;
    struct mcp_frame f;

    if (!open_frame(s, rq, params, HANDSHAKE | REQUEST, &f) ||
        !(t = called_tool(s, rq, params)))
        return;
    if (s->stopping)
        rpc_refuse(rq, JSONRPC_INTERNAL, "the server ends", NULL);
    else
        mcp_invocations_take(s->calls, rq, params, &f, t);
}

static void
on_set_level(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_service *s = arg;
    struct mcp_frame f;
    struct err e = {0};

    if (!open_frame(s, rq, params, HANDSHAKE, &f))
        return;
    if (mcp_level_read(json_get(params, "level"), &s->shared.client.level, &e) <
        0)
        mcp_reply_failure(rq, &e);
    else
        mcp_reply_empty(rq, f.era);
}

static void
on_list_prompts(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_frame f;

    if (open_frame(arg, rq, params, HANDSHAKE | REQUEST, &f))
        mcp_prompts_list(rq, params, f.era);
}

static void
on_get_prompt(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct mcp_service *s = arg;
    struct mcp_frame f;

    if (open_frame(s, rq, params, HANDSHAKE | REQUEST, &f))
        mcp_prompts_get(rq, params, f.era, s->shared.seat);
}

static void
on_list_resources(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct mcp_service *s = arg;
    struct mcp_frame f;

    if (open_frame(s, rq, params, HANDSHAKE | REQUEST, &f))
        mcp_resources_list(s->resources, rq, params, f.era);
}

static void
on_list_templates(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_frame f;

    if (open_frame(arg, rq, params, HANDSHAKE | REQUEST, &f))
        mcp_resources_templates(rq, f.era);
}

static void
on_read_resource(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct mcp_service *s = arg;
    struct mcp_frame f;

    if (open_frame(s, rq, params, HANDSHAKE | REQUEST, &f))
        mcp_resources_read(s->resources, rq, params, f.era);
}

static void
on_complete(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct mcp_service *s = arg;
    struct mcp_frame f;

    if (open_frame(s, rq, params, HANDSHAKE | REQUEST, &f))
        mcp_resources_complete(s->resources, rq, params, f.era);
}

static void
on_subscribe(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct mcp_service *s = arg;
    struct mcp_frame f;

    if (open_frame(s, rq, params, HANDSHAKE, &f))
        mcp_subscriptions_add(s->subscriptions, rq, params);
}

static void
on_unsubscribe(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct mcp_service *s = arg;
    struct mcp_frame f;

    if (open_frame(s, rq, params, HANDSHAKE, &f))
        mcp_subscriptions_remove(s->subscriptions, rq, params);
}

static void
on_listen(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct mcp_service *s = arg;
    struct mcp_frame f;

    if (open_frame(s, rq, params, REQUEST, &f))
        mcp_subscriptions_listen(s->subscriptions, rq, params, &f);
}

/* The tasks, for a client that knows of them; NULL: the request is refused. */
static struct mcp_tasks *
open_tasks(const struct mcp_service *s, struct rpc_request *rq,
           const struct json *params)
{
    struct mcp_frame f;

    if (!open_frame(s, rq, params, REQUEST, &f))
        return NULL;
    if (f.tasks)
        return mcp_invocations_tasks(s->calls);
    mcp_reply_needs_tasks(rq);
    return NULL;
}

static void
on_get_task(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_tasks *tasks = open_tasks(arg, rq, params);

    if (tasks)
        mcp_tasks_get(tasks, rq, params);
}

static void
on_update_task(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_tasks *tasks = open_tasks(arg, rq, params);

    if (tasks)
        mcp_tasks_update(tasks, rq, params);
}

static void
on_cancel_task(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct mcp_tasks *tasks = open_tasks(arg, rq, params);

    if (tasks)
        mcp_tasks_cancel(tasks, rq, params);
}

static const struct rpc_method methods[] = {
    {.name = "initialize", .request = on_initialize},
    {.name = "ping", .request = on_ping},
    {.name = "server/discover", .request = on_discover},
    {.name = "tools/list", .request = on_list_tools},
    {.name = "tools/call", .request = on_call_tool},
    {.name = "tasks/get", .request = on_get_task},
    {.name = "tasks/update", .request = on_update_task},
    {.name = "tasks/cancel", .request = on_cancel_task},
    {.name = "resources/list", .request = on_list_resources},
    {.name = "resources/templates/list", .request = on_list_templates},
    {.name = "resources/read", .request = on_read_resource},
    {.name = "resources/subscribe", .request = on_subscribe},
    {.name = "resources/unsubscribe", .request = on_unsubscribe},
    {.name = "subscriptions/listen", .request = on_listen},
    {.name = "prompts/list", .request = on_list_prompts},
    {.name = "prompts/get", .request = on_get_prompt},
    {.name = "completion/complete", .request = on_complete},
    {.name = "logging/setLevel", .request = on_set_level},
    {.name = "notifications/cancelled", .cancels = "requestId"},
    {0},
};

static void
on_call_ended(void *arg, const char *tool, bool ok, const char *out,
              size_t n_out, const char *err, size_t n_err)
{
    const struct mcp_service *s = arg;

    (void)ok;
    mcp_resources_keep(s->resources, tool, out, n_out, err, n_err);
    mcp_subscriptions_resource(s->subscriptions, MCP_RESOURCE_LAST);
}

static void
on_task(void *arg, const struct mcp_task *t)
{
    const struct mcp_service *s = arg;

    mcp_subscriptions_task(s->subscriptions, t);
}

static void
on_note(void *arg, struct rpc_request *rq, const struct mcp_frame *f,
        enum mcp_level level, const char *tool, const char *text)
{
    const struct mcp_service *s = arg;
    static const char method[] = "notifications/message";
    CLEANUP_BUF struct buf b = buf_of(MCP_REPLY_MAX);
    struct json_writer w;

    if (level < f->level)
        return;
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "level", mcp_level_name(level));
    json_member_str(&w, "logger", "agentsh");
    json_key(&w, "data");
    json_open_object(&w);
    json_member_str(&w, "tool", tool);
    json_member_str(&w, "text", text);
    json_close_object(&w);
    json_close_object(&w);
    if (rq)
        (void)rpc_notify_about(rq, method, &b, NULL);
    else
        (void)rpc_notify(s->shared.rpc, method, &b, NULL);
}

/* The servers of mcp.json have said what tools they have. */
static void
on_listing_done(void *arg)
{
    struct mcp_service *s = arg;
    CLEANUP(mcp_catalog_free_p) struct mcp_catalog *old = TAKE_PTR(s->catalog);

    registry_listing_free(TAKE_PTR(s->listing));
    if (old && open_catalog(s, NULL) && !mcp_catalog_is_same(old, s->catalog))
        mcp_subscriptions_tools(s->subscriptions);
}

static void
list_mcp_servers(struct mcp_service *s)
{
    static const struct registry_listing_events events = {
        .done = on_listing_done};
    const struct registry_listing_params params = {0};
    const struct tool *servers[REGISTRY_SERVERS_MAX];
    struct err e = {0};

    if (registry_unlisted(s->shared.tools->registry, NULL, servers) == 0)
        return;
    s->listing = registry_listing_start(s->set.loop, s->shared.tools->registry,
                                        &params, &events, s, &e);
    if (!s->listing)
        log_mcp_line(s, e.text);
}

static void
on_stopping(void *arg, unsigned events)
{
    struct mcp_service *s = arg;

    (void)events;
    if (s->lost || clock_ms() >= s->stop_by_ms ||
        (mcp_invocations_are_idle(s->calls) &&
         rpc_open_requests(s->shared.rpc) == 0 &&
         rpc_is_drained(s->shared.rpc)))
        s->set.ended(s->set.arg);
    else
        watch_again(s->stopping, STOP_STEP_MS);
}

void
mcp_service_stop(struct mcp_service *s)
{
    mcp_service_stop_within(s, MCP_STOP_MS);
}

void
mcp_service_stop_within(struct mcp_service *s, int64_t ms)
{
    if (s->stopping)
        return;
    s->stop_by_ms = clock_ms() + ms;
    s->stopping = loop_soon(s->set.loop, on_stopping, s, NULL);
    mcp_subscriptions_end(s->subscriptions);
    mcp_invocations_input_ended(s->calls);
    if (!s->stopping)
        s->set.ended(s->set.arg);
}

/* A client that does not read is not read from, so that the end of its input
 * would never come. */
static void
check_hung_up(struct mcp_service *s)
{
    if (s->full && s->left)
        mcp_service_stop(s);
}

static void
on_full(void *arg, bool full)
{
    struct mcp_service *s = arg;

    s->full = full;
    mcp_invocations_pause(s->calls, full);
    check_hung_up(s);
}

static void
on_client_left(void *arg)
{
    struct mcp_service *s = arg;

    s->left = true;
    check_hung_up(s);
}

static void
on_ended(void *arg, enum rpc_end what, const struct err *why)
{
    struct mcp_service *s = arg;

    if (why && what == RPC_INPUT_ENDED)
        log_mcp_line(s, why->text);
    s->lost = s->lost || what == RPC_OUTPUT_LOST;
    mcp_service_stop(s);
}

static int
open_mcp_rpc(struct mcp_service *s, struct err *e)
{
    static const struct rpc_events events = {
        .full = on_full, .left = on_client_left, .ended = on_ended};
    const struct rpc_setup set = {.loop = s->set.loop,
                                  .in = s->set.in,
                                  .out = s->set.out,
                                  .carrier = s->set.carrier,
                                  .buffer = s->buffer,
                                  .methods = methods,
                                  .events = &events,
                                  .arg = s,
                                  .limits = {.line_bytes = MESSAGE_MAX,
                                             .queued_bytes = QUEUE_MAX,
                                             .requests = REQUESTS_MAX,
                                             .calls = CALLS_MAX,
                                             .stall_ms = STALL_MS}};

    s->shared.rpc = rpc_new(&set, e);
    return s->shared.rpc ? 0 : -1;
}

static struct mcp_toolset *
load_service_tools(const struct mcp_service *s, struct err *e)
{
    const struct mcp_toolset_setup set = {.loop = s->set.loop,
                                          .seat = s->set.seat,
                                          .config = s->set.config,
                                          .rules = s->set.rules,
                                          .policy = s->set.policy};

    return mcp_toolset_load(&set, e);
}

static int
open_mcp_parts(struct mcp_service *s, struct err *e)
{
    static const struct mcp_invocation_events events = {
        .ended = on_call_ended, .task = on_task, .note = on_note};

    if (!seat_need_dir(s->set.seat, e) ||
        !(s->shared.tools = load_service_tools(s, e)) ||
        !(s->buffer = read_buffer_new(e)) || open_mcp_rpc(s, e) < 0 ||
        !(s->calls = mcp_invocations_new(&s->shared, &events, s, e)) ||
        !(s->jobs = mcp_jobs_new(s->set.loop, e)) ||
        !(s->resources = mcp_resources_new(s->jobs, e)) ||
        !(s->subscriptions = mcp_subscriptions_new(
              &s->shared, mcp_invocations_tasks(s->calls), e)))
        return -1;
    list_mcp_servers(s);
    return 0;
}

struct mcp_service *
mcp_service_new(const struct mcp_service_setup *set, struct err *e)
{
    CLEANUP(mcp_service_free_p) struct mcp_service *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->set = *set;
    s->shared = (struct mcp_shared){.loop = set->loop,
                                    .seat = set->seat,
                                    .journal = set->journal,
                                    .log = log_mcp_line,
                                    .log_arg = s};
    return open_mcp_parts(s, e) < 0 ? NULL : TAKE_PTR(s);
}

void
mcp_service_free(struct mcp_service *s)
{
    if (!s)
        return;
    watch_free(s->stopping);
    registry_listing_free(s->listing);
    mcp_subscriptions_free(s->subscriptions);
    mcp_invocations_free(s->calls);
    mcp_resources_free(s->resources);
    mcp_jobs_free(s->jobs);
    rpc_free(s->shared.rpc);
    read_buffer_free(s->buffer);
    mcp_catalog_free(s->catalog);
    (void)mcp_toolset_sweep(&s->old); /* no call is left */
    mcp_toolset_free(s->shared.tools);
    free(s);
}

struct mcp_toolset *
mcp_service_prepare(struct mcp_service *s, struct config *config,
                    struct policy *rules, struct err *e)
{
    CLEANUP(mcp_toolset_free_p) struct mcp_toolset *fresh = NULL;
    const struct mcp_toolset_setup set = {.loop = s->set.loop,
                                          .seat = s->set.seat,
                                          .config = config,
                                          .rules = rules};

    if (mcp_toolset_sweep(&s->old) >= OLD_TOOLS_MAX) {
        err_set(e, ERR_NOMEM,
                "calls that began with each of the last %d loads run still",
                OLD_TOOLS_MAX);
        return NULL;
    }
    if (!(fresh = mcp_toolset_load(&set, e)) ||
        mcp_invocations_use(s->calls, fresh, e) < 0)
        return NULL;
    return TAKE_PTR(fresh);
}

void
mcp_service_use(struct mcp_service *s, struct mcp_toolset *fresh)
{
    s->shared.tools->next = s->old;
    s->old = s->shared.tools;
    s->shared.tools = fresh;
    on_listing_done(s);
    list_mcp_servers(s);
}

void
mcp_service_sweep(struct mcp_service *s)
{
    (void)mcp_toolset_sweep(&s->old);
}

void
mcp_service_take(struct mcp_service *s, struct jsonrpc *m, int rc, void *way,
                 struct err *e)
{
    rpc_take(s->shared.rpc, m, rc, way, e);
}

void
mcp_service_leave_way(struct mcp_service *s, const void *way, bool cancel)
{
    rpc_leave_way(s->shared.rpc, way, cancel);
}

void
mcp_service_refuse_open(struct mcp_service *s, int code, const char *message)
{
    rpc_refuse_open(s->shared.rpc, code, message);
}

const struct mcp_client *
mcp_service_client(const struct mcp_service *s)
{
    return &s->shared.client;
}

const struct json *
mcp_service_tool_schema(struct mcp_service *s, const char *name)
{
    const struct mcp_catalog *c = open_catalog(s, NULL);
    const struct mcp_catalog_tool *t = c ? mcp_catalog_find(c, name) : NULL;

    return t ? t->action->args : NULL;
}

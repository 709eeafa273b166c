/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turn_model.c - inside a turn: asks its model for proposals. */
#include "action/turn_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action/agent_loop.h"
#include "action/answer_schema.h"
#include "action/request_message.h"
#include "action/step_tools.h"
#include "base/worker.h"
#include "model/client.h"
#include "model/cost.h"
#include "offline/explain/explain.h"
#include "tool/registry_listing.h"

#define MESSAGE_MAX (1u << 20)
#define USER_MAX    (3u << 20) /* words, what came with them, and the context */
#define REASON_MAX  300

struct turn_model {
    const struct turn_context *cx;
    const struct user_request *request;
    struct turn_setting set;
    const struct turn_events *listener;
    void *listener_arg;
    const struct turn_model_events *ev;
    void *arg;
    struct buf system, user, schema; /* the first messages */
    struct origin origin; /* what of them others could have written */
    struct registry_listing *listing; /* of MCP servers; NULL: none is open */
    struct worker *worker;            /* writes `user`; NULL: it is written */
    struct err why;                   /* why that failed */
    bool cancelled;                   /* before there was anything to send */
    struct aiaction_tools tools;
    struct tool_loop *tool_loop; /* NULL: the model answers at once */
    struct agent_loop *agent;    /* NULL: before the first message */
    bool price_noted; /* that there is a file of prices that is wrong */
};

void
turn_model_free(struct turn_model *m)
{
    if (!m)
        return;
    registry_listing_free(m->listing);
    worker_free(m->worker);
    agent_loop_free(m->agent);
    tool_loop_free(m->tool_loop);
    buf_done(&m->schema);
    buf_done(&m->user);
    buf_done(&m->system);
    free(m);
}

static void
on_text(void *arg, const char *bytes, size_t n)
{
    struct turn_model *m = arg;

    m->listener->text(m->listener_arg, bytes, n);
}

static void
on_waiting(void *arg, const char *line)
{
    struct turn_model *m = arg;

    m->listener->waiting(m->listener_arg, line);
}

static void
on_tool_started(void *arg, const char *line)
{
    struct turn_model *m = arg;

    m->listener->tool_started(m->listener_arg, line);
}

static void
on_tool_ended(void *arg, const struct tool_loop_call *c)
{
    struct turn_model *m = arg;

    m->ev->tool_ended(m->arg, c);
}

/* Finds what the answers cost. Where the file of prices cannot be read there is
 * no cost. */
static void
price_answers(struct turn_model *m, struct conversation_usage *u)
{
    const struct price_use use = {u->tokens_in, u->tokens_cached,
                                  u->tokens_cache_written, u->tokens_out,
                                  u->tokens_in_most};
    struct err e = {0};
    char line[sizeof(e.text) + sizeof("no price: ")];
    int rc;

    if (u->tokens_in <= 0 && u->tokens_out <= 0)
        return;
    rc = price_find(m->cx->config, m->cx->selection, u->model, &u->price, &e);
    if (rc > 0)
        u->cost = price_cost(&u->price, &use);
    if (rc >= 0 || m->price_noted)
        return;
    m->price_noted = true;
    snprintf(line, sizeof(line), "no price: %s", e.text);
    if (m->listener->note)
        m->listener->note(m->listener_arg, line);
}

static void
on_proposed(void *arg, struct aiaction *a, const struct conversation_usage *u)
{
    struct turn_model *m = arg;
    struct proposal p = {.action = a, .asked = true, .facts = *u};

    p.model = strdup(u->model && u->model[0]
                         ? u->model
                         : model_selection_model(m->cx->selection));
    p.facts.model = p.model;
    p.outside = agent_loop_outside(m->agent);
    price_answers(m, &p.facts);
    m->ev->proposed(m->arg, &p);
}

/* What was answered before has its price. */
static void
on_failed(void *arg, const struct err *why)
{
    struct turn_model *m = arg;
    struct conversation_usage u;

    if (!m->agent) {
        m->ev->failed(m->arg, why, NULL);
        return;
    }
    u = *agent_loop_usage(m->agent);
    u.model = NULL; /* the name went with the last answer */
    price_answers(m, &u);
    m->ev->failed(m->arg, why, &u);
}

/* Whether the model may call tools. What a command line means does not hang on
 * this machine. */
static bool
may_call_tools(const struct turn_model *m)
{
    return m->cx->registry && !m->set.no_tool_calls &&
           config_bool(m->cx->config, CONFIG_MODEL_LOOK) &&
           (m->request->mode != AIACTION_EXPLAIN ||
            !explain_is_command(m->cx->seat, m->request->text));
}

static int
open_tools(struct turn_model *m, struct err *e)
{
    const struct turn_context *cx = m->cx;
    const struct tool_loop_setting set = {.registry = cx->registry,
                                          .policy = cx->policy,
                                          .config = cx->config,
                                          .seat = cx->seat,
                                          .named = cx->named,
                                          .files = cx->files,
                                          .pool = cx->pool,
                                          .aside = m->set.aside};

    if (cx->registry)
        m->tools = step_tools_checker(cx->registry, cx->seat);
    if (may_call_tools(m) && !(m->tool_loop = tool_loop_new(cx->loop, &set, e)))
        return -1;
    return 0;
}

/* All but the person's message. */
static int
write_system_message(struct turn_model *m, struct err *e)
{
    const struct turn_context *cx = m->cx;
    enum aiaction_mode mode = m->request->mode;
    size_t n_tools = 0;

    if (m->tool_loop)
        (void)tool_loop_tools(m->tool_loop, &n_tools);
    if (request_message_write_system(cx->registry, mode, n_tools > 0,
                                     &m->system, &m->origin, e) < 0)
        return -1;
    return answer_schema_write(mode, cx->registry, &m->schema, e);
}

static struct agent_loop_params
agent_params(const struct turn_model *m)
{
    return (struct agent_loop_params){
        .mode = m->request->mode,
        .system = m->system.p,
        .schema = m->schema.p,
        .user = m->user.p,
        .outside = origin_outside(&m->origin),
        .images = m->request->images,
        .tool_loop = m->tool_loop,
        .tools = m->tools.check ? &m->tools : NULL,
        .conversation = m->cx->conversation,
        .rounds = m->set.rounds,
    };
}

/* The request as it would be sent, behind what was said before. */
static void
give_request(struct turn_model *m)
{
    const struct agent_loop_params params = agent_params(m);
    const struct model_turn now = {
        .role = MODEL_USER, .text = m->user.p, .images = m->request->images};
    const struct conversation *c = m->cx->conversation;
    size_t n = 0;
    const struct model_turn *said = c ? conversation_turns(c, &n) : NULL;
    CLEANUP(free_p) struct model_turn *turns = calloc(n + 1, sizeof(*turns));
    struct model_request r;

    if (!turns)
        return;
    if (n > 0)
        memcpy(turns, said, n * sizeof(*turns));
    turns[n] = now;
    agent_loop_fill_request(&params, 0, &r);
    r.turns = turns;
    r.n_turns = n + 1;
    if (m->listener->request)
        m->listener->request(m->listener_arg, &r);
}

/* Every message is written. */
static int
send_first(struct turn_model *m, struct err *e)
{
    static const struct agent_loop_events events = {
        .text = on_text,
        .waiting = on_waiting,
        .tool_started = on_tool_started,
        .tool_ended = on_tool_ended,
        .proposed = on_proposed,
        .failed = on_failed,
    };
    struct agent_loop_params params;

    m->ev->written(m->arg, m->user.len);
    if (m->set.show_request) {
        give_request(m);
        m->ev->sent(m->arg);
        return 0;
    }
    params = agent_params(m);
    m->agent = agent_loop_start(m->cx->model, &params, &events, m, e);
    if (!m->agent)
        return -1;
    m->ev->sent(m->arg);
    return 0;
}

static void
write_user_message(void *arg)
{
    struct turn_model *m = arg;

    (void)request_message_write(m->cx->seat, m->request, m->cx->selection,
                                &m->user, &m->origin, &m->why);
}

static void
on_user_message(void *arg)
{
    struct turn_model *m = arg;
    struct err e = m->why;

    worker_free(TAKE_PTR(m->worker));
    if (m->cancelled)
        return;
    if (e.code != ERR_NONE || send_first(m, &e) < 0)
        m->ev->failed(m->arg, &e, NULL);
}

/* The person's message is written in a thread: long texts are redacted, and
 * recipes found that are examples. */
static int
ask_first(struct turn_model *m, struct err *e)
{
    if (open_tools(m, e) < 0 || write_system_message(m, e) < 0)
        return -1;
    m->worker = worker_start(m->cx->loop, write_user_message, on_user_message,
                             m, e);
    return m->worker ? 0 : -1;
}

/* A server without tools is no reason to stop; but somebody should know. */
static void
on_server_listed(void *arg, const struct tool *server, size_t n)
{
    struct turn_model *m = arg;
    char text[REASON_MAX];

    if (n > 0 || !m->set.aside)
        return;
    snprintf(text, sizeof(text), "MCP server %.60s: %.200s", server->name,
             server->fault.text);
    on_waiting(m, text);
}

static void
on_listed(void *arg)
{
    struct turn_model *m = arg;
    struct err e = {0};

    registry_listing_free(m->listing);
    m->listing = NULL;
    if (m->cancelled)
        return;
    if (ask_first(m, &e) < 0)
        m->ev->failed(m->arg, &e, NULL);
}

/* Whether there are MCP servers whose tools the model is to know. */
static bool
must_list(const struct turn_model *m)
{
    const struct tool *servers[REGISTRY_SERVERS_MAX];

    return m->cx->registry &&
           (m->request->mode != AIACTION_EXPLAIN || may_call_tools(m)) &&
           registry_unlisted(m->cx->registry, NULL, servers) > 0;
}

/* Asks the model, after the servers. */
static int
ask_or_list(struct turn_model *m, struct err *e)
{
    static const struct registry_listing_events events = {
        .listed = on_server_listed, .done = on_listed};
    static const struct registry_listing_params all;

    if (!must_list(m))
        return ask_first(m, e);
    m->listing = registry_listing_start(m->cx->loop, m->cx->registry, &all,
                                        &events, m, e);
    return m->listing ? 0 : -1;
}

struct turn_model *
turn_model_start(const struct turn_model_params *p,
                 const struct turn_model_events *ev, void *arg, struct err *e)
{
    CLEANUP(turn_model_free_p) struct turn_model *m = calloc(1, sizeof(*m));

    if (!m) {
        err_nomem(e);
        return NULL;
    }
    *m = (struct turn_model){.cx = p->cx,
                             .request = p->request,
                             .set = *p->set,
                             .listener = p->listener,
                             .listener_arg = p->listener_arg,
                             .ev = ev,
                             .arg = arg};
    buf_init(&m->system, MESSAGE_MAX);
    buf_init(&m->user, USER_MAX);
    buf_init(&m->schema, MESSAGE_MAX);
    return ask_or_list(m, e) < 0 ? NULL : TAKE_PTR(m);
}

bool
turn_model_may_continue(const struct turn_model *m)
{
    return !m->agent || agent_loop_may_continue(m->agent);
}

const struct conversation_usage *
turn_model_usage(const struct turn_model *m)
{
    return m->agent ? agent_loop_usage(m->agent) : NULL;
}

int
turn_model_send_results(struct turn_model *m, const struct buf *results,
                        struct err *e)
{
    return agent_loop_send_results(m->agent, results->p, results->len, e);
}

int
turn_model_revise(struct turn_model *m, const char *words, struct err *e)
{
    return agent_loop_revise(m->agent, words, e);
}

void
turn_model_cancel(struct turn_model *m)
{
    struct err why = {0};

    if (m->agent) {
        agent_loop_cancel(m->agent);
        return;
    }
    m->cancelled = true;
    err_set(&why, ERR_INTERRUPTED, "cancelled");
    m->ev->failed(m->arg, &why, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp.c - the agent of one editor: its methods, and the sessions. */
#include "server/acp/acp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/model_process.h"
#include "server/acp/acp_answer.h"
#include "server/acp/acp_draft_queue.h"
#include "server/acp/acp_draft_turn.h"
#include "server/acp/acp_history.h"
#include "server/acp/acp_model.h"
#include "server/acp/acp_servers.h"
#include "server/acp/acp_simple_turn.h"
#include "server/acp/acp_turn.h"
#include "server/acp/acp_update.h"
#include "wire/rpc.h"

#define MESSAGE_MAX (16u << 20) /* bytes of a message */
/* Bytes for an editor that reads slowly: the longest session, which is replayed
 * at once, what is around each of its updates, and a message beside it. */
#define QUEUE_MAX                                                              \
    (SESSION_BYTES_MAX + SESSION_ITEMS_MAX * 64 + 2 * ACP_UPDATE_MAX)
#define REQUESTS_MAX 1024
#define CALLS_MAX    1024
#define STOP_STEP_MS 5      /* between two looks whether all is over */
#define STALL_MS     120000 /* an editor that reads nothing for so long */
#define SESSIONS_MAX 256    /* open at once */
#define ANSWER_MAX   (1u << 20)

/* `initialize` is to be answered within a second. */
#define INITIALIZE_MS 500

#define AUTH_REQUIRED -32000 /* of the protocol's schema */

struct acp {
    struct acp_setup set;
    struct acp_shared shared;
    struct read_buffer *buffer;
    struct acp_model *model;
    struct acp_session *sessions, *latest;
    size_t n_sessions;
    /* `logout` was called: no session is opened before `authenticate` */
    bool logged_out;
    bool used;              /* there was another request than `initialize` */
    struct watch *stopping; /* looks whether all is over; NULL: not asked to */
    int64_t stop_by_ms;
};

static bool
is_simple_client(const struct acp *a)
{
    return a->shared.client.dialect == ACP_SIMPLE;
}

static bool
is_draft_client(const struct acp *a)
{
    return a->shared.client.dialect == ACP_DRAFT;
}

static struct acp_session *
find_acp_session(const struct acp *a, const char *id)
{
    struct acp_session *s = a->sessions;

    while (s && (!id || strcmp(s->id, id) != 0))
        s = s->next;
    return s;
}

/* The session that the params name. NULL: the request is refused. */
static struct acp_session *
named_session(const struct acp *a, struct rpc_request *rq,
              const struct json *params)
{
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = find_acp_session(a, id);

    if (!s)
        acp_answer_no_session(&a->shared, id, rq);
    return s;
}

static void
close_acp_session(struct acp *a, struct acp_session *s)
{
    struct acp_session **at = &a->sessions;

    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    a->n_sessions--;
    if (a->latest == s)
        a->latest = a->sessions;
    acp_draft_queue_free(s->queue);
    acp_session_free(s);
}

/* Opens a new session; or, with an id, one that is kept, in place of old, which
 * may be NULL. */
static struct acp_session *
open_acp_session(struct acp *a, const char *id, struct acp_session *old,
                 const struct json *params, struct err *e)
{
    const char *roots[SEAT_ROOTS_MAX + 1];
    CLEANUP(acp_session_free_p) struct acp_session *s = NULL;
    struct acp_place place = {.id = id};

    if (!old && a->n_sessions == SESSIONS_MAX) {
        err_set(e, ERR_NOMEM, "%d sessions are open: close one first",
                SESSIONS_MAX);
        return NULL;
    }
    if (acp_place_read(params, is_simple_client(a), &place, roots, e) < 0 ||
        !(s = acp_session_new(&a->shared, &place, e)) ||
        acp_servers_add(s, json_get(params, "mcpServers"), e) < 0 ||
        (id ? acp_history_restore : acp_history_create)(s, e) < 0)
        return NULL;
    if (old)
        close_acp_session(a, old);
    s->next = a->sessions;
    a->sessions = a->latest = s;
    a->n_sessions++;
    return TAKE_PTR(s);
}

/* Whether a session may be opened; else the request is refused. */
static bool
is_ready(struct acp *a, struct rpc_request *rq)
{
    const struct err *fault = acp_model_fault(a->model);

    a->shared.selection = acp_model_selection(a->model);
    if (fault->code == ERR_NONE && !a->logged_out)
        return true;
    rpc_refuse(rq, AUTH_REQUIRED,
               a->logged_out ? is_draft_client(a)
                                   ? "logged out: call auth/login first"
                                   : "logged out: call authenticate first"
                             : fault->text,
               NULL);
    return false;
}

static void
make_new(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    struct acp_session *s;
    struct err e = {0};

    if (!is_ready(a, rq))
        return;
    if (!(s = open_acp_session(a, NULL, NULL, params, &e))) {
        acp_answer_failure(rq, &e);
        return;
    }
    acp_answer_new(&a->shared, s, rq);
}

static void
on_new(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp *a = arg;

    acp_model_wait(a->model, make_new, arg, rq, params, 0);
}

static bool
is_busy(const struct acp_session *s)
{
    return s->turn || acp_draft_queue_waits(s);
}

/* A session that is open is opened anew: directory and servers may be others.
 * It stays as it was where that fails. In the draft one that is at work is
 * joined. */
static struct acp_session *
reopen_session(struct acp *a, struct rpc_request *rq, const struct json *params)
{
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = find_acp_session(a, id);
    struct err e = {0};

    if (id && !is_ready(a, rq))
        return NULL;
    if (!id || (!s && is_draft_client(a) && !acp_history_has(&a->shared, id))) {
        acp_answer_no_session(&a->shared, id, rq);
        return NULL;
    }
    if (s && is_busy(s) && !is_draft_client(a)) {
        acp_answer_busy(rq);
        return NULL;
    }
    if (s && (is_busy(s) || !a->shared.store))
        return s;
    if (!(s = open_acp_session(a, id, s, params, &e)))
        acp_answer_failure(rq, &e);
    return s;
}

static void
make_loaded(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    struct acp_session *s = reopen_session(a, rq, params);
    struct err e = {0};

    if (!s)
        return;
    if (!is_simple_client(a) && acp_history_replay(s, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    acp_answer_loaded(&a->shared, s, rq);
}

static void
on_load(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp *a = arg;

    acp_model_wait(a->model, make_loaded, arg, rq, params, 0);
}

/* Whether the editor wants to be sent what was said before, which only the
 * draft has a word for. -1: the request is refused. */
static int
read_replay(const struct acp *a, struct rpc_request *rq,
            const struct json *params)
{
    const struct json *from = json_get(params, "replayFrom");
    const char *type = json_get_str(from, "type");

    if (!is_draft_client(a) || !from || json_type(from) == JSON_NULL)
        return 0;
    if (type && strcmp(type, "start") == 0)
        return 1;
    acp_answer_bad_params(rq, "replayFrom: only the type \"start\" is known");
    return -1;
}

/* In the draft the state comes before the answer. */
static void
make_resumed(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    int replay = read_replay(a, rq, params);
    struct acp_session *s = replay < 0 ? NULL : reopen_session(a, rq, params);
    struct err e = {0};

    if (!s)
        return;
    if (replay && acp_history_replay(s, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    if (is_draft_client(a))
        acp_draft_turn_show(s);
    acp_answer_loaded(&a->shared, s, rq);
}

static void
on_resume(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp *a = arg;

    acp_model_wait(a->model, make_resumed, arg, rq, params, 0);
}

static void
on_list(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp *a = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_LIST_MAX);
    struct err e = {0};

    if (acp_history_list(&a->shared, params, &b, &e) < 0)
        acp_answer_failure(rq, &e);
    else
        rpc_answer(rq, &b);
}

static void
on_close(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = find_acp_session(a, id);

    if (!s && !(id && is_draft_client(a))) {
        acp_answer_no_session(&a->shared, id, rq);
        return;
    }
    if (s)
        close_acp_session(a, s); /* an open one; in the draft any is closed */
    acp_answer_nothing(rq);
}

static void
on_delete(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = find_acp_session(a, id);
    struct err e = {0};

    if (!id || (is_draft_client(a) && !s && !acp_history_has(&a->shared, id))) {
        acp_answer_no_session(&a->shared, id, rq);
        return;
    }
    if (s)
        close_acp_session(a, s);
    if (acp_history_delete(&a->shared, id, &e) < 0)
        acp_answer_failure(rq, &e);
    else
        acp_answer_nothing(rq);
}

static void
on_set_mode(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    struct acp_session *s = named_session(a, rq, params);
    struct err e = {0};

    if (!s)
        return;
    if (acp_options_set(&s->options, "mode", json_get(params, "modeId"), &e) <
        0) {
        acp_answer_failure(rq, &e);
        return;
    }
    acp_history_keep_options(s);
    acp_answer_nothing(rq);
    acp_answer_send_options(s);
}

static void
on_set_option(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    struct acp_session *s = named_session(a, rq, params);
    const char *id = json_get_str(params, "configId");
    const char *type = json_get_str(params, "type");
    struct err e = {0};

    if (!s)
        return;
    if (is_draft_client(a) && (!type || strcmp(type, "id") != 0)) {
        acp_answer_bad_params(rq, "type: must be \"id\"");
        return;
    }
    if (acp_options_set(&s->options, id ? id : "", json_get(params, "value"),
                        &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    acp_history_keep_options(s);
    acp_answer_option(s, rq);
    if (a->shared.client.dialect == ACP_V1 && strcmp(id, "mode") == 0)
        acp_answer_send_mode(s);
}

static int
read_prompt(const struct acp *a, const struct json *params,
            struct acp_prompt *p, struct err *e)
{
    const char *message = json_get_str(params, "message");

    if (!is_simple_client(a))
        return acp_prompt_read(json_get(params, "prompt"), p, e);
    if (!message)
        return err_set(e, ERR_INVALID, "message: must be a string");
    return acp_prompt_read_text(message, p, e);
}

/* In the older dialect a prompt without an id is for the latest session. */
static struct acp_session *
prompted_session(struct acp *a, struct rpc_request *rq,
                 const struct json *params)
{
    struct acp_session *s;
    struct err e = {0};

    if (!is_simple_client(a) || json_get(params, "sessionId"))
        return named_session(a, rq, params);
    if (a->latest)
        return a->latest;
    if (!is_ready(a, rq))
        return NULL;
    if (!(s = open_acp_session(a, NULL, NULL, params, &e)))
        acp_answer_failure(rq, &e);
    return s;
}

static int
start_simple(struct acp_session *s, const struct acp_prompt *p,
             struct rpc_request *rq, struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(64);

    if (acp_simple_turn_start(s, p, e) < 0)
        return -1;
    buf_str(&b, "{\"accepted\":true}");
    rpc_answer(rq, &b);
    return 0;
}

static void
take_prompt(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    CLEANUP(acp_prompt_done) struct acp_prompt p;
    struct acp_session *s;
    struct err e = {0};

    acp_prompt_init(&p);
    if (is_draft_client(a) && a->stopping) { /* else it ends as cancelled */
        rpc_refuse(rq, JSONRPC_INTERNAL, "the agent ends", NULL);
        return;
    }
    if (read_prompt(a, params, &p, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    if (!(s = prompted_session(a, rq, params)))
        return;
    if (acp_session_check_images(s, &p, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    if (is_draft_client(a)) {
        acp_draft_queue_take(s, &p, json_get(params, "prompt"), rq);
        return;
    }
    if (s->turn) {
        acp_answer_busy(rq);
        return;
    }
    if ((is_simple_client(a) ? start_simple : acp_turn_start)(s, &p, rq, &e) <
        0)
        acp_answer_failure(rq, &e);
    else if (a->stopping)
        s->ops->cancel(s->turn);
}

static void
on_prompt(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp *a = arg;

    acp_model_wait(a->model, take_prompt, arg, rq, params, 0);
}

static void
cancel_work(struct acp_session *s)
{
    acp_draft_queue_cancel(s);
    if (s->ops)
        s->ops->cancel(s->turn);
}

static void
cancel_named_turn(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp *a = arg;
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = !id && is_simple_client(a)
                                ? a->latest
                                : find_acp_session(a, id);

    (void)rq;
    if (s)
        cancel_work(s);
}

/* After a prompt that waits. */
static void
on_cancel(void *arg, const struct json *params)
{
    const struct acp *a = arg;

    acp_model_wait(a->model, cancel_named_turn, arg, NULL, params, 0);
}

static void
answer_initialize(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp *a = arg;
    const struct model_selection *m = acp_model_selection(a->model);
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);

    (void)params;
    acp_client_answer(&a->shared.client,
                      acp_model_fault(a->model)->code == ERR_NONE,
                      m && model_selection_takes_images(m), &b);
    rpc_answer(rq, &b);
}

/* In the draft it may be called again, before anything else and for the same
 * version. */
static bool
may_initialize(const struct acp *a)
{
    return a->shared.client.dialect == ACP_NOT_INITIALIZED ||
           (is_draft_client(a) && !a->used);
}

static void
on_initialize(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    struct acp_client client;
    struct err e = {0};

    if (!may_initialize(a)) {
        rpc_refuse(rq, JSONRPC_INVALID_REQUEST, "already initialized", NULL);
        return;
    }
    if (acp_client_read(params, config_bool(a->set.config, CONFIG_ACP_DRAFT),
                        &client, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    if (is_draft_client(a) && client.dialect != ACP_DRAFT) {
        rpc_refuse(rq, JSONRPC_INVALID_REQUEST,
                   "protocolVersion: must be as before", NULL);
        return;
    }
    a->shared.client = client;
    acp_model_wait(a->model, answer_initialize, a, rq, NULL, INITIALIZE_MS);
}

static void
log_in(struct acp *a, struct rpc_request *rq)
{
    a->logged_out = false;
    if (is_ready(a, rq))
        acp_answer_nothing(rq);
}

static void
on_authenticate(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;
    const char *method = json_get_str(params, "methodId");

    if (method && acp_client_has_login(&a->shared.client, method))
        log_in(a, rq);
    else
        acp_answer_bad_params(rq, "methodId: is none that is on offer");
}

static void
on_login(void *arg, struct rpc_request *rq, const struct json *params)
{
    const char *id = json_get_str(params, "methodId");

    if (id && strcmp(id, ACP_AGENT_METHOD) == 0)
        log_in(arg, rq);
    else
        acp_answer_bad_params(rq, "methodId: is none that is on offer");
}

/* What runs goes on; the person's key is not ours to forget: it stands in their
 * settings. */
static void
on_logout(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp *a = arg;

    (void)params;
    a->logged_out = true;
    acp_answer_nothing(rq);
}

static const struct rpc_method methods[] = {
    {.name = "initialize", .request = on_initialize},
    {.name = "authenticate", .request = on_authenticate},
    {.name = "logout", .request = on_logout},
    {.name = "auth/login", .request = on_login},
    {.name = "auth/logout", .request = on_logout},
    {.name = "session/new", .request = on_new},
    {.name = "session/load", .request = on_load},
    {.name = "session/resume", .request = on_resume},
    {.name = "session/list", .request = on_list},
    {.name = "session/close", .request = on_close},
    {.name = "session/delete", .request = on_delete},
    {.name = "session/set_mode", .request = on_set_mode},
    {.name = "session/set_config_option", .request = on_set_option},
    {.name = "session/prompt", .request = on_prompt},
    {.name = "session/cancel", .notice = on_cancel},
    {.name = "$/cancel_request", .cancels = "requestId"},
    {0},
};

static int
on_check(void *arg, const struct jsonrpc *m, const struct rpc_method *method,
         bool *anonymous, struct err *e)
{
    struct acp *a = arg;
    bool first = method && strcmp(method->name, "initialize") == 0;

    (void)anonymous;
    if (!method || m->kind != JSONRPC_REQUEST)
        return 0;
    a->used = a->used || !first;
    if (!acp_client_has_method(&a->shared.client, method->name)) {
        err_set(e, ERR_INVALID, "unknown method");
        return JSONRPC_NO_METHOD;
    }
    if (a->shared.client.dialect == ACP_NOT_INITIALIZED && !first) {
        err_set(e, ERR_INVALID, "not initialized: call initialize first");
        return JSONRPC_INVALID_REQUEST;
    }
    return 0;
}

static void
on_full(void *arg, bool full)
{
    const struct acp *a = arg;

    for (struct acp_session *s = a->sessions; s; s = s->next) {
        if (s->ops)
            s->ops->pause(s->turn, full);
    }
}

static bool
is_idle(const struct acp *a)
{
    for (const struct acp_session *s = a->sessions; s; s = s->next) {
        if (s->turn)
            return false;
    }
    return !acp_model_has_waiting(a->model) && rpc_is_drained(a->shared.rpc);
}

static void
on_stopping(void *arg, unsigned events)
{
    struct acp *a = arg;

    (void)events;
    if (is_idle(a) || clock_ms() >= a->stop_by_ms)
        a->set.ended(a->set.arg);
    else
        watch_again(a->stopping, STOP_STEP_MS);
}

void
acp_stop(struct acp *a)
{
    if (a->stopping)
        return;
    a->stop_by_ms = clock_ms() + ACP_STOP_MS;
    a->stopping = loop_soon(a->set.loop, on_stopping, a, NULL);
    for (struct acp_session *s = a->sessions; s; s = s->next)
        cancel_work(s);
    if (!a->stopping)
        a->set.ended(a->set.arg);
}

static void
on_ended(void *arg, enum rpc_end what, const struct err *why)
{
    struct acp *a = arg;

    if (why && what == RPC_INPUT_ENDED)
        a->set.log(a->set.arg, why->text);
    acp_stop(a);
}

static void
log_line(void *arg, const char *line)
{
    const struct acp *a = arg;

    a->set.log(a->set.arg, line);
}

static int
open_acp_rpc(struct acp *a, struct err *e)
{
    static const struct rpc_events events = {
        .check = on_check, .full = on_full, .ended = on_ended};
    const struct rpc_setup set = {.loop = a->set.loop,
                                  .in = a->set.in,
                                  .out = a->set.out,
                                  .buffer = a->buffer,
                                  .methods = methods,
                                  .events = &events,
                                  .arg = a,
                                  .limits = {.line_bytes = MESSAGE_MAX,
                                             .queued_bytes = QUEUE_MAX,
                                             .requests = REQUESTS_MAX,
                                             .calls = CALLS_MAX,
                                             .stall_ms = STALL_MS}};

    a->shared.rpc = rpc_new(&set, e);
    return a->shared.rpc ? 0 : -1;
}

struct acp *
acp_new(const struct acp_setup *set, struct err *e)
{
    CLEANUP(acp_free_p) struct acp *a = calloc(1, sizeof(*a));

    if (!a) {
        err_nomem(e);
        return NULL;
    }
    a->set = *set;
    a->shared = (struct acp_shared){.loop = set->loop,
                                    .seat = set->seat,
                                    .config = set->config,
                                    .policy = set->policy,
                                    .journal = set->journal,
                                    .store = set->store,
                                    .log = log_line,
                                    .log_arg = a};
    if (acp_session_check_policy(&a->shared, e) < 0 ||
        !(a->model = acp_model_new(set->loop, set->seat, set->config, e)) ||
        !(a->buffer = read_buffer_new(e)) ||
        !(a->shared.process = model_process_new(set->loop, -1, e)) ||
        open_acp_rpc(a, e) < 0)
        return NULL;
    return TAKE_PTR(a);
}

void
acp_free(struct acp *a)
{
    if (!a)
        return;
    watch_free(a->stopping);
    while (a->sessions)
        close_acp_session(a, a->sessions);
    rpc_free(a->shared.rpc);
    model_process_free(a->shared.process);
    acp_model_free(a->model);
    read_buffer_free(a->buffer);
    free(a);
}

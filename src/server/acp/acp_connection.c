/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_connection.c - the methods of the agent, for one editor's connection. */
#include "server/acp/acp_connection.h"

#include <string.h>

#include "server/acp/acp_answer.h"
#include "server/acp/acp_draft_queue.h"
#include "server/acp/acp_draft_update.h"
#include "server/acp/acp_history.h"
#include "server/acp/acp_poll.h"
#include "server/acp/acp_simple_turn.h"
#include "server/acp/acp_v1_turn.h"

#define REQUESTS_MAX 1024
#define CALLS_MAX    1024
#define STALL_MS     120000 /* then an editor that reads nothing is dropped */
#define ANSWER_MAX   (1u << 20)

/* `initialize` is to be answered within a second. */
#define INITIALIZE_MS 500

#define AUTH_REQUIRED -32000 /* of the protocol's schema */

static bool
is_simple_client(const struct acp_connection *c)
{
    return c->editor.client.dialect == ACP_SIMPLE;
}

static bool
is_draft_client(const struct acp_connection *c)
{
    return c->editor.client.dialect == ACP_DRAFT;
}

/* The session that the params name. NULL: the request is refused. */
static struct acp_session *
named_session(const struct acp_connection *c, struct rpc_request *rq,
              const struct json *params)
{
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = acp_agent_find_own(c->agent, &c->editor, id);

    if (!s)
        acp_answer_no_session(&c->editor, id, rq);
    return s;
}

/* Whether a session may be opened; else the request is refused. */
static bool
is_ready(struct acp_connection *c, struct rpc_request *rq)
{
    const struct err *fault;

    if (acp_agent_is_ready(c->agent, &fault) && !c->logged_out)
        return true;
    rpc_refuse(rq, AUTH_REQUIRED,
               c->logged_out ? is_draft_client(c)
                                   ? "logged out: call auth/login first"
                                   : "logged out: call authenticate first"
                             : fault->text,
               NULL);
    return false;
}

static void
make_new(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;
    struct acp_session *s;
    struct err e = {0};

    if (!is_ready(c, rq))
        return;
    if (!(s = acp_agent_open(c->agent, &c->editor, params, &e))) {
        acp_answer_failure(rq, &e);
        return;
    }
    acp_answer_new(&c->editor, s, rq);
}

static void
on_new(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp_connection *c = arg;

    acp_model_wait(acp_agent_model(c->agent), make_new, arg, rq, params, 0);
}

/* The session that is loaded or resumed. NULL: the request is refused. */
static struct acp_session *
reopen_session(struct acp_connection *c, struct rpc_request *rq,
               const struct json *params)
{
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = acp_agent_find_own(c->agent, &c->editor, id);
    struct err e = {0};

    if (id && !is_ready(c, rq))
        return NULL;
    if (!id || (is_draft_client(c) && !acp_agent_find(c->agent, id) &&
                !acp_history_has(acp_agent_shared(c->agent), id))) {
        acp_answer_no_session(&c->editor, id, rq);
        return NULL;
    }
    if (s && acp_agent_is_busy(s) && !is_draft_client(c)) {
        acp_answer_busy(rq);
        return NULL;
    }
    if (!(s = acp_agent_reopen(c->agent, &c->editor, id, params, &e)))
        acp_answer_failure(rq, &e);
    return s;
}

/* The updates about a session before the answer to session/load or
 * session/resume. */
static int
show_session(struct acp_connection *c, struct acp_session *s, bool replay,
             struct err *e)
{
    CLEANUP_BUF struct buf b = buf_of(ACP_UPDATE_MAX);

    if (replay && acp_history_replay(s, &c->editor, e) < 0)
        return -1;
    if (s->ops) {
        s->ops->show(s->turn, &c->editor, replay);
    } else if (is_draft_client(c)) {
        acp_draft_idle(&b, s->id, NULL, NULL);
        acp_editor_notify(&c->editor, &b);
    }
    return 0;
}

static void
answer_reopened(struct acp_connection *c, struct acp_session *s, bool replay,
                struct rpc_request *rq)
{
    struct err e = {0};

    if (show_session(c, s, replay, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    acp_answer_loaded(&c->editor, s, rq);
    acp_poll_join(s, &c->editor);
}

static void
make_loaded(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;
    struct acp_session *s = reopen_session(c, rq, params);

    if (s)
        answer_reopened(c, s, !is_simple_client(c), rq);
}

static void
on_load(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp_connection *c = arg;

    acp_model_wait(acp_agent_model(c->agent), make_loaded, arg, rq, params, 0);
}

/* Whether the editor wants the history replayed, which only the draft has a
 * parameter for. -1: the request is refused. */
static int
read_replay(const struct acp_connection *c, struct rpc_request *rq,
            const struct json *params)
{
    const struct json *from = json_get(params, "replayFrom");
    const char *type = json_get_str(from, "type");

    if (!is_draft_client(c) || !from || json_type(from) == JSON_NULL)
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
    struct acp_connection *c = arg;
    int replay = read_replay(c, rq, params);
    struct acp_session *s = replay < 0 ? NULL : reopen_session(c, rq, params);

    if (s)
        answer_reopened(c, s, replay > 0, rq);
}

static void
on_resume(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp_connection *c = arg;

    acp_model_wait(acp_agent_model(c->agent), make_resumed, arg, rq, params, 0);
}

static void
on_list(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp_connection *c = arg;
    CLEANUP_BUF struct buf b = buf_of(ACP_LIST_MAX);
    struct err e = {0};

    if (acp_history_list(acp_agent_shared(c->agent), params, &b, &e) < 0)
        acp_answer_failure(rq, &e);
    else
        rpc_answer(rq, &b);
}

static void
on_close(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = acp_agent_find_own(c->agent, &c->editor, id);

    if (!s && !(id && is_draft_client(c))) {
        acp_answer_no_session(&c->editor, id, rq);
        return;
    }
    if (s) /* an open one; in the draft any is closed */
        acp_agent_close(c->agent, &c->editor, s);
    acp_answer_nothing(rq);
}

static void
on_delete(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = acp_agent_find(c->agent, id);
    struct err e = {0};

    if (!id || (is_draft_client(c) && !s &&
                !acp_history_has(acp_agent_shared(c->agent), id))) {
        acp_answer_no_session(&c->editor, id, rq);
        return;
    }
    if (s)
        acp_agent_end(c->agent, s);
    if (acp_history_delete(acp_agent_shared(c->agent), id, &e) < 0)
        acp_answer_failure(rq, &e);
    else
        acp_answer_nothing(rq);
}

static void
on_set_mode(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;
    struct acp_session *s = named_session(c, rq, params);
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
    acp_answer_send_options(s, NULL);
}

static void
on_set_option(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;
    struct acp_session *s = named_session(c, rq, params);
    const char *id = json_get_str(params, "configId");
    const char *type = json_get_str(params, "type");
    struct err e = {0};

    if (!s)
        return;
    if (is_draft_client(c) && (!type || strcmp(type, "id") != 0)) {
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
    acp_answer_send_options(s, &c->editor);
    if (c->editor.client.dialect == ACP_V1 && strcmp(id, "mode") == 0)
        acp_answer_send_mode(s);
}

static int
read_prompt(const struct acp_connection *c, const struct json *params,
            struct acp_prompt *p, struct err *e)
{
    const char *message = json_get_str(params, "message");

    if (!is_simple_client(c))
        return acp_prompt_read(json_get(params, "prompt"), p, e);
    if (!message)
        return err_set(e, ERR_INVALID, "message: must be a string");
    return acp_prompt_read_text(message, p, e);
}

/* In the older dialect a prompt without an id is for the latest session. */
static struct acp_session *
prompted_session(struct acp_connection *c, struct rpc_request *rq,
                 const struct json *params)
{
    struct acp_session *s;
    struct err e = {0};

    if (!is_simple_client(c) || json_get(params, "sessionId"))
        return named_session(c, rq, params);
    if (acp_agent_latest(c->agent, &c->editor))
        return acp_agent_latest(c->agent, &c->editor);
    if (!is_ready(c, rq))
        return NULL;
    if (!(s = acp_agent_open(c->agent, &c->editor, params, &e)))
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
    struct acp_connection *c = arg;
    CLEANUP(acp_prompt_done) struct acp_prompt p;
    struct acp_session *s;
    struct err e = {0};

    acp_prompt_init(&p);
    if (is_draft_client(c) &&
        acp_agent_is_stopping(c->agent)) { /* else it ends as cancelled */
        rpc_refuse(rq, JSONRPC_INTERNAL, "the agent ends", NULL);
        return;
    }
    if (read_prompt(c, params, &p, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    if (!(s = prompted_session(c, rq, params)))
        return;
    if (acp_session_check_images(s, &p, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    if (is_draft_client(c)) {
        acp_draft_queue_take(s, &c->editor, &p, json_get(params, "prompt"), rq);
        return;
    }
    if (s->turn) {
        acp_answer_busy(rq);
        return;
    }
    s->asker = &c->editor;
    if ((is_simple_client(c) ? start_simple : acp_v1_turn_start)(s, &p, rq,
                                                                 &e) < 0)
        acp_answer_failure(rq, &e);
    else if (acp_agent_is_stopping(c->agent))
        s->ops->cancel(s->turn);
}

static void
on_prompt(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp_connection *c = arg;

    acp_model_wait(acp_agent_model(c->agent), take_prompt, arg, rq, params, 0);
}

static void
cancel_named_turn(void *arg, struct rpc_request *rq, const struct json *params)
{
    const struct acp_connection *c = arg;
    const char *id = json_get_str(params, "sessionId");
    struct acp_session *s = !id && is_simple_client(c)
                                ? acp_agent_latest(c->agent, &c->editor)
                                : acp_agent_find_own(c->agent, &c->editor, id);

    (void)rq;
    if (s)
        acp_agent_cancel(s);
}

/* After a prompt that waits. */
static void
on_cancel(void *arg, const struct json *params)
{
    const struct acp_connection *c = arg;

    acp_model_wait(acp_agent_model(c->agent), cancel_named_turn, arg, NULL,
                   params, 0);
}

static void
answer_acp_initialize(void *arg, struct rpc_request *rq,
                      const struct json *params)
{
    const struct acp_connection *c = arg;
    const struct model_selection *m = acp_model_selection(
        acp_agent_model(c->agent));
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);

    (void)params;
    acp_client_answer(&c->editor.client,
                      acp_model_fault(acp_agent_model(c->agent))->code ==
                          ERR_NONE,
                      m && model_selection_takes_images(m), &b);
    rpc_answer(rq, &b);
}

/* In the draft `initialize` may be repeated, before any other request and with
 * the same version. */
static bool
may_initialize(const struct acp_connection *c)
{
    return c->editor.client.dialect == ACP_NOT_INITIALIZED ||
           (is_draft_client(c) && !c->used);
}

static void
on_initialize(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;
    struct acp_client client;
    struct err e = {0};

    if (!may_initialize(c)) {
        rpc_refuse(rq, JSONRPC_INVALID_REQUEST, "already initialized", NULL);
        return;
    }
    if (acp_client_read(
            params,
            config_bool(acp_agent_shared(c->agent)->config, CONFIG_ACP_DRAFT),
            &client, &e) < 0) {
        acp_answer_failure(rq, &e);
        return;
    }
    if (is_draft_client(c) && client.dialect != ACP_DRAFT) {
        rpc_refuse(rq, JSONRPC_INVALID_REQUEST,
                   "protocolVersion: must be as before", NULL);
        return;
    }
    c->editor.client = client;
    acp_model_wait(acp_agent_model(c->agent), answer_acp_initialize, c, rq,
                   NULL, INITIALIZE_MS);
}

static void
log_in(struct acp_connection *c, struct rpc_request *rq)
{
    c->logged_out = false;
    if (is_ready(c, rq))
        acp_answer_nothing(rq);
}

static void
on_authenticate(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;
    const char *method = json_get_str(params, "methodId");

    if (method && acp_client_has_login(&c->editor.client, method))
        log_in(c, rq);
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

/* Turns under way go on. The key is not deleted: it belongs to the user's
 * configuration. */
static void
on_logout(void *arg, struct rpc_request *rq, const struct json *params)
{
    struct acp_connection *c = arg;

    (void)params;
    c->logged_out = true;
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
    struct acp_connection *c = arg;
    bool first = method && strcmp(method->name, "initialize") == 0;

    (void)anonymous;
    if (!method || m->kind != JSONRPC_REQUEST)
        return 0;
    c->used = c->used || !first;
    if (!acp_client_has_method(&c->editor.client, method->name)) {
        err_set(e, ERR_INVALID, "unknown method");
        return JSONRPC_NO_METHOD;
    }
    if (c->editor.client.dialect == ACP_NOT_INITIALIZED && !first) {
        err_set(e, ERR_INVALID, "not initialized: call initialize first");
        return JSONRPC_INVALID_REQUEST;
    }
    return 0;
}

static void
on_full(void *arg, bool full)
{
    struct acp_connection *c = arg;

    acp_agent_set_full(c->agent, &c->editor, full);
}

static void
on_connection_ended(void *arg, enum rpc_end what, const struct err *why)
{
    const struct acp_connection *c = arg;

    if (c->ended)
        c->ended(c->arg, what, why);
}

void
acp_connection_setup(struct acp_connection *c, struct rpc_setup *set)
{
    static const struct rpc_events events = {
        .check = on_check, .full = on_full, .ended = on_connection_ended};

    set->methods = methods;
    set->events = &events;
    set->arg = c;
    set->limits = (struct rpc_limits){.line_bytes = ACP_MESSAGE_MAX,
                                      .queued_bytes = ACP_QUEUE_MAX,
                                      .requests = REQUESTS_MAX,
                                      .calls = CALLS_MAX,
                                      .stall_ms = STALL_MS};
}

void
acp_connection_done(struct acp_connection *c)
{
    acp_model_leave(acp_agent_model(c->agent), c);
    acp_agent_leave(c->agent, &c->editor);
}

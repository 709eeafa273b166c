/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_agent.c - one agent for one task, with the agentctl beside it. */
#include "server/gateway/gateway_agent.h"

#include <stdlib.h>
#include <string.h>

#include "base/random_id.h"
#include "server/gateway/agent_handshake.h"
#include "server/gateway/agent_link.h"
#include "server/gateway/agent_permissions.h"
#include "server/gateway/agent_request.h"
#include "server/gateway/agent_sidecar.h"
#include "server/gateway/agent_text.h"
#include "server/gateway/agent_update.h"
#include "wire/jsonrpc.h"

#define START_MS    30000
#define SILENT_MS   600000
#define CANCEL_MS   10000
#define ERROR_MS    10000      /* after an error without another word */
#define MESSAGE_MAX (8u << 20) /* bytes of a message to the agent */

enum agent_state {
    AGENT_BEGUN,     /* its secrets, its process, the way to it */
    AGENT_HANDSHAKE, /* until it has a session (agent_handshake.h) */
    AGENT_WAITS,     /* for a prompt */
    AGENT_WORKS,     /* in a turn */
    AGENT_ENDS,      /* its process is to end */
};

struct gateway_agent {
    struct loop *loop;
    const struct gateway_agent_events *events;
    void *arg;
    void (*log)(void *arg, const char *line);
    void *log_arg;
    struct gateway_agent_limits limits;
    char *task_id;
    char *session; /* "" in the older format */
    char instance[AGENT_INSTANCE_SIZE];

    struct agent_sidecar *sidecar;
    struct agent_link *link;
    struct agent_permissions permissions;
    struct agent_handshake handshake;

    enum agent_state state;
    enum agent_protocol speaks;
    int64_t id;         /* of the last request; its answer is waited for */
    bool awaits;        /* that answer */
    bool prompted;      /* once */
    bool cancelled;     /* the turn is to end */
    bool ended_early;   /* the older format: before the prompt was handed in, */
    bool early_success; /* like this */
    bool has_tokens;    /* they are of this turn */
    int64_t tokens;
    double cost;
    struct agent_text text; /* of the agent's */
    struct watch *timer;    /* the start; silence; a cancel */
    struct watch *soon;     /* to report an end without a process */
    bool failed;            /* why is set */
    struct err why;
};

static void end_agent(struct gateway_agent *a, const struct err *why,
                      const char *errors);

const char *
gateway_agent_instance(const struct gateway_agent *a)
{
    return a->instance;
}

void
gateway_agent_free(struct gateway_agent *a)
{
    if (!a)
        return;
    agent_link_free(a->link);
    agent_sidecar_free(a->sidecar);
    agent_permissions_done(&a->permissions);
    watch_free(a->timer);
    watch_free(a->soon);
    agent_text_done(&a->text);
    free(a->task_id);
    agent_handshake_done(&a->handshake);
    free(a->session);
    free(a);
}

/* Silence, which a question to a person is none of. */
static void
watch_silence(struct gateway_agent *a)
{
    if (a->state != AGENT_WORKS || a->cancelled)
        return;
    if (a->permissions.first)
        watch_stop(a->timer);
    else
        watch_again(a->timer, a->limits.silent_ms);
}

static void
emit(struct gateway_agent *a, const char *kind, struct buf *data)
{
    agent_secrets_clean(agent_sidecar_secrets(a->sidecar), data);
    if (!data->bad)
        a->events->event(a->arg, kind, data);
}

/* The first n bytes of the text that is held. */
static void
emit_text(struct gateway_agent *a, size_t n)
{
    CLEANUP_BUF struct buf data = buf_of(12 * AGENT_TEXT_MAX + 64);

    if (n == 0)
        return;
    agent_update_put_text(&data, a->text.held.p, n);
    buf_drop(&a->text.held, n);
    emit(a, "content", &data);
}

static void
emit_held(struct gateway_agent *a)
{
    emit_text(a, a->text.held.len);
}

static void
emit_error(struct gateway_agent *a, const char *message, const char *details,
           int64_t code)
{
    CLEANUP_BUF struct buf data = buf_of(GATEWAY_AGENT_EVENT_MAX);

    emit_held(a);
    agent_update_put_error(&data, message, details, code);
    emit(a, "error", &data);
}

static void
withdraw(struct gateway_agent *a, struct agent_permission *one)
{
    CLEANUP(free_p) char *request_id = TAKE_PTR(one->request_id);

    agent_permissions_remove(&a->permissions, one);
    a->events->withdrawn(a->arg, request_id);
}

static void
withdraw_all(struct gateway_agent *a)
{
    while (a->permissions.first)
        withdraw(a, a->permissions.first);
}

static void
answer_permission(struct gateway_agent *a, struct agent_permission *one,
                  const char *option_id)
{
    CLEANUP_BUF struct buf out = buf_of(MESSAGE_MAX);

    agent_permission_put_answer(one, option_id, &out);
    agent_link_send(a->link, &out);
}

static void
finish_handshake(struct gateway_agent *a, enum agent_protocol speaks,
                 const char *session)
{
    a->speaks = speaks;
    free(a->session);
    a->session = strdup(session);
    a->state = AGENT_WAITS;
    watch_stop(a->timer);
    a->events->ready(a->arg,
                     agent_process_command(agent_sidecar_process(a->sidecar)),
                     session);
}

/* Sends the next request of the handshake. */
static void
ask_agent(struct gateway_agent *a, struct buf *request)
{
    a->id++;
    a->awaits = true;
    agent_link_send(a->link, request);
}

static void
on_handshake_answer(struct gateway_agent *a, const struct jsonrpc *m)
{
    CLEANUP_BUF struct buf next = buf_of(MESSAGE_MAX);
    const char *session = NULL;
    struct err e = {0};
    int rc = agent_handshake_answer(&a->handshake, m,
                                    agent_sidecar_directory(a->sidecar),
                                    a->id + 1, &next, &session, &e);

    if (rc < 0)
        end_agent(a, &e, "");
    else if (rc == 0)
        ask_agent(a, &next);
    else
        finish_handshake(a, a->handshake.speaks, session);
}

/* The last that is done with the agent's message. */
static void
end_agent_turn(struct gateway_agent *a, bool success, const char *stop_reason,
               const char *summary, int64_t tokens_in, int64_t tokens_out)
{
    CLEANUP_BUF struct buf text = buf_of(AGENT_SUMMARY_MAX * 2);
    CLEANUP_BUF struct buf reason = buf_of(1024);
    struct gateway_turn_end end = {.success = success,
                                   .tokens_in = tokens_in,
                                   .tokens_out = tokens_out,
                                   .cost = a->cost};

    if (a->state == AGENT_ENDS)
        return; /* stopped for what it said last */
    buf_add(&text, summary, strnlen(summary, AGENT_SUMMARY_MAX));
    agent_secrets_clean(agent_sidecar_secrets(a->sidecar), &text);
    buf_add(&reason, stop_reason, strnlen(stop_reason, 255));
    agent_secrets_clean(agent_sidecar_secrets(a->sidecar), &reason);
    end.summary = text.p;
    end.stop_reason = reason.p;
    if (tokens_in < 0 && tokens_out < 0 && a->has_tokens)
        end.tokens_in = a->tokens;
    watch_stop(a->timer);
    withdraw_all(a);
    a->state = AGENT_WAITS;
    a->awaits = a->cancelled = false;
    a->events->turn_ended(a->arg, &end);
}

static void
on_prompt_answer(struct gateway_agent *a, const struct jsonrpc *m)
{
    CLEANUP_BUF struct buf data = buf_of(GATEWAY_AGENT_EVENT_MAX);
    const char *reason = json_get_str(m->result, "stopReason");
    int64_t in = -1, out = -1;
    bool success;

    if (m->kind == JSONRPC_ERROR) {
        emit_error(a, m->message ? m->message : "", NULL, m->code);
        end_agent_turn(a, false, "error", m->message ? m->message : "", -1, -1);
        return;
    }
    if (!reason && a->speaks != SPEAKS_PUBLIC)
        return; /* accepted: the turn ends by `complete` */
    success = reason && strcmp(reason, "end_turn") == 0;
    emit_held(a);
    agent_update_put_result(&data, success, a->session, a->text.summary.p,
                            m->result);
    emit(a, "result", &data);
    agent_update_read_usage(m->result, &in, &out);
    end_agent_turn(a, success, reason ? reason : "", a->text.summary.p, in,
                   out);
}

static void
on_answer(struct gateway_agent *a, const struct jsonrpc *m)
{
    if (!a->awaits || !jsonrpc_has_id(m, a->id))
        return; /* of a turn that was over before */
    a->awaits = false;
    if (a->state == AGENT_HANDSHAKE)
        on_handshake_answer(a, m);
    else if (a->state == AGENT_WORKS)
        on_prompt_answer(a, m);
}

static void
take_update(struct gateway_agent *a, struct agent_update *u)
{
    bool in_turn = a->state == AGENT_WORKS;

    if (u->used >= 0) {
        a->has_tokens = true;
        a->tokens = u->used;
    }
    if (u->cost >= 0)
        a->cost = u->cost;
    if (u->text) {
        emit_text(a, agent_text_add(&a->text, agent_sidecar_secrets(a->sidecar),
                                    u->text));
    } else {
        emit_held(a);
        if (u->work)
            buf_clear(&a->text.summary);
        emit(a, u->kind, &u->data);
    }
    if (u->ends_turn && in_turn)
        end_agent_turn(a, u->success,
                       a->cancelled ? "cancelled" : u->stop_reason,
                       *u->summary ? u->summary : a->text.summary.p, -1, -1);
    else if (in_turn && !a->cancelled && strcmp(u->kind, "error") == 0)
        watch_again(a->timer, a->limits.silent_ms < ERROR_MS
                                  ? a->limits.silent_ms
                                  : ERROR_MS);
}

/* What a session that is loaded tells of its past is no news. */
static void
on_update(struct gateway_agent *a, const struct json *params)
{
    struct agent_update u;

    if (a->state == AGENT_HANDSHAKE)
        return;
    agent_update_read(params, &u);
    if (u.kind)
        take_update(a, &u);
    buf_done(&u.data);
}

static void
on_permission(struct gateway_agent *a, const struct jsonrpc *m)
{
    CLEANUP_BUF struct buf data = buf_of(GATEWAY_AGENT_EVENT_MAX);
    struct agent_permission *one;
    struct err e = {0};

    /* agentctl hands one out again where it is not sure */
    if (agent_permissions_find_id(&a->permissions, m->id))
        return;
    one = agent_permissions_add(&a->permissions, a->instance, m->id, m->params,
                                &e);
    if (!one) {
        jsonrpc_put_error(&data, m->id, JSONRPC_INVALID_PARAMS, e.text, NULL);
        agent_link_send(a->link, &data);
        return;
    }
    emit_held(a);
    agent_permission_put(one, &data);
    agent_secrets_clean(agent_sidecar_secrets(a->sidecar), &data);
    if (a->state != AGENT_WORKS || a->cancelled || data.bad) {
        answer_permission(a, one, NULL);
        agent_permissions_remove(&a->permissions, one);
        return;
    }
    watch_stop(a->timer);
    a->events->asks(a->arg, one->request_id, &data);
}

static void
on_request(struct gateway_agent *a, const struct jsonrpc *m)
{
    CLEANUP_BUF struct buf out = buf_of(MESSAGE_MAX);

    if (strcmp(m->method, "session/request_permission") == 0) {
        on_permission(a, m);
        return;
    }
    jsonrpc_put_error(&out, m->id, JSONRPC_NO_METHOD, "Method not found", NULL);
    agent_link_send(a->link, &out);
}

/* The agent no longer waits for an answer: its request is answered by nobody.
 */
static void
on_cancelled_request(struct gateway_agent *a, const struct json *params)
{
    CLEANUP_BUF struct buf id = buf_of(1024);
    const struct json *value = json_get(params, "requestId");
    struct agent_permission *one;
    struct json_writer w;

    json_write_init(&w, &id);
    if (value)
        json_put_value(&w, value);
    one = value ? agent_permissions_find_id(&a->permissions, id.p) : NULL;
    if (!one)
        return;
    answer_permission(a, one, NULL);
    withdraw(a, one);
}

static void
on_notification(struct gateway_agent *a, const struct jsonrpc *m)
{
    if (strcmp(m->method, "session/update") == 0)
        on_update(a, m->params);
    else if (strcmp(m->method, "$/cancel_request") == 0)
        on_cancelled_request(a, m->params);
}

/* An agent of the older format takes no prompts: it begins by itself. */
static void
on_old_line(struct gateway_agent *a, struct agent_update *u)
{
    if (a->state == AGENT_HANDSHAKE && !a->handshake.opens) {
        a->awaits = false;
        finish_handshake(a, SPEAKS_OLD, "");
    }
    if (u->ends_turn && a->state == AGENT_WAITS) {
        a->ended_early = true;
        a->early_success = u->success;
        (void)agent_text_add(&a->text, agent_sidecar_secrets(a->sidecar),
                             u->summary);
        buf_clear(&a->text.held);
    }
    take_update(a, u);
}

/* A line that is no JSON-RPC: of the older format, or what a program prints. */
static void
on_plain_line(struct gateway_agent *a, const char *bytes, size_t n)
{
    CLEANUP(json_free_p) struct json *line = json_parse(bytes, n, 0, NULL);
    CLEANUP_BUF struct buf data = buf_of(GATEWAY_AGENT_EVENT_MAX);
    struct agent_update u;

    agent_update_read_old(line, &u);
    if (u.kind) {
        on_old_line(a, &u);
    } else {
        emit_held(a);
        agent_update_put_log(&data, bytes, n);
        emit(a, "log", &data);
    }
    buf_done(&u.data);
}

static void
on_link_message(void *arg, char *bytes, size_t n)
{
    struct gateway_agent *a = arg;
    struct jsonrpc m = {0};

    if (a->state == AGENT_ENDS)
        return;
    watch_silence(a);
    if (jsonrpc_parse(bytes, n, &m, NULL) < 0)
        on_plain_line(a, bytes, n);
    else if (m.kind == JSONRPC_RESULT || m.kind == JSONRPC_ERROR)
        on_answer(a, &m);
    else if (m.kind == JSONRPC_REQUEST)
        on_request(a, &m);
    else
        on_notification(a, &m);
    jsonrpc_done(&m);
}

static void
on_link_open(void *arg)
{
    struct gateway_agent *a = arg;
    CLEANUP_BUF struct buf first = buf_of(MESSAGE_MAX);

    a->state = AGENT_HANDSHAKE;
    agent_handshake_begin(&a->handshake, a->id + 1, &first);
    ask_agent(a, &first);
}

/* An agent of the dialect may end at a cancel, as the specification's does. */
static void
on_link_end(void *arg, const struct err *why, const char *errors)
{
    struct gateway_agent *a = arg;

    if (a->state == AGENT_ENDS)
        return;
    emit_held(a);
    if (a->state == AGENT_ENDS)
        return; /* stopped for what it said last */
    if (a->state == AGENT_WORKS && a->cancelled) {
        end_agent_turn(a, false, "cancelled", a->text.summary.p, -1, -1);
        end_agent(a, NULL, "");
        return;
    }
    end_agent(a, why, errors);
}

static const struct agent_link_events link_events = {
    .open = on_link_open, .message = on_link_message, .ended = on_link_end};

/* The last that is done with the agent. */
static void
report_agent_end(struct gateway_agent *a)
{
    struct err why = a->why;

    a->events->ended(a->arg, a->failed ? &why : NULL, !a->prompted);
}

/* An agent of the older format ends its turn before it was prompted, or is
 * prompted a second time, which it does not understand. */
static void
on_soon(void *arg, unsigned events)
{
    struct gateway_agent *a = arg;
    bool early = a->ended_early;

    (void)events;
    if (a->state == AGENT_ENDS) {
        report_agent_end(a);
        return;
    }
    if (a->state != AGENT_WORKS)
        return;
    a->ended_early = false;
    if (!early)
        emit_error(a, "this agent takes no further prompt", NULL, 0);
    end_agent_turn(a, early && a->early_success, "", a->text.summary.p, -1, -1);
}

static void
log_agent_line(struct gateway_agent *a, const char *text)
{
    CLEANUP_BUF struct buf line = buf_of(AGENT_ERRORS_MAX + 256);

    if (!a->log)
        return;
    buf_printf(&line, "task %s, agent %s: %s", a->task_id, a->instance, text);
    agent_secrets_clean(agent_sidecar_secrets(a->sidecar), &line);
    if (!line.bad)
        a->log(a->log_arg, line.p);
}

/* Ends the agent; why NULL: as asked. errors: what it wrote to its standard
 * error. */
static void
end_agent(struct gateway_agent *a, const struct err *why, const char *errors)
{
    CLEANUP_BUF struct buf text = buf_of(sizeof(why->text) * 2);

    if (a->state == AGENT_ENDS)
        return;
    watch_stop(a->timer);
    withdraw_all(a);
    if (why) {
        buf_str(&text, why->text);
        agent_secrets_clean(agent_sidecar_secrets(a->sidecar), &text);
        a->failed = true;
        a->why = *why;
        err_set(&a->why, why->code, "%s", text.p);
        log_agent_line(a, text.p);
        emit_error(a, text.p, errors, 0);
    }
    a->state = AGENT_ENDS;
    if (!agent_sidecar_end(a->sidecar))
        watch_again(a->soon, 0);
}

static const char *
process_errors(const struct gateway_agent *a)
{
    const struct agent_process *p = agent_sidecar_process(a->sidecar);

    return p ? agent_process_errors(p) : "";
}

static void
on_process_end(void *arg)
{
    struct gateway_agent *a = arg;
    struct err e = {0};

    if (a->state != AGENT_ENDS) {
        err_set(&e, ERR_PEER, "its process has ended");
        emit_held(a);
        /* not end_agent: nothing is left to end */
        a->failed = true;
        a->why = e;
        withdraw_all(a);
        emit_error(a, e.text, process_errors(a), 0);
        a->state = AGENT_ENDS;
    }
    report_agent_end(a);
}

static void
on_sidecar(void *arg, const struct err *why)
{
    struct gateway_agent *a = arg;
    struct err e = why ? *why : (struct err){0};

    if (!why)
        a->link = agent_link_new(
            a->loop, agent_process_address(agent_sidecar_process(a->sidecar)),
            &link_events, a, &e);
    if (!a->link)
        end_agent(a, &e, "");
}

static void
on_agent_timer(void *arg, unsigned events)
{
    struct gateway_agent *a = arg;
    struct err e = {0};

    (void)events;
    if (a->state == AGENT_WORKS && a->cancelled)
        err_set(&e, ERR_TIMEOUT,
                "it is stuck: it did not end its turn within "
                "%lld s after the cancel",
                (long long)(a->limits.cancel_ms / 1000));
    else if (a->state == AGENT_WORKS)
        err_set(&e, ERR_TIMEOUT, "it is silent: no word in %lld s",
                (long long)(a->limits.silent_ms / 1000));
    else
        err_set(&e, ERR_TIMEOUT, "it has no session after %lld s",
                (long long)(a->limits.start_ms / 1000));
    end_agent(a, &e, process_errors(a));
}

static int
copy_setup_text(char **to, const char *text, struct err *e)
{
    if (!text)
        return 0;
    *to = strdup(text);
    return *to ? 0 : err_nomem(e);
}

static int64_t
time_or(int64_t ms, int64_t usual)
{
    return ms > 0 ? ms : usual;
}

static int
fill_agent(struct gateway_agent *a, const struct gateway_agent_setup *set,
           struct err *e)
{
    a->loop = set->loop;
    a->events = set->events;
    a->arg = set->arg;
    a->log = set->log;
    a->log_arg = set->log_arg;
    a->limits.start_ms = time_or(set->limits.start_ms, START_MS);
    a->limits.silent_ms = time_or(set->limits.silent_ms, SILENT_MS);
    a->limits.cancel_ms = time_or(set->limits.cancel_ms, CANCEL_MS);
    a->cost = -1;
    agent_text_init(&a->text);
    if (random_id(a->instance, sizeof(a->instance), e) < 0 ||
        copy_setup_text(&a->task_id, set->task_id, e) < 0 ||
        copy_setup_text(&a->handshake.wanted, set->session_id, e) < 0)
        return -1;
    return 0;
}

struct gateway_agent *
gateway_agent_start(const struct gateway_agent_setup *set, struct err *e)
{
    CLEANUP(gateway_agent_free_p)
    struct gateway_agent *a = calloc(1, sizeof(*a));
    const struct agent_sidecar_setup sidecar = {
        .process = {.loop = set->loop,
                    .seat = set->seat,
                    .config = set->config,
                    .type = set->type,
                    .agentctl = set->agentctl,
                    .instance = a ? a->instance : NULL,
                    .task_id = set->task_id,
                    .directory = set->directory,
                    .description = set->description,
                    .session_id = set->session_id},
        .variables = set->variables,
        .started = on_sidecar,
        .ended = on_process_end,
        .arg = a};

    if (!a) {
        err_nomem(e);
        return NULL;
    }
    if (fill_agent(a, set, e) < 0 ||
        !(a->timer = loop_timer(set->loop, a->limits.start_ms, on_agent_timer,
                                a, e)) ||
        !(a->soon = loop_timer(set->loop, 0, on_soon, a, e)) ||
        !(a->sidecar = agent_sidecar_new(&sidecar, e)))
        return NULL;
    watch_stop(a->soon);
    return TAKE_PTR(a);
}

bool
gateway_agent_prompt(struct gateway_agent *a, const char *text)
{
    CLEANUP_BUF struct buf out = buf_of(MESSAGE_MAX);

    if (a->state != AGENT_WAITS)
        return false;
    a->state = AGENT_WORKS;
    a->cancelled = a->has_tokens = false;
    watch_again(a->timer, a->limits.silent_ms);
    if (a->speaks == SPEAKS_OLD) {
        if (a->prompted || a->ended_early)
            watch_again(a->soon, 0);
        a->prompted = true;
        return true;
    }
    buf_clear(&a->text.summary);
    a->prompted = a->awaits = true;
    agent_request_prompt(&out, a->speaks, ++a->id, a->session, text);
    agent_link_send(a->link, &out);
    return true;
}

void
gateway_agent_cancel(struct gateway_agent *a)
{
    CLEANUP_BUF struct buf out = buf_of(MESSAGE_MAX);

    if (a->state != AGENT_WORKS || a->cancelled)
        return;
    a->cancelled = true;
    for (struct agent_permission *p = a->permissions.first; p; p = p->next)
        answer_permission(a, p, NULL);
    agent_request_cancel(&out, a->speaks, a->session);
    agent_link_send(a->link, &out);
    watch_again(a->timer, a->limits.cancel_ms);
}

void
gateway_agent_answer(struct gateway_agent *a, const char *request_id,
                     const char *option_id)
{
    struct agent_permission *one = agent_permissions_find(&a->permissions,
                                                          request_id);

    if (!one || a->state != AGENT_WORKS)
        return;
    if (!a->cancelled)
        answer_permission(a, one, option_id);
    agent_permissions_remove(&a->permissions, one);
    watch_silence(a);
}

void
gateway_agent_stop(struct gateway_agent *a)
{
    if (a->state == AGENT_ENDS)
        return;
    watch_stop(a->timer);
    a->state = AGENT_ENDS;
    if (!agent_sidecar_end(a->sidecar))
        watch_again(a->soon, 0);
}

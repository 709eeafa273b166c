/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_reply.c - answers to the requests of clients. */
#include "server/gateway/gateway_reply.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/ledger.h"
#include "server/gateway/gateway_directory.h"
#include "server/gateway/gateway_keep.h"
#include "server/gateway/worktree.h"
#include "json/write.h"

#define TEXT_MAX  1024 /* of the message of an error */
#define STUCK_MS  2000 /* for which an answer waits where nothing is written */
#define NO_MEMORY "{\"code\":\"INTERNAL_ERROR\",\"message\":\"out of memory\"}"

/* Its client waits for it no more. */
static void
leave_client(struct gateway_request *r)
{
    struct gateway_client *c = r->client;

    r->client = NULL;
    if (c && c->n_requests-- == GATEWAY_REQUESTS_MAX && c->ws)
        websocket_pause(c->ws, false);
}

void
gateway_request_free(struct gateway_request *r)
{
    struct gateway_request **at = &r->g->requests;

    while (*at && *at != r)
        at = &(*at)->next;
    if (*at)
        *at = r->next;
    if (r->task)
        r->task->uses--;
    if (r->g->nodes)
        gateway_nodes_look(r->g->nodes);
    leave_client(r);
    gateway_message_done(&r->m);
    buf_done(&r->answer);
    worktree_job_free(r->tree_job);
    gateway_directory_free(r->directory);
    free(r->ref);
    free(r);
}

/* False: it is too large, or there is no memory. */
static bool
try_to_send(struct gateway_client *c, const struct gateway_message *m,
            const char *type, const char *payload, size_t n)
{
    CLEANUP_BUF struct buf out = buf_of(GATEWAY_ANSWER_MAX);
    const struct gateway_envelope v = {.id = m->id,
                                       .id_n = m->id_n,
                                       .type = type,
                                       .action = m->action ? m->action : "",
                                       .action_n = m->action_n,
                                       .at_ms = ledger_now_ms()};

    if (!c || !c->ws)
        return true;
    gateway_message_put(&out, &v, payload, n);
    if (out.bad)
        return false;
    websocket_send_text(c->ws, out.p, out.len);
    return true;
}

/* Where even this cannot be sent, the client is not left to wait. */
void
gateway_refuse_message(struct gateway_client *c,
                       const struct gateway_message *m, enum gateway_code code,
                       const char *text)
{
    CLEANUP_BUF struct buf payload = buf_of(2 * TEXT_MAX);

    gateway_message_put_error(&payload, code, text, NULL);
    if (c && c->ws &&
        (payload.bad || !try_to_send(c, m, "error", payload.p, payload.len)))
        websocket_close(c->ws, WEBSOCKET_TRY_LATER, "out of memory");
}

static void
send_message(struct gateway_client *c, const struct gateway_message *m,
             const char *type, const char *payload)
{
    if (!try_to_send(c, m, type, payload, strlen(payload)))
        gateway_refuse_message(c, m, GATEWAY_INTERNAL_ERROR,
                               "the answer is too large");
}

/* To its client, or to the gateway that handed it on. */
static void
send_to_asker(struct gateway_request *r, const char *type, const char *payload)
{
    if (r->from[0])
        gateway_nodes_answer(r->g->nodes, r->from, r->from_token, type,
                             payload);
    else
        send_message(r->client, &r->m, type, payload);
}

void
gateway_reply_passed(struct gateway_request *r, const char *type,
                     const char *payload)
{
    send_to_asker(r, type, payload);
    gateway_request_free(r);
}

void
gateway_reply_lost(void *request)
{
    gateway_refuse(request, GATEWAY_INTERNAL_ERROR, NULL,
                   "the other gateways took this one for dead: this was not "
                   "done");
}

/* Not for another gateway, git, a directory or an agent. */
static bool
waits_for_store(const struct gateway_request *r)
{
    return r->token == 0 && !r->tree_job && !r->directory &&
           !(r->task && r->task->starter == r);
}

static void
refuse_stuck(struct gateway *g, int64_t now)
{
    const char *why = gateway_store_trouble(g->store);
    char text[TEXT_MAX];

    if (!why || g->stuck_ms == 0 || now - g->stuck_ms <= STUCK_MS)
        return;
    snprintf(text, sizeof(text),
             "%s: this is done when it can be written, unless this gateway "
             "ends before",
             why);
    for (struct gateway_request *r = g->requests; r; r = r->next) {
        if (!r->client || !waits_for_store(r) || now - r->asked_ms <= STUCK_MS)
            continue;
        gateway_refuse_message(r->client, &r->m, GATEWAY_INTERNAL_ERROR, text);
        leave_client(r);
    }
}

void
gateway_reply_overdue(struct gateway *g, int64_t now)
{
    refuse_stuck(g, now);
    if (!g->nodes || !gateway_nodes_is_stuck(g->nodes))
        return;
    for (struct gateway_request *r = g->requests; r; r = r->next) {
        if (!r->client || r->tree_job || now - r->asked_ms <= GATEWAY_DEAD_MS)
            continue;
        gateway_refuse_message(r->client, &r->m, GATEWAY_INTERNAL_ERROR,
                               "NATS does not answer: this is done when it "
                               "does, unless this gateway is taken for dead");
        leave_client(r);
    }
}

void
gateway_reply(struct gateway_request *r, const struct buf *payload)
{
    if (buf_ok(payload, "an answer", NULL) < 0) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL,
                       "the answer is too large");
        return;
    }
    send_to_asker(r, "response", payload->p);
    gateway_request_free(r);
}

static void
on_reply_kept(void *arg)
{
    struct gateway_request *r = arg;

    gateway_reply(r, &r->answer);
}

/* So that it is answered the same when it comes again. */
static void
keep_ref(struct gateway_request *r, const struct buf *payload)
{
    const struct gateway_values v = {.text = {r->ref, payload->p},
                                     .number = {ledger_now_ms()}};

    if (r->ref && buf_ok(payload, "an answer", NULL) == 0 &&
        !(r->g->nodes && payload->len > GATEWAY_SHARED_MAX))
        gateway_keep(r->g, GATEWAY_PUT_REF, &v);
}

void
gateway_reply_when_kept(struct gateway_request *r, struct buf *payload)
{
    keep_ref(r, payload);
    buf_done(&r->answer);
    r->answer = *payload;
    *payload = buf_of(payload->max);
    gateway_keep_then(r->g, on_reply_kept, gateway_reply_lost, r);
}

void
gateway_reply_success(struct gateway_request *r)
{
    CLEANUP_BUF struct buf b = buf_of(TEXT_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_bool(&w, "success", true);
    json_member_str(&w, "task_id", gateway_request_text(r, "task_id"));
    json_close_object(&w);
    gateway_reply_when_kept(r, &b);
}

void
gateway_refuse(struct gateway_request *r, enum gateway_code code,
               const char *details, const char *fmt, ...)
{
    CLEANUP_BUF struct buf text = buf_of(TEXT_MAX);
    CLEANUP_BUF struct buf payload = buf_of(GATEWAY_ANSWER_MAX);
    va_list ap;

    va_start(ap, fmt);
    buf_vprintf(&text, fmt, ap);
    va_end(ap);
    gateway_message_put_error(&payload, code, text.p, details);
    send_to_asker(r, "error", payload.bad ? NO_MEMORY : payload.p);
    gateway_request_free(r);
}

const char *
gateway_request_text(const struct gateway_request *r, const char *name)
{
    return json_get_str(r->m.payload, name);
}

int64_t
gateway_request_int(const struct gateway_request *r, const char *name,
                    int64_t otherwise)
{
    int64_t v;

    return json_int(json_get(r->m.payload, name), &v) ? v : otherwise;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_permission.c - questions of agents, and who answered them. */
#include "server/gateway/gateway_permission.h"

#include <stdlib.h>
#include <string.h>

#include "record/ledger.h"
#include "server/gateway/gateway_keep.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_task.h"
#include "json/write.h"

#define SMALL_MAX  8192       /* bytes of the data around a question */
#define ANSWER_MAX (2u << 20) /* of an answer: an agent names its options */

static struct gateway_permission *
find_permission(const struct gateway_task *t, const char *request_id)
{
    struct gateway_permission *p = t->permissions;

    while (p && strcmp(p->text[PERMISSION_REQUEST], request_id) != 0)
        p = p->next;
    return p;
}

static void
keep_permission(struct gateway_task *t, const struct gateway_permission *p)
{
    struct gateway_values v = {0};

    for (size_t i = 0; i < PERMISSION_TEXTS; i++)
        v.text[i] = p->text[i];
    memcpy(v.number, p->number, sizeof(p->number));
    gateway_keep(t->g, GATEWAY_PUT_PERMISSION, &v);
}

static bool
set_permission_text(struct gateway_permission *p, size_t i, const char *text)
{
    char *copy = strdup(text);

    if (!copy)
        return false;
    free(p->text[i]);
    p->text[i] = copy;
    return true;
}

/* An entry for the question, which an agent may have asked by this name before.
 */
static struct gateway_permission *
make_permission(struct gateway_task *t, const char *request_id,
                const char *data)
{
    struct gateway_permission *p = find_permission(t, request_id);
    struct gateway_permission *made = p ? NULL : calloc(1, sizeof(*made));

    p = p ? p : made;
    if (!p)
        return NULL;
    if (!set_permission_text(p, PERMISSION_TASK, t->id) ||
        !set_permission_text(p, PERMISSION_REQUEST, request_id) ||
        !set_permission_text(p, PERMISSION_DATA, data) ||
        !set_permission_text(p, PERMISSION_OPTION, "") ||
        !set_permission_text(p, PERMISSION_BY, "")) {
        gateway_task_free_permission(made);
        return NULL;
    }
    if (made) {
        made->next = t->permissions;
        t->permissions = made;
    }
    return p;
}

/* The question with its end; the agent's part of it is an object. */
static void
put_question_with_end(struct buf *out, const struct buf *data,
                      int64_t expires_ms)
{
    char at[GATEWAY_TIME_SIZE];

    buf_add(out, data->p, data->len);
    if (expires_ms == 0 || data->len < 3 || data->p[data->len - 1] != '}')
        return;
    buf_cut(out, out->len - 1);
    buf_printf(out, ",\"expires_at\":\"%s\"}",
               gateway_message_time(expires_ms, at));
}

void
gateway_permission_ask(struct gateway_task *t, const char *request_id,
                       const struct buf *data)
{
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_AGENT_EVENT_MAX + SMALL_MAX);
    int64_t now = ledger_now_ms(), after = t->g->set.approval_ms;
    int64_t event[EVENT_NUMBERS];
    struct gateway_permission *p;

    put_question_with_end(&b, data, after > 0 ? now + after : 0);
    if (buf_ok(&b, "a question", NULL) < 0 ||
        (t->g->nodes && b.len > GATEWAY_SHARED_MAX) ||
        !(p = make_permission(t, request_id, b.p))) {
        gateway_agent_answer(t->agent, request_id, NULL);
        return;
    }
    p->number[PERMISSION_STATE] = PERMISSION_OPEN;
    p->number[PERMISSION_EXPIRES] = after > 0 ? now + after : 0;
    p->number[PERMISSION_DECIDED] = 0;
    gateway_task_add_event(t, "acp.permission", b.p, b.len, event);
    p->number[PERMISSION_SEQ] = event[EVENT_SEQ];
    p->number[PERMISSION_EVENT] = event[EVENT_N];
    p->number[PERMISSION_ASKED] = event[EVENT_AT];
    keep_permission(t, p);
    gateway_task_keep(t, "task.updated");
}

static void
record_permission(const struct gateway_task *t,
                  const struct gateway_permission *p, const char *decision)
{
    const struct journal_member members[] = {
        JOURNAL_STR("task", t->id),
        JOURNAL_STR("request", p->text[PERMISSION_REQUEST]),
        JOURNAL_STR("decision", decision),
        JOURNAL_STR("option", p->text[PERMISSION_OPTION]),
        JOURNAL_STR("by", p->text[PERMISSION_BY]),
        JOURNAL_STR("via", "gateway"),
        {0},
    };

    (void)journal_add(t->g->run, "decision", members);
}

static void
settle_permission(struct gateway_task *t, struct gateway_permission *p,
                  enum gateway_permission_state state, const char *action)
{
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);
    struct json_writer w;

    p->number[PERMISSION_STATE] = state;
    /* the event that asked has it, and an agent may ask any number of times */
    (void)set_permission_text(p, PERMISSION_DATA, "");
    p->number[PERMISSION_DECIDED] = ledger_now_ms();
    keep_permission(t, p);
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "request_id", p->text[PERMISSION_REQUEST]);
    if (state == PERMISSION_ANSWERED) {
        json_member_str(&w, "option_id", p->text[PERMISSION_OPTION]);
        json_member_str(&w, "by", p->text[PERMISSION_BY]);
    }
    json_close_object(&w);
    if (buf_ok(&b, "an answer", NULL) == 0)
        gateway_task_add_event(t, action, b.p, b.len, NULL);
    gateway_task_keep(t, "task.updated");
}

void
gateway_permission_withdraw(struct gateway_task *t, const char *request_id)
{
    for (struct gateway_permission *p = t->permissions; p; p = p->next)
        if (p->number[PERMISSION_STATE] == PERMISSION_OPEN &&
            (!request_id ||
             strcmp(p->text[PERMISSION_REQUEST], request_id) == 0))
            settle_permission(t, p, PERMISSION_WITHDRAWN,
                              "acp.permissionWithdrawn");
}

static void
expire_of_task(struct gateway_task *t, int64_t now_ms)
{
    for (struct gateway_permission *p = t->permissions; p; p = p->next) {
        if (p->number[PERMISSION_STATE] != PERMISSION_OPEN ||
            p->number[PERMISSION_EXPIRES] == 0 ||
            p->number[PERMISSION_EXPIRES] > now_ms)
            continue;
        settle_permission(t, p, PERMISSION_EXPIRED, "acp.permissionExpired");
        record_permission(t, p, "expired");
        if (t->agent)
            gateway_agent_answer(t->agent, p->text[PERMISSION_REQUEST], NULL);
    }
}

void
gateway_permission_expire(struct gateway *g, int64_t now_ms)
{
    for (struct gateway_task *t = g->tasks; t; t = t->next)
        if (!t->loading && t->agent)
            expire_of_task(t, now_ms);
}

/* Whether the question has the option. Agents write its name as the protocol
 * that they speak has it. */
static bool
question_has_option(const struct gateway_permission *p, const char *option)
{
    static const char *const names[] = {"option_id", "optionId", "id"};
    const char *text = p->text[PERMISSION_DATA];
    CLEANUP(json_free_p)
    struct json *root = json_parse(text, strlen(text), 0, NULL);
    const struct json *v = json_first(json_get(root, "options"));

    for (; v; v = json_next(v))
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            const char *is = json_get_str(v, names[i]);

            if (is && strcmp(is, option) == 0)
                return true;
        }
    return false;
}

static void
refuse_second_answer(struct gateway_request *r,
                     const struct gateway_permission *p)
{
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);
    char at[GATEWAY_TIME_SIZE];
    struct json_writer w;

    if (p->number[PERMISSION_STATE] != PERMISSION_ANSWERED) {
        gateway_refuse(r, GATEWAY_FORBIDDEN, NULL, "%s",
                       p->number[PERMISSION_STATE] == PERMISSION_EXPIRED
                           ? "the question has expired"
                           : "the question was withdrawn");
        return;
    }
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "by", p->text[PERMISSION_BY]);
    json_member_str(&w, "option_id", p->text[PERMISSION_OPTION]);
    json_member_str(&w, "at",
                    gateway_message_time(p->number[PERMISSION_DECIDED], at));
    json_close_object(&w);
    gateway_refuse(r, GATEWAY_FORBIDDEN, b.p, "answered before, by %s",
                   p->text[PERMISSION_BY]);
}

static void
on_answer_kept(void *arg)
{
    struct gateway_request *r = arg;
    CLEANUP_BUF struct buf b = buf_of(ANSWER_MAX);
    struct json_writer w;

    if (r->task->agent)
        gateway_agent_answer(r->task->agent,
                             gateway_request_text(r, "request_id"),
                             gateway_request_text(r, "option_id"));
    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_bool(&w, "success", true);
    json_member_str(&w, "task_id", r->task->id);
    json_member_str(&w, "request_id", gateway_request_text(r, "request_id"));
    json_close_object(&w);
    gateway_reply(r, &b);
}

/* Who answers: the connection, and what it says of itself. */
static bool
put_answerer(struct gateway_permission *p, const struct gateway_request *r)
{
    CLEANUP_BUF struct buf b = buf_of(SMALL_MAX);
    const char *by = gateway_request_text(r, "by");

    buf_str(&b, r->client           ? r->client->name
                : r->from_client[0] ? r->from_client
                                    : "a client that left");
    if (by && by[0])
        buf_printf(&b, ", who says to be %.200s", by);
    return set_permission_text(p, PERMISSION_BY, b.p);
}

void
gateway_permission_respond(struct gateway_request *r)
{
    const char *option = gateway_request_text(r, "option_id");
    struct gateway_permission *p = find_permission(
        r->task, gateway_request_text(r, "request_id"));

    if (!p) {
        gateway_refuse(r, GATEWAY_NOT_FOUND, NULL,
                       "not found: the task has no such question");
    } else if (p->number[PERMISSION_STATE] != PERMISSION_OPEN) {
        refuse_second_answer(r, p);
    } else if (!question_has_option(p, option)) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "option_id: the question has no option %.100s", option);
    } else if (!set_permission_text(p, PERMISSION_OPTION, option) ||
               !put_answerer(p, r)) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "out of memory");
    } else {
        settle_permission(r->task, p, PERMISSION_ANSWERED,
                          "acp.permissionAnswered");
        record_permission(r->task, p, "answered");
        gateway_keep_then(r->g, on_answer_kept, gateway_reply_lost, r);
    }
}

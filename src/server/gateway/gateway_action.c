/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_action.c - the actions of the gateway: their fields, and who does
 * them. */
#include "server/gateway/gateway_action.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "server/gateway/gateway_keep.h"
#include "server/gateway/gateway_listing.h"
#include "server/gateway/gateway_orchestrator.h"
#include "server/gateway/gateway_permission.h"
#include "server/gateway/gateway_reply.h"
#include "server/gateway/gateway_task.h"
#include "server/gateway/gateway_task_actions.h"
#include "server/gateway/gateway_tree.h"
#include "json/write.h"

#define FIELDS_MAX 12

enum field_type { FIELD_TEXT, FIELD_INT, FIELD_BOOL, FIELD_OBJECT, FIELD_ANY };

struct action_field {
    const char *name; /* NULL: the end */
    enum field_type type;
    bool required;
};

struct gateway_action {
    const char *name;
    void (*take)(struct gateway_request *r);
    const char *of_task; /* the field that names its task; NULL: none */
    bool changes;        /* something on the disk */
    struct action_field fields[FIELDS_MAX];
};

#define TASK_FIELD                                                             \
    {                                                                          \
        "task_id", FIELD_TEXT, true                                            \
    }
#define TASK_MEMBERS                                                           \
    {"description", FIELD_TEXT, false}, {"board_id", FIELD_TEXT, false},       \
        {"column_id", FIELD_TEXT, false}, {"agent_type", FIELD_TEXT, false},   \
        {"priority", FIELD_INT, false}, {"metadata", FIELD_OBJECT, false},     \
        {"limits", FIELD_OBJECT, false}, {"directory", FIELD_TEXT, false},     \
    {                                                                          \
        "worktree", FIELD_BOOL, false                                          \
    }
#define REF_FIELD                                                              \
    {                                                                          \
        "client_ref", FIELD_TEXT, false                                        \
    }
#define RESPOND(name)                                                          \
    {                                                                          \
        name, gateway_permission_respond, "task_id", true,                     \
        {                                                                      \
            TASK_FIELD, {"request_id", FIELD_TEXT, true},                      \
                {"option_id", FIELD_TEXT, true},                               \
            {                                                                  \
                "by", FIELD_TEXT, false                                        \
            }                                                                  \
        }                                                                      \
    }

static const struct gateway_action actions[] = {
    {"task.create",
     gateway_task_create,
     NULL,
     true,
     {{"title", FIELD_TEXT, true}, TASK_MEMBERS, REF_FIELD}},
    {"task.get", gateway_task_get, "id", false, {{"id", FIELD_TEXT, true}}},
    {"task.list",
     gateway_list_tasks,
     NULL,
     false,
     {{"text", FIELD_TEXT, false},
      {"state", FIELD_ANY, false},
      {"limit", FIELD_INT, false},
      {"before", FIELD_INT, false}}},
    {"task.update",
     gateway_task_update,
     "id",
     true,
     {{"id", FIELD_TEXT, true}, {"title", FIELD_TEXT, false}, TASK_MEMBERS}},
    {"task.subscribe",
     gateway_task_subscribe,
     NULL,
     false,
     {TASK_FIELD, {"after", FIELD_INT, false}, {"kinds", FIELD_ANY, false}}},
    {"task.unsubscribe", gateway_task_unsubscribe, NULL, false, {TASK_FIELD}},
    {"task.events",
     gateway_list_events,
     "task_id",
     false,
     {TASK_FIELD, {"before", FIELD_INT, false}, {"limit", FIELD_INT, false}}},
    RESPOND("task.respond"),
    RESPOND("permission.respond"),
    {"permission.list",
     gateway_list_permissions,
     NULL,
     false,
     {{"task_id", FIELD_TEXT, false}}},
    {"prompt.list", gateway_list_prompts, "task_id", false, {TASK_FIELD}},
    {"prompt.remove",
     gateway_prompt_remove,
     "task_id",
     true,
     {TASK_FIELD, {"prompt_id", FIELD_TEXT, true}}},
    {"orchestrator.status", gateway_list_status, NULL, false, {{0}}},
    {"orchestrator.queue", gateway_list_queue, NULL, false, {{0}}},
    {"orchestrator.start",
     gateway_orchestrator_start,
     "task_id",
     true,
     {TASK_FIELD,
      {"agent_type", FIELD_TEXT, false},
      {"priority", FIELD_INT, false}}},
    {"orchestrator.trigger",
     gateway_orchestrator_trigger,
     "task_id",
     true,
     {TASK_FIELD,
      {"agent_type", FIELD_TEXT, false},
      {"priority", FIELD_INT, false},
      REF_FIELD}},
    {"orchestrator.prompt",
     gateway_orchestrator_prompt,
     "task_id",
     true,
     {TASK_FIELD, {"prompt", FIELD_TEXT, true}, REF_FIELD}},
    {"orchestrator.stop",
     gateway_orchestrator_stop,
     "task_id",
     true,
     {TASK_FIELD, {"reason", FIELD_TEXT, false}, {"force", FIELD_BOOL, false}}},
    {"orchestrator.complete",
     gateway_orchestrator_complete,
     "task_id",
     true,
     {TASK_FIELD}},
    {"task.diff", gateway_tree_diff, "task_id", false, {TASK_FIELD}},
    {"usage",
     gateway_list_usage,
     NULL,
     false,
     {{"task_id", FIELD_TEXT, false}}},
    {"agent.list", gateway_list_agents, NULL, false, {{0}}},
    {"health.check", gateway_list_health, NULL, false, {{0}}},
};

static const struct gateway_action *
find_action(const struct gateway_message *m)
{
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
        if (strlen(actions[i].name) == m->action_n &&
            memcmp(actions[i].name, m->action, m->action_n) == 0)
            return &actions[i];
    return NULL;
}

/* What a field must be, where it is not; else NULL. */
static const char *
wrong_type(const struct json *v, enum field_type type)
{
    static const char *const words[] = {[FIELD_TEXT] = "a string without a NUL",
                                        [FIELD_INT] = "an integer",
                                        [FIELD_BOOL] = "true or false",
                                        [FIELD_OBJECT] = "an object"};
    int64_t number;
    bool right = true;

    if (type == FIELD_TEXT)
        right = json_text(v) != NULL;
    else if (type == FIELD_INT)
        right = json_int(v, &number);
    else if (type == FIELD_BOOL)
        right = json_type(v) == JSON_BOOL;
    else if (type == FIELD_OBJECT)
        right = json_type(v) == JSON_OBJECT;
    return right ? NULL : words[type];
}

static const struct json *
action_field_value(const struct gateway_request *r,
                   const struct action_field *f)
{
    const struct json *v = json_get(r->m.payload, f->name);

    return v && json_type(v) != JSON_NULL ? v : NULL;
}

/* Fields that are there are right; then none that is needed is missing. False:
 * the request is refused. */
static bool
check_fields(struct gateway_request *r)
{
    const struct action_field *f;

    if (r->m.payload && json_type(r->m.payload) != JSON_OBJECT) {
        gateway_refuse(r, GATEWAY_BAD_REQUEST, NULL,
                       "Invalid payload: it must be an object");
        return false;
    }
    for (f = r->action->fields; f->name; f++) {
        const struct json *v = action_field_value(r, f);
        const char *wrong = v ? wrong_type(v, f->type) : NULL;

        if (wrong) {
            gateway_refuse(r, GATEWAY_BAD_REQUEST, NULL,
                           "Invalid payload: %s must be %s", f->name, wrong);
            return false;
        }
    }
    for (f = r->action->fields; f->name; f++) {
        const char *text = gateway_request_text(r, f->name);

        if (f->required && (!text || !text[0])) {
            gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL, "%s is required",
                           f->name);
            return false;
        }
    }
    return true;
}

static const char *
name_of_task(const struct gateway_request *r)
{
    return r->new_id[0] ? r->new_id
                        : gateway_request_text(r, r->action->of_task);
}

static void
take_for_task(void *arg, struct gateway_task *t)
{
    struct gateway_request *r = arg;

    if (!t || t->removed) {
        gateway_refuse(r, GATEWAY_NOT_FOUND, NULL, "task not found: %.128s",
                       gateway_request_text(r, r->action->of_task));
        return;
    }
    r->task = t;
    t->uses++;
    r->action->take(r);
}

static void
on_task_found(void *arg, struct gateway_task *t)
{
    struct gateway_request *r = arg;

    if (!t && r->g->nodes)
        gateway_nodes_release(r->g->nodes, name_of_task(r), 0, 0);
    take_for_task(r, t);
}

/* To the gateway that has the task. */
static void
hand_on(struct gateway_request *r, const char *task)
{
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_SHARED_MAX);
    const char *owner = gateway_nodes_owner(r->g->nodes, task);
    struct json_writer w;

    json_write_init(&w, &b);
    json_put_value(&w, r->m.root);
    if (!owner[0] || buf_ok(&b, "a message", NULL) < 0) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "%s",
                       owner[0] ? "this is too much for another gateway"
                                : "the task was not to be had: try again");
        return;
    }
    snprintf(r->to, sizeof(r->to), "%s", owner);
    r->token = gateway_nodes_ask(r->g->nodes, owner, b.p,
                                 r->client ? r->client->name : r->from_client);
}

static void
on_task_claimed(void *arg, const char *task, bool ours)
{
    struct gateway_request *r = arg;

    if (ours)
        gateway_task_find(r->g, task, on_task_found, r);
    else
        hand_on(r, task);
}

static void
take_shared_action(struct gateway_request *r)
{
    const char *task = gateway_request_text(r, r->action->of_task);

    if (r->action->changes)
        gateway_nodes_claim(r->g->nodes, task, on_task_claimed, r);
    else if (gateway_nodes_has(r->g->nodes, task))
        gateway_task_find(r->g, task, on_task_found, r);
    else
        gateway_task_find_copy(r->g, task, on_task_found, r);
}

/* What made it is known for a week; the task itself, while there is one. */
static void
on_made_before(void *arg, struct gateway_task *t)
{
    struct gateway_request *r = arg;

    if (!t) {
        r->action->take(r);
        return;
    }
    if (t->removed) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL,
                       "the task of this client_ref is being removed");
        return;
    }
    r->task = t;
    t->uses++;
    gateway_task_get(r);
}

static void
take_action(struct gateway_request *r)
{
    if (r->new_id[0])
        gateway_task_find(r->g, r->new_id, on_made_before, r);
    else if (r->action->of_task && !r->action->changes && r->g->stuck_ms > 0)
        gateway_task_find_copy(r->g, name_of_task(r), take_for_task, r);
    else if (r->action->of_task && r->g->nodes)
        take_shared_action(r);
    else if (r->action->of_task)
        gateway_task_find(r->g, gateway_request_text(r, r->action->of_task),
                          on_task_found, r);
    else
        r->action->take(r);
}

/* What is sent again is done once: the answer is the one that it had. */

static bool
is_done_at_the_moment(const struct gateway_request *r)
{
    const struct gateway_request *other = r->g->requests;

    while (other &&
           !(other != r && other->doing && strcmp(other->ref, r->ref) == 0))
        other = other->next;
    return other != NULL;
}

static void ask_for_ref(struct gateway_request *r);

/* It is in memory now, and released with what is there. */
static void
on_made_task(void *arg, struct gateway_task *t)
{
    (void)arg;
    if (t)
        gateway_nodes_look(t->g->nodes);
}

static void
on_ref_found(void *arg, const struct gateway_answer *a)
{
    struct gateway_request *r = arg;

    if (a->n > 0) {
        CLEANUP_BUF struct buf b = buf_of(GATEWAY_ANSWER_MAX);

        buf_str(&b, a->row->text[0]);
        if (r->new_id[0])
            gateway_task_find(r->g, r->new_id, on_made_task, NULL);
        gateway_reply(r, &b);
    } else if (is_done_at_the_moment(r)) {
        ask_for_ref(r);
    } else {
        r->doing = true;
        take_action(r);
    }
}

static void
ask_for_ref(struct gateway_request *r)
{
    const struct gateway_values in = {.text = {r->ref}};

    gateway_store_ask(r->g->store, GATEWAY_FIND_REF, &in, 1, on_ref_found, r);
}

static bool
set_ref(struct gateway_request *r, const char *ref)
{
    CLEANUP_BUF struct buf b = buf_of(GATEWAY_REF_MAX);
    const char *of = r->action->of_task;

    buf_printf(&b, "%s\n", r->action->name);
    if (of)
        buf_printf(&b, "%s\n", gateway_request_text(r, of));
    buf_str(&b, ref);
    if (buf_ok(&b, "client_ref", NULL) < 0 || !(r->ref = buf_take(&b))) {
        gateway_refuse(r, GATEWAY_VALIDATION_ERROR, NULL,
                       "client_ref is too long");
        return false;
    }
    return true;
}

/* What makes a task for a client_ref has the task's id by that, so that it is
 * claimed by one gateway alone. */
static void
on_new_claimed(void *arg, const char *task, bool ours)
{
    struct gateway_request *r = arg;

    if (ours)
        ask_for_ref(r);
    else
        hand_on(r, task);
}

static void
take_with_ref(struct gateway_request *r)
{
    if (!r->g->nodes || r->action->of_task) {
        ask_for_ref(r);
        return;
    }
    gateway_task_id_of(r->ref, r->new_id);
    gateway_nodes_claim(r->g->nodes, r->new_id, on_new_claimed, r);
}

void
gateway_action_retry(struct gateway_request *r)
{
    r->doing = false;
    take_with_ref(r);
}

void
gateway_action_take(struct gateway_request *r)
{
    const char *trouble = gateway_keep_trouble(r->g), *ref;

    r->asked_ms = clock_ms();
    r->action = find_action(&r->m);
    if (!r->action) {
        gateway_refuse(r, GATEWAY_UNKNOWN_ACTION, NULL, "Unknown action: %.*s",
                       (int)(r->m.action_n < 200 ? r->m.action_n : 200),
                       r->m.action);
        return;
    }
    if (!check_fields(r))
        return;
    if (r->action->changes && (trouble || r->g->stopping)) {
        gateway_refuse(r, GATEWAY_INTERNAL_ERROR, NULL, "%s",
                       trouble ? trouble : "the gateway ends");
        return;
    }
    ref = gateway_request_text(r, "client_ref");
    if (!ref || !ref[0] || !r->action->changes)
        take_action(r);
    else if (set_ref(r, ref))
        take_with_ref(r);
}

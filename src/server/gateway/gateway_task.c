/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_task.c - a task: what is known of it, its events, its prompts. */
#include "server/gateway/gateway_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random_id.h"
#include "base/sha256.h"
#include "record/ledger.h"
#include "server/gateway/gateway_directory.h"
#include "server/gateway/gateway_keep.h"
#include "server/gateway/gateway_task_json.h"
#include "server/gateway/gateway_watch.h"
#include "server/gateway/worktree.h"

#define FORGET_MS (60 * (int64_t)1000)
#define BRIEF_MAX (64u << 10) /* bytes of a task's data in an event */
#define ALL_ROWS  SIZE_MAX

struct gateway_loading {
    struct gateway_loading *next;
    void (*cb)(void *arg, struct gateway_task *t);
    void *arg;
};

void
gateway_task_id_of(const char *ref, char id[GATEWAY_ID_SIZE])
{
    char h[SHA256_HEX_SIZE];

    sha256_hex(ref, strlen(ref), h);
    /* RFC 9562, version 8 */
    snprintf(id, GATEWAY_ID_SIZE, "%.8s-%.4s-8%.3s-8%.3s-%.12s", h, h + 8,
             h + 12, h + 15, h + 18);
}

/* In memory. */

void
gateway_types_release(struct gateway_types *types)
{
    if (!types || --types->uses > 0)
        return;
    agent_types_free(types->rows);
    free(types);
}

static void
free_prompt(struct gateway_prompt *p)
{
    free(p->text);
    free(p);
}

void
gateway_task_free_permission(struct gateway_permission *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < PERMISSION_TEXTS; i++)
        free(p->text[i]);
    free(p);
}

static void
free_task(struct gateway_task *t)
{
    struct gateway_task **at = &t->g->tasks;

    while (*at && *at != t)
        at = &(*at)->next;
    if (*at)
        *at = t->next;
    while (t->waiters) {
        struct gateway_loading *w = t->waiters;

        t->waiters = w->next;
        free(w);
    }
    while (t->prompts) {
        struct gateway_prompt *p = t->prompts;

        t->prompts = p->next;
        free_prompt(p);
    }
    while (t->permissions) {
        struct gateway_permission *p = t->permissions;

        t->permissions = p->next;
        gateway_task_free_permission(p);
    }
    for (size_t i = 0; i < TASK_TEXTS; i++)
        free(t->text[i]);
    gateway_agent_free(t->agent);
    gateway_types_release(t->types);
    gateway_directory_free(t->look);
    worktree_job_free(t->tree_job);
    watch_free(t->limit);
    free(t);
}

void
gateway_task_forget_idle(struct gateway *g, int64_t now)
{
    struct gateway_task *next;

    for (struct gateway_task *t = g->nodes ? NULL : g->tasks; t; t = next) {
        next = t->next;
        if (!t->loading && t->uses == 0 && !t->agent &&
            (t->copy || now - t->used_ms > FORGET_MS))
            free_task(t);
    }
}

void
gateway_task_release_unused(struct gateway *g)
{
    struct gateway_task *next;

    for (struct gateway_task *t = g->tasks; t; t = next) {
        next = t->next;
        if (t->loading || t->uses > 0 || t->agent || t->tree_job ||
            t->starter || t->stopping)
            continue;
        if (!t->copy)
            gateway_nodes_release(
                g->nodes, t->id, t->number[TASK_PRIORITY],
                gateway_task_is(t, "queued") ? t->number[TASK_QUEUED] : 0);
        free_task(t);
    }
}

static struct gateway_task *
find_in_memory(const struct gateway *g, const char *id)
{
    struct gateway_task *t = g->tasks;

    while (t && (t->copy || strcmp(t->id, id) != 0))
        t = t->next;
    return t;
}

static struct gateway_task *
make_task(struct gateway *g, const char *id)
{
    struct gateway_task *t = calloc(1, sizeof(*t));

    if (!t)
        return NULL;
    t->g = g;
    t->used_ms = clock_ms();
    snprintf(t->id, sizeof(t->id), "%s", id);
    t->next = g->tasks;
    g->tasks = t;
    return t;
}

/* From the disk. */

static void
on_task_row(void *arg, const struct gateway_answer *a)
{
    struct gateway_task *t = arg;

    t->found = a->n > 0;
    if (!t->found)
        return;
    for (size_t i = 0; i < TASK_TEXTS; i++) {
        t->text[i] = strdup(a->row->text[i]);
        t->found = t->found && t->text[i];
    }
    memcpy(t->number, a->row->number, sizeof(t->number));
}

static void
on_prompt_rows(void *arg, const struct gateway_answer *a)
{
    struct gateway_task *t = arg;
    struct gateway_prompt **end = &t->prompts;

    for (size_t i = 0; i < a->n; i++) {
        struct gateway_prompt *p = calloc(1, sizeof(*p));

        if (!p || !(p->text = strdup(a->row[i].text[PROMPT_TEXT]))) {
            free(p);
            t->found = false;
            return;
        }
        snprintf(p->id, sizeof(p->id), "%s", a->row[i].text[PROMPT_ID]);
        memcpy(p->number, a->row[i].number, sizeof(p->number));
        *end = p;
        end = &p->next;
    }
}

static void
add_permission_row(struct gateway_task *t, const struct gateway_values *v)
{
    struct gateway_permission *p = calloc(1, sizeof(*p));

    if (!p) {
        t->found = false;
        return;
    }
    p->next = t->permissions;
    t->permissions = p;
    memcpy(p->number, v->number, sizeof(p->number));
    for (size_t i = 0; i < PERMISSION_TEXTS; i++) {
        p->text[i] = strdup(v->text[i]);
        t->found = t->found && p->text[i];
    }
}

static void
on_permission_rows(void *arg, const struct gateway_answer *a)
{
    struct gateway_task *t = arg;
    bool found;

    for (size_t i = 0; i < a->n && t->found; i++)
        add_permission_row(t, &a->row[i]);
    t->loading = false;
    t->used_ms = clock_ms();
    found = t->found && !t->dropped;
    t->uses++;
    while (t->waiters) {
        struct gateway_loading *w = t->waiters;

        t->waiters = w->next;
        w->cb(w->arg, found ? t : NULL);
        free(w);
    }
    t->uses--;
    if (t->copy && t->g->nodes)
        gateway_nodes_look(t->g->nodes);
    if (!found || (t->copy && !t->g->nodes && t->uses == 0))
        free_task(t);
}

static void
ask_of_task(struct gateway_task *t, enum gateway_statement what, size_t most,
            gateway_answer_cb *cb)
{
    const struct gateway_values in = {.text = {t->id}};

    if (t->copy)
        gateway_store_read(t->g->store, what, &in, most, cb, t);
    else
        gateway_store_ask(t->g->store, what, &in, most, cb, t);
}

static void
load_task(struct gateway_task *t)
{
    t->loading = true;
    ask_of_task(t, GATEWAY_FIND_TASK, 1, on_task_row);
    ask_of_task(t, GATEWAY_PROMPTS, ALL_ROWS, on_prompt_rows);
    ask_of_task(t, GATEWAY_PERMISSIONS, ALL_ROWS, on_permission_rows);
}

static void
find_gateway_task(struct gateway *g, const char *id, bool copy,
                  void (*cb)(void *arg, struct gateway_task *t), void *arg)
{
    struct gateway_task *t = copy ? NULL : find_in_memory(g, id);
    struct gateway_loading *w;

    if (t && !t->loading) {
        t->used_ms = clock_ms();
        t->uses++;
        cb(arg, t);
        t->uses--;
        return;
    }
    w = strlen(id) == GATEWAY_ID_SIZE - 1 ? calloc(1, sizeof(*w)) : NULL;
    if (!w || (!t && !(t = make_task(g, id)))) {
        free(w);
        cb(arg, NULL);
        return;
    }
    *w = (struct gateway_loading){.next = t->waiters, .cb = cb, .arg = arg};
    t->waiters = w;
    t->copy = copy;
    if (!t->loading)
        load_task(t);
}

void
gateway_task_find(struct gateway *g, const char *id,
                  void (*cb)(void *arg, struct gateway_task *t), void *arg)
{
    find_gateway_task(g, id, false, cb, arg);
}

void
gateway_task_find_copy(struct gateway *g, const char *id,
                       void (*cb)(void *arg, struct gateway_task *t), void *arg)
{
    find_gateway_task(g, id, true, cb, arg);
}

struct gateway_task *
gateway_task_new(struct gateway *g, const char *id_given)
{
    char id[GATEWAY_ID_SIZE];
    struct gateway_task *t;
    bool all = true;

    if (id_given)
        snprintf(id, sizeof(id), "%s", id_given);
    else
        (void)random_uuid(id, NULL); /* the kernel is ready since long */
    if (!(t = make_task(g, id)))
        return NULL;
    for (size_t i = 0; i < TASK_TEXTS; i++)
        all = (t->text[i] = strdup(i == TASK_ID         ? id
                                   : i == TASK_STATE    ? "created"
                                   : i == TASK_METADATA ? "{}"
                                                        : "")) &&
              all;
    if (!all) {
        free_task(t);
        return NULL;
    }
    t->found = true;
    if (g->nodes)
        gateway_nodes_own(g->nodes, id);
    t->number[TASK_N] = g->last_task = gateway_keep_number(g, g->last_task);
    t->number[TASK_CREATED] = ledger_now_ms();
    return t;
}

/* Changes. */

bool
gateway_task_is(const struct gateway_task *t, const char *state)
{
    return strcmp(t->text[TASK_STATE], state) == 0;
}

void
gateway_task_set(struct gateway_task *t, enum gateway_task_text what,
                 const char *text)
{
    char *copy = strdup(text ? text : "");

    if (!copy)
        return;
    free(t->text[what]);
    t->text[what] = copy;
}

void
gateway_task_set_state(struct gateway_task *t, const char *state,
                       const char *error)
{
    gateway_task_set(t, TASK_STATE, state);
    gateway_task_set(t, TASK_ERROR, error);
}

struct gateway_values
gateway_task_values(const struct gateway_task *t)
{
    struct gateway_values v = {0};

    for (size_t i = 0; i < TASK_TEXTS; i++)
        v.text[i] = t->text[i];
    memcpy(v.number, t->number, sizeof(t->number));
    v.number[TASK_PROMPTS] = v.number[TASK_WAITING] = 0;
    for (const struct gateway_prompt *p = t->prompts; p; p = p->next)
        v.number[TASK_PROMPTS] += p->number[PROMPT_STATE] != PROMPT_UNDER_WAY;
    for (const struct gateway_permission *p = t->permissions; p; p = p->next)
        v.number[TASK_WAITING] += p->number[PERMISSION_STATE] ==
                                  PERMISSION_OPEN;
    return v;
}

void
gateway_task_keep(struct gateway_task *t, const char *action)
{
    CLEANUP_BUF struct buf data = buf_of(BRIEF_MAX);
    struct gateway_values v;
    struct json_writer w;

    t->number[TASK_UPDATED] = ledger_now_ms();
    t->used_ms = clock_ms();
    v = gateway_task_values(t);
    gateway_keep(t->g, GATEWAY_PUT_TASK, &v);
    v.number[TASK_LAST_SEQ]++; /* this event's */
    json_write_init(&w, &data);
    gateway_task_put(&w, &v, true);
    if (buf_ok(&data, "a task", NULL) == 0)
        gateway_task_add_event(t, action, data.p, data.len, NULL);
}

struct sent_event {
    struct sent_event *next;
    struct gateway_values v;
    char bytes[];
};

static void
on_event_kept(void *arg)
{
    struct gateway *g = arg;
    struct sent_event *s = g->sending; /* they are kept in order */

    g->sending = s->next;
    gateway_watch_send(g, &s->v);
    free(s);
}

/* A copy for the time when it is kept; nobody watches: NULL. */
static void
send_when_kept(struct gateway *g, const struct gateway_values *v, size_t n)
{
    size_t action_n = strlen(v->text[EVENT_ACTION]) + 1;
    struct sent_event *s;
    char *to;

    if (!g->watches)
        return;
    s = calloc(1, sizeof(*s) + GATEWAY_ID_SIZE + action_n + n + 1);
    if (!s)
        return;
    if (g->sending)
        g->sending_last->next = s;
    else
        g->sending = s;
    g->sending_last = s;
    s->v = *v;
    to = s->bytes;
    s->v.text[EVENT_TASK] = memcpy(to, v->text[EVENT_TASK], GATEWAY_ID_SIZE);
    to += GATEWAY_ID_SIZE;
    s->v.text[EVENT_ACTION] = memcpy(to, v->text[EVENT_ACTION], action_n);
    s->v.text[EVENT_DATA] = memcpy(to + action_n, v->text[EVENT_DATA], n);
    gateway_store_then(g->store, on_event_kept, g);
}

void
gateway_task_free_all(struct gateway *g)
{
    while (g->tasks)
        free_task(g->tasks);
    while (g->sending) {
        struct sent_event *s = g->sending;

        g->sending = s->next;
        free(s);
    }
}

void
gateway_task_send_event(struct gateway *g, const struct gateway_values *v)
{
    send_when_kept(g, v, strlen(v->text[EVENT_DATA]));
}

/* The stream gives its number, and it is sent in its turn. */
static void
share_event(struct gateway *g, struct gateway_values v, size_t n)
{
    char instead[96];

    if (n > GATEWAY_SHARED_MAX) {
        snprintf(instead, sizeof(instead),
                 "{\"message\":\"%zu bytes are too much to be shared\"}", n);
        v.text[EVENT_DATA] = instead;
    }
    gateway_keep(g, GATEWAY_ADD_EVENT, &v);
}

void
gateway_task_add_event(struct gateway_task *t, const char *action,
                       const char *data, size_t n, int64_t *number)
{
    struct gateway_values v = {
        .text = {t->id, action, data},
        .number = {0, ++t->number[TASK_LAST_SEQ], ledger_now_ms()}};

    t->transcript += (int64_t)n + GATEWAY_EVENT_ROOM;
    if (!t->g->nodes)
        v.number[EVENT_N] = ++t->g->last_event;
    if (number)
        memcpy(number, v.number, EVENT_NUMBERS * sizeof(*number));
    if (t->g->nodes) {
        share_event(t->g, v, n);
        return;
    }
    gateway_store_write(t->g->store, GATEWAY_ADD_EVENT, &v);
    send_when_kept(t->g, &v, n);
    t->used_ms = clock_ms();
}

void
gateway_task_report(struct gateway_task *t, const char *action,
                    const char *text)
{
    CLEANUP_BUF struct buf b = buf_of(BRIEF_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_object(&w);
    json_member_str(&w, "message", text);
    json_close_object(&w);
    if (buf_ok(&b, "an event", NULL) == 0)
        gateway_task_add_event(t, action, b.p, b.len, NULL);
}

/* Prompts. */

void
gateway_task_keep_prompt(struct gateway_task *t, struct gateway_prompt *p)
{
    struct gateway_values v = {.text = {p->id, t->id, p->text}};

    memcpy(v.number, p->number, sizeof(p->number));
    gateway_keep(t->g, GATEWAY_PUT_PROMPT, &v);
}

struct gateway_prompt *
gateway_task_add_prompt(struct gateway_task *t, const char *text)
{
    struct gateway_prompt *p, **end = &t->prompts;
    unsigned n = 0;

    for (; *end; end = &(*end)->next)
        n++;
    if (n >= GATEWAY_PROMPTS_MAX || !(p = calloc(1, sizeof(*p))))
        return NULL;
    if (!(p->text = strdup(text))) {
        free(p);
        return NULL;
    }
    (void)random_uuid(p->id, NULL);
    p->number[PROMPT_N] = t->g->last_prompt = gateway_keep_number(
        t->g, t->g->last_prompt);
    p->number[PROMPT_CREATED] = ledger_now_ms();
    *end = p;
    gateway_task_keep_prompt(t, p);
    return p;
}

struct gateway_prompt *
gateway_task_prompt(const struct gateway_task *t,
                    enum gateway_prompt_state state)
{
    struct gateway_prompt *p = t->prompts;

    while (p && p->number[PROMPT_STATE] != state)
        p = p->next;
    return p;
}

void
gateway_task_remove_prompt(struct gateway_task *t, struct gateway_prompt *p)
{
    const struct gateway_values v = {.text = {p->id}};
    struct gateway_prompt **at = &t->prompts;

    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    gateway_keep(t->g, GATEWAY_REMOVE_PROMPT, &v);
    free_prompt(p);
}

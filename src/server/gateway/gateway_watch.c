/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_watch.c - who is sent the events of which tasks. */
#include "server/gateway/gateway_watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "json/write.h"

#define PAGE 256 /* events that are read at once */

static unsigned
kind_of_event(const char *action)
{
    if (str_begins(action, "task."))
        return GATEWAY_KIND_TASK;
    return str_begins(action, "acp.permission") ? GATEWAY_KIND_PERMISSION
                                                : GATEWAY_KIND_OTHER;
}

void
gateway_watch_put_event(struct json_writer *w, const struct gateway_values *v,
                        bool with_action)
{
    const char *action = v->text[EVENT_ACTION], *dot = strchr(action, '.');
    char at[GATEWAY_TIME_SIZE];

    json_open_object(w);
    json_member_str(w, "task_id", v->text[EVENT_TASK]);
    if (with_action)
        json_member_str(w, "action", action);
    json_member_str(w, "type", dot ? dot + 1 : action);
    json_key(w, "data");
    json_put_raw(w, v->text[EVENT_DATA], strlen(v->text[EVENT_DATA]));
    json_member_int(w, "seq", v->number[EVENT_SEQ]);
    json_member_int(w, "n", v->number[EVENT_N]);
    json_member_str(w, "timestamp",
                    gateway_message_time(v->number[EVENT_AT], at));
    json_close_object(w);
}

/* An event has the same id whenever and to whomever it is sent: that of its
 * task, with its number added to the last digits. */
static void
make_event_id(const struct gateway_values *v, char id[GATEWAY_ID_SIZE])
{
    const char *task = v->text[EVENT_TASK];
    uint64_t last = strlen(task) == GATEWAY_ID_SIZE - 1
                        ? strtoull(task + 24, NULL, 16)
                        : 0;

    last = (last + (uint64_t)v->number[EVENT_SEQ]) & 0xffffffffffff;
    snprintf(id, GATEWAY_ID_SIZE, "%.24s%012" PRIx64, task, last);
}

/* False: it does not fit into a message, which no event of ours does. */
static bool
put_notification(struct buf *out, const struct gateway_values *v)
{
    CLEANUP_BUF struct buf payload = buf_of(GATEWAY_ANSWER_MAX);
    char id[GATEWAY_ID_SIZE];
    struct gateway_envelope envelope = {
        .id = id,
        .type = "notification",
        .action = v->text[EVENT_ACTION],
        .action_n = strlen(v->text[EVENT_ACTION]),
        .at_ms = v->number[EVENT_AT]};
    struct json_writer w;

    make_event_id(v, id);
    envelope.id_n = strlen(id);
    json_write_init(&w, &payload);
    gateway_watch_put_event(&w, v, false);
    gateway_message_put(out, &envelope, payload.p, payload.len);
    return buf_ok(&payload, "an event", NULL) == 0 &&
           buf_ok(out, "an event", NULL) == 0;
}

static struct gateway_watch *
find_watch(const struct gateway_client *c, const char *task)
{
    struct gateway_watch *w = c->g->watches;

    while (w && !(w->client == c && strcmp(w->task, task) == 0))
        w = w->next;
    return w;
}

static int64_t
position_of(const struct gateway_watch *w, const struct gateway_values *v)
{
    return v->number[w->all ? EVENT_N : EVENT_SEQ];
}

/* Who watches a task by itself is sent its events once. */
static bool
wants_event(const struct gateway_watch *w, const struct gateway_values *v)
{
    return (w->kinds & kind_of_event(v->text[EVENT_ACTION])) &&
           !(w->all && find_watch(w->client, v->text[EVENT_TASK]));
}

static void
free_watch(struct gateway_watch *w)
{
    struct gateway_watch **at = &w->g->watches;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    free(w);
}

static void
drop_watch(struct gateway_watch *w)
{
    w->client->n_watches--;
    w->client = NULL;
    w->live = false;
    if (!w->reading)
        free_watch(w);
}

static void read_on(struct gateway_watch *w, bool waits);

static void
send_page(struct gateway_watch *w, const struct gateway_answer *a, size_t *at)
{
    for (; *at < a->n && !w->client->full; (*at)++) {
        CLEANUP_BUF struct buf out = buf_of(GATEWAY_ANSWER_MAX);
        const struct gateway_values *v = &a->row[*at];

        w->sent = position_of(w, v);
        if (wants_event(w, v) && put_notification(&out, v))
            websocket_send_text(w->client->ws, out.p, out.len);
    }
}

static void
on_events(void *arg, const struct gateway_answer *a)
{
    struct gateway_watch *w = arg;
    size_t at = 0;

    w->reading = false;
    if (!w->client) {
        free_watch(w);
        return;
    }
    send_page(w, a, &at);
    if (at < a->n)
        return; /* gateway_watch_resume goes on */
    if (a->more || a->behind)
        read_on(w, !a->more);
    else
        w->live = true;
}

/* waits: behind the changes so far, so that no event of theirs is missed. */
static void
read_on(struct gateway_watch *w, bool waits)
{
    enum gateway_statement what = w->all ? GATEWAY_ALL_EVENTS : GATEWAY_EVENTS;
    const struct gateway_values in = {.text = {w->task}, .number = {w->sent}};

    if (w->client->full)
        return;
    w->reading = true;
    if (waits)
        gateway_store_ask(w->g->store, what, &in, PAGE, on_events, w);
    else
        gateway_store_read(w->g->store, what, &in, PAGE, on_events, w);
}

/* Questions that are open, and older than what the client is sent anyway. */
static void
on_open_permissions(void *arg, const struct gateway_answer *a)
{
    struct gateway_watch *w = arg;

    w->reading = false;
    if (!w->client) {
        free_watch(w);
        return;
    }
    for (size_t i = 0; i < a->n; i++) {
        CLEANUP_BUF struct buf out = buf_of(GATEWAY_ANSWER_MAX);
        const struct gateway_values *p = &a->row[i];
        const struct gateway_values v = {
            .text = {p->text[PERMISSION_TASK], "acp.permission",
                     p->text[PERMISSION_DATA]},
            .number = {p->number[PERMISSION_EVENT], p->number[PERMISSION_SEQ],
                       p->number[PERMISSION_ASKED]}};

        if ((w->repeats_all || position_of(w, &v) <= w->sent) &&
            wants_event(w, &v) && put_notification(&out, &v))
            websocket_send_text(w->client->ws, out.p, out.len);
    }
    read_on(w, false);
}

bool
gateway_watch_add(struct gateway_client *c, const char *task, int64_t after,
                  unsigned kinds)
{
    struct gateway_watch *w = find_watch(c, task);
    const struct gateway_values in = {
        .text = {strcmp(task, "*") == 0 ? "" : task}};

    if (w)
        drop_watch(w);
    if (c->n_watches >= GATEWAY_WATCHES_MAX || !(w = calloc(1, sizeof(*w))))
        return false;
    *w = (struct gateway_watch){.next = c->g->watches,
                                .g = c->g,
                                .client = c,
                                .all = strcmp(task, "*") == 0,
                                .kinds = kinds,
                                .sent = after > 0 ? after : 0,
                                .reading = true};
    if (w->all && after < 0)
        w->sent = c->g->last_event;
    w->repeats_all = w->all && after < 0;
    snprintf(w->task, sizeof(w->task), "%s", task);
    c->g->watches = w;
    c->n_watches++;
    if (w->repeats_all) /* and no event before those that come */
        gateway_store_ask(c->g->store, GATEWAY_OPEN_PERMISSIONS, &in, SIZE_MAX,
                          on_open_permissions, w);
    else
        gateway_store_read(c->g->store, GATEWAY_OPEN_PERMISSIONS, &in, SIZE_MAX,
                           on_open_permissions, w);
    return true;
}

void
gateway_watch_remove(struct gateway_client *c, const char *task)
{
    struct gateway_watch *w = find_watch(c, task);

    if (w)
        drop_watch(w);
}

void
gateway_watch_remove_all(struct gateway_client *c)
{
    struct gateway_watch *w = c->g->watches;

    while (w) {
        struct gateway_watch *next = w->next;

        if (w->client == c)
            drop_watch(w);
        w = next;
    }
}

void
gateway_watch_resume(struct gateway_client *c)
{
    struct gateway_watch *next;

    for (struct gateway_watch *w = c->g->watches; w; w = next) {
        next = w->next;
        if (w->client == c && !w->live && !w->reading)
            read_on(w, false);
    }
}

static void
send_live(struct gateway_watch *w, const struct gateway_values *v,
          struct buf *out)
{
    if (!w->live || (!w->all && strcmp(w->task, v->text[EVENT_TASK]) != 0) ||
        position_of(w, v) <= w->sent)
        return;
    if (w->client->full) {
        w->live = false;
        return;
    }
    w->sent = position_of(w, v);
    if (!wants_event(w, v) || (out->len == 0 && !put_notification(out, v)))
        return;
    websocket_send_text(w->client->ws, out->p, out->len);
}

void
gateway_watch_send(struct gateway *g, const struct gateway_values *event)
{
    CLEANUP_BUF struct buf out = buf_of(GATEWAY_ANSWER_MAX);
    struct gateway_watch *next;

    for (struct gateway_watch *w = g->watches; w; w = next) {
        next = w->next;
        send_live(w, event, &out);
    }
}

void
gateway_watch_free_all(struct gateway *g)
{
    while (g->watches) {
        struct gateway_watch *w = g->watches;

        g->watches = w->next;
        free(w);
    }
}

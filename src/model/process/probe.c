/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.c - lists of models from servers on this machine. */
#include "model/process/probe.h"

#include <stdlib.h>

#include "base/clock.h"
#include "model/process/emit.h"
#include "model/process/exchange.h"
#include "json/write.h"

#define LISTS_MAX 8u
#define LIST_MAX  (96u << 10) /* all of them fit an event */
#define LONGEST   1000        /* ms, whatever the front says */

struct target {
    struct probe *probe;
    struct json *list; /* NULL: nothing that is one came */
    int64_t ms;
    struct buf body;
    struct exchange *exchange;
};

struct probe {
    int64_t id;
    struct ask_limits limits;
    struct target targets[LISTS_MAX];
    int64_t start_ms;
    size_t n, left;
    struct watch *timer;
    void (*end)(void *arg);
    void *arg;
};

static void
finish(struct probe *p)
{
    CLEANUP_BUF struct buf b = buf_of(ASK_EVENT_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_array(&w);
    for (size_t i = 0; i < p->n; i++) {
        json_open_object(&w);
        if (p->targets[i].list) {
            json_member_int(&w, "ms", p->targets[i].ms);
            json_key(&w, "list");
            json_put_value(&w, p->targets[i].list);
        }
        json_close_object(&w);
    }
    json_close_array(&w);
    if (b.bad)
        emit_servers(p->id, "[]", 2);
    else
        emit_servers(p->id, b.p, b.len);
    p->end(p->arg);
}

static void
on_timer(void *arg, unsigned events)
{
    (void)events;
    finish(arg);
}

static int
on_body(void *arg, int status, const char *bytes, size_t n)
{
    struct target *t = arg;

    return status == 200 ? buf_add(&t->body, bytes, n) : -1;
}

static void
on_end(void *arg, struct exchange *x)
{
    struct target *t = arg;

    if (exchange_fate(x) == FATE_ANSWERED && exchange_status(x) == 200)
        t->list = json_parse(t->body.p, t->body.len, 0, NULL);
    t->ms = clock_ms() - t->probe->start_ms;
    exchange_free(x);
    t->exchange = NULL;
    /* the timer ends the probe, so that it never ends within its start */
    if (--t->probe->left == 0)
        watch_again(t->probe->timer, 0);
}

static void
start_target(struct probe *p, struct loop *l, struct pump *pump,
             const char *url)
{
    struct target *t = &p->targets[p->n++];
    struct exchange_spec spec = {.url = url,
                                 .limits = &p->limits,
                                 .arg = t,
                                 .take = on_body,
                                 .end = on_end};

    *t = (struct target){.probe = p};
    buf_init(&t->body, LIST_MAX);
    t->exchange = url ? exchange_start(l, pump, &spec, NULL) : NULL;
    if (t->exchange)
        p->left++;
}

struct probe *
probe_start(struct loop *l, struct pump *pump, const struct json *v,
            void (*end)(void *arg), void *arg, struct err *e)
{
    struct probe *p = calloc(1, sizeof(*p));
    int64_t until = 0, left;
    const struct json *s;

    if (!p) {
        err_sys(e, "probe");
        return NULL;
    }
    p->end = end;
    p->arg = arg;
    p->start_ms = clock_ms();
    (void)json_int(json_get(v, "id"), &p->id);
    (void)json_int(json_get(v, "until"), &until);
    left = until - p->start_ms;
    left = left < 0 ? 0 : left > LONGEST ? LONGEST : left;
    p->limits = (struct ask_limits){left, left, left, left, 0};
    p->timer = loop_timer(l, left, on_timer, p, e);
    if (!p->timer) {
        free(p);
        return NULL;
    }
    s = json_first(json_get(v, "lists"));
    for (; s && p->n < LISTS_MAX; s = json_next(s))
        start_target(p, l, pump, json_str(s, NULL));
    if (p->left == 0)
        watch_again(p->timer, 0);
    return p;
}

void
probe_free(struct probe *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++) {
        exchange_free(p->targets[i].exchange);
        buf_done(&p->targets[i].body);
        json_free(p->targets[i].list);
    }
    watch_free(p->timer);
    free(p);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.c - which model servers answer on this machine. */
#include "model/process/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/process/emit.h"
#include "model/process/exchange.h"
#include "json/write.h"

#define SERVERS_MAX 8u
#define LIST_MAX    (1u << 20) /* a server's list of models */
#define URL_MAX     512u

struct target {
    struct probe *probe;
    char url[URL_MAX];
    char model[128]; /* "" when it gave no list */
    struct buf body;
    struct exchange *exchange;
};

struct probe {
    int64_t id;
    struct ask_limits limits;
    struct target targets[SERVERS_MAX];
    size_t n, left;
    struct watch *timer;
    void (*end)(void *arg);
    void *arg;
};

static void
finish(struct probe *p)
{
    CLEANUP_BUF struct buf b = buf_of(LIST_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_array(&w);
    for (size_t i = 0; i < p->n; i++) {
        if (!*p->targets[i].model)
            continue;
        json_open_object(&w);
        json_member_str(&w, "url", p->targets[i].url);
        json_member_str(&w, "model", p->targets[i].model);
        json_close_object(&w);
    }
    json_close_array(&w);
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

/* OpenAI's {"data":[{"id"}]} or Ollama's {"models":[{"name"}]}: the first. */
static void
read_list(struct target *t)
{
    CLEANUP(json_free_p)
    struct json *v = json_parse(t->body.p, t->body.len, 0, NULL);
    const char *name = json_get_str(json_at(json_get(v, "data"), 0), "id");

    if (!name)
        name = json_get_str(json_at(json_get(v, "models"), 0), "name");
    if (name)
        snprintf(t->model, sizeof(t->model), "%s", name);
}

static void
on_end(void *arg, struct exchange *x)
{
    struct target *t = arg;

    if (exchange_fate(x) == FATE_ANSWERED && exchange_status(x) == 200)
        read_list(t);
    exchange_free(x);
    t->exchange = NULL;
    /* the timer ends the probe, so that it never ends within its start */
    if (--t->probe->left == 0)
        watch_again(t->probe->timer, 0);
}

static void
start_target(struct probe *p, struct loop *l, struct pump *pump,
             const struct json *v)
{
    const char *base = json_get_str(v, "url"), *list = json_get_str(v, "list");
    struct target *t = &p->targets[p->n];
    char url[2 * URL_MAX];
    struct exchange_spec spec = {.url = url,
                                 .limits = &p->limits,
                                 .arg = t,
                                 .take = on_body,
                                 .end = on_end};

    if (!base || !list || strlen(base) + strlen(list) >= sizeof(t->url))
        return;
    *t = (struct target){.probe = p};
    buf_init(&t->body, LIST_MAX);
    snprintf(t->url, sizeof(t->url), "%s", base);
    snprintf(url, sizeof(url), "%s%s", base, list);
    p->n++;
    t->exchange = exchange_start(l, pump, &spec, NULL);
    if (t->exchange)
        p->left++;
}

struct probe *
probe_start(struct loop *l, struct pump *pump, const struct json *v,
            void (*end)(void *arg), void *arg, struct err *e)
{
    struct probe *p = calloc(1, sizeof(*p));
    const struct json *s;

    if (!p) {
        err_sys(e, "probe");
        return NULL;
    }
    p->end = end;
    p->arg = arg;
    p->limits = (struct ask_limits){PROBE_MS, PROBE_MS, PROBE_MS, PROBE_MS, 0};
    (void)json_int(json_get(v, "id"), &p->id);
    p->timer = loop_timer(l, PROBE_MS, on_timer, p, e);
    if (!p->timer) {
        free(p);
        return NULL;
    }
    s = json_first(json_get(v, "servers"));
    for (; s && p->n < SERVERS_MAX; s = json_next(s))
        start_target(p, l, pump, s);
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
    }
    watch_free(p->timer);
    free(p);
}

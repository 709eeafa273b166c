/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_models.c - asks servers on this machine for their lists of models. */
#include "model/process/list_models.h"

#include <stdlib.h>

#include "base/clock.h"
#include "model/process/events.h"
#include "model/process/http_request.h"
#include "json/write.h"

#define LISTS_MAX   8u
#define LIST_MAX    (96u << 10) /* all lists together fit into an event */
#define TIME_MAX_MS 1000        /* whatever the front asks for */

struct model_list_request {
    struct list_models *owner;
    struct json *list; /* NULL: no JSON came */
    int64_t ms;
    struct buf body;
    struct http_request *http;
};

struct list_models {
    struct events *events;
    int64_t id;
    struct model_limits limits;
    struct model_list_request requests[LISTS_MAX];
    int64_t start_ms;
    size_t n, left;
    struct watch *timer;
    void (*end)(void *arg);
    void *arg;
};

static void
write_and_end(struct list_models *p)
{
    CLEANUP_BUF struct buf b = buf_of(IPC_EVENT_MAX);
    struct json_writer w;

    json_write_init(&w, &b);
    json_open_array(&w);
    for (size_t i = 0; i < p->n; i++) {
        json_open_object(&w);
        if (p->requests[i].list) {
            json_member_int(&w, "ms", p->requests[i].ms);
            json_key(&w, "list");
            json_put_value(&w, p->requests[i].list);
        }
        json_close_object(&w);
    }
    json_close_array(&w);
    if (b.bad)
        events_write_servers(p->events, p->id, "[]", 2);
    else
        events_write_servers(p->events, p->id, b.p, b.len);
    p->end(p->arg);
}

static void
on_timer(void *arg, unsigned events)
{
    (void)events;
    write_and_end(arg);
}

static int
on_body(void *arg, int status, const char *bytes, size_t n)
{
    struct model_list_request *t = arg;

    return status == 200 ? buf_add(&t->body, bytes, n) : -1;
}

static void
on_end(void *arg, struct http_request *x)
{
    struct model_list_request *t = arg;

    if (http_request_result(x) == HTTP_RESULT_COMPLETE &&
        http_request_status(x) == 200)
        t->list = json_parse(t->body.p, t->body.len, 0, NULL);
    t->ms = clock_ms() - t->owner->start_ms;
    http_request_free(x);
    t->http = NULL;
    /* the timer ends it, so that it never ends before start has returned */
    if (--t->owner->left == 0)
        watch_again(t->owner->timer, 0);
}

static void
start_request(struct list_models *p, struct loop *l, struct curl_loop *c,
              const char *url)
{
    struct model_list_request *t = &p->requests[p->n++];
    struct http_request_spec spec = {.url = url,
                                     .limits = &p->limits,
                                     .arg = t,
                                     .on_body = on_body,
                                     .on_end = on_end};

    *t = (struct model_list_request){.owner = p};
    buf_init(&t->body, LIST_MAX);
    t->http = url ? http_request_start(l, c, &spec, NULL) : NULL;
    if (t->http)
        p->left++;
}

struct list_models *
list_models_start(struct loop *l, struct curl_loop *c, struct events *o,
                  const struct json *v, void (*end)(void *arg), void *arg,
                  struct err *e)
{
    struct list_models *p = calloc(1, sizeof(*p));
    int64_t until = 0, left;
    const struct json *s;

    if (!p) {
        err_sys(e, "probe");
        return NULL;
    }
    p->events = o;
    p->end = end;
    p->arg = arg;
    p->start_ms = clock_ms();
    (void)json_int(json_get(v, "id"), &p->id);
    (void)json_int(json_get(v, "until"), &until);
    left = until - p->start_ms;
    left = left < 0 ? 0 : left > TIME_MAX_MS ? TIME_MAX_MS : left;
    p->limits = (struct model_limits){left, left, left, left, 0};
    p->timer = loop_timer(l, left, on_timer, p, e);
    if (!p->timer) {
        free(p);
        return NULL;
    }
    s = json_first(json_get(v, "lists"));
    for (; s && p->n < LISTS_MAX; s = json_next(s))
        start_request(p, l, c, json_str(s, NULL));
    if (p->left == 0)
        watch_again(p->timer, 0);
    return p;
}

void
list_models_free(struct list_models *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n; i++) {
        http_request_free(p->requests[i].http);
        buf_done(&p->requests[i].body);
        json_free(p->requests[i].list);
    }
    watch_free(p->timer);
    free(p);
}

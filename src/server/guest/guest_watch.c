/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_watch.c - the methods fs.watch and fs.unwatch. */
#include "server/guest/guest_watch.h"

#include <fcntl.h>
#include <limits.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd.h"
#include "server/guest/guest_job.h"
#include "server/guest/guest_params.h"
#include "server/guest/guest_path.h"
#include "server/guest/guest_record.h"
#include "json/write.h"

#define WATCHES_MAX  256 /* of a connection: the system has few for a user */
#define EVENTS_BYTES (16u << 10)
#define EVENT_MAX    4096 /* bytes of a notification */

/* The words for what has happened; several may be said of one event. */
static const struct {
    uint32_t mask;
    const char *word;
} watched[] = {
    {IN_CREATE, "created"},        {IN_MODIFY, "modified"},
    {IN_CLOSE_WRITE, "written"},   {IN_ATTRIB, "attributes"},
    {IN_DELETE, "removed"},        {IN_DELETE_SELF, "removed"},
    {IN_MOVED_FROM, "moved_from"}, {IN_MOVED_TO, "moved_to"},
    {IN_MOVE_SELF, "moved"},       {IN_UNMOUNT, "unmounted"},
    {IN_Q_OVERFLOW, "overflow"},
};

#define WATCHED_MASK                                                           \
    (IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE |          \
     IN_DELETE_SELF | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF)

/* All watches of a connection. */
struct guest_watches {
    struct guest_task task;
    int fd;
    struct watch *input;
    size_t n;
    bool waits; /* for room */
};

static void
put_event(struct buf *out, const struct inotify_event *ev)
{
    struct json_writer w;

    json_write_init(&w, out);
    json_open_object(&w);
    if (ev->wd >= 0)
        json_member_int(&w, "watch", ev->wd);
    if (ev->len > 0)
        json_member_str(&w, "name", ev->name);
    json_key(&w, "events");
    json_open_array(&w);
    for (size_t i = 0; i < ARRAY_SIZE(watched); i++) {
        if (ev->mask & watched[i].mask)
            json_put_str(&w, watched[i].word);
    }
    json_close_array(&w);
    json_close_object(&w);
}

static void
send_event(struct guest_watches *x, const struct inotify_event *ev)
{
    CLEANUP_BUF struct buf params = buf_of(EVENT_MAX);

    if (ev->mask & IN_IGNORED) { /* the end of a watch, which is no change */
        x->n--;
        return;
    }
    put_event(&params, ev);
    (void)rpc_notify(x->task.connection->rpc, "fs.event", &params, NULL);
}

static void
read_watch_events(void *arg, unsigned events)
{
    alignas(struct inotify_event) char bytes[EVENTS_BYTES];
    struct guest_watches *x = arg;
    ssize_t n;

    (void)events;
    x->waits = rpc_is_full(x->task.connection->rpc);
    watch_events(x->input, x->waits ? 0 : LOOP_READ);
    if (x->waits)
        return;
    n = read(x->fd, bytes, sizeof(bytes));
    for (ssize_t at = 0; at < n;) {
        const struct inotify_event *ev = (const void *)(bytes + at);

        send_event(x, ev);
        at += (ssize_t)(sizeof(*ev) + ev->len);
    }
}

static void
watches_free(struct guest_watches *x)
{
    watch_free(x->input);
    fd_close_p(&x->fd);
    free(x);
}

static void
leave_watches(struct guest_task *t)
{
    watches_free((struct guest_watches *)(void *)t);
}

/* Those of a connection; NULL: it has none. */
static struct guest_watches *
find_watches(const struct guest_connection *c)
{
    struct guest_task *t = c->tasks;

    while (t && t->leave != leave_watches)
        t = t->next;
    return (struct guest_watches *)(void *)t;
}

static struct guest_watches *
open_watches(struct guest_connection *c, struct err *e)
{
    struct guest_watches *x = find_watches(c);

    if (x)
        return x;
    x = calloc(1, sizeof(*x));
    if (!x) {
        err_nomem(e);
        return NULL;
    }
    x->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (x->fd < 0)
        err_sys(e, "watching files");
    else
        x->input = loop_fd(c->shared->loop, x->fd, LOOP_READ, read_watch_events,
                           x, e);
    if (!x->input) {
        watches_free(x);
        return NULL;
    }
    x->task.leave = leave_watches;
    guest_task_begin(&x->task, c);
    return x;
}

void
guest_watch_room(struct guest_connection *c)
{
    struct guest_watches *x = find_watches(c);

    if (x && x->waits)
        read_watch_events(x, 0);
}

/* A path that is opened in a thread, and then watched. */
struct watch_job {
    struct guest_job job;
    char *path;
    size_t path_len;
    int fd;
};

static void
work_open_watched(struct guest_job *j)
{
    struct watch_job *w = (struct watch_job *)(void *)j;

    w->fd = guest_path_open(j->shared, w->path, w->path_len, O_PATH, 0, &j->e);
}

static void
answer_watched(struct guest_job *j)
{
    const struct watch_job *w = (struct watch_job *)(void *)j;
    struct guest_watches *x = open_watches(j->task.connection, &j->e);
    CLEANUP_BUF struct buf result = buf_of(64);
    char link[64];
    int wd = -1;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", w->fd);
    if (x && x->n >= WATCHES_MAX)
        err_set(&j->e, ERR_NOMEM, "%d watches are open: end one first",
                WATCHES_MAX);
    else if (x && (wd = inotify_add_watch(x->fd, link, WATCHED_MASK)) < 0)
        err_sys(&j->e, "%.200s", w->path);
    if (wd < 0) {
        guest_refuse(j->rq, &j->e);
        return;
    }
    x->n++;
    buf_printf(&result, "{\"watch\":%d}", wd);
    rpc_answer(j->rq, &result);
}

static void
watch_job_free(struct guest_job *j)
{
    struct watch_job *w = (struct watch_job *)(void *)j;

    fd_close_p(&w->fd);
    free(w->path);
    free(w);
}

void
guest_watch_begin(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct guest_param list[] = {{"path", JSON_STRING, false},
                                              {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    struct watch_job *w = calloc(1, sizeof(*w));
    struct err e = {0};
    const char *path;

    guest_record_request(arg, "fs.watch", params);
    if (!w)
        err_nomem(&e);
    else if (guest_params_read(list, params, v, &e) == 0) {
        path = json_str(v[0], &w->path_len);
        w->path = malloc(w->path_len + 1);
        if (!w->path)
            err_nomem(&e);
        else
            memcpy(w->path, path, w->path_len + 1);
    }
    if (e.code != ERR_NONE) {
        guest_refuse(rq, &e);
        free(w);
        return;
    }
    w->fd = -1;
    w->job.work = work_open_watched;
    w->job.answer = answer_watched;
    w->job.free = watch_job_free;
    guest_job_start(&w->job, arg, rq);
}

void
guest_watch_end(void *arg, struct rpc_request *rq, const struct json *params)
{
    static const struct guest_param list[] = {{"watch", JSON_NUMBER, false},
                                              {0}};
    const struct json *v[GUEST_PARAMS_MAX];
    const struct guest_watches *x = find_watches(arg);
    CLEANUP_BUF struct buf result = buf_of(8);
    struct err e = {0};
    int64_t wd = -1;

    if (guest_params_read(list, params, v, &e) == 0 &&
        guest_params_int(v[0], "watch", 0, INT_MAX, &wd, &e) == 0 &&
        (!x || inotify_rm_watch(x->fd, (int)wd) < 0))
        err_set(&e, ERR_INVALID, "invalid params: watch: there is none");
    if (e.code != ERR_NONE) {
        guest_refuse(rq, &e);
        return;
    }
    buf_str(&result, "{}");
    rpc_answer(rq, &result);
}

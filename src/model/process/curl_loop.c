/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curl_loop.c - runs libcurl's transfers on the event loop. */
#include "model/process/curl_loop.h"

/* Connections of one group (connections.h) that stay open: as many as one
 * person's sessions may need at once. */
#define KEPT_MAX 16L

struct curl_loop {
    struct loop *loop;
    CURLM *multi;
    struct watch *timer;
    void (*after)(void *arg);
    void *arg;
};

/* A socket that libcurl uses. */
struct curl_loop_socket {
    struct curl_loop *owner;
    struct watch *watch;
    curl_socket_t fd;
};

static void
report_done(struct curl_loop *c)
{
    CURLMsg *msg;
    int left;

    while ((msg = curl_multi_info_read(c->multi, &left)) != NULL) {
        struct curl_loop_transfer *t = NULL;

        if (msg->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &t);
        if (t)
            t->done(t->arg, msg->data.result);
    }
}

static void
socket_action(struct curl_loop *c, curl_socket_t fd, int what)
{
    int running;

    curl_multi_socket_action(c->multi, fd, what, &running);
    if (c->after)
        c->after(c->arg);
    report_done(c);
}

static void
on_socket(void *arg, unsigned events)
{
    struct curl_loop_socket *s = arg;
    int what = 0;

    if (events & LOOP_READ)
        what |= CURL_CSELECT_IN;
    if (events & LOOP_WRITE)
        what |= CURL_CSELECT_OUT;
    if (events & LOOP_HUP)
        what |= CURL_CSELECT_IN | CURL_CSELECT_ERR;
    socket_action(s->owner, s->fd, what);
}

static void
on_timer(void *arg, unsigned events)
{
    struct curl_loop *c = arg;

    (void)events;
    socket_action(c, CURL_SOCKET_TIMEOUT, 0);
}

static void
socket_free(struct curl_loop_socket *s)
{
    if (!s)
        return;
    watch_free(s->watch);
    free(s);
}

static struct curl_loop_socket *
socket_new(struct curl_loop *c, curl_socket_t fd, unsigned events)
{
    struct curl_loop_socket *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    s->owner = c;
    s->fd = fd;
    s->watch = loop_fd(c->loop, fd, events, on_socket, s, NULL);
    if (!s->watch) {
        free(s);
        return NULL;
    }
    curl_multi_assign(c->multi, fd, s);
    return s;
}

/* libcurl calls it to say which sockets it waits for. */
static int
on_curl_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *socket)
{
    struct curl_loop *c = arg;
    struct curl_loop_socket *s = socket;
    unsigned events = 0;

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        curl_multi_assign(c->multi, fd, NULL);
        socket_free(s);
        return 0;
    }
    if (what & CURL_POLL_IN)
        events |= LOOP_READ;
    if (what & CURL_POLL_OUT)
        events |= LOOP_WRITE;
    if (s)
        watch_events(s->watch, events);
    else if (!socket_new(c, fd, events))
        return -1;
    return 0;
}

/* libcurl calls it to say when it must be called without an event. */
static int
on_curl_timer(CURLM *multi, long ms, void *arg)
{
    struct curl_loop *c = arg;

    (void)multi;
    if (ms < 0) {
        watch_free(c->timer);
        c->timer = NULL;
        return 0;
    }
    if (c->timer) {
        watch_again(c->timer, ms);
        return 0;
    }
    c->timer = loop_timer(c->loop, ms, on_timer, c, NULL);
    return c->timer ? 0 : -1;
}

struct curl_loop *
curl_loop_new(struct loop *l, void (*after)(void *arg), void *arg,
              struct err *e)
{
    CLEANUP(curl_loop_free_p) struct curl_loop *c = calloc(1, sizeof(*c));

    if (!c) {
        err_sys(e, "transfers");
        return NULL;
    }
    c->loop = l;
    c->after = after;
    c->arg = arg;
    c->multi = curl_multi_init();
    if (!c->multi) {
        err_set(e, ERR_NOMEM, "libcurl cannot start");
        return NULL;
    }
    curl_multi_setopt(c->multi, CURLMOPT_SOCKETFUNCTION, on_curl_socket);
    curl_multi_setopt(c->multi, CURLMOPT_SOCKETDATA, c);
    curl_multi_setopt(c->multi, CURLMOPT_TIMERFUNCTION, on_curl_timer);
    curl_multi_setopt(c->multi, CURLMOPT_TIMERDATA, c);
    /* a transfer that is paused would hold up others on its connection */
    curl_multi_setopt(c->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING);
    curl_multi_setopt(c->multi, CURLMOPT_MAXCONNECTS, KEPT_MAX);
    return TAKE_PTR(c);
}

void
curl_loop_free(struct curl_loop *c)
{
    if (!c)
        return;
    curl_multi_cleanup(c->multi);
    watch_free(c->timer);
    free(c);
}

int
curl_loop_add(struct curl_loop *c, CURL *easy, struct curl_loop_transfer *t,
              struct err *e)
{
    CURLMcode rc;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
    rc = curl_multi_add_handle(c->multi, easy);
    if (rc != CURLM_OK)
        return err_set(e, ERR_IO, "%s", curl_multi_strerror(rc));
    return 0;
}

void
curl_loop_remove(struct curl_loop *c, CURL *easy)
{
    curl_multi_remove_handle(c->multi, easy);
}

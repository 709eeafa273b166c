/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pump.c - libcurl's transfers on the event loop. */
#include "model/process/pump.h"

struct pump {
    struct loop *loop;
    CURLM *multi;
    struct watch *timer;
    void (*after)(void *arg);
    void *arg;
};

/* One socket of libcurl's. */
struct tap {
    struct pump *pump;
    struct watch *watch;
    curl_socket_t fd;
};

static void
tell_done(struct pump *p)
{
    CURLMsg *msg;
    int left;

    while ((msg = curl_multi_info_read(p->multi, &left)) != NULL) {
        struct pump_ticket *t = NULL;

        if (msg->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &t);
        if (t)
            t->done(t->arg, msg->data.result);
    }
}

static void
act(struct pump *p, curl_socket_t fd, int what)
{
    int running;

    curl_multi_socket_action(p->multi, fd, what, &running);
    if (p->after)
        p->after(p->arg);
    tell_done(p);
}

static void
on_socket(void *arg, unsigned events)
{
    struct tap *tap = arg;
    int what = 0;

    if (events & LOOP_READ)
        what |= CURL_CSELECT_IN;
    if (events & LOOP_WRITE)
        what |= CURL_CSELECT_OUT;
    if (events & LOOP_HUP)
        what |= CURL_CSELECT_IN | CURL_CSELECT_ERR;
    act(tap->pump, tap->fd, what);
}

static void
on_timer(void *arg, unsigned events)
{
    struct pump *p = arg;

    (void)events;
    act(p, CURL_SOCKET_TIMEOUT, 0);
}

static void
tap_free(struct tap *tap)
{
    if (!tap)
        return;
    watch_free(tap->watch);
    free(tap);
}

static struct tap *
tap_new(struct pump *p, curl_socket_t fd, unsigned events)
{
    struct tap *tap = calloc(1, sizeof(*tap));

    if (!tap)
        return NULL;
    tap->pump = p;
    tap->fd = fd;
    tap->watch = loop_fd(p->loop, fd, events, on_socket, tap, NULL);
    if (!tap->watch) {
        free(tap);
        return NULL;
    }
    curl_multi_assign(p->multi, fd, tap);
    return tap;
}

/* libcurl says which sockets it waits for. */
static int
want_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *socket)
{
    struct pump *p = arg;
    struct tap *tap = socket;
    unsigned events = 0;

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        curl_multi_assign(p->multi, fd, NULL);
        tap_free(tap);
        return 0;
    }
    if (what & CURL_POLL_IN)
        events |= LOOP_READ;
    if (what & CURL_POLL_OUT)
        events |= LOOP_WRITE;
    if (tap)
        watch_events(tap->watch, events);
    else if (!tap_new(p, fd, events))
        return -1;
    return 0;
}

/* libcurl says when it wants to be called whatever happens. */
static int
want_timer(CURLM *multi, long ms, void *arg)
{
    struct pump *p = arg;

    (void)multi;
    if (ms < 0) {
        watch_free(p->timer);
        p->timer = NULL;
        return 0;
    }
    if (p->timer) {
        watch_again(p->timer, ms);
        return 0;
    }
    p->timer = loop_timer(p->loop, ms, on_timer, p, NULL);
    return p->timer ? 0 : -1;
}

struct pump *
pump_new(struct loop *l, void (*after)(void *arg), void *arg, struct err *e)
{
    CLEANUP(pump_free_p) struct pump *p = calloc(1, sizeof(*p));

    if (!p) {
        err_sys(e, "transfers");
        return NULL;
    }
    p->loop = l;
    p->after = after;
    p->arg = arg;
    p->multi = curl_multi_init();
    if (!p->multi) {
        err_set(e, ERR_NOMEM, "libcurl cannot start");
        return NULL;
    }
    curl_multi_setopt(p->multi, CURLMOPT_SOCKETFUNCTION, want_socket);
    curl_multi_setopt(p->multi, CURLMOPT_SOCKETDATA, p);
    curl_multi_setopt(p->multi, CURLMOPT_TIMERFUNCTION, want_timer);
    curl_multi_setopt(p->multi, CURLMOPT_TIMERDATA, p);
    return TAKE_PTR(p);
}

void
pump_free(struct pump *p)
{
    if (!p)
        return;
    curl_multi_cleanup(p->multi);
    watch_free(p->timer);
    free(p);
}

int
pump_add(struct pump *p, CURL *easy, struct pump_ticket *t, struct err *e)
{
    CURLMcode rc;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
    rc = curl_multi_add_handle(p->multi, easy);
    if (rc != CURLM_OK)
        return err_set(e, ERR_IO, "%s", curl_multi_strerror(rc));
    return 0;
}

void
pump_remove(struct pump *p, CURL *easy)
{
    curl_multi_remove_handle(p->multi, easy);
}

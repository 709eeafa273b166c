/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nats.c - a connection to a NATS server, whose events come from the loop. */
#include "wire/nats.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/thread.h"
#include "wire/nats_library.h"

#define SERVERS_MAX       16
#define SUBSCRIPTIONS_MAX 64
#define RECONNECT_MS      200
#define JITTER_MS         100
#define PING_MS           1000 /* a server that answers none of three is gone */
#define PINGS             2
#define SILENCE_S         2    /* for the library's threads, at the end */
#define HOLD_US           2000 /* of work on what came, in one turn */

/* In the header of a consumer's idle heartbeat: of the last that it sent. */
#define LAST_CONSUMER "Nats-Last-Consumer"

enum nats_item_kind {
    ITEM_MESSAGE,
    ITEM_IDLE, /* its reply is the count in digits */
    ITEM_SUBSCRIBE,
    ITEM_STATE,
    ITEM_TROUBLE
};

/* What waits, either way; its texts follow it. */
struct nats_item {
    struct nats_item *next;
    enum nats_item_kind kind;
    bool connected; /* of ITEM_STATE */
    size_t size;    /* of all of it */
    size_t n;
    char *subject, *reply, *bytes;
};

struct nats_queue {
    struct nats_item *first, **end;
    size_t bytes;
};

struct nats {
    struct nats_calls calls;
    const struct nats_events *events;
    void *arg;
    char *url, *name;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* of what follows, up to `ends` */
    pthread_cond_t work;  /* there is something in out, or it ends */
    struct nats_queue in, out;
    bool lost; /* something that came, for there was no room */
    bool ends;
    /* what may still call back: the connection, and each subscription */
    size_t callers;
    bool connected; /* as it was reported */
    int wakes;      /* an eventfd: there is something in `in` */
    struct watch *watch;
    /* the thread's */
    natsConnection *connection;
    natsSubscription *subscriptions[SUBSCRIPTIONS_MAX];
    size_t n_subscriptions;
};

static struct nats_item *
new_item(enum nats_item_kind kind, const char *subject, const char *reply,
         const void *bytes, size_t n)
{
    size_t subject_n = strlen(subject) + 1, reply_n = strlen(reply) + 1;
    size_t size = sizeof(struct nats_item) + subject_n + reply_n + n + 1;
    struct nats_item *it = malloc(size);

    if (!it)
        return NULL;
    *it = (struct nats_item){.kind = kind, .size = size, .n = n};
    it->subject = (char *)(it + 1);
    it->reply = it->subject + subject_n;
    it->bytes = it->reply + reply_n;
    memcpy(it->subject, subject, subject_n);
    memcpy(it->reply, reply, reply_n);
    if (n > 0)
        memcpy(it->bytes, bytes, n);
    it->bytes[n] = '\0';
    return it;
}

static void
put_item(struct nats_queue *q, struct nats_item *it)
{
    *q->end = it;
    q->end = &it->next;
    q->bytes += it->size;
}

static struct nats_item *
take_nats_item(struct nats_queue *q)
{
    struct nats_item *it = q->first;

    if (!it)
        return NULL;
    q->first = it->next;
    if (!q->first)
        q->end = &q->first;
    q->bytes -= it->size;
    return it;
}

static void
empty_queue(struct nats_queue *q)
{
    for (struct nats_item *it; (it = take_nats_item(q)) != NULL;)
        free(it);
}

/* Hands something to the loop, from a thread. NULL: it was lost. */
static void
hand_in(struct nats *n, struct nats_item *it)
{
    const uint64_t one = 1;

    (void)pthread_mutex_lock(&n->lock);
    if (!it || (it->kind == ITEM_MESSAGE &&
                n->in.bytes + it->size > NATS_QUEUE_BYTES)) {
        n->lost = true;
        free(it);
    } else {
        put_item(&n->in, it);
    }
    (void)pthread_mutex_unlock(&n->lock);
    (void)!write(n->wakes, &one, sizeof(one));
}

static void
hand_in_trouble(struct nats *n, const char *text)
{
    hand_in(n, new_item(ITEM_TROUBLE, text, "", NULL, 0));
}

static void
hand_in_state(struct nats *n, bool connected)
{
    struct nats_item *it = new_item(ITEM_STATE, "", "", NULL, 0);

    if (it)
        it->connected = connected;
    hand_in(n, it);
}

static void
on_nats_message(natsConnection *nc, natsSubscription *sub, natsMsg *m,
                void *arg)
{
    struct nats *n = arg;
    const char *reply = n->calls.natsMsg_GetReply(m), *count = NULL;
    size_t size = (size_t)n->calls.natsMsg_GetDataLength(m);

    (void)nc;
    (void)sub;
    if (size == 0 &&
        n->calls.natsMsgHeader_Get(m, LAST_CONSUMER, &count) == NATS_OK)
        hand_in(n, new_item(ITEM_IDLE, n->calls.natsMsg_GetSubject(m), count,
                            NULL, 0));
    else
        hand_in(n, new_item(ITEM_MESSAGE, n->calls.natsMsg_GetSubject(m),
                            reply ? reply : "", n->calls.natsMsg_GetData(m),
                            size));
    n->calls.natsMsg_Destroy(m);
}

static void
on_nats_up(natsConnection *nc, void *arg)
{
    (void)nc;
    hand_in_state(arg, true);
}

static void
on_nats_down(natsConnection *nc, void *arg)
{
    (void)nc;
    hand_in_state(arg, false);
}

/* The connection, or a subscription, calls back no more. */
static void
note_silent(struct nats *n)
{
    (void)pthread_mutex_lock(&n->lock);
    n->callers--;
    (void)pthread_cond_signal(&n->work);
    (void)pthread_mutex_unlock(&n->lock);
}

static void
on_nats_closed(natsConnection *nc, void *arg)
{
    (void)nc;
    note_silent(arg);
}

static void
on_nats_complete(void *arg)
{
    note_silent(arg);
}

static void
note_caller(struct nats *n)
{
    (void)pthread_mutex_lock(&n->lock);
    n->callers++;
    (void)pthread_mutex_unlock(&n->lock);
}

static void
on_nats_error(natsConnection *nc, natsSubscription *sub, natsStatus s,
              void *arg)
{
    struct nats *n = arg;

    (void)nc;
    (void)sub;
    hand_in_trouble(n, n->calls.natsStatus_GetText(s));
}

/* A list of URLs with commas becomes several. */
static natsStatus
set_servers(struct nats *n, natsOptions *o)
{
    const char *servers[SERVERS_MAX];
    int count = 0;
    char *save = NULL;

    for (char *url = strtok_r(n->url, ",", &save); url && count < SERVERS_MAX;
         url = strtok_r(NULL, ",", &save))
        servers[count++] = url;
    return n->calls.natsOptions_SetServers(o, servers, count);
}

static natsStatus
set_nats_options(struct nats *n, natsOptions *o)
{
    const struct nats_calls *c = &n->calls;
    bool secure = strncmp(n->url, "tls://", 6) == 0;
    natsStatus s = c->natsOptions_SetName(o, n->name);

    if (s == NATS_OK && secure)
        s = c->natsOptions_SetSecure(o, true);
    if (s == NATS_OK)
        s = set_servers(n, o);
    if (s == NATS_OK)
        s = c->natsOptions_SetSendAsap(o, true);
    if (s == NATS_OK)
        s = c->natsOptions_SetMaxReconnect(o, -1);
    if (s == NATS_OK)
        s = c->natsOptions_SetReconnectWait(o, RECONNECT_MS);
    if (s == NATS_OK)
        s = c->natsOptions_SetReconnectJitter(o, JITTER_MS, JITTER_MS);
    if (s == NATS_OK) /* none: who sends is told that there is no connection */
        s = c->natsOptions_SetReconnectBufSize(o, 1);
    if (s == NATS_OK)
        s = c->natsOptions_SetPingInterval(o, PING_MS);
    if (s == NATS_OK)
        s = c->natsOptions_SetMaxPingsOut(o, PINGS);
    if (s == NATS_OK)
        s = c->natsOptions_SetRetryOnFailedConnect(o, true, on_nats_up, n);
    if (s == NATS_OK)
        s = c->natsOptions_SetDisconnectedCB(o, on_nats_down, n);
    if (s == NATS_OK)
        s = c->natsOptions_SetReconnectedCB(o, on_nats_up, n);
    if (s == NATS_OK)
        s = c->natsOptions_SetErrorHandler(o, on_nats_error, n);
    if (s == NATS_OK)
        s = c->natsOptions_SetClosedCB(o, on_nats_closed, n);
    return s;
}

/* False: it can never be. */
static bool
connect_to_server(struct nats *n)
{
    natsOptions *o = NULL;
    natsStatus s = n->calls.natsOptions_Create(&o);

    if (s == NATS_OK)
        s = set_nats_options(n, o);
    if (s == NATS_OK)
        s = n->calls.natsConnection_Connect(&n->connection, o);
    n->calls.natsOptions_Destroy(o);
    if (n->connection)
        note_caller(n);
    if (s == NATS_OK)
        hand_in_state(n, true);
    else
        hand_in_trouble(n, n->calls.natsStatus_GetText(s));
    return n->connection != NULL;
}

static natsStatus
subscribe_to(struct nats *n, const char *subject)
{
    const struct nats_calls *c = &n->calls;
    natsSubscription **sub = &n->subscriptions[n->n_subscriptions];
    natsStatus s;

    if (n->n_subscriptions == SUBSCRIPTIONS_MAX)
        return NATS_ERR;
    s = c->natsConnection_Subscribe(sub, n->connection, subject,
                                    on_nats_message, n);
    if (s != NATS_OK)
        return s;
    n->n_subscriptions++;
    if (c->natsSubscription_SetOnCompleteCB(*sub, on_nats_complete, n) ==
        NATS_OK)
        note_caller(n);
    return NATS_OK;
}

static void
send_item(struct nats *n, const struct nats_item *it)
{
    const struct nats_calls *c = &n->calls;
    natsStatus s;

    if (it->kind == ITEM_SUBSCRIBE)
        s = subscribe_to(n, it->subject);
    else if (it->reply[0])
        s = c->natsConnection_PublishRequest(n->connection, it->subject,
                                             it->reply, it->bytes, (int)it->n);
    else
        s = c->natsConnection_Publish(n->connection, it->subject, it->bytes,
                                      (int)it->n);
    if (s != NATS_OK)
        hand_in_trouble(n, c->natsStatus_GetText(s));
}

/* The next thing to send; NULL: it ends. */
static struct nats_item *
await_item(struct nats *n)
{
    struct nats_item *it;

    (void)pthread_mutex_lock(&n->lock);
    while (!(it = take_nats_item(&n->out)) && !n->ends)
        (void)pthread_cond_wait(&n->work, &n->lock);
    (void)pthread_mutex_unlock(&n->lock);
    return it;
}

/* The library's threads may be in the middle of a call back. */
static void
await_silence(struct nats *n)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SILENCE_S;
    (void)pthread_mutex_lock(&n->lock);
    while (n->callers > 0 &&
           pthread_cond_timedwait(&n->work, &n->lock, &until) == 0)
        ;
    (void)pthread_mutex_unlock(&n->lock);
}

static void *
run_nats(void *arg)
{
    struct nats *n = arg;
    const struct nats_calls *c = &n->calls;
    struct nats_item *it;

    if (!connect_to_server(n))
        return NULL;
    while ((it = await_item(n)) != NULL) {
        send_item(n, it);
        free(it);
    }
    (void)c->natsConnection_FlushTimeout(n->connection, NATS_CLOSE_MS);
    c->natsConnection_Close(n->connection);
    await_silence(n);
    for (size_t i = 0; i < n->n_subscriptions; i++)
        c->natsSubscription_Destroy(n->subscriptions[i]);
    c->natsConnection_Destroy(n->connection);
    return NULL;
}

static void
report_item(struct nats *n, const struct nats_item *it)
{
    struct err e = {0};

    switch (it->kind) {
    case ITEM_MESSAGE:
    case ITEM_SUBSCRIBE:
        n->events->message(n->arg, it->subject, it->reply, it->bytes, it->n);
        break;
    case ITEM_IDLE:
        if (n->events->idle)
            n->events->idle(n->arg, it->subject, strtoull(it->reply, NULL, 10));
        break;
    case ITEM_STATE:
        if (n->connected != it->connected) {
            n->connected = it->connected;
            n->events->connected(n->arg, it->connected);
        }
        break;
    case ITEM_TROUBLE:
        err_set(&e, ERR_PEER, "NATS: %s", it->subject);
        n->events->trouble(n->arg, &e);
        break;
    }
}

static void
report_lost(struct nats *n)
{
    struct err e = {0};

    err_set(&e, ERR_NOMEM, "NATS: messages were lost, for too many waited");
    n->events->trouble(n->arg, &e);
}

/* What came first. NULL: nothing is there; *lost may be true all the same. */
static struct nats_item *
take_received(struct nats *n, bool *lost)
{
    struct nats_item *it;

    (void)pthread_mutex_lock(&n->lock);
    it = take_nats_item(&n->in);
    *lost = n->lost;
    n->lost = false;
    (void)pthread_mutex_unlock(&n->lock);
    return it;
}

static void
on_nats_wakes(void *arg, unsigned events)
{
    struct nats *n = arg;
    int64_t until_us = clock_us() + HOLD_US;
    struct nats_item *it;
    uint64_t count;
    bool lost;

    (void)events;
    (void)!read(n->wakes, &count, sizeof(count));
    while ((it = take_received(n, &lost)) != NULL || lost) {
        if (lost)
            report_lost(n);
        if (it)
            report_item(n, it);
        free(it);
        if (clock_us() < until_us)
            continue;
        count = 1;
        (void)!write(n->wakes, &count, sizeof(count));
        return;
    }
}

static int
open_nats(struct nats *n, struct loop *l, const char *url, const char *name,
          struct err *e)
{
    if (nats_library_load(&n->calls, e) < 0)
        return -1;
    if (!(n->url = strdup(url)) || !(n->name = strdup(name)))
        return err_nomem(e);
    n->wakes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (n->wakes < 0)
        return err_sys(e, "eventfd");
    if (!(n->watch = loop_fd(l, n->wakes, LOOP_READ, on_nats_wakes, n, e)) ||
        thread_start(&n->thread, run_nats, n, e) < 0)
        return -1;
    n->started = true;
    return 0;
}

struct nats *
nats_open(struct loop *l, const char *url, const char *name,
          const struct nats_events *ev, void *arg, struct err *e)
{
    CLEANUP(nats_close_p) struct nats *n = calloc(1, sizeof(*n));

    if (!n) {
        err_nomem(e);
        return NULL;
    }
    n->events = ev;
    n->arg = arg;
    n->wakes = -1;
    n->in.end = &n->in.first;
    n->out.end = &n->out.first;
    (void)pthread_mutex_init(&n->lock, NULL);
    (void)pthread_cond_init(&n->work, NULL);
    return open_nats(n, l, url, name, e) < 0 ? NULL : TAKE_PTR(n);
}

static bool
has_callers(struct nats *n)
{
    bool has;

    (void)pthread_mutex_lock(&n->lock);
    has = n->callers > 0;
    (void)pthread_mutex_unlock(&n->lock);
    return has;
}

void
nats_close(struct nats *n)
{
    if (!n)
        return;
    watch_free(n->watch);
    (void)pthread_mutex_lock(&n->lock);
    n->ends = true;
    (void)pthread_cond_signal(&n->work);
    (void)pthread_mutex_unlock(&n->lock);
    if (n->started)
        (void)pthread_join(n->thread, NULL);
    if (has_callers(n))
        return; /* one of the library's threads does not end: n stays */
    empty_queue(&n->in);
    empty_queue(&n->out);
    (void)pthread_mutex_destroy(&n->lock);
    (void)pthread_cond_destroy(&n->work);
    fd_close_p(&n->wakes);
    free(n->url);
    free(n->name);
    free(n);
}

/* Queues something for the thread. */
static int
queue_for_thread(struct nats *n, struct nats_item *it, struct err *e)
{
    bool fits = false;

    if (!it)
        return err_nomem(e);
    (void)pthread_mutex_lock(&n->lock);
    if (n->out.bytes + it->size <= NATS_QUEUE_BYTES) {
        put_item(&n->out, it);
        fits = true;
        (void)pthread_cond_signal(&n->work);
    }
    (void)pthread_mutex_unlock(&n->lock);
    if (fits)
        return 0;
    free(it);
    return err_set(e, ERR_NOMEM, "too much waits to be sent to NATS");
}

int
nats_subscribe(struct nats *n, const char *subject, struct err *e)
{
    return queue_for_thread(n, new_item(ITEM_SUBSCRIBE, subject, "", NULL, 0),
                            e);
}

int
nats_publish(struct nats *n, const char *subject, const char *reply,
             const void *bytes, size_t n_bytes, struct err *e)
{
    if (!n->connected)
        return err_set(e, ERR_PEER, "there is no connection to NATS");
    return queue_for_thread(
        n, new_item(ITEM_MESSAGE, subject, reply ? reply : "", bytes, n_bytes),
        e);
}

bool
nats_is_connected(const struct nats *n)
{
    return n->connected;
}

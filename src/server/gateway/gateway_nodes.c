/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway_nodes.c - the tables of several gateways, which share their tasks
 * through one stream of a NATS server. */
#include "server/gateway/gateway_nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/clock.h"
#include "server/gateway/gateway_change.h"
#include "server/gateway/gateway_claims.h"
#include "server/gateway/gateway_outbox.h"
#include "wire/relay_stream.h"

#define STREAM_NAME "gateway"
#define TICK_MS     500
#define AGAIN_MS    2000        /* then what does not come back is sent anew */
#define OUTBOX_MAX  (64u << 20) /* bytes that wait for their turn */
#define TOO_LARGE                                                              \
    "{\"code\":\"INTERNAL_ERROR\",\"message\":\"the answer is too large\"}"
#define SLOT_BITS 6 /* GATEWAY_NODES_MAX of them */

struct claim_waiter {
    struct claim_waiter *next;
    char task[40];
    gateway_claim_cb *cb;
    void *arg;
};

struct gateway_nodes {
    struct loop *loop;
    const struct gateway_nodes_events *events;
    void *arg;
    char *url;
    char name[RELAY_NODE_SIZE];
    char created[64]; /* when the stream was that the tables are of; "": none */
    struct relay_stream *stream; /* NULL: the tables are not read yet */
    struct watch *timer, *flush;
    bool reading;  /* records come */
    bool reported; /* to the log: that they do not */
    char why[256];
    int64_t keep_ms; /* what is older the stream may lose; 0: nothing */
    int64_t token;   /* by which it joins, or joined */
    uint64_t epoch;  /* 0: it has not */
    int64_t slot, tokens, progress_ms;
    int64_t settled_ms; /* when nothing waited, or something had its turn */
    struct gateway_claims table;
    struct claim_waiter *waiters;
    struct gateway_outbox outbox;
};

static int64_t
random_number(void)
{
    uint64_t v = 0;

    /* the kernel's source of random bytes is ready since long */
    (void)!getrandom(&v, sizeof(v), 0);
    return (int64_t)(v >> 1 | 1);
}

const char *
gateway_nodes_owner(const struct gateway_nodes *n, const char *task)
{
    const struct shared_claim *c = gateway_claims_find(&n->table, task);

    return c && !c->releasing ? c->node : "";
}

bool
gateway_nodes_has(const struct gateway_nodes *n, const char *task)
{
    return strcmp(gateway_nodes_owner(n, task), n->name) == 0;
}

/* The outbox. */

static void
send_batch(struct gateway_nodes *n, const struct shared_batch *b)
{
    /* what is not sent now is when there is a connection again */
    (void)relay_stream_put(n->stream, &b->record, NULL);
}

static void
send_outbox(struct gateway_nodes *n)
{
    n->progress_ms = clock_ms();
    for (const struct shared_batch *b = n->outbox.first; b; b = b->next)
        send_batch(n, b);
}

/* What was changed goes into a record. */
static void
close_batch(struct gateway_nodes *n)
{
    struct err e = {0};
    bool first = !n->outbox.first;
    const struct shared_batch *b = gateway_outbox_close(&n->outbox, n->name,
                                                        n->epoch, &e);

    if (e.code != ERR_NONE)
        n->events->log(n->arg, e.text);
    if (!b)
        return;
    if (first)
        n->progress_ms = clock_ms();
    if (n->reading)
        send_batch(n, b);
}

static void
share_change(struct gateway_nodes *n, unsigned what,
             const struct gateway_values *v)
{
    if (n->epoch == 0)
        return; /* it does not count */
    watch_again(n->flush, 0);
    if (gateway_outbox_add(&n->outbox, what, v))
        close_batch(n);
}

static void
on_nodes_flush(void *arg, unsigned events)
{
    struct gateway_nodes *n = arg;

    (void)events;
    if (n->epoch != 0)
        n->events->settle(n->arg);
    close_batch(n);
}

void
gateway_nodes_look(struct gateway_nodes *n)
{
    watch_again(n->flush, 0);
}

void
gateway_nodes_write(struct gateway_nodes *n, enum gateway_statement what,
                    const struct gateway_values *in)
{
    share_change(n, what, in);
}

void
gateway_nodes_then(struct gateway_nodes *n, void (*cb)(void *arg),
                   void (*lost)(void *arg), void *arg)
{
    if (n->epoch == 0)
        lost(arg);
    else
        gateway_outbox_then(&n->outbox, n->table.store, cb, lost, arg);
}

/* Claims. */

void
gateway_nodes_claim(struct gateway_nodes *n, const char *task,
                    gateway_claim_cb *cb, void *arg)
{
    const struct shared_claim *c = gateway_claims_find(&n->table, task);
    const struct gateway_values v = {.text = {task}};
    struct claim_waiter *w, **end = &n->waiters;
    bool asked = false;

    if ((c && !c->releasing) || strlen(task) >= sizeof(w->task)) {
        cb(arg, task, c && strcmp(c->node, n->name) == 0);
        return;
    }
    for (; *end; end = &(*end)->next)
        asked = asked || strcmp((*end)->task, task) == 0;
    if (!(w = calloc(1, sizeof(*w)))) {
        cb(arg, task, false);
        return;
    }
    snprintf(w->task, sizeof(w->task), "%s", task);
    w->cb = cb;
    w->arg = arg;
    *end = w;
    if (!asked)
        share_change(n, CHANGE_CLAIM, &v);
}

void
gateway_nodes_own(struct gateway_nodes *n, const char *task)
{
    const struct gateway_values v = {.text = {task}};

    if (!gateway_claims_find(&n->table, task) &&
        gateway_claims_add(&n->table, task, n->name))
        share_change(n, CHANGE_CLAIM, &v);
}

void
gateway_nodes_release(struct gateway_nodes *n, const char *task,
                      int64_t priority, int64_t order)
{
    const struct gateway_values v = {.text = {task},
                                     .number = {priority, order}};
    struct shared_claim *c = gateway_claims_find(&n->table, task);

    if (!c || c->releasing || strcmp(c->node, n->name) != 0)
        return;
    c->releasing = true;
    share_change(n, CHANGE_RELEASE, &v);
}

/* Calls back who waits for our claim of a task: whether it is ours now. */
static void
settle_claim(struct gateway_nodes *n, const char *task, bool ours)
{
    struct claim_waiter *w, **at = &n->waiters, *due = NULL, **end = &due;

    while ((w = *at)) {
        if (strcmp(w->task, task) != 0) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        w->next = NULL;
        *end = w;
        end = &w->next;
    }
    while ((w = due)) {
        due = w->next;
        w->cb(w->arg, w->task, ours);
        free(w);
    }
}

/* Changes, in their turn. */

static void
take_claim(struct gateway_nodes *n, const struct gateway_node *node,
           const char *task, bool own)
{
    struct shared_claim *c = gateway_claims_find(&n->table, task);

    if (strlen(task) >= sizeof(c->task))
        return;
    if (!c)
        c = gateway_claims_add(&n->table, task, node->name);
    if (c && strcmp(c->node, node->name) == 0) {
        const struct gateway_values v = {.text = {c->task, c->node}};

        gateway_store_write(n->table.store, GATEWAY_PUT_CLAIM, &v);
        if (!own)
            n->events->claimed(n->arg, task);
    }
    if (own)
        settle_claim(n, task, c && strcmp(c->node, n->name) == 0);
}

static void
take_release(struct gateway_nodes *n, const struct gateway_node *node,
             const struct gateway_values *v)
{
    struct shared_claim *c = gateway_claims_find(&n->table, v->text[0]);

    if (!c || strcmp(c->node, node->name) != 0)
        return;
    gateway_claims_remove(&n->table, c);
    n->events->released(n->arg, v->text[0], v->number[0], v->number[1]);
}

struct change_turn {
    const struct gateway_node *node;
    uint64_t turn;
    unsigned at; /* of the record */
    bool own;
};

static void
take_change(struct gateway_nodes *n, const struct change_turn *t, unsigned what,
            struct gateway_values *v)
{
    bool to_us = n->epoch != 0 && v->text[0] &&
                 strcmp(v->text[0], n->name) == 0;

    switch (what) {
    case CHANGE_CLAIM:
        take_claim(n, t->node, v->text[0], t->own);
        break;
    case CHANGE_RELEASE:
        take_release(n, t->node, v);
        break;
    case CHANGE_REQUEST:
        if (to_us)
            n->events->request(n->arg, t->node->name, v->number[0], v->text[1],
                               v->text[2]);
        break;
    case CHANGE_ANSWER:
        if (to_us)
            n->events->answer(n->arg, v->number[0], v->text[1], v->text[2]);
        break;
    case GATEWAY_ADD_EVENT:
        v->number[EVENT_N] = (int64_t)(t->turn << GATEWAY_EVENT_BITS | t->at);
        gateway_store_write(n->table.store, GATEWAY_ADD_EVENT, v);
        n->events->event(n->arg, v);
        break;
    default:
        gateway_store_write(n->table.store, (enum gateway_statement)what, v);
        break;
    }
}

static void
take_changes(struct gateway_nodes *n, const struct relay_record *rec,
             uint64_t turn)
{
    struct gateway_node *node = gateway_claims_node(&n->table, rec->node);
    const char *at = rec->parts[0].p, *end = at + rec->parts[0].n;
    struct change_turn t = {.node = node, .turn = turn};
    struct gateway_values v;
    unsigned what;

    if (!node || node->number[NODE_EPOCH] == 0 ||
        (uint64_t)node->number[NODE_EPOCH] != rec->a ||
        (uint64_t)node->number[NODE_LAST] + 1 != rec->b)
        return; /* it has come before, or does not count */
    node->heard_ms = clock_ms();
    node->number[NODE_LAST]++;
    t.own = n->epoch == rec->a && strcmp(rec->node, n->name) == 0;
    gateway_claims_keep_node(&n->table, node, turn);
    while (gateway_change_read(&at, end, &what, &v)) {
        take_change(n, &t, what, &v);
        t.at++;
    }
    if (t.own) {
        n->settled_ms = n->progress_ms = clock_ms();
        gateway_outbox_settle(&n->outbox, n->table.store);
    }
}

static void
enter_epoch(struct gateway_nodes *n, const struct gateway_node *node,
            uint64_t turn)
{
    struct claim_waiter *w;

    n->epoch = turn;
    n->slot = node->number[NODE_SLOT];
    n->reported = false;
    gateway_claims_refresh_nodes(&n->table);
    for (w = n->waiters; w; w = w->next) {
        const struct gateway_values v = {.text = {w->task}};

        share_change(n, CHANGE_CLAIM, &v);
    }
    n->events->log(n->arg, "shares its tasks with the others by NATS");
    n->events->joined(n->arg);
}

/* A gateway begins, and has nothing of before; b: the token. */
static void
take_node_join(struct gateway_nodes *n, const struct relay_record *rec,
               uint64_t turn)
{
    struct gateway_node *node = gateway_claims_add_node(&n->table, rec->node);
    bool own = strcmp(rec->node, n->name) == 0;

    if (!node || node->number[NODE_TOKEN] == (int64_t)rec->b)
        return; /* sent twice */
    gateway_claims_remove_of(&n->table, node->name);
    node->number[NODE_EPOCH] = (int64_t)turn;
    node->number[NODE_LAST] = 0;
    node->number[NODE_TOKEN] = (int64_t)rec->b;
    node->heard_ms = clock_ms();
    gateway_claims_keep_node(&n->table, node, turn);
    if (own && (int64_t)rec->b == n->token)
        enter_epoch(n, node, turn);
    else if (n->epoch != 0)
        n->events->gone(n->arg, node->name);
}

static void
take_node_death(struct gateway_nodes *n, const struct relay_record *rec,
                uint64_t turn)
{
    struct gateway_node *node = gateway_claims_node(&n->table, rec->other);

    if (!node || rec->a == 0 || (uint64_t)node->number[NODE_EPOCH] != rec->a)
        return;
    node->number[NODE_EPOCH] = 0;
    gateway_claims_remove_of(&n->table, node->name);
    gateway_claims_keep_node(&n->table, node, turn);
    if (n->epoch == rec->a && strcmp(node->name, n->name) == 0) {
        n->events->log(n->arg, "the other gateways took this one for dead: "
                               "its turns are ended, and it joins anew");
        n->epoch = 0;
        n->token = random_number();
        gateway_outbox_drop(&n->outbox);
        n->events->lost(n->arg);
    } else if (n->epoch != 0) {
        n->events->gone(n->arg, node->name);
    }
}

/* The stream. */

static void
put_own_record(const struct gateway_nodes *n, struct relay_record rec,
               struct buf *out)
{
    snprintf(rec.node, sizeof(rec.node), "%s", n->name);
    relay_record_put(out, &rec);
}

static void
send_to_nodes(struct gateway_nodes *n, struct relay_record rec, bool in_stream)
{
    CLEANUP_BUF struct buf b = buf_of(RELAY_RECORD_HEAD);

    put_own_record(n, rec, &b);
    if (in_stream)
        (void)relay_stream_put(n->stream, &b, NULL);
    else
        (void)relay_stream_send_all(n->stream, &b, NULL);
}

static void
send_node_join(struct gateway_nodes *n)
{
    send_to_nodes(
        n, (struct relay_record){.kind = RELAY_JOIN, .b = (uint64_t)n->token},
        true);
    n->progress_ms = clock_ms();
}

/* The tables belong to one stream. */
static bool
on_stream_found(void *arg, const char *created)
{
    struct gateway_nodes *n = arg;
    const struct gateway_values v = {.text = {n->name, n->created}};

    if (n->created[0])
        return strcmp(n->created, created) == 0;
    if (strlen(created) >= sizeof(n->created))
        return false;
    snprintf(n->created, sizeof(n->created), "%s", created);
    gateway_store_write(n->table.store, GATEWAY_PUT_SELF, &v);
    return true;
}

static void
on_nodes_ready(void *arg, bool goes_on)
{
    struct gateway_nodes *n = arg;

    (void)goes_on; /* a kept stream always does */
    n->reading = true;
    gateway_claims_refresh_nodes(&n->table);
    if (n->reported)
        n->events->log(n->arg, "the connection to NATS is there again");
    n->reported = false;
    if (n->epoch == 0)
        send_node_join(n);
    else
        send_outbox(n);
}

static void
on_nodes_lost(void *arg, const char *why)
{
    struct gateway_nodes *n = arg;
    char line[320];

    n->reading = false;
    snprintf(n->why, sizeof(n->why), "apart from the other gateways: %s", why);
    if (n->reported)
        return;
    n->reported = true;
    snprintf(line, sizeof(line), "%s; nothing new is taken", n->why);
    n->events->log(n->arg, line);
}

static void
on_nodes_record(void *arg, uint64_t turn, const char *bytes, size_t size)
{
    struct gateway_nodes *n = arg;
    struct relay_record rec;

    if (turn <= n->table.turn || !relay_record_read(bytes, size, &rec))
        return;
    if (rec.kind == RELAY_CHANGES)
        take_changes(n, &rec, turn);
    else if (rec.kind == RELAY_JOIN)
        take_node_join(n, &rec, turn);
    else if (rec.kind == RELAY_DEAD)
        take_node_death(n, &rec, turn);
}

static void
on_nodes_direct(void *arg, const char *bytes, size_t size)
{
    const struct gateway_nodes *n = arg;
    struct gateway_node *node;
    struct relay_record rec;

    if (relay_record_read(bytes, size, &rec) && rec.kind == RELAY_ALIVE &&
        (node = gateway_claims_node(&n->table, rec.node)))
        node->heard_ms = clock_ms();
}

static void
declare_dead(struct gateway_nodes *n, const struct gateway_node *node)
{
    struct relay_record rec = {.kind = RELAY_DEAD,
                               .a = (uint64_t)node->number[NODE_EPOCH]};

    snprintf(rec.other, sizeof(rec.other), "%s", node->name);
    send_to_nodes(n, rec, true);
}

static void
on_nodes_timer(void *arg, unsigned events)
{
    struct gateway_nodes *n = arg;
    int64_t now = clock_ms();
    bool late = now - n->progress_ms > AGAIN_MS;

    (void)events;
    watch_again(n->timer, TICK_MS);
    if (!n->reading)
        return;
    if (n->epoch != 0 && !n->outbox.first)
        n->settled_ms = now;
    if (n->epoch == 0) {
        if (late)
            send_node_join(n);
        return;
    }
    send_to_nodes(n, (struct relay_record){.kind = RELAY_ALIVE}, false);
    if (n->outbox.first && late)
        send_outbox(n);
    for (const struct gateway_node *node = n->table.nodes; node;
         node = node->next)
        if (node->number[NODE_EPOCH] != 0 && strcmp(node->name, n->name) != 0 &&
            now - node->heard_ms > GATEWAY_DEAD_MS)
            declare_dead(n, node);
}

/* The beginning. */

static void
on_tables_read(void *arg)
{
    static const struct relay_stream_events events = {.ready = on_nodes_ready,
                                                      .lost = on_nodes_lost,
                                                      .record = on_nodes_record,
                                                      .direct = on_nodes_direct,
                                                      .found = on_stream_found};
    struct gateway_nodes *n = arg;
    struct err e = {0};

    n->stream = relay_stream_new(n->loop, n->url, STREAM_NAME, n->name, &events,
                                 n, &e);
    if (!n->stream ||
        !(n->timer = loop_timer(n->loop, TICK_MS, on_nodes_timer, n, &e))) {
        n->events->log(n->arg, e.text);
        snprintf(n->why, sizeof(n->why), "%.150s", e.text);
    } else {
        relay_stream_keep(n->stream, n->table.turn + 1, n->keep_ms);
    }
    n->events->opened(n->arg);
}

static void
on_self_rows(void *arg, const struct gateway_answer *a)
{
    struct gateway_nodes *n = arg;
    const struct gateway_values v = {.text = {n->name}};

    if (a->n > 0) {
        snprintf(n->name, sizeof(n->name), "%s", a->row->text[0]);
        snprintf(n->created, sizeof(n->created), "%s", a->row->text[1]);
        return;
    }
    snprintf(n->name, sizeof(n->name), "%016" PRIx64,
             (uint64_t)random_number());
    gateway_store_write(n->table.store, GATEWAY_PUT_SELF, &v);
}

static void
on_node_rows(void *arg, const struct gateway_answer *a)
{
    struct gateway_nodes *n = arg;

    for (size_t i = 0; i < a->n; i++) {
        struct gateway_node *node = gateway_claims_add_node(&n->table,
                                                            a->row[i].text[0]);

        if (!node)
            return;
        memcpy(node->number, a->row[i].number, sizeof(node->number));
        if ((uint64_t)node->number[NODE_TURN] > n->table.turn)
            n->table.turn = (uint64_t)node->number[NODE_TURN];
    }
}

static void
on_claim_rows(void *arg, const struct gateway_answer *a)
{
    struct gateway_nodes *n = arg;

    for (size_t i = 0; i < a->n; i++)
        (void)gateway_claims_add(&n->table, a->row[i].text[0],
                                 a->row[i].text[1]);
}

static int
open_nodes(struct gateway_nodes *n, struct err *e)
{
    const struct gateway_values in = {0};

    if (!n->url)
        return err_nomem(e);
    if (!(n->flush = loop_timer(n->loop, 0, on_nodes_flush, n, e)))
        return -1;
    gateway_store_ask(n->table.store, GATEWAY_SELF, &in, 1, on_self_rows, n);
    gateway_store_ask(n->table.store, GATEWAY_NODES, &in, SIZE_MAX,
                      on_node_rows, n);
    gateway_store_ask(n->table.store, GATEWAY_CLAIMS, &in, SIZE_MAX,
                      on_claim_rows, n);
    gateway_store_then(n->table.store, on_tables_read, n);
    return 0;
}

struct gateway_nodes *
gateway_nodes_new(struct loop *l, struct gateway_store *store, const char *url,
                  int64_t keep_ms, const struct gateway_nodes_events *ev,
                  void *arg, struct err *e)
{
    struct gateway_nodes *n = calloc(1, sizeof(*n));

    if (!n) {
        err_nomem(e);
        return NULL;
    }
    n->loop = l;
    n->table.store = store;
    n->events = ev;
    n->arg = arg;
    n->url = strdup(url);
    n->keep_ms = keep_ms;
    n->token = random_number();
    gateway_outbox_init(&n->outbox);
    n->tokens = random_number() >> 16;
    snprintf(n->why, sizeof(n->why),
             "apart from the other gateways: NATS is "
             "not reached yet");
    if (open_nodes(n, e) == 0)
        return n;
    gateway_nodes_free(n);
    return NULL;
}

void
gateway_nodes_free(struct gateway_nodes *n)
{
    const struct gateway_node *self;
    struct claim_waiter *w;

    if (!n)
        return;
    close_batch(n);
    if (n->reading && n->epoch != 0 &&
        (self = gateway_claims_node(&n->table, n->name)))
        declare_dead(n, self);
    relay_stream_free(n->stream);
    watch_free(n->timer);
    watch_free(n->flush);
    gateway_claims_done(&n->table);
    gateway_outbox_done(&n->outbox);
    while ((w = n->waiters)) {
        n->waiters = w->next;
        free(w);
    }
    free(n->url);
    free(n);
}

/* What others ask. */

const char *
gateway_nodes_trouble(const struct gateway_nodes *n)
{
    if (!n->reading)
        return n->why;
    if (n->epoch == 0)
        return "it is about to join the other gateways";
    return gateway_nodes_is_full(n) ? "too much waits to be sent to the other "
                                      "gateways"
                                    : NULL;
}

bool
gateway_nodes_is_full(const struct gateway_nodes *n)
{
    return n->outbox.bytes > OUTBOX_MAX;
}

bool
gateway_nodes_is_stuck(const struct gateway_nodes *n)
{
    return clock_ms() - n->settled_ms > GATEWAY_DEAD_MS;
}

unsigned
gateway_nodes_count(const struct gateway_nodes *n)
{
    unsigned count = 0;

    for (const struct gateway_node *node = n->table.nodes; node;
         node = node->next)
        count += node->number[NODE_EPOCH] != 0;
    return count;
}

unsigned
gateway_nodes_waiting(const struct gateway_nodes *n)
{
    return n->outbox.n;
}

int64_t
gateway_nodes_number(const struct gateway_nodes *n, int64_t last)
{
    struct timespec now;
    int64_t v, step = 1 << SLOT_BITS;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    v = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    if (v <= last)
        v = last + step;
    v = v / step * step + n->slot;
    return v > last ? v : v + step;
}

int64_t
gateway_nodes_ask(struct gateway_nodes *n, const char *node, const char *text,
                  const char *client)
{
    const struct gateway_values v = {.text = {node, text, client},
                                     .number = {++n->tokens}};

    share_change(n, CHANGE_REQUEST, &v);
    return n->tokens;
}

void
gateway_nodes_answer(struct gateway_nodes *n, const char *node, int64_t token,
                     const char *type, const char *payload)
{
    struct gateway_values v = {.text = {node, type, payload},
                               .number = {token}};

    if (strlen(payload) > GATEWAY_SHARED_MAX) {
        v.text[1] = "error";
        v.text[2] = TOO_LARGE;
    }
    share_change(n, CHANGE_ANSWER, &v);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_keep.c - messages, and the topics whose messages are numbered and kept.
 */
#include "server/bus/bus_keep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "server/bus/bus_topic.h"

#define TABLE_SIZE 16384u /* lists of topics, by their hash */
#define SWEEP      16u    /* of them, looked at for a topic to forget */
#define RING_FIRST 8u
#define TICK_MS    500   /* between looks at what is too old */
#define TICK_DROPS 4096u /* at one look */

struct bus_keep {
    struct bus_keep_limits limits;
    struct bus_topic_log *table[TABLE_SIZE];
    size_t topics, messages, bytes;
    uint64_t forgotten; /* the last number of a topic that was forgotten */
    size_t sweep;       /* the list that is looked at next for one */
    struct bus_message *oldest, *newest;
    struct watch *tick;
};

static void
append_message_part(struct bus_message *m, const char *bytes, size_t n)
{
    memcpy(m->text + m->n, bytes, n);
    m->n += n;
}

struct bus_message *
bus_message_new(const struct relay_message *in, struct bus_topic_log *log,
                struct err *e)
{
    static const char head[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"sendMessage\","
        "\"params\":{\"topic\":",
                      payload[] = ",\"payload\":", end[] = "},\"id\":";
    char seq[32] = "";
    struct bus_message *m;
    size_t n = sizeof(head) + sizeof(payload) + sizeof(end) + sizeof(seq) +
               in->topic_json.n + in->payload.n;

    if (!(m = malloc(sizeof(*m) + n))) {
        err_nomem(e);
        return NULL;
    }
    *m = (struct bus_message){.refs = 1, .log = log, .turn = in->turn};
    if (log) {
        log->messages++;
        m->seq = log->last + 1;
        snprintf(seq, sizeof(seq), ",\"seq\":%" PRIu64, m->seq);
    }
    append_message_part(m, head, sizeof(head) - 1);
    m->topic_at = m->n;
    m->topic_n = in->topic_json.n;
    append_message_part(m, in->topic_json.p, in->topic_json.n);
    append_message_part(m, payload, sizeof(payload) - 1);
    m->payload_at = m->n;
    m->payload_n = in->payload.n;
    append_message_part(m, in->payload.p, in->payload.n);
    append_message_part(m, seq, strlen(seq));
    append_message_part(m, end, sizeof(end) - 1);
    return m;
}

struct bus_message *
bus_message_of_text(struct relay_bytes text, uint64_t handle, struct err *e)
{
    struct bus_message *m = malloc(sizeof(*m) + text.n);

    if (!m) {
        err_nomem(e);
        return NULL;
    }
    *m = (struct bus_message){.refs = 1, .handle = handle};
    append_message_part(m, text.p, text.n);
    return m;
}

void
bus_message_unref(struct bus_message *m)
{
    if (!m || --m->refs > 0)
        return;
    if (m->log)
        m->log->messages--;
    free(m);
}

struct bus_topic_log *
bus_keep_find(const struct bus_keep *k, const char *name, size_t n)
{
    uint64_t hash = bus_topic_hash(name, n);
    struct bus_topic_log *log = k->table[hash % TABLE_SIZE];

    while (log && (log->hash != hash || log->name_n != n ||
                   memcmp(log->name, name, n) != 0))
        log = log->next;
    return log;
}

static void
free_log(struct bus_topic_log *log)
{
    free(log->ring);
    free(log->name);
    free(log);
}

void
bus_keep_each(const struct bus_keep *k,
              bool (*cb)(void *arg, struct bus_topic_log *log), void *arg)
{
    for (size_t i = 0; i < TABLE_SIZE; i++)
        for (struct bus_topic_log *log = k->table[i]; log; log = log->next)
            if (!cb(arg, log))
                return;
}

uint64_t
bus_log_first(const struct bus_topic_log *log)
{
    return log->last - log->n + 1;
}

struct bus_message *
bus_log_at(const struct bus_topic_log *log, uint64_t seq)
{
    uint64_t first = bus_log_first(log);

    if (seq < first || seq > log->last)
        return NULL;
    return log->ring[(log->from + (size_t)(seq - first)) % log->size];
}

static int
grow_ring(struct bus_topic_log *log, struct err *e)
{
    size_t size = log->size ? log->size * 2 : RING_FIRST;
    struct bus_message **ring = malloc(size * sizeof(struct bus_message *));

    if (!ring)
        return err_nomem(e);
    for (size_t i = 0; i < log->n; i++)
        ring[i] = log->ring[(log->from + i) % log->size];
    free(log->ring);
    log->ring = ring;
    log->size = size;
    log->from = 0;
    return 0;
}

static size_t
kept_size(const struct bus_message *m)
{
    return sizeof(*m) + m->n + sizeof(m);
}

/* The oldest message of a topic, which need not be the oldest of all. */
static void
drop_first(struct bus_keep *k, struct bus_topic_log *log)
{
    struct bus_message *m = log->ring[log->from];

    log->from = (log->from + 1) % log->size;
    log->n--;
    *(m->older ? &m->older->newer : &k->oldest) = m->newer;
    *(m->newer ? &m->newer->older : &k->newest) = m->older;
    m->older = m->newer = NULL;
    k->messages--;
    k->bytes -= kept_size(m);
    bus_message_unref(m);
}

static void
forget_topic(struct bus_keep *k, struct bus_topic_log *log)
{
    struct bus_topic_log **at = &k->table[log->hash % TABLE_SIZE];

    while (*at != log)
        at = &(*at)->next;
    if (log->last > k->forgotten)
        k->forgotten = log->last;
    *at = log->next;
    k->topics--;
    free_log(log);
}

/* When its newest message was kept; 0: nothing is; INT64_MAX: it may not be
 * forgotten. */
static int64_t
quiet_since(const struct bus_topic_log *log)
{
    if (log->replays || log->first_flying || log->messages > log->n)
        return INT64_MAX;
    return log->n > 0 ? bus_log_at(log, log->last)->kept_ms : 0;
}

/* Of the topics in a few lists, forgets those of which nothing is kept, or else
 * the one that has been quiet for longest. False: none may be. */
static bool
forget_quiet_topics(struct bus_keep *k)
{
    struct bus_topic_log *found = NULL, *log, *next;
    int64_t since = INT64_MAX;
    size_t before = k->topics;

    for (size_t i = 0; i < SWEEP; i++) {
        for (log = k->table[k->sweep]; log; log = next) {
            int64_t at = quiet_since(log);

            next = log->next;
            if (at == 0) {
                forget_topic(k, log);
            } else if (at < since) {
                since = at;
                found = log;
            }
        }
        k->sweep = (k->sweep + 1) % TABLE_SIZE;
    }
    if (k->topics < before || !found)
        return k->topics < before;
    while (found->n > 0)
        drop_first(k, found);
    if (found->messages > 0) /* somebody holds one */
        return false;
    forget_topic(k, found);
    return true;
}

static bool
make_topic_room(struct bus_keep *k)
{
    for (size_t i = 0; i < TABLE_SIZE / SWEEP; i++)
        if (forget_quiet_topics(k))
            return true;
    return false;
}

struct bus_topic_log *
bus_keep_log(struct bus_keep *k, const char *name, size_t n, struct err *e)
{
    struct bus_topic_log *log = bus_keep_find(k, name, n);
    uint64_t hash = bus_topic_hash(name, n);

    if (log)
        return log;
    if (k->topics >= BUS_KEEP_TOPICS && !make_topic_room(k)) {
        err_set(e, ERR_NOMEM, "messages of %u topics wait", BUS_KEEP_TOPICS);
        return NULL;
    }
    log = calloc(1, sizeof(*log));
    if (!log || !(log->name = malloc(n + 1))) {
        free(log);
        err_nomem(e);
        return NULL;
    }
    memcpy(log->name, name, n);
    log->name_n = n;
    log->hash = hash;
    log->last = k->forgotten;
    log->next = k->table[hash % TABLE_SIZE];
    k->table[hash % TABLE_SIZE] = log;
    k->topics++;
    return log;
}

int
bus_keep_add(struct bus_keep *k, struct bus_message *m, struct err *e)
{
    struct bus_topic_log *log = m->log;

    if (k->limits.messages > 0 && log->n >= k->limits.messages)
        drop_first(k, log);
    if (log->n == log->size && grow_ring(log, e) < 0)
        return -1;
    log->ring[(log->from + log->n) % log->size] = m;
    m->refs++;
    log->n++;
    log->last = m->seq;
    m->kept_ms = clock_ms();
    m->older = k->newest;
    *(k->newest ? &k->newest->newer : &k->oldest) = m;
    k->newest = m;
    k->messages++;
    k->bytes += kept_size(m);
    while (k->bytes > BUS_KEEP_BYTES)
        drop_first(k, k->oldest->log);
    return 0;
}

void
bus_keep_renumber(struct bus_keep *k, struct bus_topic_log *log, uint64_t last)
{
    if (last == log->last)
        return;
    while (log->n > 0)
        drop_first(k, log);
    log->last = last;
}

static void
on_keep_tick(void *arg, unsigned events)
{
    struct bus_keep *k = arg;
    int64_t end_ms = clock_ms() - k->limits.age_ms;
    size_t n = 0;

    (void)events;
    while (k->oldest && k->oldest->kept_ms <= end_ms && n++ < TICK_DROPS)
        drop_first(k, k->oldest->log);
    watch_again(k->tick, n >= TICK_DROPS ? 0 : TICK_MS);
}

struct bus_keep *
bus_keep_new(struct loop *l, const struct bus_keep_limits *limits,
             struct err *e)
{
    CLEANUP(bus_keep_free_p) struct bus_keep *k = calloc(1, sizeof(*k));

    if (!k) {
        err_nomem(e);
        return NULL;
    }
    k->limits = *limits;
    if (limits->age_ms > 0 &&
        !(k->tick = loop_timer(l, TICK_MS, on_keep_tick, k, e)))
        return NULL;
    return TAKE_PTR(k);
}

void
bus_keep_free(struct bus_keep *k)
{
    if (!k)
        return;
    watch_free(k->tick);
    while (k->oldest)
        drop_first(k, k->oldest->log);
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        struct bus_topic_log *log = k->table[i];

        while (log) {
            struct bus_topic_log *next = log->next;

            free_log(log);
            log = next;
        }
    }
    free(k);
}

struct bus_keep_counts
bus_keep_count(const struct bus_keep *k)
{
    return (struct bus_keep_counts){k->topics, k->messages, k->bytes};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay_stream.c - a stream of a NATS server that all nodes of a bus read. */
#include "wire/relay_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/array.h"
#include "base/clock.h"
#include "wire/nats.h"
#include "json/json.h"

#define TICK_MS      500
#define ASK_MS       3000 /* for the server to make a stream and a consumer */
#define SILENT_TICKS 10   /* without a record and without a heartbeat */
#define BUS_MAX      64   /* bytes of its name */
#define CONSUMER_MAX 40   /* of a consumer's */
#define CREATED_MAX  64   /* of a time as the server writes it */

/* The stream is for the nodes that are there, and for those that come back in
 * ten minutes. */
#define STREAM_CONFIG                                                          \
    "{\"name\":\"agentsh_%s\",\"subjects\":[\"agentsh.%s.order\"],"            \
    "\"retention\":\"limits\",\"storage\":\"file\",\"discard\":\"old\","       \
    "\"max_msgs\":-1,\"max_bytes\":134217728,\"max_age\":600000000000,"        \
    "\"num_replicas\":1}"
/* And this one for those that will come. */
#define KEPT_STREAM_CONFIG                                                     \
    "{\"name\":\"agentsh_%s\",\"subjects\":[\"agentsh.%s.order\"],"            \
    "\"retention\":\"limits\",\"storage\":\"file\",\"discard\":\"new\","       \
    "\"max_msgs\":-1,\"max_bytes\":-1,\"max_age\":%" PRId64 ","                \
    "\"num_replicas\":1}"
#define MS_NS INT64_C(1000000)
/* A kept stream that was made with another age gets this one; and where the
 * server wants that not, it is read as it is. */
static const char *const stream_verbs[] = {"CREATE", "UPDATE", "INFO"};
/* Where nothing is sent for a second, a heartbeat is. */
#define CONSUMER_CONFIG                                                        \
    "{\"stream_name\":\"agentsh_%s\",\"config\":{\"name\":\"%s\","             \
    "\"ack_policy\":\"none\",\"replay_policy\":\"instant\","                   \
    "\"idle_heartbeat\":1000000000,\"deliver_subject\":\"%s\","                \
    "\"deliver_policy\":"
#define FROM_NEW  "\"new\"}}"
#define FROM_TURN "\"by_start_sequence\",\"opt_start_seq\":%" PRIu64 "}}"

#define PART_LOST "a part of what they sent was lost"

enum relay_stream_state {
    CLOSED,        /* no connection, or it is not asked for yet */
    ASKS_STREAM,   /* the server is to make it, where it is not there */
    ASKS_CONSUMER, /* and then what brings us its records */
    READING,
};

struct relay_stream {
    const struct relay_stream_events *events;
    void *arg;
    struct nats *nats;
    struct watch *timer;
    enum relay_stream_state state;
    int64_t since_ms; /* of the state */
    char bus[BUS_MAX + 1];
    char order[NATS_SUBJECT_MAX], replies[NATS_SUBJECT_MAX],
        turns[NATS_SUBJECT_MAX], direct[NATS_SUBJECT_MAX],
        all[NATS_SUBJECT_MAX];
    uint64_t process, consumers; /* of which a consumer's name is made */
    char consumer[CONSUMER_MAX]; /* "": none was asked for yet */
    uint64_t consumed;           /* of its records */
    unsigned silent_ticks;       /* since one, or a heartbeat, came */
    bool behind;                 /* by the last heartbeat */
    uint64_t from;               /* the turn that is next; 0: any that is new */
    bool kept;
    int64_t age_ms;            /* for which its records are kept; 0: for ever */
    size_t verb;               /* what the server was asked for */
    char created[CREATED_MAX]; /* when the stream was that `from` is of */
};

static void
enter_stream_state(struct relay_stream *s, enum relay_stream_state state)
{
    s->state = state;
    s->since_ms = clock_ms();
}

void
relay_stream_again(struct relay_stream *s)
{
    enter_stream_state(s, CLOSED);
}

static void
lose_stream(struct relay_stream *s, const char *why)
{
    relay_stream_again(s);
    s->events->lost(s->arg, why);
}

static void
ask_server(struct relay_stream *s, const char *subject, const struct buf *text)
{
    struct err e = {0};

    if (nats_publish(s->nats, subject, s->replies, text->p, text->len, &e) < 0)
        lose_stream(s, e.text);
}

static void
ask_for_stream(struct relay_stream *s, size_t verb)
{
    CLEANUP_BUF struct buf text = buf_of(1024);
    CLEANUP_BUF struct buf subject = buf_of(NATS_SUBJECT_MAX);

    enter_stream_state(s, ASKS_STREAM);
    s->verb = verb;
    buf_printf(&subject, "$JS.API.STREAM.%s.agentsh_%s", stream_verbs[verb],
               s->bus);
    if (!s->kept)
        buf_printf(&text, STREAM_CONFIG, s->bus, s->bus);
    else if (verb + 1 < ARRAY_SIZE(stream_verbs))
        buf_printf(&text, KEPT_STREAM_CONFIG, s->bus, s->bus,
                   s->age_ms * MS_NS);
    ask_server(s, subject.p, &text);
}

/* The one before it is of no use: where its stream is there still, it would go
 * on to send. */
static void
drop_consumer(struct relay_stream *s)
{
    CLEANUP_BUF struct buf subject = buf_of(NATS_SUBJECT_MAX);

    if (!s->consumer[0])
        return;
    buf_printf(&subject, "$JS.API.CONSUMER.DELETE.agentsh_%s.%s", s->bus,
               s->consumer);
    (void)nats_publish(s->nats, subject.p, s->replies, "", 0, NULL);
}

/* Its name is of our making: its first records may come before the reply that
 * would tell one, and are to be known by it. */
static void
ask_for_consumer(struct relay_stream *s)
{
    CLEANUP_BUF struct buf text = buf_of(2048);
    CLEANUP_BUF struct buf subject = buf_of(NATS_SUBJECT_MAX);

    drop_consumer(s);
    snprintf(s->consumer, sizeof(s->consumer), "%016" PRIx64 "-%" PRIu64,
             s->process, ++s->consumers);
    s->consumed = 0;
    s->behind = false;
    enter_stream_state(s, ASKS_CONSUMER);
    buf_printf(&subject, "$JS.API.CONSUMER.CREATE.agentsh_%s.%s", s->bus,
               s->consumer);
    buf_printf(&text, CONSUMER_CONFIG, s->bus, s->consumer, s->turns);
    if (s->from > 0)
        buf_printf(&text, FROM_TURN, s->from);
    else
        buf_str(&text, FROM_NEW);
    ask_server(s, subject.p, &text);
}

static void
begin_records(struct relay_stream *s)
{
    s->silent_ticks = 0;
    enter_stream_state(s, READING);
    s->events->ready(s->arg, s->from > 0);
}

/* Where the stream is another one, or begins behind what is next, it is read
 * from its end. */
static void
check_what_is_next(struct relay_stream *s, const struct json *v)
{
    const struct json *state = json_get(v, "state");
    const char *created = json_get_str(v, "created");
    int64_t first = 0, last = 0;
    bool same = created && strcmp(created, s->created) == 0 &&
                json_int(json_get(state, "first_seq"), &first) &&
                json_int(json_get(state, "last_seq"), &last);

    if (!same || s->from < (uint64_t)first || s->from > (uint64_t)last + 1)
        s->from = 0;
    snprintf(s->created, sizeof(s->created), "%s", created ? created : "");
}

/* Why a kept stream is not the one that was read, or has not what is next. */
static bool
is_unreadable(const struct relay_stream *s, const struct json *v,
              struct err *why)
{
    const struct json *state = json_get(v, "state");
    const char *created = json_get_str(v, "created");
    int64_t first, last;

    if (s->from > 1 && json_int(json_get(state, "last_seq"), &last) &&
        last >= 0 && (uint64_t)last + 1 < s->from)
        err_set(why, ERR_PEER,
                "the stream ends before what was read from it: NATS has lost "
                "its files");
    else if (created && s->events->found && !s->events->found(s->arg, created))
        err_set(why, ERR_PEER,
                "the stream is another one: NATS has lost its files");
    else if (json_int(json_get(state, "first_seq"), &first) && first > 0 &&
             s->from < (uint64_t)first)
        err_set(why, ERR_PEER,
                "NATS keeps the stream from turn %" PRId64 " on, and what is "
                "here ends at %" PRIu64 ": a copy of another one's tables is "
                "needed",
                first, s->from - 1);
    return why->code != ERR_NONE;
}

static void
take_stream_reply(struct relay_stream *s, const struct json *v,
                  const struct json *error)
{
    struct err why = {0};
    int64_t code = 0;
    const char *text = error ? json_get_str(error, "description") : NULL;

    if (error && json_get(error, "code"))
        (void)json_int(json_get(error, "code"), &code);
    if (error && code != 400) {
        lose_stream(s, text ? text : "NATS refuses its stream");
    } else if (error && s->kept && s->verb + 1 < ARRAY_SIZE(stream_verbs)) {
        ask_for_stream(s, s->verb + 1);
    } else if (!error && s->kept && is_unreadable(s, v, &why)) {
        lose_stream(s, why.text);
    } else { /* made with other settings, it serves too */
        if (!s->kept)
            check_what_is_next(s, v);
        ask_for_consumer(s);
    }
}

static void
take_server_reply(struct relay_stream *s, const char *bytes, size_t n)
{
    CLEANUP(json_free_p) struct json *v = json_parse(bytes, n, 0, NULL);
    const struct json *error = v ? json_get(v, "error") : NULL;
    const char *type = v ? json_get_str(v, "type") : NULL;
    const char *text = error ? json_get_str(error, "description") : NULL;

    /* it may be late, or to something else */
    if (type && !strstr(type, s->state == ASKS_STREAM ? ".stream_"
                                                      : ".consumer_create_"))
        return;
    if (s->state == ASKS_STREAM && v) {
        take_stream_reply(s, v, error);
    } else if (s->state == ASKS_CONSUMER && v && !error) {
        begin_records(s);
    } else if (s->state == ASKS_STREAM || s->state == ASKS_CONSUMER) {
        lose_stream(s, text ? text : "an answer of NATS that is none");
    }
}

/* $JS.ACK.STREAM.CONSUMER.TRIES.TURN.COUNT.TIME.PENDING: of the consumer at
 * hand, and without a gap. */
static bool
read_record_turn(struct relay_stream *s, const char *reply, uint64_t *turn)
{
    char consumer[64];
    uint64_t count;

    if (sscanf(reply, "$JS.ACK.%*[^.].%63[^.].%*u.%" SCNu64 ".%" SCNu64 ".",
               consumer, turn, &count) != 3 ||
        strcmp(consumer, s->consumer) != 0)
        return false;
    if (s->state == ASKS_CONSUMER)
        begin_records(s); /* it is there, and its reply is under way */
    if (s->state != READING)
        return false;
    s->silent_ticks = 0;
    s->behind = false;
    if (count == s->consumed + 1) {
        s->consumed = count;
        s->from = *turn + 1;
        return true;
    }
    if (count > s->consumed)
        lose_stream(s, PART_LOST);
    return false;
}

/* The last records that were sent may be lost, which none behind them tells. A
 * single heartbeat may be of the consumer before. */
static void
on_stream_idle(void *arg, const char *subject, uint64_t count)
{
    struct relay_stream *s = arg;
    bool was_behind = s->behind;

    if (s->state != READING || strcmp(subject, s->turns) != 0)
        return;
    s->silent_ticks = 0;
    s->behind = count > s->consumed;
    if (s->behind && was_behind)
        lose_stream(s, PART_LOST);
}

static void
on_stream_bytes(void *arg, const char *subject, const char *reply,
                const char *bytes, size_t n)
{
    struct relay_stream *s = arg;
    uint64_t turn;

    if (strcmp(subject, s->order) == 0) {
        if (read_record_turn(s, reply, &turn))
            s->events->record(s->arg, turn, bytes, n);
    } else if (strcmp(subject, s->replies) == 0) {
        take_server_reply(s, bytes, n);
    } else if (strcmp(subject, s->direct) == 0 ||
               strcmp(subject, s->all) == 0) {
        s->events->direct(s->arg, bytes, n);
    }
}

static void
on_stream_connected(void *arg, bool connected)
{
    struct relay_stream *s = arg;

    if (connected)
        ask_for_stream(s, 0);
    else
        lose_stream(s, "the connection to NATS is lost");
}

/* Something may have been lost. */
static void
on_stream_trouble(void *arg, const struct err *why)
{
    lose_stream(arg, why->text);
}

static void
on_stream_timer(void *arg, unsigned events)
{
    struct relay_stream *s = arg;

    (void)events;
    if (s->state == CLOSED && nats_is_connected(s->nats))
        ask_for_stream(s, 0);
    else if ((s->state == ASKS_STREAM || s->state == ASKS_CONSUMER) &&
             clock_ms() - s->since_ms > ASK_MS)
        lose_stream(s, "NATS has no JetStream, or does not answer");
    else if (s->state == READING && ++s->silent_ticks > SILENT_TICKS)
        lose_stream(s, "NATS is silent");
    watch_again(s->timer, TICK_MS);
}

static bool
is_bus_name(const char *bus)
{
    size_t n = strspn(bus,
                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                      "0123456789-_");

    return n > 0 && n <= BUS_MAX && !bus[n];
}

static int
open_relay_stream(struct relay_stream *s, struct loop *l, const char *url,
                  const char *bus, const char *node, struct err *e)
{
    static const struct nats_events events = {.message = on_stream_bytes,
                                              .idle = on_stream_idle,
                                              .connected = on_stream_connected,
                                              .trouble = on_stream_trouble};

    if (!is_bus_name(bus))
        return err_set(e, ERR_USAGE, "\"%s\" is no name of a bus", bus);
    snprintf(s->bus, sizeof(s->bus), "%s", bus);
    snprintf(s->order, sizeof(s->order), "agentsh.%s.order", bus);
    snprintf(s->direct, sizeof(s->direct), "agentsh.%s.node.%s", bus, node);
    snprintf(s->all, sizeof(s->all), "agentsh.%s.nodes", bus);
    snprintf(s->replies, sizeof(s->replies), "agentsh.%s.reply.%s", bus, node);
    /* what an earlier process of this node asked for is not for this one */
    if (getrandom(&s->process, sizeof(s->process), 0) !=
        (ssize_t)sizeof(s->process))
        return err_sys(e, "random bytes");
    snprintf(s->turns, sizeof(s->turns), "agentsh.%s.turn.%016" PRIx64, bus,
             s->process);
    if (!(s->timer = loop_timer(l, TICK_MS, on_stream_timer, s, e)) ||
        !(s->nats = nats_open(l, url, node, &events, s, e)) ||
        nats_subscribe(s->nats, s->replies, e) < 0 ||
        nats_subscribe(s->nats, s->turns, e) < 0 ||
        nats_subscribe(s->nats, s->direct, e) < 0 ||
        nats_subscribe(s->nats, s->all, e) < 0)
        return -1;
    return 0;
}

struct relay_stream *
relay_stream_new(struct loop *l, const char *url, const char *bus,
                 const char *node, const struct relay_stream_events *ev,
                 void *arg, struct err *e)
{
    struct relay_stream *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->events = ev;
    s->arg = arg;
    if (open_relay_stream(s, l, url, bus, node, e) == 0)
        return s;
    relay_stream_free(s);
    return NULL;
}

void
relay_stream_free(struct relay_stream *s)
{
    if (!s)
        return;
    nats_close(s->nats);
    watch_free(s->timer);
    free(s);
}

void
relay_stream_keep(struct relay_stream *s, uint64_t from, int64_t age_ms)
{
    s->from = from;
    s->age_ms = age_ms;
    s->kept = true;
}

void
relay_stream_rewind(struct relay_stream *s, uint64_t turn)
{
    if (turn < s->from)
        s->from = turn;
}

uint64_t
relay_stream_id(const struct relay_stream *s)
{
    uint64_t id = 0;

    for (const char *at = s->created; *at; at++)
        if (*at >= '0' && *at <= '9')
            id = id * 10 + (uint64_t)(*at - '0');
    return id;
}

int
relay_stream_send_all(struct relay_stream *s, const struct buf *record,
                      struct err *e)
{
    return nats_publish(s->nats, s->all, NULL, record->p, record->len, e);
}

int
relay_stream_put(struct relay_stream *s, const struct buf *record,
                 struct err *e)
{
    return nats_publish(s->nats, s->order, NULL, record->p, record->len, e);
}

int
relay_stream_send(struct relay_stream *s, const char *node,
                  const struct buf *record, struct err *e)
{
    CLEANUP_BUF struct buf subject = buf_of(NATS_SUBJECT_MAX);

    buf_printf(&subject, "agentsh.%s.node.%s", s->bus, node);
    return nats_publish(s->nats, subject.p, NULL, record->p, record->len, e);
}

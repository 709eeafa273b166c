/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bus_method.c - what a client of a bus may ask, and how it is answered. */
#include "server/bus/bus_method.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "server/bus/bus_publish.h"
#include "server/bus/bus_subscription.h"
#include "server/bus/bus_topic.h"
#include "wire/jsonrpc.h"

#define CLIENT_ID_MAX 256 /* bytes */
#define INFO_MAX      (16u << 10)
#define RESULT_MAX    (4u << 10)

/* Of the specification; the last one is ours. */
enum bus_code {
    BUS_STATE = -32001,
    BUS_CLIENT_INFO = -32002,
    BUS_SUBSCRIBED = -32003,
    BUS_NOT_SUBSCRIBED = -32004,
    BUS_NOT_KEPT = -32005,
};

struct bus_call {
    struct bus_hub *hub;
    struct bus_peer *peer;
    const char *id;
    const struct json *params;
};

static void
answer_bus_call(const struct bus_call *c, const char *result)
{
    bus_peer_answer(c->peer, c->id, strlen(c->id), result);
}

static void
refuse_bus_call(const struct bus_call *c, int code, const char *message)
{
    bus_peer_refuse(c->peer, c->id, code, message, NULL);
}

/* A string that is not empty, and no longer than max bytes. */
static struct bus_slice
short_string(const struct bus_call *c, const char *name, size_t max)
{
    struct bus_slice s = {0};

    s.p = json_str(json_get(c->params, name), &s.n);
    if (!s.p || s.n == 0 || s.n > max)
        s = (struct bus_slice){0};
    return s;
}

/* The specification answers a subscription without a topic by -32600. A topic
 * that is given, but wrong, is a wrong parameter as in every other method. */
static void
refuse_topic(const struct bus_call *c, int missing)
{
    refuse_bus_call(
        c, json_get(c->params, "topic") ? JSONRPC_INVALID_PARAMS : missing,
        "Invalid params: topic is a string of 1 to 1024 bytes");
}

static bool
is_client_info(const struct json *info)
{
    return json_type(info) == JSON_OBJECT &&
           json_str(json_get(info, "name"), NULL) &&
           json_str(json_get(info, "version"), NULL);
}

static void
welcome_client(const struct bus_call *c)
{
    CLEANUP_BUF struct buf result = buf_of(RESULT_MAX);
    static const char *const topics[] = {"inbound:*", "outbound:*", "agent:*"};
    struct json_writer w;
    char id[32];

    snprintf(id, sizeof(id), "bus-%ld", (long)getpid());
    json_write_init(&w, &result);
    json_open_object(&w);
    json_member_str(&w, "serverId", id);
    json_key(&w, "serverInfo");
    json_open_object(&w);
    json_member_str(&w, "name", "agentsh bus");
    json_member_str(&w, "version", PACKAGE_VERSION);
    json_close_object(&w);
    json_key(&w, "capabilities");
    json_open_object(&w);
    json_member_bool(&w, "subscribe", true);
    json_member_bool(&w, "publish", true);
    json_key(&w, "topics");
    json_open_array(&w);
    for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
        json_put_str(&w, topics[i]);
    json_close_array(&w);
    if (c->hub->keep)
        json_member_bool(&w, "after", true);
    json_close_object(&w);
    json_close_object(&w);
    answer_bus_call(c, result.p);
}

static void
do_initialize(const struct bus_call *c)
{
    CLEANUP_BUF struct buf text = buf_of(INFO_MAX);
    const struct json *info = json_get(c->params, "clientInfo");
    const char *id = json_get_str(c->params, "clientId");
    struct json_writer w;

    if (c->peer->initialized) {
        refuse_bus_call(c, BUS_STATE, "Already initialized");
        return;
    }
    if (!id || !*id || strlen(id) > CLIENT_ID_MAX) {
        refuse_bus_call(
            c, JSONRPC_INVALID_PARAMS,
            "Invalid params: clientId is a string of 1 to 256 bytes");
        return;
    }
    json_write_init(&w, &text);
    if (info)
        json_put_value(&w, info);
    if (info && (!is_client_info(info) || text.bad)) {
        refuse_bus_call(
            c, BUS_CLIENT_INFO,
            "Invalid client info: an object with the strings name and "
            "version");
        return;
    }
    if (!(c->peer->client_id = strdup(id))) {
        refuse_bus_call(c, JSONRPC_INTERNAL, "out of memory");
        return;
    }
    welcome_client(c);
    bus_hub_welcome(c->hub, c->peer, info ? text.p : NULL);
}

/* The number behind which a subscription begins; false: it is none. */
static bool
read_after(const struct bus_call *c, int64_t *after)
{
    const struct json *v = json_get(c->params, "after");

    *after = -1;
    if (!v)
        return true;
    return c->hub->keep && json_int(v, after) && *after >= 0;
}

static void
refuse_after(const struct bus_call *c, const char *message,
             const struct bus_kept *kept)
{
    CLEANUP_BUF struct buf data = buf_of(128);
    struct json_writer w;

    json_write_init(&w, &data);
    json_open_object(&w);
    json_member_int(&w, "first", (int64_t)kept->first);
    if (kept->last >= 0)
        json_member_int(&w, "last", kept->last);
    json_close_object(&w);
    bus_peer_refuse(c->peer, c->id, BUS_NOT_KEPT, message, &data);
}

#define SUCCESS "{\"success\":true}"

static void
answer_with_numbers(const struct bus_call *c, const char *numbers)
{
    CLEANUP_BUF struct buf result = buf_of(64);

    buf_printf(&result, "{\"success\":true,\"numbers\":\"%s\"}", numbers);
    answer_bus_call(c, result.p);
}

static void
on_subscribed(const struct bus_asked *a, const struct bus_kept *kept,
              const struct err *why)
{
    const struct bus_call c = {.peer = a->peer, .id = a->id};

    if (!why && a->on && a->numbers && a->peer->hub->numbers.name[0])
        answer_with_numbers(&c, a->peer->hub->numbers.name);
    else if (!why)
        answer_bus_call(&c, SUCCESS);
    else if (kept)
        refuse_after(&c, why->text, kept);
    else if (why->code != ERR_INVALID)
        refuse_bus_call(&c, JSONRPC_INTERNAL, why->text);
    else
        refuse_bus_call(&c, a->on ? BUS_SUBSCRIBED : BUS_NOT_SUBSCRIBED,
                        why->text);
}

static void
do_subscribe(const struct bus_call *c)
{
    const struct json *numbers = json_get(c->params, "numbers");
    struct bus_asked a = {.peer = c->peer,
                          .on = true,
                          .numbers = json_str(numbers, NULL),
                          .done = on_subscribed,
                          .pattern = short_string(c, "topic", BUS_TOPIC_MAX),
                          .id = c->id};

    if (!a.pattern.p)
        refuse_topic(c, JSONRPC_INVALID_REQUEST);
    else if (!read_after(c, &a.after))
        refuse_bus_call(c, JSONRPC_INVALID_PARAMS,
                        c->hub->keep
                            ? "Invalid params: after is a number from 0 on"
                            : "Invalid params: after, where nothing is "
                              "kept. To do: start the bus with --keep");
    else if (numbers && !a.numbers)
        refuse_bus_call(c, JSONRPC_INVALID_PARAMS,
                        "Invalid params: numbers is the name that an earlier "
                        "subscribe was answered with");
    else
        bus_subscription_ask(c->hub, &a);
}

static void
do_unsubscribe(const struct bus_call *c)
{
    const struct bus_asked a = {
        .peer = c->peer,
        .done = on_subscribed,
        .pattern = short_string(c, "topic", BUS_TOPIC_MAX),
        .id = c->id};

    if (!a.pattern.p)
        refuse_topic(c, JSONRPC_INVALID_PARAMS);
    else
        bus_subscription_ask(c->hub, &a);
}

static void
do_send_message(const struct bus_call *c)
{
    struct bus_slice topic = short_string(c, "topic", BUS_TOPIC_MAX);
    const struct json *payload = json_get(c->params, "payload");
    CLEANUP_BUF struct buf json = buf_of(6 * BUS_TOPIC_MAX + 64);
    CLEANUP_BUF struct buf text = buf_of(8 * BUS_MESSAGE_BYTES);
    struct json_writer w;

    if (!topic.p) {
        refuse_topic(c, JSONRPC_INVALID_PARAMS);
        return;
    }
    if (json_type(payload) != JSON_OBJECT) {
        refuse_bus_call(c, JSONRPC_INVALID_PARAMS,
                        "Invalid params: payload is an object");
        return;
    }
    json_write_init(&w, &json);
    json_put_strn(&w, topic.p, topic.n);
    json_write_init(&w, &text);
    json_put_value(&w, payload);
    if (json.bad || text.bad)
        refuse_bus_call(c, JSONRPC_INTERNAL, "out of memory");
    else
        bus_publish_send(c->hub, c->peer,
                         (struct bus_slice){c->id, strlen(c->id)}, topic,
                         (struct bus_slice){json.p, json.len},
                         (struct bus_slice){text.p, text.len});
}

static void
do_ping(const struct bus_call *c)
{
    CLEANUP_BUF struct buf result = buf_of(RESULT_MAX);
    char now[CLOCK_RFC3339_SIZE];

    buf_printf(&result, "{\"timestamp\":\"%s\"}",
               clock_rfc3339(time(NULL), now));
    answer_bus_call(c, result.p);
}

static void
do_stats(const struct bus_call *c)
{
    CLEANUP_BUF struct buf result = buf_of(RESULT_MAX);

    bus_hub_put_stats(c->hub, &result);
    answer_bus_call(c, result.p);
}

static const struct bus_method {
    const char *name;
    void (*run)(const struct bus_call *c);
    bool early; /* before the client has initialized */
} methods[] = {
    {"initialize", do_initialize, true},
    {"subscribe", do_subscribe, false},
    {"unsubscribe", do_unsubscribe, false},
    {"sendMessage", do_send_message, false},
    {"ping", do_ping, false},
    {"bus.stats", do_stats, false},
};

static void
run_method(const struct bus_call *c, const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
        if (strcmp(methods[i].name, name) != 0)
            continue;
        if (methods[i].early || c->peer->initialized)
            methods[i].run(c);
        else
            refuse_bus_call(c, BUS_STATE, "Not initialized");
        return;
    }
    refuse_bus_call(c, JSONRPC_NO_METHOD, "Method not found");
}

static enum relay_outcome
read_outcome(const struct jsonrpc *m)
{
    bool stop = false, success = true;

    if (m->kind == JSONRPC_ERROR)
        return RELAY_FAILED;
    (void)json_bool(json_get(m->result, "success"), &success);
    (void)json_bool(json_get(m->result, "stopPropagation"), &stop);
    return stop ? RELAY_STOPS : success ? RELAY_GOES_ON : RELAY_FAILED;
}

/* Whatever is not plain, or wrong. */
static void
take_any(struct bus_hub *h, struct bus_peer *p, const char *bytes, size_t n)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct err e = {0};
    int read = jsonrpc_parse(bytes, n, &m, &e);

    if (read < 0) {
        bus_peer_refuse(p, m.id, m.fault, e.text, NULL);
    } else if (m.kind == JSONRPC_REQUEST) {
        const struct bus_call c = {h, p, m.id, m.params};

        run_method(&c, m.method);
    } else if (m.kind != JSONRPC_NOTIFICATION && m.id) {
        bus_hub_answer(h, p, (struct bus_slice){m.id, strlen(m.id)},
                       read_outcome(&m));
    }
}

void
bus_method_take(struct bus_hub *h, struct bus_peer *p, const char *bytes,
                size_t n, bool text)
{
    struct bus_quick q;
    enum bus_quick_kind kind = text && p->initialized
                                   ? bus_quick_read(bytes, n, &q)
                                   : BUS_QUICK_OTHER;

    if (kind == BUS_QUICK_SEND)
        bus_publish_send(h, p, q.id, q.topic,
                         (struct bus_slice){q.topic.p - 1, q.topic.n + 2},
                         q.payload);
    else if (kind == BUS_QUICK_ANSWER)
        bus_hub_answer(h, p, q.id,
                       q.stop      ? RELAY_STOPS
                       : q.success ? RELAY_GOES_ON
                                   : RELAY_FAILED);
    else
        take_any(h, p, bytes, n);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_bus.c - lines that two clients of a bus send: what is read in place
 * means the same as by the parser of JSON, and nothing makes the bus fall. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "server/bus/bus_method.h"
#include "wire/jsonrpc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINES_MAX 64

static void
compare_send(const struct bus_quick *q, const struct jsonrpc *m)
{
    CLEANUP(json_free_p)
    struct json *payload = json_parse(q->payload.p, q->payload.n, JSON_UNIQUE,
                                      NULL);
    size_t n;
    const char *topic = json_str(json_get(m->params, "topic"), &n);

    if (m->kind != JSONRPC_REQUEST || strcmp(m->method, "sendMessage") != 0 ||
        !topic || n != q->topic.n || memcmp(topic, q->topic.p, n) != 0 ||
        !payload || !json_equal(payload, json_get(m->params, "payload")))
        abort();
}

static void
compare_answer(const struct bus_quick *q, const struct jsonrpc *m)
{
    bool success = true, stop = false;

    (void)json_bool(json_get(m->result, "success"), &success);
    (void)json_bool(json_get(m->result, "stopPropagation"), &stop);
    if (m->kind != JSONRPC_RESULT || success != q->success || stop != q->stop)
        abort();
}

static void
compare_readers(const char *line, size_t n)
{
    CLEANUP(jsonrpc_done) struct jsonrpc m = {0};
    struct bus_quick q;
    enum bus_quick_kind kind = bus_quick_read(line, n, &q);

    if (kind == BUS_QUICK_OTHER)
        return;
    if (jsonrpc_parse(line, n, &m, NULL) < 0 || !m.id ||
        strlen(m.id) != q.id.n || memcmp(m.id, q.id.p, q.id.n) != 0)
        abort();
    if (kind == BUS_QUICK_SEND)
        compare_send(&q, &m);
    else
        compare_answer(&q, &m);
}

static void
drop_log(void *arg, const char *line)
{
    (void)arg;
    (void)line;
}

/* Two clients without sockets: what is sent to them is an error at once. */
static void
run_bus(const uint8_t *data, size_t size, bool keeps)
{
    struct loop *loop = loop_new(NULL);
    const struct bus_hub_setup set = {.loop = loop,
                                      .relay = relay_alone_new(NULL),
                                      .keeps = keeps,
                                      .keep = {.messages = 3},
                                      .lifecycle = true,
                                      .log = drop_log};
    CLEANUP_BUF struct buf line = buf_of(size + 1);
    struct bus_peer *peers[2];
    struct bus_hub hub;

    if (!loop || bus_hub_init(&hub, &set, NULL) < 0)
        abort();
    for (size_t i = 0; i < 2; i++) {
        peers[i] = bus_hub_join(&hub, NULL);
        peers[i]->remote = true;
    }
    for (size_t i = 0; i < LINES_MAX && size > 0; i++) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t n = end ? (size_t)(end - data) : size;
        bool text;

        buf_clear(&line);
        buf_add(&line, data, n);
        text = utf8_valid(line.p, line.len);
        if (text)
            compare_readers(line.p, line.len);
        bus_method_take(&hub, peers[i % 2], line.p, line.len, text);
        (void)loop_turn(loop, 0, NULL);
        data += n + (end != NULL);
        size -= n + (end != NULL);
    }
    bus_hub_done(&hub);
    loop_free(loop);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    run_bus(data, size, false);
    run_bus(data, size, true);
    return 0;
}

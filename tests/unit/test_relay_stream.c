/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_relay_stream.c - a stream of a real NATS server, read from where its
 * reader was. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "tests/unit/nats_server.h"
#include "wire/relay_stream.h"

#define WAIT_MS 20000
#define READERS 30 /* one that misses the beginning is seldom */
#define RECORDS 3

struct stream_reader {
    struct relay_stream *stream;
    size_t ready, lost, n;
    uint64_t last;
};

static void
on_reader_ready(void *arg, bool goes_on)
{
    struct stream_reader *r = arg;

    (void)goes_on;
    r->ready++;
}

static void
on_reader_lost(void *arg, const char *why)
{
    struct stream_reader *r = arg;

    (void)why;
    r->lost += r->ready > 0; /* before, NATS may not be there yet */
}

static void
on_reader_record(void *arg, uint64_t turn, const char *bytes, size_t n)
{
    struct stream_reader *r = arg;

    assert_true(n == 1 && bytes[0] == 'x' && turn > r->last && r->ready > 0);
    r->last = turn;
    r->n++;
}

static void
on_reader_direct(void *arg, const char *bytes, size_t n)
{
    (void)arg;
    (void)bytes;
    (void)n;
}

static const struct relay_stream_events reader_events = {
    .ready = on_reader_ready,
    .lost = on_reader_lost,
    .record = on_reader_record,
    .direct = on_reader_direct};

static void
open_reader(struct stream_reader *r, struct loop *l, const char *url,
            const char *node)
{
    memset(r, 0, sizeof(*r));
    r->stream = relay_stream_new(l, url, "test", node, &reader_events, r, NULL);
    assert_non_null(r->stream);
    relay_stream_keep(r->stream, 1, 0);
}

static void
turn_reader_until(struct loop *l, const size_t *n, size_t least)
{
    int64_t end = clock_ms() + WAIT_MS;

    while (*n < least && clock_ms() < end)
        loop_turn(l, 50, NULL);
    assert_true(*n >= least);
}

/* The first records of a consumer may come before the server's reply that it is
 * there. */
static void
gives_each_reader_all_records(void **state)
{
    struct loop *l = loop_new(NULL);
    struct stream_reader writer, reader;
    struct nats_server server;
    struct buf x = buf_of(8);

    (void)state;
    if (!nats_server_is_here())
        return;
    nats_server_choose(&server, l);
    nats_server_start(&server);
    open_reader(&writer, l, server.url, "w");
    turn_reader_until(l, &writer.ready, 1);
    buf_str(&x, "x");
    for (size_t i = 0; i < RECORDS; i++)
        assert_int_equal(relay_stream_put(writer.stream, &x, NULL), 0);
    turn_reader_until(l, &writer.n, RECORDS);
    for (size_t i = 0; i < READERS; i++) {
        open_reader(&reader, l, server.url, "r");
        turn_reader_until(l, &reader.n, RECORDS);
        assert_int_equal(reader.lost, 0);
        relay_stream_free(reader.stream);
    }
    relay_stream_free(writer.stream);
    buf_done(&x);
    nats_server_stop(&server);
    nats_server_done(&server);
    loop_free(l);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_each_reader_all_records),
    };

    (void)signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

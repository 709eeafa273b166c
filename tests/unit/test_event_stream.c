/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_event_stream.c - the events of a stream, as the HTML standard reads
 * them. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "wire/event_stream.h"

#define EVENT_MAX 64

/* Bytes, the events in them as "TYPE=DATA|", the last id, the time to wait. */
static const struct {
    const char *bytes, *events, *id;
    int64_t retry_ms;
} rows[] = {
    {"data: a\n\n", "=a|", "", -1},
    {"data:a\ndata: b\n\n", "=a\nb|", "", -1},
    {"data: a\r\ndata: b\r\n\r\n", "=a\nb|", "", -1},
    {"data: a\r\rdata:  b\r\r", "=a|= b|", "", -1},
    {"\xEF\xBB\xBF"
     "data: a\n\n",
     "=a|", "", -1},
    {"event: ping\ndata: a\n\ndata: b\n\n", "ping=a|=b|", "", -1},
    {": comment\n\n:\ndata: a\n: b\n\n", "=a|", "", -1},
    {"id: 7\ndata:\n\n", "", "7", -1}, /* it only says where to go on */
    {"id: 7\ndata: a\n\nid: 8\ndata: b", "=a|", "7", -1},
    {"id: 7\n\nid\n\n", "", "", -1},
    {"retry: 250\n\nretry: x\n\nretry:\n\n", "", "", 250},
    {"data\n\ndata: a\n\n", "=a|", "", -1},
    {"date: a\nother\ndatadata: x\n\n", "", "", -1},
    {"data: cut off", "", "", -1},
};

static bool
on_event(void *arg, const char *type, const char *data, size_t n)
{
    struct buf *out = arg;

    assert_int_equal(strlen(data), n);
    buf_printf(out, "%s=%s|", type, data);
    return strcmp(data, "last") != 0;
}

static void
events_are_the_same_in_any_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        for (size_t step = 1; step <= strlen(rows[i].bytes); step++) {
            CLEANUP_BUF struct buf out = buf_of(256);
            CLEANUP(event_stream_free_p)
            struct event_stream *s = event_stream_new(EVENT_MAX, on_event, &out,
                                                      NULL);
            size_t n = strlen(rows[i].bytes);

            for (size_t at = 0; at < n; at += step)
                assert_int_equal(event_stream_add(s, rows[i].bytes + at,
                                                  n - at < step ? n - at : step,
                                                  NULL),
                                 0);
            if (strcmp(out.p, rows[i].events) != 0)
                fail_msg("%s: %s", rows[i].bytes, out.p);
            assert_string_equal(event_stream_id(s), rows[i].id);
            assert_int_equal(event_stream_retry_ms(s), rows[i].retry_ms);
        }
    }
}

static void
no_event_follows_the_last_one_wanted(void **state)
{
    static const char bytes[] = "data: last\n\ndata: more\n\n";
    CLEANUP_BUF struct buf out = buf_of(256);
    CLEANUP(event_stream_free_p)
    struct event_stream *s = event_stream_new(EVENT_MAX, on_event, &out, NULL);

    (void)state;
    assert_int_equal(event_stream_add(s, bytes, strlen(bytes), NULL), 1);
    assert_string_equal(out.p, "=last|");
}

static void
what_is_too_large_is_refused(void **state)
{
    static const char *const lines[] = {"data: 0123456789\n", "0123456789"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        CLEANUP_BUF struct buf out = buf_of(256);
        CLEANUP(event_stream_free_p)
        struct event_stream *s = event_stream_new(EVENT_MAX, on_event, &out,
                                                  NULL);
        struct err e = {0};
        int rc = 0;

        for (int k = 0; k < 20 && rc == 0; k++)
            rc = event_stream_add(s, lines[i], strlen(lines[i]), &e);
        assert_int_equal(rc, -1);
        assert_int_equal(e.code, ERR_PEER);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_the_same_in_any_pieces),
        cmocka_unit_test(no_event_follows_the_last_one_wanted),
        cmocka_unit_test(what_is_too_large_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_event_stream.c - any bytes as an event stream: its events are the same
 * however they are split, and no bound is passed.
 *
 * The first byte is the size of the pieces, the second after how many events
 * no more are wanted (0: never). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "wire/event_stream.h"

#define EVENT_MAX 200
#define ALL_MAX   (4u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct taken {
    struct buf events; /* types and data, with their lengths */
    unsigned left;     /* how many are wanted; 0: all */
    char id[EVENT_STREAM_ID_MAX + 1];
    int64_t retry_ms;
    int rc;
};

static bool
on_event(void *arg, const char *type, const char *data, size_t n)
{
    struct taken *t = arg;

    if (n == 0 || n > EVENT_MAX || data[n] != '\0')
        abort();
    buf_printf(&t->events, "%s %zu ", type, n);
    buf_add(&t->events, data, n);
    return t->left == 0 || --t->left > 0;
}

static void
read_all(struct taken *t, const char *bytes, size_t n, size_t step)
{
    CLEANUP(event_stream_free_p)
    struct event_stream *s = event_stream_new(EVENT_MAX, on_event, t, NULL);
    struct err e = {0};

    if (!s)
        abort();
    for (size_t i = 0; i < n && t->rc == 0; i += step)
        t->rc = event_stream_add(s, bytes + i, n - i < step ? n - i : step, &e);
    if (t->rc < 0 && e.code != ERR_PEER)
        abort();
    strncpy(t->id, event_stream_id(s), sizeof(t->id) - 1);
    t->retry_ms = event_stream_retry_ms(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct taken one = {0}, other = {0};

    if (size < 2)
        return 0;
    one.events = buf_of(ALL_MAX);
    other.events = buf_of(ALL_MAX);
    one.left = other.left = data[1] % 8;
    read_all(&one, (const char *)data + 2, size - 2, size);
    read_all(&other, (const char *)data + 2, size - 2, data[0] % 16 + 1u);
    if (one.rc != other.rc || one.events.len != other.events.len ||
        memcmp(one.events.p, other.events.p, one.events.len) != 0 ||
        strcmp(one.id, other.id) != 0 || one.retry_ms != other.retry_ms)
        abort();
    buf_done(&one.events);
    buf_done(&other.events);
    return 0;
}

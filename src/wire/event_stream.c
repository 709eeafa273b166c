/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_stream.c - splits an event stream into events. */
#include "wire/event_stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define FIELD_BYTES  16 /* of a line: the longest name of a field, and ": " */
#define TYPE_SIZE    64
#define RETRY_MS_MAX (24 * 60 * 60 * 1000LL)

struct event_stream {
    event_stream_cb *cb;
    void *arg;
    struct buf line, data;
    char type[TYPE_SIZE];
    char next_id[EVENT_STREAM_ID_MAX + 1]; /* of the event that is read */
    char id[EVENT_STREAM_ID_MAX + 1];
    int64_t retry_ms;
    bool has_data;
    bool after_cr; /* an LF that follows belongs to it */
    bool begun;    /* a byte order mark counts only before this */
};

struct event_stream *
event_stream_new(size_t max, event_stream_cb *cb, void *arg, struct err *e)
{
    struct event_stream *s = calloc(1, sizeof(*s));

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->cb = cb;
    s->arg = arg;
    s->retry_ms = -1;
    buf_init(&s->line, max + FIELD_BYTES);
    buf_init(&s->data, max);
    return s;
}

void
event_stream_free(struct event_stream *s)
{
    if (!s)
        return;
    buf_done(&s->line);
    buf_done(&s->data);
    free(s);
}

static void
store_id(struct event_stream *s, const char *value, size_t n)
{
    if (n > EVENT_STREAM_ID_MAX || memchr(value, '\0', n))
        return;
    memcpy(s->next_id, value, n);
    s->next_id[n] = '\0';
}

static void
store_retry(struct event_stream *s, const char *value, size_t n)
{
    int64_t ms = 0;

    for (size_t i = 0; i < n; i++) {
        if (value[i] < '0' || value[i] > '9')
            return;
        ms = ms * 10 + (value[i] - '0');
        if (ms > RETRY_MS_MAX)
            ms = RETRY_MS_MAX;
    }
    if (n > 0)
        s->retry_ms = ms;
}

static void
store_type(struct event_stream *s, const char *value, size_t n)
{
    if (n >= sizeof(s->type))
        n = sizeof(s->type) - 1; /* no known type is that long */
    memcpy(s->type, value, n);
    s->type[n] = '\0';
}

static bool
is_named(const char *name, size_t n, const char *field)
{
    return strlen(field) == n && memcmp(name, field, n) == 0;
}

static void
read_field(struct event_stream *s, const char *line, size_t n)
{
    const char *colon = memchr(line, ':', n);
    size_t name = colon ? (size_t)(colon - line) : n;
    const char *value = colon ? colon + 1 : line + n;
    size_t left = (size_t)(line + n - value);

    if (left > 0 && *value == ' ') {
        value++;
        left--;
    }
    if (is_named(line, name, "data")) {
        if (s->has_data)
            buf_ch(&s->data, '\n');
        s->has_data = true;
        buf_add(&s->data, value, left);
    } else if (is_named(line, name, "event")) {
        store_type(s, value, left);
    } else if (is_named(line, name, "id")) {
        store_id(s, value, left);
    } else if (is_named(line, name, "retry")) {
        store_retry(s, value, left);
    }
}

/* Passes the event to the callback. False: the rest of the stream is not
 * wanted. */
static bool
dispatch_event(struct event_stream *s)
{
    bool more = true;

    memcpy(s->id, s->next_id, sizeof(s->id));
    if (s->data.len > 0)
        more = s->cb(s->arg, s->type, s->data.p, s->data.len);
    s->type[0] = '\0';
    s->has_data = false;
    buf_clear(&s->data);
    return more;
}

static int
end_line(struct event_stream *s, struct err *e)
{
    const char *line = s->line.p;
    size_t n = s->line.len;
    bool more = true;

    if (s->line.bad)
        return err_set(e, ERR_PEER, "sends a line of more than %zu bytes",
                       s->line.max);
    if (!s->begun && n >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        line += 3;
        n -= 3;
    }
    s->begun = true;
    if (n == 0)
        more = dispatch_event(s);
    else
        read_field(s, line, n);
    buf_clear(&s->line);
    if (s->data.bad)
        return err_set(e, ERR_PEER, "sends an event of more than %zu bytes",
                       s->data.max);
    return more ? 0 : 1;
}

int
event_stream_add(struct event_stream *s, const char *bytes, size_t n,
                 struct err *e)
{
    const char *end = bytes + n, *from = bytes;
    int rc;

    for (const char *p = bytes; p < end; p++) {
        bool follows = s->after_cr && *p == '\n';

        s->after_cr = *p == '\r';
        if (*p != '\r' && *p != '\n')
            continue;
        if (!follows) {
            buf_add(&s->line, from, (size_t)(p - from));
            if ((rc = end_line(s, e)) != 0)
                return rc;
        }
        from = p + 1;
    }
    if (buf_add(&s->line, from, (size_t)(end - from)) < 0)
        return err_set(e, ERR_PEER, "sends a line of more than %zu bytes",
                       s->line.max);
    return 0;
}

const char *
event_stream_id(const struct event_stream *s)
{
    return s->id;
}

int64_t
event_stream_retry_ms(const struct event_stream *s)
{
    return s->retry_ms;
}

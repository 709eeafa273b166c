/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sse.c - server-sent events, line by line. */
#include "model/sse.h"

#include <string.h>

void
sse_init(struct sse *s, size_t max)
{
    s->name[0] = '\0';
    s->pending = false;
    buf_init(&s->data, max);
}

void
sse_done(struct sse *s)
{
    if (!s)
        return;
    buf_done(&s->data);
}

void
sse_next(struct sse *s)
{
    s->name[0] = '\0';
    s->pending = false;
    buf_clear(&s->data);
}

static bool
starts(const char *p, size_t n, const char *field)
{
    size_t m = strlen(field);

    return n >= m && memcmp(p, field, m) == 0;
}

static void
take_name(struct sse *s, const char *p, size_t n)
{
    if (n >= sizeof(s->name))
        n = sizeof(s->name) - 1; /* no event that we know is that long */
    memcpy(s->name, p, n);
    s->name[n] = '\0';
}

static int
take_data(struct sse *s, const char *p, size_t n, struct err *e)
{
    while (starts(p, n, "data:")) { /* a proxy framed it a second time */
        p += 5;
        n -= 5;
        if (n > 0 && *p == ' ') {
            p++;
            n--;
        }
    }
    if (n == 0 || *p == ':') /* ": keepalive", framed as data */
        return 0;
    if (s->pending)
        buf_ch(&s->data, '\n');
    s->pending = true;
    if (buf_add(&s->data, p, n) < 0)
        return err_set(e, ERR_ANSWER,
                       "an event of the answer is larger than %zu bytes",
                       s->data.max);
    return 0;
}

int
sse_line(struct sse *s, const char *line, size_t n, struct err *e)
{
    const char *value;

    if (n == 0)
        return s->pending;
    if (starts(line, n, "data:"))
        return take_data(s, line, n, e);
    if (starts(line, n, "event:")) {
        value = line + 6;
        n -= 6;
        while (n > 0 && *value == ' ') {
            value++;
            n--;
        }
        take_name(s, value, n);
    }
    return 0; /* comments, id, retry, what we do not know */
}

int
sse_end(const struct sse *s)
{
    return s->pending;
}

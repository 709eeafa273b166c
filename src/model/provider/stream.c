/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.c - decodes the body of an answer: its framing and its JSON. */
#include "model/provider/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/linebuf.h"

#define SLICE_BYTES  32768u /* linebuf_add() takes at most 64 KiB */
#define SSE_NAME_MAX 64

/* The parser of server-sent events. It takes what servers of models send:
 * comments and keep-alives of several kinds, doubled field names, no blank line
 * before the end. */
struct sse {
    char name[SSE_NAME_MAX]; /* of the current event; "": none */
    struct buf data;
    bool pending; /* the current event has data */
};

/* max: the largest data of an event, in bytes. */
static void
sse_init(struct sse *s, size_t max)
{
    s->name[0] = '\0';
    s->pending = false;
    buf_init(&s->data, max);
}

static void
sse_done(struct sse *s)
{
    if (!s)
        return;
    buf_done(&s->data);
}

/* Begins the next event. */
static void
sse_next(struct sse *s)
{
    s->name[0] = '\0';
    s->pending = false;
    buf_clear(&s->data);
}

static bool
is_field(const char *p, size_t n, const char *field)
{
    size_t m = strlen(field);

    return n >= m && memcmp(p, field, m) == 0;
}

static void
store_name(struct sse *s, const char *p, size_t n)
{
    if (n >= sizeof(s->name))
        n = sizeof(s->name) - 1; /* no known event has a name that long */
    memcpy(s->name, p, n);
    s->name[n] = '\0';
}

static int
add_data(struct sse *s, const char *p, size_t n, struct err *e)
{
    while (is_field(p, n, "data:")) { /* a proxy framed it a second time */
        p += 5;
        n -= 5;
        if (n > 0 && *p == ' ') {
            p++;
            n--;
        }
    }
    if (n == 0 || *p == ':') /* a comment such as ": keepalive", sent as data */
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

/* Reads one line without its end. Returns 1 when an event is complete, in
 * s->name and s->data until sse_next(); 0 when it is not; -1 and ERR_ANSWER
 * when it is too large. */
static int
sse_line(struct sse *s, const char *line, size_t n, struct err *e)
{
    const char *value;

    if (n == 0)
        return s->pending;
    if (is_field(line, n, "data:"))
        return add_data(s, line, n, e);
    if (is_field(line, n, "event:")) {
        value = line + 6;
        n -= 6;
        while (n > 0 && *value == ' ') {
            value++;
            n--;
        }
        store_name(s, value, n);
    }
    return 0; /* comments, id, retry, unknown fields */
}

/* At the end of the stream: 1 when an event is left. */
static int
sse_end(const struct sse *s)
{
    return s->pending;
}

enum body_format {
    FORMAT_UNKNOWN,
    FORMAT_EVENTS, /* server-sent events */
    FORMAT_LINES,  /* a JSON value a line */
    FORMAT_WHOLE,  /* one JSON value */
    FORMAT_PAGE,   /* a web page */
};

struct stream {
    const struct provider *provider;
    struct model_response *response;
    enum body_format format;
    struct linebuf *lines;
    struct sse sse;
    struct buf whole;
    size_t bytes; /* received */
    size_t mark;  /* bytes of a byte order mark at the start */
};

struct stream *
stream_new(const struct provider *p, struct model_response *r, struct err *e)
{
    CLEANUP(stream_free_p) struct stream *s = calloc(1, sizeof(*s));

    if (!s) {
        err_sys(e, "answer");
        return NULL;
    }
    s->provider = p;
    s->response = r;
    sse_init(&s->sse, STREAM_LINE_MAX);
    buf_init(&s->whole, MODEL_ANSWER_MAX);
    s->lines = linebuf_new(STREAM_LINE_MAX, e);
    return s->lines ? TAKE_PTR(s) : NULL;
}

void
stream_free(struct stream *s)
{
    if (!s)
        return;
    linebuf_free(s->lines);
    sse_done(&s->sse);
    buf_done(&s->whole);
    free(s);
}

static int
fail_not_json(struct err *e)
{
    return err_set(e, ERR_ANSWER, "a part of the answer is not valid JSON");
}

/* Decodes one JSON text: an event of the stream, or the whole answer. */
static int
decode_json(struct stream *s, const char *p, size_t n, struct err *e)
{
    CLEANUP(json_free_p) struct json *v = json_parse(p, n, 0, NULL);
    const struct json *item;

    if (!v) /* after a finished answer, anything is ignored */
        return s->response->finish == FINISH_NONE ? fail_not_json(e) : 0;
    if (json_type(v) == JSON_OBJECT)
        return s->provider->event(s->response, s->sse.name, v, e);
    for (item = json_first(v); item; item = json_next(item)) {
        if (json_type(item) == JSON_OBJECT &&
            s->provider->event(s->response, s->sse.name, item, e) < 0)
            return -1;
    }
    return 0;
}

static int
decode_value(struct stream *s, const char *p, size_t n, struct err *e)
{
    if (n != 6 || memcmp(p, "[DONE]", 6) != 0)
        return decode_json(s, p, n, e);
    s->response->complete = s->response->finish != FINISH_NONE;
    return 0;
}

/* Decodes each line of an event as a value of its own: events without a blank
 * line between them arrive as one. */
static int
decode_event_lines(struct stream *s, char *p, struct err *e)
{
    char *end;

    for (; p; p = end) {
        end = strchr(p, '\n');
        if (end)
            *end++ = '\0';
        if (decode_value(s, p, strlen(p), e) < 0)
            return -1;
    }
    return 0;
}

static int
decode_event(struct stream *s, struct err *e)
{
    struct buf *d = &s->sse.data;
    int rc = 0;

    if (!memchr(d->p, '\n', d->len) || json_span(d->p, d->len, NULL) == d->len)
        rc = decode_value(s, d->p, d->len, e);
    else
        rc = decode_event_lines(s, d->p, e);
    sse_next(&s->sse);
    return rc;
}

static int
decode_line(struct stream *s, const char *line, size_t n, struct err *e)
{
    if (n > STREAM_LINE_MAX)
        return err_set(e, ERR_ANSWER,
                       "a line of the answer is longer than "
                       "%u bytes",
                       STREAM_LINE_MAX);
    if (s->format == FORMAT_LINES)
        return strspn(line, " \t") == n ? 0 : decode_json(s, line, n, e);
    switch (sse_line(&s->sse, line, n, e)) {
    case 0:
        return 0;
    case 1:
        return decode_event(s, e);
    default:
        return -1;
    }
}

static int
decode_lines(struct stream *s, struct err *e)
{
    const char *line;
    size_t n;

    while ((line = linebuf_next(s->lines, &n)) != NULL) {
        if (decode_line(s, line, n, e) < 0)
            return -1;
    }
    return 0;
}

static int
add_lines(struct stream *s, const char *p, size_t n, struct err *e)
{
    while (n > 0) {
        size_t part = n < SLICE_BYTES ? n : SLICE_BYTES;

        if (linebuf_add(s->lines, p, part, e) < 0)
            return err_set(e, ERR_ANSWER,
                           "a line of the answer is longer than %u bytes",
                           STREAM_LINE_MAX);
        if (decode_lines(s, e) < 0)
            return -1;
        p += part;
        n -= part;
    }
    return 0;
}

/* Detects the format by the first byte that is no blank. A provider that
 * streams lines may send one object instead; that has a newline after its
 * brace. */
static enum body_format
detect_format(const struct stream *s, const char *p, size_t n)
{
    size_t i = 0;

    while (i < n && p[i] && strchr(" \t\r\n", p[i]))
        i++;
    if (i == n)
        return FORMAT_UNKNOWN;
    if (p[i] == '<')
        return FORMAT_PAGE;
    if (p[i] != '{' && p[i] != '[')
        return s->provider->lines ? FORMAT_LINES : FORMAT_EVENTS;
    if (!s->provider->lines)
        return FORMAT_WHOLE;
    return i + 1 < n && (p[i + 1] == '\r' || p[i + 1] == '\n') ? FORMAT_WHOLE
                                                               : FORMAT_LINES;
}

/* Returns how many of the bytes are a byte order mark or blanks at the start of
 * the body, which some servers send. They may be split between calls. A blank
 * before the first field's name would hide the field. */
static size_t
count_leading(struct stream *s, const char *bytes, size_t n)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t i = 0;

    while (i < n && s->bytes == s->mark && s->mark + i < 3 &&
           bytes[i] == mark[s->mark + i])
        i++;
    s->mark += i;
    while (i < n && bytes[i] && strchr(" \t\r\n", bytes[i]))
        i++;
    return i;
}

int
stream_add(struct stream *s, const char *bytes, size_t n, struct err *e)
{
    size_t skip = s->format == FORMAT_UNKNOWN ? count_leading(s, bytes, n) : 0;

    s->bytes += n;
    bytes += skip;
    n -= skip;
    if (s->bytes > MODEL_ANSWER_MAX)
        return err_set(e, ERR_ANSWER, "the answer is larger than %u MiB",
                       MODEL_ANSWER_MAX >> 20);
    if (s->format == FORMAT_UNKNOWN)
        s->format = detect_format(s, bytes, n);
    switch (s->format) {
    case FORMAT_UNKNOWN:
        return 0;
    case FORMAT_PAGE:
        s->response->failed = s->response->error.page = true;
        return err_set(e, ERR_MODEL, "received a web page, not an answer");
    case FORMAT_WHOLE:
        if (buf_add(&s->whole, bytes, n) < 0)
            return buf_ok(&s->whole, "the answer", e);
        return 0;
    default:
        return add_lines(s, bytes, n, e);
    }
}

int
stream_end(struct stream *s, struct err *e)
{
    const char *rest;
    size_t n;

    if (s->format == FORMAT_WHOLE)
        return decode_json(s, s->whole.p, s->whole.len, e);
    rest = linebuf_rest(s->lines, &n);
    if (rest && decode_line(s, rest, n, e) < 0)
        return -1;
    return sse_end(&s->sse) ? decode_event(s, e) : 0;
}

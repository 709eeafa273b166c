/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.c - frames of an answer's body, and their JSON. */
#include "model/stream.h"

#include <string.h>

#include "base/linebuf.h"
#include "model/sse.h"

#define SLICE_BYTES 32768u /* linebuf takes no more than 64 KiB at once */

enum form { FORM_UNKNOWN, FORM_EVENTS, FORM_LINES, FORM_WHOLE, FORM_PAGE };

struct stream {
    const struct provider *provider;
    struct draft *draft;
    enum form form;
    struct linebuf *lines;
    struct sse sse;
    struct buf whole;
    size_t bytes; /* seen in all */
    size_t mark;  /* bytes of a byte order mark seen at the start */
};

struct stream *
stream_new(const struct provider *p, struct draft *r, struct err *e)
{
    CLEANUP(stream_free_p) struct stream *s = calloc(1, sizeof(*s));

    if (!s) {
        err_sys(e, "answer");
        return NULL;
    }
    s->provider = p;
    s->draft = r;
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
not_json(struct err *e)
{
    return err_set(e, ERR_ANSWER, "a part of the answer is not valid JSON");
}

/* One JSON text: an event of the stream, or the whole answer. */
static int
take_json(struct stream *s, const char *p, size_t n, struct err *e)
{
    CLEANUP(json_free_p) struct json *v = json_parse(p, n, 0, NULL);
    const struct json *item;

    if (!v) /* what follows a finished answer does not undo it */
        return s->draft->finish == FINISH_NONE ? not_json(e) : 0;
    if (json_type(v) == JSON_OBJECT)
        return s->provider->event(s->draft, s->sse.name, v, e);
    for (item = json_first(v); item; item = json_next(item)) {
        if (json_type(item) == JSON_OBJECT &&
            s->provider->event(s->draft, s->sse.name, item, e) < 0)
            return -1;
    }
    return 0;
}

static int
take_value(struct stream *s, const char *p, size_t n, struct err *e)
{
    if (n != 6 || memcmp(p, "[DONE]", 6) != 0)
        return take_json(s, p, n, e);
    s->draft->complete = s->draft->finish != FINISH_NONE;
    return 0;
}

/* Events that lack the blank line between them come as one with many lines;
 * each of them is a value of its own. */
static int
take_event_lines(struct stream *s, char *p, struct err *e)
{
    char *end;

    for (; p; p = end) {
        end = strchr(p, '\n');
        if (end)
            *end++ = '\0';
        if (take_value(s, p, strlen(p), e) < 0)
            return -1;
    }
    return 0;
}

static int
take_event(struct stream *s, struct err *e)
{
    struct buf *d = &s->sse.data;
    int rc = 0;

    if (!memchr(d->p, '\n', d->len) || json_span(d->p, d->len, NULL) == d->len)
        rc = take_value(s, d->p, d->len, e);
    else
        rc = take_event_lines(s, d->p, e);
    sse_next(&s->sse);
    return rc;
}

static int
take_line(struct stream *s, const char *line, size_t n, struct err *e)
{
    if (n > STREAM_LINE_MAX)
        return err_set(e, ERR_ANSWER,
                       "a line of the answer is longer than "
                       "%u bytes",
                       STREAM_LINE_MAX);
    if (s->form == FORM_LINES)
        return strspn(line, " \t") == n ? 0 : take_json(s, line, n, e);
    switch (sse_line(&s->sse, line, n, e)) {
    case 0:
        return 0;
    case 1:
        return take_event(s, e);
    default:
        return -1;
    }
}

static int
take_lines(struct stream *s, struct err *e)
{
    const char *line;
    size_t n;

    while ((line = linebuf_next(s->lines, &n)) != NULL) {
        if (take_line(s, line, n, e) < 0)
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
        if (take_lines(s, e) < 0)
            return -1;
        p += part;
        n -= part;
    }
    return 0;
}

/* What the first byte that is no blank says about the body. In a stream of
 * lines an object on one line, and an object that is the whole answer, look
 * alike at first; the second has nothing after its opening brace. */
static enum form
form_of(const struct stream *s, const char *p, size_t n)
{
    size_t i = 0;

    while (i < n && p[i] && strchr(" \t\r\n", p[i]))
        i++;
    if (i == n)
        return FORM_UNKNOWN;
    if (p[i] == '<')
        return FORM_PAGE;
    if (p[i] != '{' && p[i] != '[')
        return s->provider->lines ? FORM_LINES : FORM_EVENTS;
    if (!s->provider->lines)
        return FORM_WHOLE;
    return i + 1 < n && (p[i + 1] == '\r' || p[i + 1] == '\n') ? FORM_WHOLE
                                                               : FORM_LINES;
}

/* Some servers begin with a byte order mark, which is no part of anything, or
 * with blanks. Returns how many of the bytes are those, however they are cut:
 * a blank before the first field's name would else hide it, or not. */
static size_t
skip_mark(struct stream *s, const char *bytes, size_t n)
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
    size_t skip = s->form == FORM_UNKNOWN ? skip_mark(s, bytes, n) : 0;

    s->bytes += n;
    bytes += skip;
    n -= skip;
    if (s->bytes > MODEL_ANSWER_MAX)
        return err_set(e, ERR_ANSWER, "the answer is larger than %u MiB",
                       MODEL_ANSWER_MAX >> 20);
    if (s->form == FORM_UNKNOWN)
        s->form = form_of(s, bytes, n);
    switch (s->form) {
    case FORM_UNKNOWN:
        return 0;
    case FORM_PAGE:
        s->draft->faulty = s->draft->fault.page = true;
        return err_set(e, ERR_MODEL, "received a web page, not an answer");
    case FORM_WHOLE:
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

    if (s->form == FORM_WHOLE)
        return take_json(s, s->whole.p, s->whole.len, e);
    rest = linebuf_rest(s->lines, &n);
    if (rest && take_line(s, rest, n, e) < 0)
        return -1;
    return sse_end(&s->sse) ? take_event(s, e) : 0;
}

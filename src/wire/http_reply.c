/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_reply.c - parses the responses of an HTTP/1.1 server, strictly. */
#include "wire/http_reply.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LENGTH_DIGITS 18 /* of a Content-Length */
#define REPLY_VERSION "HTTP/1.1 "

enum reply_state {
    REPLY_HEAD,
    REPLY_SIZED,
    REPLY_CHUNKED,
    REPLY_OPEN,
    REPLY_DONE
};

struct http_reply_parser {
    enum reply_state state;
    struct http_reply r;
    struct buf head; /* what has come of it; its texts are in there */
    size_t line;     /* where the line begins that is being read */
    unsigned interim;
    uint64_t left; /* bytes of a body with a length */
    struct http_chunks chunks;
};

struct http_reply_parser *
http_reply_new(size_t max_body, struct err *e)
{
    struct http_reply_parser *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    buf_init(&p->head, HTTP_REPLY_HEAD_MAX);
    buf_init(&p->r.body, max_body);
    return p;
}

void
http_reply_free(struct http_reply_parser *p)
{
    if (!p)
        return;
    buf_done(&p->head);
    buf_done(&p->r.body);
    free(p);
}

struct http_reply *
http_reply_response(struct http_reply_parser *p)
{
    return &p->r;
}

/* The value of a field, whose name is in lower case; NULL: there is none. */
static const char *
find_reply_field(const struct http_reply *r, const char *name)
{
    for (size_t i = 0; i < r->n_fields; i++)
        if (strcmp(r->fields[i].name, name) == 0)
            return r->fields[i].value;
    return NULL;
}

static int
wrong_reply(struct err *e, const char *why)
{
    return err_set(e, ERR_PEER, "no response of HTTP: %s", why);
}

static int
too_large(const struct http_reply_parser *p, struct err *e)
{
    return err_set(e, ERR_PEER, "the response is larger than %zu bytes",
                   p->r.body.max);
}

static int
read_status_line(struct http_reply_parser *p, const char *line, struct err *e)
{
    const char *digits = line + strlen(REPLY_VERSION);

    if (strncmp(line, REPLY_VERSION, strlen(REPLY_VERSION)) != 0 ||
        strspn(digits, "0123456789") != 3 ||
        (digits[3] != ' ' && digits[3] != '\0') || digits[0] < '1' ||
        digits[0] > '5')
        return wrong_reply(e, "no status line");
    for (const char *s = digits + 3; *s; s++)
        if (((unsigned char)*s < 0x20 && *s != '\t') || *s == 0x7f)
            return wrong_reply(e, "a control character in the status line");
    p->r.status = (int)strtol(digits, NULL, 10);
    return 0;
}

static int
read_reply_fields(struct http_reply *r, char *line, const char *end,
                  struct err *e)
{
    while (line < end) {
        char *cr = strchr(line, '\r');

        *cr = '\0';
        if (r->n_fields == HTTP_REPLY_FIELDS_MAX)
            return wrong_reply(e, "too many header fields");
        if (!http_field_read(line, (size_t)(cr - line),
                             &r->fields[r->n_fields]))
            return wrong_reply(e, "a line that is no header field");
        r->n_fields++;
        line = cr + 2;
    }
    return 0;
}

static size_t
count_reply_fields(const struct http_reply *r, const char *name)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_fields; i++)
        n += strcmp(r->fields[i].name, name) == 0;
    return n;
}

static int
read_reply_length(struct http_reply_parser *p, const char *text, struct err *e)
{
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || text[digits] || digits > LENGTH_DIGITS)
        return wrong_reply(e, "the Content-Length is no number");
    p->left = strtoull(text, NULL, 10);
    if (p->left > p->r.body.max)
        return too_large(p, e);
    p->state = p->left > 0 ? REPLY_SIZED : REPLY_DONE;
    return 0;
}

/* How the body ends (RFC 9112, 6.3). */
static int
read_reply_framing(struct http_reply_parser *p, struct err *e)
{
    struct http_reply *r = &p->r;
    const char *coding = find_reply_field(r, "transfer-encoding");
    const char *length = find_reply_field(r, "content-length");

    if (count_reply_fields(r, "content-length") > 1)
        return wrong_reply(e, "two Content-Lengths");
    if (coding && length)
        return wrong_reply(e, "a Content-Length and a Transfer-Encoding");
    if (coding && strcasecmp(coding, "chunked") != 0)
        return wrong_reply(e, "a transfer coding that is not known");
    if (count_reply_fields(r, "transfer-encoding") > 1)
        return wrong_reply(e, "two Transfer-Encodings");
    if (r->status == 204 || r->status == 304)
        p->state = REPLY_DONE;
    else if (coding)
        p->state = REPLY_CHUNKED;
    else if (length)
        return read_reply_length(p, length, e);
    else
        p->state = REPLY_OPEN;
    return 0;
}

static int
end_interim(struct http_reply_parser *p, struct err *e)
{
    if (p->r.status == 101)
        return wrong_reply(e, "another protocol, which nobody asked for");
    if (++p->interim > HTTP_REPLY_INTERIM)
        return wrong_reply(e, "it goes on being begun");
    buf_clear(&p->head);
    p->line = 0;
    p->r.n_fields = 0;
    return 0;
}

/* All of the head is there, up to the empty line. */
static int
read_reply_head(struct http_reply_parser *p, struct err *e)
{
    char *line = p->head.p, *end = p->head.p + p->head.len - 2;
    char *first = strchr(line, '\r');
    struct http_reply *r = &p->r;

    *first = '\0';
    if (read_status_line(p, line, e) < 0 ||
        read_reply_fields(r, first + 2, end, e) < 0)
        return -1;
    if (r->status < 200)
        return end_interim(p, e);
    r->keeps = true;
    for (size_t i = 0; i < r->n_fields; i++)
        if (strcmp(r->fields[i].name, "connection") == 0 &&
            http_list_has(r->fields[i].value, "close"))
            r->keeps = false;
    if (read_reply_framing(p, e) < 0)
        return -1;
    r->keeps = r->keeps && p->state != REPLY_OPEN;
    return 0;
}

/* The bytes up to the end of a line, or all. */
static int
take_reply_head(struct http_reply_parser *p, const char *bytes, size_t n,
                size_t *used, struct err *e)
{
    const char *lf = memchr(bytes, '\n', n);
    size_t part = lf ? (size_t)(lf - bytes) + 1 : n, line;
    const char *cr;

    if (part > p->head.max - p->head.len || buf_add(&p->head, bytes, part) < 0)
        return wrong_reply(e, "its head is too long");
    *used += part;
    line = p->head.len - p->line;
    if (memchr(p->head.p + p->line, '\0', line))
        return wrong_reply(e, "a NUL in the head");
    if (lf && (line < 2 || p->head.p[p->head.len - 2] != '\r'))
        return wrong_reply(e, "a line that ends in LF without CR");
    cr = memchr(p->head.p + p->line, '\r', line);
    if (cr && cr + (lf ? 2 : 1) != p->head.p + p->head.len)
        return wrong_reply(e, "a CR without LF");
    if (!lf)
        return 0;
    if (line == 2)
        return p->line == 0 ? wrong_reply(e, "an empty line")
                            : read_reply_head(p, e);
    p->line = p->head.len;
    return 0;
}

static int
take_reply_chunks(struct http_reply_parser *p, const char *bytes, size_t n,
                  size_t *used, struct err *e)
{
    size_t part = 0;
    enum http_chunks_step step = http_chunks_read(&p->chunks, bytes, n, &part,
                                                  &p->r.body);

    *used += part;
    if (step == CHUNKS_WHOLE)
        p->state = REPLY_DONE;
    if (step == CHUNKS_LARGE)
        return too_large(p, e);
    return step == CHUNKS_WRONG ? wrong_reply(e, "a chunk that is none") : 0;
}

static int
take_reply_bytes(struct http_reply_parser *p, const char *bytes, size_t n,
                 size_t *used, struct err *e)
{
    size_t part = n;

    switch (p->state) {
    case REPLY_HEAD:
        return take_reply_head(p, bytes, n, used, e);
    case REPLY_CHUNKED:
        return take_reply_chunks(p, bytes, n, used, e);
    case REPLY_DONE:
        return wrong_reply(e, "more than one response");
    case REPLY_SIZED:
        part = p->left < n ? (size_t)p->left : n;
        p->left -= part;
        if (p->left == 0)
            p->state = REPLY_DONE;
        break;
    case REPLY_OPEN:
        break;
    }
    *used += part;
    if (part > p->r.body.max - p->r.body.len)
        return too_large(p, e);
    buf_add(&p->r.body, bytes, part);
    return buf_ok(&p->r.body, "the response", e);
}

enum http_reply_step
http_reply_feed(struct http_reply_parser *p, const char *bytes, size_t n,
                struct err *e)
{
    size_t used = 0;

    while (used < n)
        if (take_reply_bytes(p, bytes + used, n - used, &used, e) < 0)
            return REPLY_WRONG;
    return p->state == REPLY_DONE ? REPLY_WHOLE : REPLY_MORE;
}

enum http_reply_step
http_reply_end(struct http_reply_parser *p, struct err *e)
{
    if (p->state == REPLY_OPEN)
        return REPLY_WHOLE;
    err_set(e, ERR_PEER, "the server closed the connection%s",
            p->state == REPLY_HEAD && p->head.len == 0
                ? " without an answer"
                : " within its response");
    return REPLY_WRONG;
}

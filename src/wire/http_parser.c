/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_parser.c - parses the requests of an HTTP/1.1 client, strictly. */
#include "wire/http_parser.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "wire/http_chunks.h"

#define METHOD_MAX    32 /* bytes */
#define LENGTH_DIGITS 18 /* of a Content-Length */

enum parser_state { IN_HEAD, AT_HEAD, IN_BODY, AT_END, REFUSED };

struct http_parser {
    enum parser_state state;
    struct http_incoming r;
    struct buf head; /* what has come of it; its texts are in there */
    bool chunked;
    uint64_t left; /* bytes of a body with a length */
    struct http_chunks chunks;
    bool first_line; /* is whole */
    size_t line;     /* where the line begins that is being read */
    bool skipped;    /* an empty line before the request */
    int status;
    const char *why;
};

struct http_parser *
http_parser_new(size_t max_body, struct err *e)
{
    struct http_parser *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    buf_init(&p->head, HTTP_HEAD_MAX);
    buf_init(&p->r.body, max_body);
    return p;
}

void
http_parser_free(struct http_parser *p)
{
    if (!p)
        return;
    buf_done(&p->head);
    buf_done(&p->r.body);
    free(p);
}

struct http_incoming *
http_parser_request(struct http_parser *p)
{
    return &p->r;
}

int
http_parser_status(const struct http_parser *p, const char **why)
{
    *why = p->why;
    return p->status;
}

const char *
http_incoming_field(const struct http_incoming *r, const char *name)
{
    for (size_t i = 0; i < r->n_fields; i++)
        if (strcmp(r->fields[i].name, name) == 0)
            return r->fields[i].value;
    return NULL;
}

size_t
http_incoming_count(const struct http_incoming *r, const char *name)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_fields; i++)
        n += strcmp(r->fields[i].name, name) == 0;
    return n;
}

/* Always false. */
static bool
refuse_bytes(struct http_parser *p, int status, const char *why)
{
    p->state = REFUSED;
    p->status = status;
    p->why = why;
    return false;
}

/* http://HOST/PATH is read as PATH, as is https://, and its host must be that
 * of the field. */
static bool
split_target(struct http_parser *p, char *target, const char **authority)
{
    struct http_incoming *r = &p->r;
    size_t skip = strncasecmp(target, "http://", 7) == 0    ? 7
                  : strncasecmp(target, "https://", 8) == 0 ? 8
                                                            : 0;
    char *query;

    *authority = NULL;
    if (skip > 0) {
        char *slash = strchr(target + skip, '/');

        if (!slash || slash == target + skip)
            return refuse_bytes(p, 400, "the target has no path");
        memmove(target, target + skip, (size_t)(slash - target) - skip);
        *(slash - skip) = '\0';
        *authority = target;
        target = slash;
    }
    if (target[0] != '/' &&
        !(strcmp(target, "*") == 0 && strcmp(r->method, "OPTIONS") == 0))
        return refuse_bytes(p, 400, "the target is no path");
    for (const char *s = target; *s; s++)
        if (*s <= 0x20 || *s > 0x7e || *s == '#')
            return refuse_bytes(p, 400,
                                "the target has a byte that is to be encoded");
    query = strchr(target, '?');
    if (query)
        *query++ = '\0';
    r->path = target;
    r->query = query ? query : "";
    return true;
}

static bool
read_http_version(struct http_parser *p, const char *s)
{
    p->r.old = strcmp(s, "HTTP/1.0") == 0;
    if (p->r.old || strcmp(s, "HTTP/1.1") == 0)
        return true;
    if (strncmp(s, "HTTP/", 5) == 0 && strspn(s + 5, "0123456789") == 1 &&
        s[6] == '.' && strspn(s + 7, "0123456789") == 1 && !s[8])
        return refuse_bytes(p, 505, "HTTP/1.1 is spoken here");
    return refuse_bytes(p, 400, "no request line");
}

static bool
read_request_line(struct http_parser *p, char *line, const char **authority)
{
    size_t method = http_token_span(line), target;
    char *rest = line + method + 1, *version;

    if (method == 0 || method > METHOD_MAX || line[method] != ' ')
        return refuse_bytes(p, 400, "no request line");
    target = strcspn(rest, " ");
    if (target == 0 || rest[target] != ' ')
        return refuse_bytes(p, 400, "no request line");
    line[method] = rest[target] = '\0';
    version = rest + target + 1;
    p->r.method = line;
    return read_http_version(p, version) && split_target(p, rest, authority);
}

static bool
read_head_fields(struct http_parser *p, char *line, char *end)
{
    struct http_incoming *r = &p->r;

    while (line < end) {
        char *cr = strchr(line, '\r');

        *cr = '\0';
        if (r->n_fields == HTTP_FIELDS_MAX)
            return refuse_bytes(p, 431, "too many header fields");
        if (*line == ' ' || *line == '\t')
            return refuse_bytes(p, 400, "a header field on two lines");
        if (!http_field_read(line, (size_t)(cr - line),
                             &r->fields[r->n_fields]))
            return refuse_bytes(p, 400, "a line that is no header field");
        r->n_fields++;
        line = cr + 2;
    }
    return true;
}

static bool
check_host_field(struct http_parser *p, const char *authority)
{
    struct http_incoming *r = &p->r;
    size_t n = http_incoming_count(r, "host");

    if (n > 1)
        return refuse_bytes(p, 400, "two Hosts");
    if (n == 0 && (!r->old || authority))
        return refuse_bytes(p, 400, "no Host");
    r->host = http_incoming_field(r, "host");
    if (r->host && strpbrk(r->host, " \t,/@?#"))
        return refuse_bytes(p, 400, "the Host is none");
    if (authority && strcasecmp(authority, r->host) != 0)
        return refuse_bytes(p, 400, "the Host is not that of the target");
    return true;
}

static bool
read_content_length(struct http_parser *p, const char *text)
{
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || text[digits])
        return refuse_bytes(p, 400, "the Content-Length is no number");
    if (digits > LENGTH_DIGITS)
        return refuse_bytes(p, 413, "the body is too large");
    p->left = strtoull(text, NULL, 10);
    if (p->left > p->r.body.max)
        return refuse_bytes(p, 413, "the body is too large");
    return true;
}

static bool
read_framing(struct http_parser *p)
{
    struct http_incoming *r = &p->r;
    const char *coding = http_incoming_field(r, "transfer-encoding");
    const char *length = http_incoming_field(r, "content-length");

    if (http_incoming_count(r, "content-length") > 1)
        return refuse_bytes(p, 400, "two Content-Lengths");
    if (coding && length)
        return refuse_bytes(p, 400, "a Content-Length and a Transfer-Encoding");
    if (coding && (r->old || http_incoming_count(r, "transfer-encoding") > 1))
        return refuse_bytes(p, 400, "a Transfer-Encoding that is not allowed");
    if (coding && strcasecmp(coding, "chunked") != 0)
        return refuse_bytes(p, 501,
                            "of transfer codings chunked alone is known");
    p->chunked = coding != NULL;
    if (length && !read_content_length(p, length))
        return false;
    r->has_body = p->chunked || p->left > 0;
    return true;
}

static bool
read_expectation(struct http_parser *p)
{
    struct http_incoming *r = &p->r;
    const char *expects = http_incoming_field(r, "expect");

    if (!expects || r->old)
        return true;
    if (strcasecmp(expects, "100-continue") != 0)
        return refuse_bytes(p, 417, "an expectation other than 100-continue");
    r->waits = r->has_body;
    return true;
}

/* All of the head is there, up to the empty line. */
static bool
read_whole_head(struct http_parser *p)
{
    char *line = p->head.p, *end = p->head.p + p->head.len - 2;
    char *first = strchr(line, '\r');
    const char *authority;

    *first = '\0';
    if (!read_request_line(p, line, &authority) ||
        !read_head_fields(p, first + 2, end) ||
        !check_host_field(p, authority) || !read_framing(p) ||
        !read_expectation(p))
        return false;
    p->r.keeps = !p->r.old;
    for (size_t i = 0; i < p->r.n_fields; i++)
        if (strcmp(p->r.fields[i].name, "connection") == 0 &&
            http_list_has(p->r.fields[i].value, "close"))
            p->r.keeps = false;
    p->state = AT_HEAD;
    return true;
}

/* A line of the head has ended, at the front of which p->line is. */
static bool
end_head_line(struct http_parser *p)
{
    size_t n = p->head.len - p->line;

    if (n == 2 && !p->first_line) {
        if (p->skipped)
            return refuse_bytes(p, 400, "an empty line for a request");
        p->skipped = true; /* RFC 9112, 2.2 */
        buf_clear(&p->head);
        return true;
    }
    p->line = p->head.len;
    if (n == 2)
        return read_whole_head(p);
    if (p->first_line && p->head.len > HTTP_HEAD_MAX - 2)
        return refuse_bytes(p, 431, "the header fields are too long");
    p->first_line = true;
    return true;
}

/* The bytes up to the end of a line, or all. */
static bool
take_head_bytes(struct http_parser *p, const char *bytes, size_t n,
                size_t *used)
{
    const char *lf = memchr(bytes, '\n', n);
    size_t part = lf ? (size_t)(lf - bytes) + 1 : n, len = p->head.len, line;
    const char *cr;

    if (part > p->head.max - len || buf_add(&p->head, bytes, part) < 0)
        return p->first_line
                   ? refuse_bytes(p, 431, "the header fields are too long")
                   : refuse_bytes(p, 414, "the request line is too long");
    *used += part;
    line = p->head.len - p->line;
    if (memchr(p->head.p + len, '\0', part))
        return refuse_bytes(p, 400, "a NUL in the head");
    if (!p->first_line && line > HTTP_TARGET_MAX)
        return refuse_bytes(p, 414, "the request line is too long");
    if (lf && (line < 2 || p->head.p[p->head.len - 2] != '\r'))
        return refuse_bytes(p, 400, "a line that ends in LF without CR");
    cr = memchr(p->head.p + p->line, '\r', line);
    if (cr && cr + (lf ? 2 : 1) != p->head.p + p->head.len)
        return refuse_bytes(p, 400, "a CR without LF");
    return lf ? end_head_line(p) : true;
}

static void
take_sized_body(struct http_parser *p, const char *bytes, size_t n,
                size_t *used)
{
    size_t part = p->left < n ? (size_t)p->left : n;

    if (buf_add(&p->r.body, bytes, part) < 0) {
        (void)refuse_bytes(p, 413, "the body is too large");
        return;
    }
    *used += part;
    p->left -= part;
    if (p->left == 0)
        p->state = AT_END;
}

static void
take_chunked_body(struct http_parser *p, const char *bytes, size_t n,
                  size_t *used)
{
    size_t part;

    switch (http_chunks_read(&p->chunks, bytes, n, &part, &p->r.body)) {
    case CHUNKS_MORE:
        break;
    case CHUNKS_WHOLE:
        p->state = AT_END;
        break;
    case CHUNKS_LARGE:
        (void)refuse_bytes(p, 413, "the body is too large");
        break;
    case CHUNKS_WRONG:
        (void)refuse_bytes(p, 400, "a chunk that is none");
        break;
    }
    *used += part;
}

static void
take_body_bytes(struct http_parser *p, const char *bytes, size_t n,
                size_t *used)
{
    if (!p->r.has_body)
        p->state = AT_END;
    else if (n > 0 && p->chunked)
        take_chunked_body(p, bytes, n, used);
    else if (n > 0)
        take_sized_body(p, bytes, n, used);
}

enum http_step
http_parser_feed(struct http_parser *p, const char *bytes, size_t n,
                 size_t *used)
{
    *used = 0;
    while (p->state == IN_HEAD && *used < n)
        (void)take_head_bytes(p, bytes + *used, n - *used, used);
    if (p->state == AT_HEAD) {
        p->state = IN_BODY;
        return HTTP_HEAD;
    }
    if (p->state == IN_BODY)
        take_body_bytes(p, bytes + *used, n - *used, used);
    if (p->state == AT_END)
        return HTTP_WHOLE;
    return p->state == REFUSED ? HTTP_WRONG : HTTP_MORE;
}

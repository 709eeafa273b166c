/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_http_request.c - any bytes as requests of HTTP: they are the same
 * however they are split, and no bound is passed.
 *
 * The first byte is the size of the pieces. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire/http_parser.h"

#define BODY_MAX 300
#define ALL_MAX  (4u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Puts what was read, and checks what has been promised of it. */
static void
put_request(struct buf *out, const struct http_incoming *r, const char *what)
{
    if (r->body.len > BODY_MAX || r->n_fields > HTTP_FIELDS_MAX ||
        strpbrk(r->path, " \r\n") || (!r->old && !r->host) ||
        http_incoming_count(r, "host") > 1)
        abort();
    buf_printf(out, "%s %s %s %s %d%d%d%d ", what, r->method, r->path, r->query,
               r->old, r->has_body, r->keeps, r->waits);
    for (size_t i = 0; i < r->n_fields; i++) {
        if (strpbrk(r->fields[i].value, "\r\n") ||
            http_token_span(r->fields[i].name) != strlen(r->fields[i].name))
            abort();
        buf_printf(out, "%s: %s\n", r->fields[i].name, r->fields[i].value);
    }
    buf_add(out, r->body.p, r->body.len);
}

/* Takes one step; false: it is over. */
static bool
take_fuzzed_step(struct buf *out, struct http_parser **p, enum http_step step)
{
    struct http_incoming *r = http_parser_request(*p);
    const char *why;

    switch (step) {
    case HTTP_HEAD:
        put_request(out, r, "head");
        return true;
    case HTTP_WHOLE:
        put_request(out, r, "whole");
        http_parser_free(*p);
        *p = http_parser_new(BODY_MAX, NULL);
        return *p != NULL;
    case HTTP_WRONG:
        buf_printf(out, "%d", http_parser_status(*p, &why));
        return false;
    case HTTP_MORE:
        break;
    }
    return true;
}

static void
read_requests(struct buf *out, const char *bytes, size_t n, size_t piece)
{
    CLEANUP(http_parser_free_p)
    struct http_parser *p = http_parser_new(BODY_MAX, NULL);
    size_t at = 0;
    bool more = p != NULL;

    while (more) {
        size_t part = n - at < piece ? n - at : piece, used;
        enum http_step step = http_parser_feed(p, bytes + at, part, &used);

        if (used > part || (step == HTTP_MORE && used != part))
            abort();
        at += used;
        more = take_fuzzed_step(out, &p, step) && (at < n || step != HTTP_MORE);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf one = buf_of(ALL_MAX), other = buf_of(ALL_MAX);

    if (size > 1) {
        read_requests(&one, (const char *)data + 1, size - 1, size);
        read_requests(&other, (const char *)data + 1, size - 1,
                      data[0] % 16 + 1u);
        if (one.len != other.len || memcmp(one.p, other.p, one.len) != 0)
            abort();
    }
    buf_done(&one);
    buf_done(&other);
    return 0;
}

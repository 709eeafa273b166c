/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_response.h - writes the head of an HTTP/1.1 response. */
#ifndef WIRE_HTTP_RESPONSE_H
#define WIRE_HTTP_RESPONSE_H

#include <stdint.h>
#include <time.h>

#include "wire/http_fields.h"

#define HTTP_RESPONSE_HEAD_MAX (16u << 10)

struct http_response {
    int status;
    const char *type;         /* Content-Type; NULL: none */
    const struct buf *fields; /* whole lines, of http_put_field; NULL: none */
    int64_t length;           /* of the body; -1: it is sent in parts */
    bool chunked;             /* and each is a chunk */
    bool closes;              /* the connection ends after it */
};

void http_response_put_head(struct buf *out, const struct http_response *r,
                            time_t now);

#endif

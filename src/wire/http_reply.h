/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_reply.h - parses the responses of an HTTP/1.1 server, strictly.
 *
 * As http_parser.h does it with requests: what could be read in two ways is
 * refused, and everything has a limit. Interim responses (1xx) are passed over,
 * but for 101, which is none that is expected here. */
#ifndef WIRE_HTTP_REPLY_H
#define WIRE_HTTP_REPLY_H

#include "base/cleanup.h"
#include "wire/http_chunks.h"
#include "wire/http_fields.h"

#define HTTP_REPLY_HEAD_MAX   (64u << 10) /* bytes of a head */
#define HTTP_REPLY_FIELDS_MAX 100
#define HTTP_REPLY_INTERIM    8 /* responses of 1xx before the one */

struct http_reply {
    int status;
    bool keeps; /* the connection may be used again */
    struct http_field fields[HTTP_REPLY_FIELDS_MAX];
    size_t n_fields;
    struct buf body;
};

struct http_reply_parser; /* of one response */

enum http_reply_step { REPLY_MORE, REPLY_WHOLE, REPLY_WRONG };

/* max_body: the most bytes of a body. */
struct http_reply_parser *http_reply_new(size_t max_body, struct err *e);
void http_reply_free(struct http_reply_parser *p); /* accepts NULL */
DEFINE_CLEANUP(struct http_reply_parser, http_reply_free)

/* Reads bytes. REPLY_WRONG: ERR_PEER. Bytes behind a whole response are wrong
 * too, since nothing was asked that they could answer. */
enum http_reply_step http_reply_feed(struct http_reply_parser *p,
                                     const char *bytes, size_t n,
                                     struct err *e);
/* The connection has ended. REPLY_WHOLE: that ends the body. */
enum http_reply_step http_reply_end(struct http_reply_parser *p, struct err *e);

/* The response, once it is whole. The body may be taken. */
struct http_reply *http_reply_response(struct http_reply_parser *p);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_parser.h - parses the requests of an HTTP/1.1 client, strictly.
 *
 * What one program reads as one request and the next as two is refused, and the
 * connection is to be closed: two Hosts, two Content-Lengths, a length and a
 * transfer coding, a blank before a colon, a continued line, a NUL, a lone LF
 * or CR. Everything has a limit (RFC 9110, RFC 9112). */
#ifndef WIRE_HTTP_PARSER_H
#define WIRE_HTTP_PARSER_H

#include "base/cleanup.h"
#include "wire/http_fields.h"

#define HTTP_TARGET_MAX (8u << 10)  /* bytes of a request line; more: 414 */
#define HTTP_HEAD_MAX   (64u << 10) /* bytes of a head; more: 431 */
#define HTTP_FIELDS_MAX 100         /* more: 431 */

struct http_incoming {
    const char *method;
    const char *path;  /* as sent, from its slash on; "*" */
    const char *query; /* behind the question mark; "": none */
    const char *host;  /* NULL: HTTP/1.0 without one */
    bool old;          /* HTTP/1.0 */
    bool has_body;     /* one that is not empty is to come */
    bool keeps;        /* the connection may go on after it */
    bool waits;        /* for 100 Continue, before it sends the body */
    struct http_field fields[HTTP_FIELDS_MAX];
    size_t n_fields;
    struct buf body;
};

struct http_parser; /* of one request */

enum http_step {
    HTTP_MORE,  /* all bytes were used: it goes on with the next ones */
    HTTP_HEAD,  /* the head is whole; said once for each request */
    HTTP_WHOLE, /* the request is; a new parser reads the next one */
    HTTP_WRONG, /* refuse it, and close: nothing more can be read */
};

/* max_body: the most bytes of a body; more: 413. */
struct http_parser *http_parser_new(size_t max_body, struct err *e);
void http_parser_free(struct http_parser *p); /* accepts NULL */
DEFINE_CLEANUP(struct http_parser, http_parser_free)

/* Reads bytes; *used is how many of the n. */
enum http_step http_parser_feed(struct http_parser *p, const char *bytes,
                                size_t n, size_t *used);

/* The request, from HTTP_HEAD on. The body may be taken. */
struct http_incoming *http_parser_request(struct http_parser *p);

/* After HTTP_WRONG: the status, and what is wrong, in words. */
int http_parser_status(const struct http_parser *p, const char **why);

/* The value of a field, whose name is in lower case; NULL: there is none. Of
 * several fields with this name, the first. */
const char *http_incoming_field(const struct http_incoming *r,
                                const char *name);
/* How many there are. */
size_t http_incoming_count(const struct http_incoming *r, const char *name);

#endif

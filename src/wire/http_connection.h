/* SPDX-License-Identifier: GPL-3.0-or-later */
/* http_connection.h - one connection of a client of HTTP/1.1.
 *
 * Requests are handed out one after another: the next one of a pipeline waits
 * until the one before has been answered and that was written. Heads and bodies
 * that come slowly, readers that do not read, and what is too large are refused
 * or dropped; nothing a client does holds back another one. Callbacks are
 * called from the loop, and none by the functions of this header. */
#ifndef WIRE_HTTP_CONNECTION_H
#define WIRE_HTTP_CONNECTION_H

#include <stdint.h>

#include "base/loop.h"
#include "wire/http_parser.h"
#include "wire/read_buffer.h"
#include "wire/tls.h"

struct http_connection;

/* Each may answer the request; none may free the connection but `ended`. */
struct http_events {
    /* The head of a request has come. False: it has been answered already, and
     * its body is not read. */
    bool (*head)(void *arg, struct http_connection *c);
    /* A request is whole: it is to be answered, now or later. */
    void (*request)(void *arg, struct http_connection *c);
    /* The connection is over: the callee frees it. Called once. */
    void (*ended)(void *arg, struct http_connection *c);
};

struct http_limits {
    size_t body_bytes; /* of one body */
    size_t held_bytes; /* of all bodies and unread answers of all connections */
    int64_t head_ms;   /* for a head, from its first byte on */
    int64_t body_ms;   /* for HTTP_BODY_STEP bytes of a body, or its rest */
    int64_t idle_ms;   /* until the next request */
    int64_t stall_ms;  /* a reader that takes nothing for so long is dropped */
};
#define HTTP_BODY_STEP (64u << 10)
/* Bytes; a stream that is read so slowly is dropped. */
#define HTTP_STREAM_BEHIND (1u << 20)

/* What connections have in common; outlives them. */
struct http_shared {
    struct loop *loop;
    struct read_buffer *buffer;
    const struct http_events *events;
    void *arg;
    struct http_limits limits;
    /* Appends the body of a refusal, and returns its type, for a server whose
     * clients want another one than the reason as text. NULL: that it is. */
    const char *(*put_refusal)(struct buf *out, int status, const char *why);
    size_t held;         /* bytes of bodies and answers at the moment */
    uint64_t requests;   /* whose head was whole, so far */
    uint64_t answers[6]; /* by the first digit of the status */
    uint64_t dropped;    /* connections, for being slow or wrong */
};

/* Takes over the socket, also where it fails. */
struct http_connection *http_connection_new(struct http_shared *sh, int fd,
                                            struct err *e);
/* Its bytes are sealed, by t, which it takes; before the loop turns. */
void http_connection_use_tls(struct http_connection *c, struct tls *t);
/* What has not been written is lost. Accepts NULL. */
void http_connection_free(struct http_connection *c);
DEFINE_CLEANUP(struct http_connection, http_connection_free)

/* The request at hand, from `head` on until it is answered. */
struct http_incoming *http_connection_request(struct http_connection *c);
int http_connection_fd(const struct http_connection *c); /* borrowed */

/* Of a request that is answered later: `left` is called when the client sends
 * no more, as one that gives up does; the request is to be answered all the
 * same. `gone` is called when the connection is over, and it cannot be. Each
 * once at most, and neither after the answer nor by http_connection_free. */
void http_on_leaving(struct http_connection *c, void (*left)(void *arg),
                     void (*gone)(void *arg), void *arg);

/* Answers. fields: whole lines, or NULL. type NULL: there is no body. The bytes
 * of body, which may be NULL, are taken. */
void http_answer(struct http_connection *c, int status,
                 const struct buf *fields, const char *type, struct buf *body);
/* The same with one line of text, or what the server has for a refusal. */
void http_answer_text(struct http_connection *c, int status,
                      const struct buf *fields, const char *text);

/* Answers in parts, with the status 200. After the end the request is answered.
 */
void http_stream_begin(struct http_connection *c, const struct buf *fields,
                       const char *type);
/* The bytes of part are taken; it has room for two more. */
void http_stream_take(struct http_connection *c, struct buf *part);
void http_stream_end(struct http_connection *c);

/* The socket is the callee's, with what seals it (NULL: nothing); begun are the
 * bytes that came behind the request. -1: the client was gone before. */
typedef void http_upgraded_cb(void *arg, int fd, struct tls *t,
                              const struct buf *begun);

/* Answers with 101 and fields: from then on the bytes are those of another
 * protocol. `upgraded` is called once, from the loop, and `ended` follows; or
 * without a socket by http_connection_free. */
void http_upgrade(struct http_connection *c, const struct buf *fields,
                  http_upgraded_cb *upgraded, void *arg);

/* The server ends: the connection does when the request at hand has been
 * answered, and at once where there is none. */
void http_connection_drain(struct http_connection *c);
/* The next answer is the last one. */
void http_connection_close_after(struct http_connection *c);
/* Whether no request is at hand, nor an answer to be written. */
bool http_connection_is_idle(const struct http_connection *c);

#endif

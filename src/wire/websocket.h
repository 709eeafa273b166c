/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket.h - one connection of WebSocket (RFC 6455), of a server or a
 * client.
 *
 * Messages come whole: text is valid UTF-8, and none is larger than the limit.
 * Pings are answered, and a peer that is silent is pinged; no extension is
 * used. A peer that reads slowly gets a bounded queue, and then a close with
 * the status 1013. What it may not send closes the connection by the status
 * that the RFC has for it: 1002, 1007, 1009.
 *
 * A connection belongs to its websocket_shared. It is freed after `ended`, or
 * by websocket_drop_all. Callbacks are called from the loop. */
#ifndef WIRE_WEBSOCKET_H
#define WIRE_WEBSOCKET_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/buf.h"
#include "base/loop.h"
#include "wire/read_buffer.h"
#include "wire/tls.h"

struct websocket;

#define WEBSOCKET_NORMAL     1000 /* statuses of a close */
#define WEBSOCKET_GOING_AWAY 1001
#define WEBSOCKET_VIOLATION  1002 /* of the protocol */
#define WEBSOCKET_NO_STATUS  1005 /* the peer gave none */
#define WEBSOCKET_LOST       1006 /* the peer closed nothing: it is gone */
#define WEBSOCKET_NOT_UTF8   1007
#define WEBSOCKET_POLICY     1008
#define WEBSOCKET_TOO_LARGE  1009
#define WEBSOCKET_FAILURE    1011 /* of the server */
#define WEBSOCKET_TRY_LATER  1013
#define WEBSOCKET_REASON_MAX 123 /* bytes of the text of a close */

struct websocket_events {
    /* A message is whole. The bytes, which a NUL follows, are the callee's to
     * change until this returns. It does not drop what is shared. */
    void (*message)(void *owner, struct websocket *ws, char *bytes, size_t n,
                    bool text);
    /* The peer reads slowly: send no more than you must; or it keeps up again.
     * May be NULL. That it is slow may be reported while a message is being
     * sent: the callee sends and closes nothing then. */
    void (*full)(void *owner, struct websocket *ws, bool full);
    /* It is over, and is freed when this returns. status is the peer's, or one
     * of the above; reason is its text, or "". Called once. The callee may end
     * what it is shared with. */
    void (*ended)(void *owner, struct websocket *ws, unsigned status,
                  const char *reason);
};

struct websocket_limits {
    size_t message_bytes; /* of one message of the peer's */
    size_t queued_bytes;  /* of what it has not read */
    int64_t ping_ms;      /* of silence; then it is pinged */
    int64_t pong_ms;      /* for it to show life; then it is lost */
};

/* What connections have in common; outlives all that have not ended. The caller
 * sets the loop, the buffer and the limits; the rest is zero. */
struct websocket_shared {
    struct loop *loop;
    struct read_buffer *buffer;
    struct websocket_limits limits;
    /* One is freed that has this number (websocket_use_number); or NULL. */
    void (*freed)(void *arg, unsigned number);
    void *arg;
    struct websocket *first;         /* of all */
    size_t n;                        /* how many there are */
    uint64_t opened, received, sent; /* connections; messages */
    uint64_t refused; /* connections closed for what the peer did */
    unsigned held;    /* see websocket_hold */
    struct websocket *first_held;
};

/* Takes the socket, also where it fails, after the handshake; begun are bytes
 * that came behind it (NULL: none). client: this side is one, and masks. */
struct websocket *websocket_new(struct websocket_shared *sh, int fd,
                                const struct buf *begun, bool client,
                                const struct websocket_events *ev, void *owner,
                                struct err *e);

/* Its bytes are sealed, by t, which it takes; before the loop turns. */
void websocket_use_tls(struct websocket *ws, struct tls *t);

/* A number of the server's, from 1, for `freed`. */
void websocket_use_number(struct websocket *ws, unsigned number);

/* Sends a message in n parts, which are copied. Text is to be valid UTF-8. What
 * is sent after a close, or to a peer that is gone, is dropped. */
void websocket_send(struct websocket *ws, const struct iovec *parts, size_t n,
                    bool text);
void websocket_send_text(struct websocket *ws, const char *text, size_t n);

/* What is sent from now on, by this one and all it is shared with, is written
 * by websocket_release, many messages at once. They nest. While the messages of
 * one read are handed out, this is so anyway. */
void websocket_hold(struct websocket *ws);
void websocket_release(struct websocket *ws);

/* Closes, once what was sent before is written; `ended` follows, when the peer
 * has closed too or its time is up. reason: at most WEBSOCKET_REASON_MAX bytes,
 * or NULL. */
void websocket_close(struct websocket *ws, unsigned status, const char *reason);

/* The same, and nothing is reported to the owner any more. */
void websocket_leave(struct websocket *ws, unsigned status, const char *reason);

/* Reads no more from the peer, or goes on. A message that is being handed out
 * is the last one. */
void websocket_pause(struct websocket *ws, bool paused);

/* Bytes that the peer has not read, which are in memory here. */
size_t websocket_queued(const struct websocket *ws);

void websocket_close_all(struct websocket_shared *sh, unsigned status,
                         const char *reason);
/* As if all peers were gone, but nothing is reported. */
void websocket_drop_all(struct websocket_shared *sh);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* websocket.h - one WebSocket connection (RFC 6455), of a server or a client.
 *
 * Messages come whole: text is valid UTF-8, and none is larger than the limit.
 * Pings are answered, and a silent peer is pinged; no extension is used. The
 * queue for a peer that reads slowly is bounded: when it is full, the
 * connection is closed with status 1013. Input that breaks the RFC or a limit
 * closes the connection with the RFC's status for it: 1002, 1007, 1009.
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
#define WEBSOCKET_NO_STATUS  1005 /* the peer's close had no status */
#define WEBSOCKET_LOST       1006 /* the connection ended without a close */
#define WEBSOCKET_NOT_UTF8   1007
#define WEBSOCKET_POLICY     1008
#define WEBSOCKET_TOO_LARGE  1009
#define WEBSOCKET_FAILURE    1011 /* of the server */
#define WEBSOCKET_TRY_LATER  1013
#define WEBSOCKET_REASON_MAX 123 /* bytes of the text of a close */

struct websocket_events {
    /* A complete message. The bytes, which a NUL follows, may be changed until
     * this returns. The callee must not call websocket_drop_all. */
    void (*message)(void *owner, struct websocket *ws, char *bytes, size_t n,
                    bool text);
    /* full: the peer reads slowly, and the owner should send no more than it
     * must; else it keeps up again. May be NULL. `full` may be called within
     * websocket_send: the callee must not send or close then. */
    void (*full)(void *owner, struct websocket *ws, bool full);
    /* The connection is over, and freed when this returns. status is the
     * peer's, or one of the above; reason is its text, or "". Called once. The
     * callee may call websocket_drop_all. */
    void (*ended)(void *owner, struct websocket *ws, unsigned status,
                  const char *reason);
};

struct websocket_limits {
    size_t message_bytes; /* of one message of the peer's */
    size_t queued_bytes;  /* of output that it has not read */
    int64_t ping_ms;      /* of silence; then it is pinged */
    int64_t pong_ms;      /* to answer; then the connection is lost */
};

/* What connections have in common; it must outlive them. The caller sets the
 * loop, the buffer and the limits; the rest is zero. */
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
    uint64_t refused; /* connections closed because the peer broke a rule or a
                         limit */
    unsigned held;    /* see websocket_hold */
    struct websocket *first_held;
};

/* Takes over the socket, also on failure, after the handshake; begun: bytes
 * that came after the handshake (NULL: none). client: this side is the client,
 * whose frames are masked. */
struct websocket *websocket_new(struct websocket_shared *sh, int fd,
                                const struct buf *begun, bool client,
                                const struct websocket_events *ev, void *owner,
                                struct err *e);

/* Its bytes are encrypted by t, which it takes over. To be called right after
 * websocket_new. */
void websocket_use_tls(struct websocket *ws, struct tls *t);

/* During `message`: out takes the memory of the message, which a NUL follows.
 * False: there is none of its own, it was short. */
bool websocket_take_message(struct websocket *ws, struct buf *out);

/* A number of the server's, from 1, for `freed`. */
void websocket_use_number(struct websocket *ws, unsigned number);

/* Sends a message in n parts, which are copied. Text is to be valid UTF-8. What
 * is sent after a close, or to a peer that is gone, is dropped. */
void websocket_send(struct websocket *ws, const struct iovec *parts, size_t n,
                    bool text);
void websocket_send_text(struct websocket *ws, const char *text, size_t n);

/* What is sent from now on, by this connection and all others of its
 * websocket_shared, is written by websocket_release, many messages at once. The
 * calls nest. While the messages of one read are passed to the owner, frames
 * are held anyway. */
void websocket_hold(struct websocket *ws);
void websocket_release(struct websocket *ws);

/* Sends a close after what was sent before; `ended` follows when the peer has
 * closed too, or after a time limit. reason: at most WEBSOCKET_REASON_MAX
 * bytes, or NULL. */
void websocket_close(struct websocket *ws, unsigned status, const char *reason);

/* The same, and no event of the connection is called any more. */
void websocket_leave(struct websocket *ws, unsigned status, const char *reason);

/* Stops reading from the peer, or resumes. Called within `message`, it stops
 * after that message. */
void websocket_pause(struct websocket *ws, bool paused);

/* Bytes of output that are queued in memory. */
size_t websocket_queued(const struct websocket *ws);

void websocket_close_all(struct websocket_shared *sh, unsigned status,
                         const char *reason);
/* Frees all connections at once, without calling an event. */
void websocket_drop_all(struct websocket_shared *sh);

#endif

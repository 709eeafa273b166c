/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc.h - one connection of JSON-RPC 2.0, of a server or a client.
 *
 * Both sides may call: "requests" are the peer's, "calls" are ours. The owner
 * of a connection brings a table of its methods. Messages come and go one a
 * line (line_reader.h, sender.h, jsonrpc.h). A connection survives every
 * message that is wrong:
 *
 *     no JSON                              -32700, id null
 *     no request, a batch, a long line     -32600, its id where it has a valid
 *                                          one, else null
 *     a method that is not in the table    -32601
 *     params that are no object or array   -32602
 *     more open requests than the limit    -32603
 *
 * Blank lines are skipped, and notifications get no response. Everything that a
 * peer can make us keep is bounded: while it does not read what it is sent, its
 * requests are not read either. Callbacks are called from the loop, not by the
 * functions of this header, where nothing else is said; then they may free the
 * connection. */
#ifndef WIRE_RPC_H
#define WIRE_RPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/loop.h"
#include "wire/jsonrpc.h"
#include "wire/read_buffer.h"

struct rpc;
struct rpc_request; /* of the peer's, which has no answer yet */
struct rpc_call;    /* of ours, which has no answer yet */

/* params is an object or an array, or NULL: none; it is valid until this
 * returns. The request is the callee's, which answers it once, now or later. */
typedef void rpc_request_cb(void *arg, struct rpc_request *rq,
                            const struct json *params);
typedef void rpc_notice_cb(void *arg, const struct json *params);

struct rpc_method {
    const char *name;        /* NULL: the end of the table */
    rpc_request_cb *request; /* NULL: as a request there is no such method */
    rpc_notice_cb *notice;   /* NULL: as a notification it does nothing */
    /* The notification cancels a request: this member of params is its id. The
     * first such row is also how we cancel a call. */
    const char *cancels;
    bool any_params; /* of another type they are NULL, and no error */
};

enum rpc_end {
    RPC_INPUT_ENDED, /* no more requests and answers come */
    /* The peer no longer reads, and nothing more is sent. Noticed at once, also
       while the connection is paused; what the peer sent before is still read.
     */
    RPC_OUTPUT_LOST,
};

/* All but `ended` may be NULL. */
struct rpc_events {
    /* For a protocol in which only the peer sends requests, one at a time:
     * checks the id of a request as it is written (NULL: it has none), and
     * returns what is wrong with it, or NULL. A request with a wrong id is
     * refused with -32600 and the id null, as is every other message. */
    const char *(*check_id)(void *arg, const char *id);
    /* Called for each request and notification before its method, which is NULL
     * if it is not in the table. 0: it goes on as usual. Else the error code
     * that refuses it, with e->text as the message; *anonymous: with null as
     * the id, even for a notification. */
    int (*check)(void *arg, const struct jsonrpc *m,
                 const struct rpc_method *method, bool *anonymous,
                 struct err *e);
    /* Called with each line before it is parsed. True: it was no JSON-RPC
     * message, and has been handled. */
    bool (*raw)(void *arg, char *line, size_t n);
    /* An answer to no open call: late, duplicate or invented. It has no other
     * effect. */
    void (*stray)(void *arg, const struct jsonrpc *m);
    /* full: the peer reads slowly, and the owner should send no more than it
     * must; else it keeps up again, also after rpc_is_full has returned true.
     * Also called within functions that send; must not free the connection. */
    void (*full)(void *arg, bool full);
    /* The peer has closed its end. Noticed at once, also while the connection
     * is paused; what it sent before is still read, and then `ended` is called.
     * Must not free the connection. */
    void (*left)(void *arg);
    /* Called at most once for each `what`, the first time after all calls of
     * ours have failed. why is NULL at the end of the stream. */
    void (*ended)(void *arg, enum rpc_end what, const struct err *why);
};

struct rpc_limits {
    size_t line_bytes;   /* of one message of the peer's */
    size_t queued_bytes; /* of queued output; beyond it the output is lost. More
                            than SENDER_HIGH */
    size_t requests;     /* open at once */
    size_t calls;        /* open at once */
    int64_t stall_ms;    /* ms after which a peer that reads nothing of a full
                            queue is lost; 0: no limit */
};

/* What is pointed to is borrowed, and outlives the connection. */
struct rpc_setup {
    struct loop *loop;
    int in, out;                       /* may be one socket */
    struct tls *tls;                   /* of that one; NULL: plain */
    const struct rpc_carrier *carrier; /* not NULL: instead of in and out */
    struct read_buffer *buffer;
    const struct rpc_method *methods;
    const struct rpc_events *events;
    void *arg; /* of all callbacks of the table and of events */
    struct rpc_limits limits;
};

struct rpc *rpc_new(const struct rpc_setup *set, struct err *e);
/* Queued output is dropped, and our calls are freed without a callback;
 * requests that are still open can be answered without effect. Accepts NULL. */
void rpc_free(struct rpc *r);
DEFINE_CLEANUP(struct rpc, rpc_free)

/* Answers a request, which is then freed. result is one JSON value without a
 * newline; a bad buffer becomes -32603. */
void rpc_answer(struct rpc_request *rq, const struct buf *result);
/* Answers with an error. data is one JSON value without a newline, or NULL. */
void rpc_refuse(struct rpc_request *rq, int code, const char *message,
                const struct buf *data);

/* Answers with a result that is written in parts, as the peer has room for
 * them. next appends a part of the JSON value, of RPC_PART_MAX bytes at most,
 * and returns whether there is another. done is called once: after the last
 * part, or when the output is lost or the connection freed; it must not free
 * the connection, as next must not. Until then nothing is read, and what else
 * is sent waits. Not with a carrier, nor what follows. */
#define RPC_PART_MAX (1u << 20)
void rpc_answer_parts(struct rpc_request *rq,
                      bool (*next)(void *arg, struct buf *out),
                      void (*done)(void *arg), void *arg);
/* Whether a sender of much should wait: until the event `full` with false, or
 * until the end of an answer in parts. So a slow peer costs little memory. */
bool rpc_is_full(struct rpc *r);

/* Frees a request without an answer, where the protocol has none. Accepts NULL.
 */
void rpc_drop(struct rpc_request *rq);

/* The id of a request, as the peer wrote it; borrowed. */
const char *rpc_request_id(const struct rpc_request *rq);

/* Within the request's callback alone: takes over the message that the params
 * are in, which stay valid until the caller frees it. NULL: it was taken. */
struct json *rpc_take_message(struct rpc_request *rq);

/* Calls cb once when the peer cancels the request, and rpc_cancel_all calls it
 * for all that are open; before it returns where that was done already. The
 * request is to be answered all the same, by cb or later. Without it nothing is
 * cancelled. */
void rpc_on_cancel(struct rpc_request *rq, void (*cb)(void *arg), void *arg);
void rpc_cancel_all(struct rpc *r);

/* Sends a notification. params is one JSON value without a newline, or NULL.
 * ERR_NOMEM: params is bad. ERR_PEER: the output is lost. */
int rpc_notify(struct rpc *r, const char *method, const struct buf *params,
               struct err *e);

/* m is the result or error, valid until this returns. NULL: there will be no
 * answer, and why is ERR_PEER (the connection has ended, or the answer is
 * malformed) or ERR_TIMEOUT. */
typedef void rpc_answer_cb(void *arg, const struct jsonrpc *m,
                           const struct err *why);

/* Sends a request, and calls cb once with the answer, in which the call is
 * freed. timeout_ms 0: no limit. Errors as of rpc_notify, and ERR_NOMEM when
 * too many calls are open. */
struct rpc_call *rpc_call_start(struct rpc *r, const char *method,
                                const struct buf *params, int64_t timeout_ms,
                                rpc_answer_cb *cb, void *arg, struct err *e);
/* Sends the notification that cancels a call, if the table has one, and frees
 * the call: cb is not called, and a late answer is a stray one. */
void rpc_call_cancel(struct rpc_call *c);

/* Sends a line that is no JSON-RPC message: the answer to a raw line. */
void rpc_send_line(struct rpc *r, const char *line);

/* For the next message on: the most bytes of one; to read none, or go on. */
void rpc_limit_line(struct rpc *r, size_t bytes);
void rpc_pause(struct rpc *r, bool paused);

/* Calls cb once, from the loop, when all output has been written: for an owner
 * that sends no more. It may free the connection. If the output is lost before,
 * `ended` is called instead. */
void rpc_on_drained(struct rpc *r, void (*cb)(void *arg), void *arg);

size_t rpc_open_requests(const struct rpc *r);
/* Whether all that was sent has been written, or the output is lost. */
bool rpc_is_drained(const struct rpc *r);

#endif

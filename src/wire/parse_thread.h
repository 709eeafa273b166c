/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse_thread.h - parses a long message of JSON-RPC in a thread.
 *
 * A message of many small values takes some milliseconds to parse for each
 * 32 KiB: longer ones are not parsed on the loop. */
#ifndef WIRE_PARSE_THREAD_H
#define WIRE_PARSE_THREAD_H

#include "base/cleanup.h"
#include "base/loop.h"
#include "wire/jsonrpc.h"

/* Bytes from which on a message is long. */
#define PARSE_THREAD_LEAST (32u << 10)

struct parse_thread;

/* m, rc and e are those of jsonrpc_parse; m is valid during the callback, which
 * may free the parse thread. */
typedef void parse_thread_cb(void *arg, struct jsonrpc *m, int rc,
                             struct err *e);

/* Takes over text, whose first n bytes are the message. cb is called once, from
 * the loop. NULL: no memory, or no thread; the caller keeps text. */
struct parse_thread *parse_thread_start(struct loop *l, struct buf *text,
                                        size_t n, parse_thread_cb *cb,
                                        void *arg);

/* What the thread does besides. */
struct parse_thread_more {
    void (*then)(void *arg, const struct jsonrpc *m); /* after the parsing */
    void *arg;
    struct buf *text; /* gets the text back, when cb is called; or NULL */
};

/* The same with more, which is copied. */
struct parse_thread *
parse_thread_start_with(struct loop *l, const struct parse_thread_more *more,
                        struct buf *text, size_t n, parse_thread_cb *cb,
                        void *arg);

/* Waits for the end of the parsing; cb is not called any more. Accepts NULL. */
void parse_thread_free(struct parse_thread *p);
DEFINE_CLEANUP(struct parse_thread, parse_thread_free)

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rpc_sides.h - connections whose methods record what happens, for tests. */
#ifndef TESTS_RPC_SIDES_H
#define TESTS_RPC_SIDES_H

#include "wire/rpc.h"

#define RPC_LINE_MAX  ((16u << 20) + 1000) /* bytes of a message */
#define RPC_QUEUE_MAX (40u << 20)
#define RPC_OPEN_MAX  1000
#define RPC_HEAD      "{\"jsonrpc\":\"2.0\","
#define RPC_WAIT_MS   20000
#define RPC_ECHO                                                               \
    RPC_HEAD "\"id\":1,\"method\":\"echo\","                                   \
             "\"params\":{\"a\":[1]}}"
#define RPC_ECHOED RPC_HEAD "\"id\":1,\"result\":{\"a\":[1]}}"

/* One side of a connection, and what has happened there. */
struct rpc_side {
    struct loop *loop;
    struct rpc *rpc;
    int fd; /* of a socket */
    struct rpc_request *open[RPC_OPEN_MAX + 10];
    size_t n_open, n_cancelled, n_answers, n_failed, n_strays, n_notices;
    size_t n_raw;
    enum err_code failed;
    int64_t code;    /* of the last error */
    struct buf text; /* the last params or result */
    int ends[2], full;
    enum err_code end_why;
    const char *frees; /* the callback that frees the connection */
    bool answers_cancel;
};

void rpc_side_init(struct rpc_side *s, struct loop *l, struct read_buffer *b,
                   int fd, int64_t stall_ms);
void rpc_side_done(struct rpc_side *s);
/* Calls a method of the peer; params "": none. */
struct rpc_call *rpc_side_call(struct rpc_side *s, const char *method,
                               const char *params, int64_t ms);
void rpc_side_answer_open(struct rpc_side *s); /* with true, the last first */

/* A server that the test writes lines to, and reads what it answers. */
struct rpc_served {
    struct loop *loop;
    struct read_buffer *buffer;
    struct rpc_side side;
    int fd; /* -1: closed */
    struct buf got;
};

void rpc_served_init(struct rpc_served *s, int64_t stall_ms);
void rpc_served_done(struct rpc_served *s);
void rpc_served_read(struct rpc_served *s); /* what is there */
/* Writes all of it, turning the loop where the socket is full. */
void rpc_served_send(struct rpc_served *s, const char *p, size_t n);
void rpc_served_line(struct rpc_served *s, const char *line);
/* Turns the loop and reads until nothing more comes. */
void rpc_served_settle(struct rpc_served *s);
/* The same until this has come, which a thread may hold up. */
void rpc_served_await(struct rpc_served *s, const char *text);

/* Two connections of ours with each other. */
struct rpc_joined {
    struct loop *loop;
    struct read_buffer *buffer;
    struct rpc_side a, b;
};

void rpc_joined_init(struct rpc_joined *j);
void rpc_joined_done(struct rpc_joined *j);

void rpc_turn(struct loop *l); /* until nothing is to be done */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest_connection.h - one connection of a peer. */
#ifndef SERVER_GUEST_GUEST_CONNECTION_H
#define SERVER_GUEST_GUEST_CONNECTION_H

#include "base/cleanup.h"
#include "server/guest/guest_shared.h"
#include "server/peer_table.h"
#include "wire/rpc.h"

struct guest_connection;

/* Work for a connection, until it is over: a request's, or more. The owner
 * embeds it. */
struct guest_task {
    struct guest_task *prev, *next;
    struct guest_connection *connection; /* NULL: it is gone, or not begun */
    bool holds; /* the connection's next request waits for it */
    bool sends; /* what the peer still waits for when it sends no more */
    /* The peer sends no more, and has waited long enough: ends what runs, and
     * answers with what there is, and this note. NULL: it goes on. */
    void (*cut)(struct guest_task *t, const char *note);
    /* The connection is being freed, and t is in it no more: what it still has
     * to answer can be answered without effect. May free t. */
    void (*leave)(struct guest_task *t);
};

struct guest_connection {
    struct guest_connection *next; /* of its owner */
    struct guest_shared *shared;
    struct guest_settings *settings; /* that it began with */
    uint64_t number; /* from 1; no other connection of the agent has had it */
    struct rpc *rpc;
    struct journal_run *run; /* of guest_record.h; NULL: nothing yet */
    struct guest_task *tasks;
    size_t held, sending; /* those of them that hold, that send */
    int in, out;
    struct tls *tls;       /* of the one socket; NULL: plain */
    const char *token;     /* which the first line is to show; NULL: none, or
                              no more */
    bool connected;        /* a line CONNECT has come */
    bool began;            /* another line has come */
    bool over;             /* nothing more is read from the peer */
    bool timed;            /* it has left, and `cutting` runs */
    bool cut;              /* what still ran has been ended */
    bool freed;            /* it is being freed */
    struct watch *proving; /* ends one that shows no token; NULL: it has */
    struct watch *closing; /* reports the end from the loop */
    struct watch *cutting; /* ends what still runs when the peer has left */
    void (*room)(struct guest_connection *c); /* as of the setup */
    void (*wrong)(void *arg, struct guest_connection *c);
    void (*ended)(void *arg, struct guest_connection *c);
    void *arg;
    peer_number peer; /* its address, of its owner */
};

struct guest_connection_setup {
    struct guest_shared *shared;
    const struct rpc_method *methods; /* their arg is the connection */
    int in, out; /* may be one socket; the connection's from here on, also where
                    it cannot be made */
    struct tls *tls;   /* of the one socket, and taken too; NULL: plain */
    const char *token; /* NULL: nobody has to show one */
    /* The peer has shown a wrong one. */
    void (*wrong)(void *arg, struct guest_connection *c);
    /* Nothing more comes and all is answered, or nobody reads any more. Called
     * once, from the loop; it may free the connection. */
    void (*ended)(void *arg, struct guest_connection *c);
    void *arg;
    peer_number peer; /* the caller's */
    /* The peer has room for more output than it had. */
    void (*room)(struct guest_connection *c);
};

struct guest_connection *
guest_connection_new(const struct guest_connection_setup *set, struct err *e);
/* Ends its tasks, and what its commands left behind. Accepts NULL. */
void guest_connection_free(struct guest_connection *c);
DEFINE_CLEANUP(struct guest_connection, guest_connection_free)

/* Takes no new request; `ended` comes when what is under way is answered. */
void guest_connection_drain(struct guest_connection *c);

void guest_task_begin(struct guest_task *t, struct guest_connection *c);
/* The task is over; without effect when its connection is gone. */
void guest_task_end(struct guest_task *t);

/* Answers a request that has failed: -32602 for ERR_INVALID, else -32603. */
void guest_refuse(struct rpc_request *rq, const struct err *e);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gateway.h - many clients, tasks, and agents that do them.
 *
 * The gateway listens for HTTP; at /ws a client speaks the envelope of
 * gateway_message.h, whose actions are in gateway_action.c. Tasks and all that
 * happened in them are kept (record/gateway_store.h). Agents come by
 * gateway_agent.h. */
#ifndef SERVER_GATEWAY_GATEWAY_H
#define SERVER_GATEWAY_GATEWAY_H

#include "base/loop.h"
#include "base/seat.h"
#include "config/config.h"
#include "record/journal.h"
#include "server/server_options.h"

#define GATEWAY_AGENTS_USUAL 5
#define GATEWAY_AGENTS_MOST  100

struct gateway;

/* Another protocol at a path of the gateway's, which knows nothing of it. */
struct gateway_mount {
    const char *path, *methods;
    void (*request)(void *arg, struct server_http *h,
                    struct http_connection *c);
    void (*metrics)(void *arg, struct buf *out);
    bool (*is_over)(void *arg); /* nothing runs any more; when stopping */
    void *arg;
};

/* Borrowed while the gateway lives. */
struct gateway_setup {
    struct loop *loop;
    const struct seat *seat;
    struct config *config;
    struct journal *journal; /* NULL: none is kept */
    const struct server_options *options;
    const struct gateway_mount *mount; /* NULL: none */
    unsigned max_agents;
    const char *nats;    /* the server of the gateways that share their tasks;
                            NULL: there are none */
    int64_t approval_ms; /* a question of an agent's expires; 0: never */
    int64_t retain_ms;   /* as of gateway_retention.h; 0: for ever */
    void (*log)(void *arg, const char *line);
    uint64_t (*log_lost)(const void *arg); /* as of server_http.h */
    void (*ended)(void *arg);              /* after gateway_stop */
    void *arg;
};

/* Opens the store, and listens. Errors are those of gateway_rows_open and
 * server_http_new. */
struct gateway *gateway_new(const struct gateway_setup *set, struct err *e);
/* Takes other settings, and the types of agents as they are now, for agents
 * that start from then on; the old ones stay where that fails. */
int gateway_load(struct gateway *g, struct config *fresh, struct err *e);
/* Takes no more work; turns that run may end, for 10 s; `ended` follows. */
void gateway_stop(struct gateway *g);
/* Ends all agents; what was acknowledged is on the disk. Accepts NULL. */
void gateway_free(struct gateway *g);
DEFINE_CLEANUP(struct gateway, gateway_free)

#endif

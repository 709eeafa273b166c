/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_server.c - the agent on a port of its own. */
#include "server/acp/acp_server.h"

#include <stdlib.h>

#include "base/clock.h"
#include "server/acp/acp_connection.h"

#define BODY_MAX     4096 /* no request here has one that is read */
#define PING_MS      30000
#define PONG_MS      20000
#define STOP_STEP_MS 5
#define CLOSE_MS     1000 /* for editors to take their last messages */

struct acp_server {
    struct acp_server_setup set;
    struct server_http_route routes[2];
    struct server_http *http;
    struct acp_port *port;
    struct watch *closing; /* NULL: not yet */
    int64_t close_by_ms;
};

static void
on_acp_request(void *arg, struct http_connection *c)
{
    struct acp_server *s = arg;

    acp_port_request(s->port, s->http, c);
}

static void
put_acp_metrics(void *arg, struct buf *out)
{
    const struct acp_server *s = arg;

    acp_port_put_metrics(s->port, out);
}

struct acp_server *
acp_server_new(const struct acp_server_setup *set, struct err *e)
{
    CLEANUP(acp_server_free_p) struct acp_server *s = calloc(1, sizeof(*s));
    struct server_http_setup http = {
        .loop = set->agent.loop,
        .max_body = BODY_MAX,
        .websocket = {.message_bytes = ACP_MESSAGE_MAX,
                      .queued_bytes = ACP_QUEUE_MAX,
                      .ping_ms = PING_MS,
                      .pong_ms = PONG_MS},
        .metrics = put_acp_metrics,
        .log = set->agent.log,
        .log_arg = set->agent.arg,
        .log_lost = set->log_lost,
    };

    if (!s) {
        err_nomem(e);
        return NULL;
    }
    s->set = *set;
    s->routes[0] = (struct server_http_route){ACP_PORT_PATH, ACP_PORT_METHODS,
                                              on_acp_request};
    server_options_fill_http(set->options, &http);
    http.routes = s->routes;
    http.arg = s;
    if (!(s->port = acp_port_new(&set->agent, e)) ||
        !(s->http = server_http_new(&http, e)))
        return NULL;
    return TAKE_PTR(s);
}

void
acp_server_free(struct acp_server *s)
{
    if (!s)
        return;
    watch_free(s->closing);
    acp_port_free(s->port);
    server_http_free(s->http);
    free(s);
}

int
acp_server_load(struct acp_server *s, struct config *config, struct err *e)
{
    if (server_http_reload_certificate(s->http, e) < 0)
        return -1;
    return acp_port_load(s->port, config, e);
}

static void
on_acp_closing(void *arg, unsigned events)
{
    struct acp_server *s = arg;

    (void)events;
    if (server_http_connections(s->http) == 0 || clock_ms() >= s->close_by_ms)
        s->set.ended(s->set.agent.arg);
    else
        watch_again(s->closing, STOP_STEP_MS);
}

static void
on_port_stopped(void *arg)
{
    struct acp_server *s = arg;

    server_http_close_websockets(s->http, "the agent ends");
    s->close_by_ms = clock_ms() + CLOSE_MS;
    s->closing = loop_soon(s->set.agent.loop, on_acp_closing, s, NULL);
    if (!s->closing)
        s->set.ended(s->set.agent.arg);
}

void
acp_server_stop(struct acp_server *s)
{
    server_http_drain(s->http);
    acp_port_stop(s->port, on_port_stopped, s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* acp_port.c - the agent on a port: one WebSocket is one editor's connection.
 */
#include "server/acp/acp_port.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/random_id.h"
#include "server/acp/acp_connection.h"
#include "wire/rpc_carrier.h"
#include "wire/rpc_websocket.h"

#define STOP_STEP_MS 5    /* between two looks whether all is over */
#define CANCELLED_MS 1500 /* for what is cancelled to end */
#define FIELDS_MAX   256

struct port_editor {
    struct port_editor *prev, *next;
    struct acp_port *port; /* NULL: it is gone, and the upgrade still waits */
    struct rpc_websocket *ws;
    struct acp_connection connection;
};

struct acp_port {
    struct acp_agent_setup set;
    struct acp_agent *agent;
    struct websocket_events events;
    struct port_editor *first;
    size_t n;
    struct watch *stopping; /* looks whether all is over; NULL: not asked to */
    int64_t cancel_at_ms, stop_by_ms;
    bool cancelled;
    void (*stopped)(void *arg);
    void *stopped_arg;
};

static void
unlink_port_editor(struct port_editor *ed)
{
    *(ed->prev ? &ed->prev->next : &ed->port->first) = ed->next;
    if (ed->next)
        ed->next->prev = ed->prev;
    ed->port->n--;
    ed->port = NULL;
    if (!ed->connection.editor.rpc)
        return;
    acp_connection_done(&ed->connection);
    rpc_fail_calls(ed->connection.editor.rpc);
}

static void
free_port_editor(struct port_editor *ed)
{
    if (!ed)
        return;
    if (ed->port)
        unlink_port_editor(ed);
    rpc_websocket_free(ed->ws);
    free(ed);
}
DEFINE_CLEANUP(struct port_editor, free_port_editor)

static void
on_port_closed(void *arg, unsigned status)
{
    (void)status;
    free_port_editor(arg);
}

static void
on_port_message(void *owner, struct websocket *ws, char *bytes, size_t n,
                bool text)
{
    if (text)
        rpc_websocket_events()->message(owner, ws, bytes, n, text);
}

/* Where there is none, it is as if it had been closed. */
static void
on_port_opened(void *owner, struct websocket *ws)
{
    if (ws)
        rpc_websocket_opened(owner, ws);
    else
        rpc_websocket_events()->ended(owner, NULL, WEBSOCKET_LOST, "");
}

static struct port_editor *
new_port_editor(struct acp_port *p, struct err *e)
{
    CLEANUP(free_port_editor_p)
    struct port_editor *ed = calloc(1, sizeof(*ed));
    struct rpc_setup set = {.loop = p->set.loop};

    if (!ed) {
        err_nomem(e);
        return NULL;
    }
    ed->port = p;
    ed->next = p->first;
    if (ed->next)
        ed->next->prev = ed;
    p->first = ed;
    p->n++;
    ed->connection.agent = p->agent;
    acp_connection_setup(&ed->connection, &set);
    if (!(ed->ws = rpc_websocket_new(&set, on_port_closed, ed, e)))
        return NULL;
    ed->connection.editor.rpc = rpc_websocket_rpc(ed->ws);
    return TAKE_PTR(ed);
}

static int
put_connection_id(struct buf *fields, struct err *e)
{
    char id[RANDOM_UUID_SIZE];

    if (random_uuid(id, e) < 0)
        return -1;
    buf_printf(fields, "Acp-Connection-Id: %s\r\n", id);
    return 0;
}

void
acp_port_request(struct acp_port *p, struct server_http *h,
                 struct http_connection *c)
{
    CLEANUP_BUF struct buf fields = buf_of(FIELDS_MAX);
    CLEANUP(free_port_editor_p) struct port_editor *ed = NULL;
    struct err e = {0};

    if (p->stopping) {
        err_set(&e, ERR_PEER, "the agent ends");
    } else if (put_connection_id(&fields, &e) == 0 &&
               (ed = new_port_editor(p, &e)) != NULL) {
        if (server_http_open_named_websocket(h, c, &fields, &p->events, ed->ws,
                                             on_port_opened))
            TAKE_PTR(ed);
        return;
    }
    http_answer_text(c, 503, NULL, e.text);
}

int
acp_port_load(struct acp_port *p, struct config *config, struct err *e)
{
    return acp_agent_load(p->agent, config, e);
}

struct acp_port *
acp_port_new(const struct acp_agent_setup *set, struct err *e)
{
    CLEANUP(acp_port_free_p) struct acp_port *p = calloc(1, sizeof(*p));

    if (!p) {
        err_nomem(e);
        return NULL;
    }
    p->set = *set;
    p->set.keeps = true;
    p->events = *rpc_websocket_events();
    p->events.message = on_port_message;
    p->agent = acp_agent_new(&p->set, e);
    return p->agent ? TAKE_PTR(p) : NULL;
}

void
acp_port_free(struct acp_port *p)
{
    if (!p)
        return;
    watch_free(p->stopping);
    while (p->first) {
        struct port_editor *ed = p->first;

        /* one whose upgrade waits is freed when the server has ended that */
        if (rpc_websocket_socket(ed->ws))
            free_port_editor(ed);
        else
            unlink_port_editor(ed);
    }
    acp_agent_free(p->agent);
    free(p);
}

static void
on_port_stopping(void *arg, unsigned events)
{
    struct acp_port *p = arg;
    int64_t now = clock_ms();

    (void)events;
    if (acp_agent_is_idle(p->agent) || now >= p->stop_by_ms) {
        p->stopped(p->stopped_arg);
        return;
    }
    if (now >= p->cancel_at_ms && !p->cancelled) {
        p->cancelled = true;
        acp_agent_cancel_all(p->agent);
    }
    watch_again(p->stopping, STOP_STEP_MS);
}

void
acp_port_stop(struct acp_port *p, void (*stopped)(void *arg), void *arg)
{
    bool again = p->stopping != NULL;

    p->cancel_at_ms = clock_ms() + (again ? 0 : ACP_DRAIN_MS);
    p->stop_by_ms = p->cancel_at_ms + CANCELLED_MS;
    if (again)
        return;
    p->stopped = stopped;
    p->stopped_arg = arg;
    acp_agent_stop(p->agent);
    p->stopping = loop_soon(p->set.loop, on_port_stopping, p, NULL);
    if (!p->stopping)
        stopped(arg);
}

void
acp_port_put_metrics(const struct acp_port *p, struct buf *out)
{
    size_t open, busy;

    acp_agent_count(p->agent, &open, &busy);
    server_http_put_metric(out, "agentsh_acp_connections", "gauge",
                           "Editors that are connected.", p->n);
    server_http_put_metric(out, "agentsh_acp_sessions", "gauge",
                           "Sessions that are open.", open);
    server_http_put_metric(out, "agentsh_acp_turns", "gauge",
                           "Turns that are under way.", busy);
}

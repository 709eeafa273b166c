/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http_metrics.c - the metrics that all HTTP servers have. */
#include "server/server_http_metrics.h"

#include <inttypes.h>

#include "server/server_metrics.h"

void
server_http_put_metric(struct buf *out, const char *name, const char *kind,
                       const char *help, uint64_t value)
{
    buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", name, help,
               name, kind, name, value);
}

static void
put_answer_counts(const struct http_shared *http, struct buf *out)
{
    static const char name[] = "agentsh_http_responses_total";

    buf_printf(out, "# HELP %s Responses, by the class of their status.\n",
               name);
    buf_printf(out, "# TYPE %s counter\n", name);
    for (unsigned i = 2; i < 6; i++)
        buf_printf(out, "%s{class=\"%uxx\"} %" PRIu64 "\n", name, i,
                   http->answers[i]);
}

static void
put_process_metrics(const struct server_http_numbers *n, struct buf *out)
{
    server_http_put_metric(out, "agentsh_uptime_seconds", "gauge",
                           "Seconds since the server began.",
                           (uint64_t)(n->uptime_ms / 1000));
    server_http_put_metric(out, "agentsh_loop_longest_hold_microseconds",
                           "gauge",
                           "The longest time for which one thing held up all.",
                           (uint64_t)loop_longest_hold(n->http->loop) / 1000);
    server_http_put_metric(out, "process_resident_memory_bytes", "gauge",
                           "Memory that is in use.", server_metrics_memory());
    server_http_put_metric(out, "process_open_fds", "gauge",
                           "Descriptors that are open.",
                           server_metrics_descriptors());
    if (n->log_lost)
        server_http_put_metric(out, "agentsh_log_lines_lost_total", "counter",
                               "Lines that the reader of the log was too slow "
                               "for.",
                               *n->log_lost);
}

static void
put_websocket_metrics(const struct websocket_shared *w, struct buf *out)
{
    server_http_put_metric(out, "agentsh_websockets", "gauge",
                           "WebSockets that are open.", w->n);
    server_http_put_metric(out, "agentsh_websockets_total", "counter",
                           "WebSockets that were opened.", w->opened);
    server_http_put_metric(out, "agentsh_websocket_messages_received_total",
                           "counter", "Messages of clients.", w->received);
    server_http_put_metric(out, "agentsh_websocket_messages_sent_total",
                           "counter", "Messages to clients.", w->sent);
    server_http_put_metric(out, "agentsh_websockets_refused_total", "counter",
                           "WebSockets closed for what the client did.",
                           w->refused);
}

void
server_http_put_numbers(struct buf *out, const struct server_http_numbers *n)
{
    server_http_put_metric(out, "agentsh_http_connections", "gauge",
                           "Connections that are open.", n->connections);
    server_http_put_metric(out, "agentsh_http_connections_total", "counter",
                           "Connections that were accepted.", n->accepted);
    server_http_put_metric(out, "agentsh_http_connections_refused_total",
                           "counter", "Connections beyond --max-connections.",
                           n->refused);
    server_http_put_metric(
        out, "agentsh_http_connections_denied_total", "counter",
        "Connections of other users or of confined processes.", n->denied);
    server_http_put_metric(
        out, "agentsh_http_connections_limited_total", "counter",
        "Connections beyond what one address may have.", n->limited);
    server_http_put_metric(out, "agentsh_http_token_pauses_total", "counter",
                           "Pauses of addresses that showed wrong tokens.",
                           n->paused);
    server_http_put_metric(
        out, "agentsh_http_connections_dropped_total", "counter",
        "Connections ended for being slow or wrong.", n->http->dropped);
    server_http_put_metric(out, "agentsh_http_handshakes_failed_total",
                           "counter", "Connections that spoke no TLS.",
                           n->handshakes_failed);
    server_http_put_metric(out, "agentsh_http_requests_total", "counter",
                           "Requests.", n->http->requests);
    put_answer_counts(n->http, out);
    server_http_put_metric(out, "agentsh_http_held_bytes", "gauge",
                           "Bytes of bodies and of answers not read yet.",
                           n->http->held);
    put_websocket_metrics(n->websockets, out);
    put_process_metrics(n, out);
}

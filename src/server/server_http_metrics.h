/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server_http_metrics.h - the metrics that all HTTP servers have. */
#ifndef SERVER_SERVER_HTTP_METRICS_H
#define SERVER_SERVER_HTTP_METRICS_H

#include "wire/http_connection.h"
#include "wire/websocket.h"

/* Appends a metric in the format of Prometheus. kind: counter or gauge. */
void server_http_put_metric(struct buf *out, const char *name, const char *kind,
                            const char *help, uint64_t value);

/* Those that all servers have. */
struct server_http_numbers {
    const struct http_shared *http;
    const struct websocket_shared *websockets;
    size_t connections;         /* of HTTP, which are open */
    uint64_t accepted, refused; /* connections; those beyond the maximum */
    uint64_t denied;            /* those that the listener did not admit */
    uint64_t limited, paused;   /* those of one address; its pauses */
    uint64_t handshakes_failed; /* of TLS */
    int64_t uptime_ms;
    const uint64_t *log_lost; /* lines; NULL: they are not counted */
};
void server_http_put_numbers(struct buf *out,
                             const struct server_http_numbers *n);

#endif

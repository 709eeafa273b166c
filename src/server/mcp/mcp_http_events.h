/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_http_events.h - the last events of a session, for who comes back.
 *
 * A client whose event stream broke opens it again with the id of the last
 * event that it has (Last-Event-ID). The id is the number of the stream and
 * that of the event in it. */
#ifndef SERVER_MCP_MCP_HTTP_EVENTS_H
#define SERVER_MCP_MCP_HTTP_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define MCP_HTTP_EVENTS_MAX 256
/* Of a session's events; the oldest go first. */
#define MCP_HTTP_EVENTS_BYTES (1u << 20)

struct mcp_http_event {
    struct mcp_http_event *next;
    uint64_t stream, number;
    struct buf text; /* as it is sent */
};

/* Begins with all zero. */
struct mcp_http_events {
    struct mcp_http_event *first, *last;
    size_t n, bytes;
};

void mcp_http_events_done(struct mcp_http_events *l); /* accepts NULL */

/* Keeps a copy, unless it is too large. */
void mcp_http_events_keep(struct mcp_http_events *l, uint64_t stream,
                          uint64_t number, const struct buf *text);

/* Whether one of that stream is kept. */
bool mcp_http_events_have(const struct mcp_http_events *l, uint64_t stream);

/* Reads an id, STREAM-NUMBER. */
bool mcp_http_events_read_id(const char *text, uint64_t *stream,
                             uint64_t *number);

#endif

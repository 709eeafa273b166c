/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_headers.h - the HTTP headers that go with a message. */
#ifndef MODEL_MCP_HTTP_REQUEST_HEADERS_H
#define MODEL_MCP_HTTP_REQUEST_HEADERS_H

#include "base/buf.h"
#include "model/mcp_http/tool_schemas.h"
#include "wire/jsonrpc.h"

#define REQUEST_HEADERS_VERSION_SIZE 32 /* of a version: a date */

/* What `initialize` has settled; empty texts: nothing. */
struct request_headers_session {
    char id[512];
    char version[REQUEST_HEADERS_VERSION_SIZE];
};

/* Whether a message says its version itself, and belongs to no session. */
bool request_headers_are_own(const struct jsonrpc *m);

/* Appends the lines for a message that is posted. tools: those of the server.
 */
void request_headers_write(const struct jsonrpc *m,
                           const struct request_headers_session *s,
                           const struct tool_schemas *tools, struct buf *out);
/* Those of a request without a message. last_event: where a stream is taken up
 * again; "": it is a new one; NULL: no stream is asked for. */
void request_headers_write_bare(const struct request_headers_session *s,
                                const char *last_event, struct buf *out);

#endif

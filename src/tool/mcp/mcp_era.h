/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_era.h - the two ways in which MCP servers say their version.
 *
 * Up to 2025-11-25 a session begins with `initialize`, which settles version
 * and capabilities for all that follows. From 2026-07-28 on there is no such
 * handshake: each request has both in its _meta, and server/discover tells what
 * a server offers. A server may speak both. Texts of a server are its own
 * words; nothing is decided by them. */
#ifndef TOOL_MCP_MCP_ERA_H
#define TOOL_MCP_MCP_ERA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "wire/jsonrpc.h"

#define MCP_ERA_REQUEST_VERSION   "2026-07-28" /* the one without a handshake */
#define MCP_ERA_HANDSHAKE_VERSION "2025-11-25" /* the newest one with it */

/* What the names of members of _meta begin with, and the one in which a request
 * of 2026-07-28 says its version. */
#define MCP_ERA_PREFIX       "io.modelcontextprotocol/"
#define MCP_ERA_META_VERSION MCP_ERA_PREFIX "protocolVersion"

/* Errors that only a server of 2026-07-28 gives (its schema). */
enum mcp_era_code {
    MCP_ERA_HEADER_MISMATCH = -32020,
    MCP_ERA_MISSING_CAPABILITY = -32021,
    MCP_ERA_UNSUPPORTED_VERSION = -32022,
};

enum mcp_era {
    MCP_ERA_UNKNOWN,
    MCP_ERA_HANDSHAKE, /* 2024-11-05 to 2025-11-25 */
    MCP_ERA_REQUEST,   /* 2026-07-28 */
};

/* The word for a file; NULL: it is unknown. */
const char *mcp_era_word(enum mcp_era era);
enum mcp_era mcp_era_of_word(const char *word); /* word may be NULL */

/* The params of `initialize`. */
void mcp_era_write_initialize(struct buf *out);

/* Checks its result. ERR_PEER: another version is spoken, or none. */
int mcp_era_check_initialized(const struct json *result, struct err *e);

/* Appends the _meta of a request, one JSON object. token: for progress; 0: none
 * is wanted. */
void mcp_era_write_meta(enum mcp_era era, int64_t token, struct buf *out);

/* What an answer to server/discover tells. An error that no server of
 * 2026-07-28 gives is that of a server that expects the handshake.
 * MCP_ERA_UNKNOWN, with ERR_PEER: it speaks neither, or refuses. */
enum mcp_era mcp_era_of_discovery(const struct jsonrpc *m, struct err *e);

/* The version of the server's program, where a result names it: as
 * `initialize` does, or as each one may from 2026-07-28 on. NULL: it does not.
 */
const char *mcp_era_server_version(const struct json *result);

#endif

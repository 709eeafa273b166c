/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_tools.h - lists an MCP server's tools and makes manifests of them. */
#ifndef TOOL_MCP_MCP_TOOLS_H
#define TOOL_MCP_MCP_TOOLS_H

#include "base/buf.h"
#include "tool/mcp/mcp_config.h"
#include "tool/mcp/mcp_session.h"

#define MCP_TOOLS_MAX  256        /* of a server */
#define MCP_LIST_BYTES (4u << 20) /* their descriptions and schemas */
#define MCP_PAGES_MAX  64

/* The pages of tools/list, collected: {"tools":[…],"version":…,"era":…,
 * "skipped":N} */
struct mcp_tools {
    struct buf text;
    size_t n, pages;
    char *cursor; /* for the next page; NULL: there is none */
};

void mcp_tools_init(struct mcp_tools *l);
void mcp_tools_done(struct mcp_tools *l);
/* Adds a page, the result of a tools/list. ERR_PEER: it is none, or passes a
 * bound. */
int mcp_tools_add_page(struct mcp_tools *l, const struct json *result,
                       struct err *e);
/* After the last page. version: of the server's program. skipped: lines without
 * JSON that it wrote. */
int mcp_tools_finish(struct mcp_tools *l, const char *version, enum mcp_era era,
                     size_t skipped, struct err *e);

/* Reads the cached list of an entry with this hash, from the cache directory of
 * the seat. ERR_NOT_FOUND: there is no usable one. ERR_PEER, unless `again`:
 * the server failed to list its tools a few minutes ago, with this reason. */
struct json *mcp_tools_read_cache(const struct seat *s, const char *hash,
                                  bool again, struct err *e);
/* The era of the server of a list. */
enum mcp_era mcp_tools_era(const struct json *list);
/* What is known of it where a list may be missing. */
enum mcp_era mcp_tools_read_era(const struct seat *s, const char *hash);
void mcp_tools_cache_error(const struct seat *s, const char *hash,
                           const struct err *why, enum mcp_era era);
/* Stores the list in the cache directory, if possible. */
void mcp_tools_cache(const struct seat *s, const char *hash,
                     const struct mcp_tools *l);

/* Makes a manifest with one action, "call", of a tool in the list. *remote: its
 * name at the server, owned by the manifest. NULL: e says what is wrong with
 * it; name is filled when the tool has one. */
struct manifest *mcp_tools_manifest(const struct mcp_server *m,
                                    const struct json *list,
                                    const struct json *tool,
                                    char name[MANIFEST_NAME_MAX + 1],
                                    const char **remote, struct err *e);

/* The manifest of a server whose tools are not known. */
struct manifest *mcp_tools_server_manifest(const struct mcp_server *m,
                                           struct err *e);

/* Requests the first page, in a session that is ready. */
int mcp_tools_request(struct mcp_tools *l, struct mcp_session *s,
                      struct err *e);
/* Takes an answer. 1: the list is complete; 0: the next page was requested; -1:
 * error. */
int mcp_tools_on_answer(struct mcp_tools *l, struct mcp_session *s,
                        const struct jsonrpc *m, struct err *e);

#endif

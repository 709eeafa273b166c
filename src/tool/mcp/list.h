/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.h - what a server says it offers, and the manifests made of it. */
#ifndef TOOL_MCP_LIST_H
#define TOOL_MCP_LIST_H

#include "base/buf.h"
#include "tool/mcp/entry.h"

#define MCP_TOOLS_MAX  256        /* of a server */
#define MCP_LIST_BYTES (4u << 20) /* their descriptions and schemas */
#define MCP_PAGES_MAX  64

/* Pages of tools/list as they come: {"version":…,"tools":[…],
 * "skipped":N} */
struct mcp_list {
    struct buf text;
    size_t n, pages;
    char *cursor; /* for the next page; NULL: there is none */
};

void mcp_list_init(struct mcp_list *l, const char *version);
void mcp_list_done(struct mcp_list *l);
/* A page: the result of a tools/list. ERR_PEER: it is none, or over a bound.
 */
int mcp_list_add(struct mcp_list *l, const struct json *result, struct err *e);
/* After the last page. skipped: lines of the server that are no JSON. */
int mcp_list_end(struct mcp_list *l, size_t skipped, struct err *e);

/* The list that was kept for an entry with this hash. ERR_NOT_FOUND: none that
 * can be used. ERR_PEER, unless it is to be tried again: the server did not
 * tell its tools a few minutes ago, and why. */
struct json *mcp_list_read(const char *hash, bool again, struct err *e);
void mcp_list_keep_fault(const char *hash, const struct err *why);
/* Keeps it, in the cache directory; whether that went well is no matter. */
void mcp_list_keep(const char *hash, const struct mcp_list *l);

/* A tool of the list as a manifest with one action, "call". *remote: its name
 * there, which the manifest owns. NULL: what is wrong with it; name is filled
 * as far as there is one. */
struct manifest *mcp_list_manifest(const struct mcp_entry *m,
                                   const struct json *list,
                                   const struct json *tool,
                                   char name[MANIFEST_NAME_MAX + 1],
                                   const char **remote, struct err *e);

#endif

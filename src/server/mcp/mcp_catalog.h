/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_catalog.h - the tools as a client sees them, described once.
 *
 * A tool with one action has the tool's name, one with several has a name for
 * each, TOOL__ACTION; what a name there may not have becomes `_`. Tools that
 * are not trusted, or cannot be used, are left out. They are sorted by name. */
#ifndef SERVER_MCP_MCP_CATALOG_H
#define SERVER_MCP_MCP_CATALOG_H

#include "tool/registry.h"
#include "json/write.h"

#define MCP_CATALOG_NAME_SIZE 132 /* of a tool and of an action, and "__" */

struct mcp_catalog;

/* Strings and pointers are the registry's, but for the name. */
struct mcp_catalog_tool {
    char name[MCP_CATALOG_NAME_SIZE];
    const struct tool *tool;
    const struct manifest_action *action;
};

/* The registry is borrowed while the catalog lives. left_out is called for each
 * tool whose name another one has. */
struct mcp_catalog *mcp_catalog_new(struct registry *r,
                                    void (*left_out)(void *arg,
                                                     const char *why),
                                    void *arg, struct err *e);
void mcp_catalog_free(struct mcp_catalog *c); /* accepts NULL */
DEFINE_CLEANUP(struct mcp_catalog, mcp_catalog_free)

/* NULL: there is none of that name. */
const struct mcp_catalog_tool *mcp_catalog_find(const struct mcp_catalog *c,
                                                const char *name);

/* Puts the array of descriptions, from the one with number `from` on, as many
 * as a page has. Returns the number of the first one of the next page; 0: this
 * was the last. ERR_INVALID (-1): there is no such page. */
int mcp_catalog_put_page(const struct mcp_catalog *c, int64_t from,
                         struct json_writer *w, size_t *next, struct err *e);

/* Whether both describe the same. */
bool mcp_catalog_is_same(const struct mcp_catalog *a,
                         const struct mcp_catalog *b);

#endif

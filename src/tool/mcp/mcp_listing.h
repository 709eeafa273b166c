/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mcp_listing.h - asks one MCP server for its tools, from the loop.
 *
 * The server is started, asked, and ended. Nothing waits: a server that is
 * silent, floods or dies costs the others nothing but its own deadline. */
#ifndef TOOL_MCP_MCP_LISTING_H
#define TOOL_MCP_MCP_LISTING_H

#include "base/loop.h"
#include "tool/registry.h"
#include "json/json.h"

struct mcp_listing;

struct mcp_listing_events {
    /* Called once. list is {"version":…,"tools":[…],"skipped":N}, valid until
     * this returns; NULL: there is none, and why says it. Must not free the
     * listing. */
    void (*listed)(void *arg, const struct json *list, const struct err *why);
    /* The server's processes have ended; called once, last. May free the
     * listing. */
    void (*ended)(void *arg);
};

/* What is asked; borrowed until mcp_listing_start returns, but for the tool. */
struct mcp_listing_params {
    const struct tool *tool; /* which stands for its server, and is trusted */
    const struct config *config;
    const char *workspace; /* NULL: the directory of the seat */
    int64_t limit_ms;      /* for its list to be complete */
};

/* Both callbacks come from the loop. The list, or why there is none, is stored
 * for the tool's hash in the cache directory of the server's seat. The errors
 * are those of mcp_hash_check, confinement_fill and mcp_session_new; no
 * callback follows them. */
struct mcp_listing *mcp_listing_start(struct loop *l,
                                      const struct mcp_listing_params *p,
                                      const struct mcp_listing_events *ev,
                                      void *arg, struct err *e);
/* Ends the server; accepts NULL. Before `ended` this may take 2 s: to cancel
 * several, terminate all of them before the first is freed. */
void mcp_listing_free(struct mcp_listing *l);
DEFINE_CLEANUP(struct mcp_listing, mcp_listing_free)
void mcp_listing_terminate(struct mcp_listing *l); /* accepts NULL */

#endif

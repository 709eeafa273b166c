/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry_listing.h - asks the MCP servers of a registry for their tools.
 *
 * All servers that are trusted and whose tools are not known are started at
 * once, each with its own deadline. The tools of one are in the registry as
 * soon as it has answered, whatever the others do. Nothing waits. */
#ifndef TOOL_REGISTRY_LISTING_H
#define TOOL_REGISTRY_LISTING_H

#include "base/loop.h"
#include "tool/registry.h"

#define REGISTRY_LISTING_MS 30000 /* for a server that downloads itself */

struct registry_listing;

struct registry_listing_events {
    /* The server's n tools are in the registry, in place of its own entry; or n
     * is 0, and server->fault says why. Called once for each server. Must not
     * free the listing. May be NULL. */
    void (*listed)(void *arg, const struct tool *server, size_t n);
    /* All servers have answered, and their processes have ended; called once,
     * last. May free the listing. */
    void (*done)(void *arg);
};

/* Borrowed until registry_listing_start returns. */
struct registry_listing_params {
    const char *tool;      /* only the server whose tool this would be, even if
                              it failed a moment ago; NULL: all of them */
    const char *workspace; /* NULL: the seat's directory */
    int64_t limit_ms;      /* for each; 0: REGISTRY_LISTING_MS */
};

/* Callbacks come from the loop. The registry is borrowed while the listing
 * lives, and one listing of it is open at a time. ERR_NOMEM. */
struct registry_listing *registry_listing_start(
    struct loop *l, struct registry *r, const struct registry_listing_params *p,
    const struct registry_listing_events *ev, void *arg, struct err *e);
/* Cancels what is not done, without a callback: these servers are ended, which
 * may take 2 s for all of them. Accepts NULL. */
void registry_listing_free(struct registry_listing *l);
DEFINE_CLEANUP(struct registry_listing, registry_listing_free)

#endif

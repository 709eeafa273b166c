/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry_in.h - the registry's rows, for who fills them. */
#ifndef TOOL_REGISTRY_IN_H
#define TOOL_REGISTRY_IN_H

#include "base/buf.h"
#include "tool/mcp/entry.h"
#include "tool/registry.h"

/* A row: a tool, and what it owns. */
struct registry_row {
    struct tool tool;
    char *name;
    struct manifest *manifest;
    size_t order;              /* of the places that were looked in */
    bool looked;               /* the rest of tool is filled */
    bool is_place;             /* where plugins should be, and no tool */
    struct registry_row *next; /* of the hidden ones */
};

struct registry {
    const struct config *config;
    struct registry_row **rows; /* sorted by name, then by order */
    size_t n;
    struct buf notes; /* what was agreed to, once it was read */
    bool noted;
    bool settled; /* all rows were looked at */
    struct mcp_servers *servers;
    struct registry_row *hidden; /* servers whose tools are rows now */
};

/* A row at the end; takes dir, which may be NULL. It has to be sorted in by
 * registry_sort. NULL: there are too many, or no memory. */
struct registry_row *registry_add(struct registry *r, const char *name,
                                  enum tool_source source, char *dir,
                                  struct err *e);
void registry_sort(struct registry *r);

/* Where plugins lie; each may be NULL. */
struct registry_places {
    const char *builtin, *user;
    const char *list;             /* as AGENTSH_PLUGIN_PATH is written */
    const char *mcp, *mcp_system; /* files */
};

/* registry_open with other places, for tests. */
struct registry *registry_open_at(const struct registry_places *p,
                                  const struct config *c, struct err *e);

/* Adds the names that are there. */
int registry_scan(struct registry *r, const struct registry_places *p,
                  struct err *e);

/* Adds a row a server. */
int registry_add_servers(struct registry *r, const struct registry_places *p,
                         struct err *e);
int registry_fill_server(struct registry *r, struct registry_row *row,
                         struct err *e);
int registry_trust_server(const struct tool *t, struct err *e);
/* Where the row is a server's that is trusted, its tools instead; again: even
 * if it did not answer a moment ago. Whether the rows are others now. */
bool registry_expand(struct registry *r, struct registry_row *row, bool again);
/* The server that a tool of this name would be of; NULL: none. */
struct registry_row *registry_server_of(struct registry *r, const char *name);

/* Reads what was agreed to, once. */
int registry_notes(struct registry *r, struct err *e);

/* Fills the rest of a row, once; what is wrong with it is its fault. */
void registry_look(struct registry *r, struct registry_row *row);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h - the tools that there are.
 *
 * Looked for in this order, the first of a name wins: the built-in ones in
 * libexec/agentsh/plugins, $XDG_DATA_HOME/agentsh/plugins, the directories of
 * AGENTSH_PLUGIN_PATH, and the servers of mcp.json, each of whose tools is
 * one named SERVER.TOOL. A directory whose manifest is wrong stays in the
 * list with its fault, so that it can be told; it hides no other.
 *
 * What is not built in is used only after a yes that showed its manifest and
 * its hash, SHA-256 over the files of its directory (names, modes, contents);
 * a changed one is asked about again. Answers are kept in the state
 * directory, in the file `trusted`. */
#ifndef TOOL_REGISTRY_H
#define TOOL_REGISTRY_H

#include "base/buf.h"
#include "base/sha256.h"
#include "config/config.h"
#include "tool/manifest.h"

#define REGISTRY_TOOLS_MAX 512

enum tool_source { TOOL_BUILTIN, TOOL_USER, TOOL_PATH, TOOL_MCP };

enum tool_trust {
    TOOL_TRUSTED, /* built in, or agreed to as it is now */
    TOOL_NEW,     /* never agreed to */
    TOOL_CHANGED, /* agreed to, but not as it is now */
};

struct mcp_entry; /* tool/mcp/: a server of mcp.json */

struct tool {
    const char *name;
    enum tool_source source;
    char *dir;     /* of its plugin.json; NULL for a server's */
    char *program; /* absolute; NULL for a server's */
    const struct manifest *manifest; /* NULL: faulty */
    struct err fault;                /* why, when it is */
    enum tool_trust trust;
    char hash[SHA256_HEX_SIZE];     /* "" for a built-in */
    const struct mcp_entry *server; /* NULL but for TOOL_MCP */
    int64_t skipped;    /* lines of its server that are no JSON, at its list */
    const char *remote; /* its name there; NULL: it stands for the server */
};

struct registry;

/* Reads the names; manifests and hashes are read when a tool is looked at
 * first. A missing directory is none. c is borrowed. */
struct registry *registry_open(const struct config *c, struct err *e);
void registry_free(struct registry *r);
DEFINE_CLEANUP(struct registry, registry_free)

/* Borrowed from r. NULL and ERR_NOT_FOUND (with the nearest name), or the
 * fault of its manifest. A tool that is not trusted is returned: the caller
 * looks at `trust`. */
const struct tool *registry_find(struct registry *r, const char *name,
                                 struct err *e);

/* All of them, sorted by name; faulty ones too. NULL after the last. A server
 * of mcp.json that is trusted is asked for its tools when that was never done
 * (its answer is kept in the cache directory); one that is not stands for them
 * itself, as it does for registry_find. */
const struct tool *registry_at(struct registry *r, size_t i);

/* The i-th directory of plugins that cannot be read: `name` is its path and
 * `fault` why. It is in the list too, and the tools of the others are used.
 * NULL after the last. */
const struct tool *registry_lost_place(const struct registry *r, size_t i);

/* Notes that the person agreed to the tool as it is now. */
int registry_trust(struct registry *r, const struct tool *t, struct err *e);

/* Appends what a person must see before they agree: where it is, what it
 * declares, its hash. */
void registry_describe(const struct tool *t, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h - finds the tools that are installed, and whether they are
 * trusted.
 *
 * The places are searched in this order, and the first tool of a name wins: the
 * built-in ones in libexec/agentsh/plugins, $XDG_DATA_HOME/agentsh/plugins, the
 * directories of AGENTSH_PLUGIN_PATH, the servers of mcp.json, each of whose
 * tools is named SERVER.TOOL, and those of a session. A directory with an
 * invalid manifest stays in the list with its error, for the person to see; it
 * hides no other tool.
 *
 * A tool that is not built in is used only after a person's yes that showed its
 * manifest and its hash, SHA-256 over the files of its directory (names, modes,
 * contents). A changed tool is asked about again. The answers are in the file
 * `trusted` of the state directory (trust.h). */
#ifndef TOOL_REGISTRY_H
#define TOOL_REGISTRY_H

#include "base/buf.h"
#include "base/seat.h"
#include "base/sha256.h"
#include "config/config.h"
#include "tool/manifest.h"
#include "tool/mcp/mcp_era.h"

#define REGISTRY_TOOLS_MAX   512
#define REGISTRY_SERVERS_MAX 256 /* of both files, and of a session */

enum tool_source { TOOL_BUILTIN, TOOL_USER, TOOL_PATH, TOOL_MCP };

enum tool_trust {
    TOOL_TRUSTED, /* built in, or trusted as it is now */
    TOOL_NEW,     /* never trusted */
    TOOL_CHANGED, /* trusted, but changed since */
};

struct mcp_server; /* tool/mcp/: a server of mcp.json */
struct mcp_config;

struct tool {
    const char *name;
    enum tool_source source;
    char *dir;     /* of its plugin.json; NULL for a server's */
    char *program; /* absolute; NULL for a server's */
    const struct manifest *manifest; /* NULL: it cannot be used, */
    struct err fault;                /* and this is why */
    enum tool_trust trust;
    char hash[SHA256_HEX_SIZE];      /* "" for a built-in */
    const struct mcp_server *server; /* NULL but for TOOL_MCP */
    int64_t skipped;    /* lines without JSON that its server wrote */
    enum mcp_era era;   /* what its server spoke when it was listed */
    const char *remote; /* its name there; NULL: it is the server itself */
};

struct registry;

/* Reads the names of the tools of the seat's person. Manifests and hashes are
 * read when a tool is first used. A directory that does not exist is empty. The
 * seat and c are borrowed. */
struct registry *registry_open(const struct seat *s, const struct config *c,
                               struct err *e);
void registry_free(struct registry *r);
DEFINE_CLEANUP(struct registry, registry_free)

/* The places that are searched; each may be NULL. */
struct registry_dirs {
    const char *builtin, *user;
    const char *list;             /* as AGENTSH_PLUGIN_PATH is written */
    const char *mcp, *mcp_system; /* files */
};

/* registry_open with other places, for tests. */
struct registry *registry_open_in(const struct seat *s,
                                  const struct registry_dirs *p,
                                  const struct config *c, struct err *e);

/* The settings of registry_open, borrowed. */
const struct config *registry_config(const struct registry *r);

/* The tool of that name, borrowed from r. NULL: ERR_NOT_FOUND with the nearest
 * name, or the error in its manifest. Untrusted tools are found as well: the
 * caller checks `trust`. No server is asked: of one whose tools are not known
 * none is found (registry_listing.h). */
const struct tool *registry_find(struct registry *r, const char *name,
                                 struct err *e);

/* The i-th tool of all, sorted by name, invalid ones too. NULL after the last.
 * A server whose tools are not known, or that is not trusted, is one entry in
 * place of its tools. */
const struct tool *registry_at(struct registry *r, size_t i);

/* The trusted servers whose tools are not known: neither given to
 * registry_set_list, nor in the cache directory. One that failed a moment ago
 * counts only with `tool`: then it is about the server whose tool this would
 * be. Returns how many there are. */
size_t registry_unlisted(struct registry *r, const char *tool,
                         const struct tool *out[REGISTRY_SERVERS_MAX]);
/* Puts the tools of a server's list in place of its entry, which stays valid;
 * list NULL: the entry is at fault, and why says how. Returns the number of
 * tools; 0: the entry's `fault` is set. Indexes of registry_at change. */
size_t registry_set_list(struct registry *r, const struct tool *server,
                         const struct json *list, const struct err *why);

/* Adds the servers of one session: text has the form of mcp.json. They are used
 * without consent, since nobody can be asked: who hands them over could start
 * them itself, and the sandbox gives them less. Their entries are as
 * mcp_config_read_session takes them. `refused` is called
 * for each whose name a server of mcp.json has, which is the one that counts,
 * or one before it; title is its name in the text. No file is read or written.
 * ERR_INVALID: there are some already; ERR_CONFIG: text has another form;
 * ERR_NOMEM. */
typedef void registry_refused(void *arg, const char *title,
                              const struct err *why);
int registry_add_servers(struct registry *r, const char *text, size_t n,
                         registry_refused *refused, void *arg, struct err *e);
/* Removes them and their tools. No listing is open, no call of these tools is
 * under way, and no pool keeps their processes (tool_pool_end_servers). */
void registry_remove_servers(struct registry *r);
/* For tool_pool_end_servers. NULL: there are none. */
const struct mcp_config *registry_session_servers(const struct registry *r);

/* The i-th plugin directory that cannot be read: `name` is its path and
 * `fault` is the reason. It is in the list as well; the tools of other
 * directories are used. NULL after the last. */
const struct tool *registry_unreadable_dir(const struct registry *r, size_t i);

/* Stores that the person trusts the tool as it is now. */
int registry_trust(struct registry *r, const struct tool *t, struct err *e);

/* Appends what a person must see before they trust a tool: where it is, what
 * its manifest declares, its hash. The seat is the person's. */
void registry_describe(const struct seat *s, const struct tool *t,
                       struct buf *out);

#endif
